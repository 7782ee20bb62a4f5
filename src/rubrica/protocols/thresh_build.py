"""From the `thresh` part of a valid protocol file to the dictionary of ``core``."""

from __future__ import annotations

from rubrica.core.thresh import ThreshCategory, ThreshNames, ThreshOption, ThreshQuestion
from rubrica.protocols import thresh_schema as schema


def thresh_names(file: schema.ThreshFile) -> ThreshNames:
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


def _question(file: schema.ThreshFollowUpFile, name: str = "") -> ThreshQuestion:
    return ThreshQuestion(
        question=file.question,
        name=name,
        form=file.form or "",
        options=tuple(
            ThreshOption(option.name, option.means, _question(option.then) if option.then else None)
            for option in file.options
        ),
    )
