"""The part of a protocol file that says how its edits are called in files of Thresh, and what it becomes.

From the `thresh` part of a valid protocol file to the dictionary of ``core``.
"""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import BeforeValidator, Field

from rubrica.core.thresh import ThreshCategory, ThreshNames, ThreshOption, ThreshQuestion
from rubrica.protocols.values import Id, Model


def _as_name(value: Any) -> Any:
    if not isinstance(value, str) or not value:
        raise ValueError("this is not a name: write it as the file has it, in quotes")
    return str(value)


Name = Annotated[str, BeforeValidator(_as_name), Field(min_length=1)]
"""A name as somebody else's file has it: any text, ``yes`` and ``no`` included."""

Kept = Annotated[dict[str, Any], Field(title="anything")]


class ThreshOptionFile(Model):
    """An option of a Thresh file: its name there, the option of ours that it means, the question that follows."""

    name: Name
    means: Id
    then: ThreshFollowUpFile | None = None
    kept: Kept = {}


class ThreshFollowUpFile(Model):
    """A question of ours that is answered under an option of a Thresh file."""

    question: Id
    form: Name | None = None
    options: list[ThreshOptionFile] = []
    kept: Kept = {}


class ThreshQuestionFile(ThreshFollowUpFile):
    """A question of ours under the key that it has in the annotation of a Thresh file."""

    name: Name


class ThreshCategoryFile(Model):
    """An operation of ours under the category that it has in Thresh files, and how the template draws it."""

    name: Name
    operation: Id
    color: Name | None = None
    icon: Name | None = None
    answers: list[ThreshQuestionFile] = []
    kept: Kept = {}


class ThreshFile(Model):
    """How edits are called in files of Thresh. `kept` is what a template said that Rubrica has no use for."""

    categories: list[ThreshCategoryFile] = Field(min_length=1)
    kept: Kept = {}


def thresh_names(file: ThreshFile) -> ThreshNames:
    """The dictionary that a checked file describes."""
    return ThreshNames(
        tuple(
            ThreshCategory(
                name=category.name,
                operation=category.operation,
                answers=tuple(_question(answer, answer.name) for answer in category.answers),
                color=category.color or "",
                icon=category.icon or "",
            )
            for category in file.categories
        )
    )


def _question(file: ThreshFollowUpFile, name: str = "") -> ThreshQuestion:
    return ThreshQuestion(
        question=file.question,
        name=name,
        form=file.form or "",
        options=tuple(
            ThreshOption(option.name, option.means, _question(option.then) if option.then else None)
            for option in file.options
        ),
    )
