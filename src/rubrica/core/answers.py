"""What an answer can be, and how the three kinds of "no answer" are told apart.

*Missing*: shown but not answered; the question has no entry. *Not asked*: hidden by a condition; no
entry either, and the protocol says so. *Not applicable*: a rule dropped the question for this item; the
entry is :data:`NOT_APPLICABLE`, a value of its own in storage, sheets, exports and statistics.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, final


@final
class NotApplicable:
    """The type of :data:`NOT_APPLICABLE`, of which there is one."""

    _only: NotApplicable | None = None

    def __new__(cls) -> NotApplicable:
        if cls._only is None:
            cls._only = super().__new__(cls)
        return cls._only

    def __repr__(self) -> str:
        return "NOT_APPLICABLE"

    def __reduce__(self) -> str:
        return "NOT_APPLICABLE"


NOT_APPLICABLE: Final = NotApplicable()
NOT_APPLICABLE_WORD: Final = "not_applicable"
"""How it is written in a table cell."""

Answer = int | float | str | tuple[str, ...] | NotApplicable
Answers = Mapping[str, Answer]


def to_json(answers: Answers) -> dict[str, Any]:
    """Answers as JSON holds them: tuples become lists, *not applicable* an object of its own."""
    return {question: _encode(value) for question, value in answers.items()}


def from_json(data: Mapping[str, Any]) -> dict[str, Answer]:
    """The inverse of :func:`to_json`. What no answer can be is left as it is, for the validator to refuse."""
    return {question: _decode(value) for question, value in data.items()}


def _encode(value: Answer) -> Any:
    if isinstance(value, NotApplicable):
        return {NOT_APPLICABLE_WORD: True}
    return list(value) if isinstance(value, tuple) else value


def _decode(value: Any) -> Answer:
    if value == {NOT_APPLICABLE_WORD: True}:
        return NOT_APPLICABLE
    if isinstance(value, list):
        return tuple(value)
    answer: Answer = value
    return answer
