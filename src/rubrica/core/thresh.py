"""How a protocol's edits are called in files of Thresh: categories, questions, options, and how answers nest.

Thresh (thresh.tools) is an annotation tool for edits. Its files name things freely and nest the answer to a follow-up
inside the option that it follows; our ids are strict and our questions flat. This is the dictionary between the two.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

import attrs


@attrs.frozen
class ThreshQuestion:
    """A question of ours where a Thresh file has an answer.

    ``name`` is its key in the annotation; a follow-up has none, since it stands under its option's name. ``form`` is
    what the template calls an answer without options: ``binary``, ``likert-3``, ``textbox``, ``textarea``.
    """

    question: str
    name: str = ""
    form: str = ""
    options: tuple[ThreshOption, ...] = ()

    def questions(self) -> Iterator[str]:
        """Ids of this question and of everything that may follow it."""
        yield self.question
        for option in self.options:
            if option.then is not None:
                yield from option.then.questions()


@attrs.frozen
class ThreshOption:
    """An option: its name in the file, the id of ours that it means, and what is asked when it is chosen."""

    name: str
    means: str
    then: ThreshQuestion | None = None


@attrs.frozen
class ThreshCategory:
    """An operation of ours under the name that Thresh files give it, with the tree of its answers and its look."""

    name: str
    operation: str
    answers: tuple[ThreshQuestion, ...] = ()
    color: str = ""
    icon: str = ""


@attrs.frozen
class ThreshNames:
    """The dictionary of one protocol."""

    categories: tuple[ThreshCategory, ...]

    @cached_property
    def by_name(self) -> dict[str, ThreshCategory]:
        """Categories by their name in files; the first of a name counts."""
        return {category.name: category for category in reversed(self.categories)}

    @cached_property
    def by_operation(self) -> dict[str, ThreshCategory]:
        """Categories by our operation; the first of an operation is the one that is written."""
        return {category.operation: category for category in reversed(self.categories)}
