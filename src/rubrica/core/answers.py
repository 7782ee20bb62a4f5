"""What an answer can be, and how the three kinds of "no answer" are told apart.

*Missing*: shown but not answered; the question has no entry. *Not asked*: hidden by a condition; no entry either, and
the protocol says so. *Not applicable*: a rule dropped the question for this item; the entry is :data:`NOT_APPLICABLE`,
a value of its own in storage, sheets, exports and statistics.

Short answers as they are compared, one rule for agreement, gold, hints, checks, grading and exports. "easy", "Easy"
and " easy" are one answer, and answers have no order. The guidelines of MLSP 2024: leaving the field blank and writing
the word itself both say that no simpler word fits. That is an answer of its own, neither missing nor a word:
:data:`NO_SIMPLER_WORD`.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Mapping
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


NO_SIMPLER_WORD: Final[tuple[str, ...]] = ()
"""The answer of somebody who left it blank or wrote the word itself."""


TYPED = {ord(sign): "'" for sign in "\u2019\u2018\u02bc"} | {ord(sign): "-" for sign in "\u2010\u2011\u2013"}
"""Apostrophes and hyphens as a keyboard has them: texts are often set with others, and telephones write others."""


def compared(text: str) -> str:
    """A text as it is compared: without what does not matter (capitals, spaces, invisible signs, how it is encoded).

    Apostrophes and hyphens are those of a keyboard. Small letters, not folded ones: folding would make *Maße* and
    *Masse* one word, which they are not in German.
    """
    if text.isascii():
        return " ".join(text.lower().split())
    folded = unicodedata.normalize("NFKC", text).lower().translate(TYPED)
    seen = "".join(sign for sign in folded if unicodedata.category(sign) != "Cf")
    return " ".join(unicodedata.normalize("NFKC", seen).split())


def different(texts: Iterable[str]) -> tuple[str, ...]:
    """The texts without spaces around them and those that repeat an earlier one: "easy" and "EASY" are one answer."""
    first: dict[str, str] = {}
    for text in texts:
        first.setdefault(compared(text), text.strip())
    return tuple(first.values())


def simpler_words(answer: Answer | None, *target: str) -> tuple[str, ...]:
    """The words of an answer as they were written, each once, without blanks and the word itself (in these forms).

    :data:`NO_SIMPLER_WORD` if none is left.
    """
    parts = answer if isinstance(answer, tuple) else () if answer is None else (str(answer),)
    words = different(" ".join(part.split()) for part in parts)
    itself = {"", *map(compared, target)}
    return tuple(word for word in words if compared(word) not in itself)


def word_set(words: Answer) -> tuple[str, ...]:
    """Words as a set that is equal to another of the same words, however they were written and in whatever order."""
    parts = words if isinstance(words, tuple) else (str(words),)
    return tuple(sorted({compared(part) for part in parts}))
