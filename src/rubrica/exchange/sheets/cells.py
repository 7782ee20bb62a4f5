"""Answers to cells and back: labels for values, one cell for each part of a long answer."""

from __future__ import annotations

import re
import unicodedata
from typing import Any

from rubrica.core.answers import NOT_APPLICABLE, Answer
from rubrica.core.protocol import Protocol
from rubrica.core.scales import Choices, FreeText, Ordinal, RewrittenText, Scale, ShortAnswers, Slider
from rubrica.core.texts import AnyText, Text, shown
from rubrica.core.typed import Fault, number
from rubrica.exchange.sheets.layout import MARK, NOT_APPLICABLE_CELL, Column, labels

_NUMBER = re.compile(r"[-+−]?\d+([.,]\d+)?")
_LABEL_BEHIND = re.compile(r"\s*[-=:.–—(]\s*\D")
_BLANK = ("", NOT_APPLICABLE_CELL.casefold(), "n.a.", "not_applicable")
_MARKS = (MARK, "✓", "1", "true", "yes", "si")


class CellWriter:
    """What the cells of one answer column show."""

    def __init__(self, column: Column, language: str) -> None:
        assert column.scale is not None
        self._scale = column.scale
        self._part = column.part
        self._labels = labels(column.scale, language)
        self.words = isinstance(column.scale, FreeText | RewrittenText | ShortAnswers)

    def cell(self, value: Answer | None) -> Any:
        """What is written for an answer; None leaves the cell blank."""
        if value is None:
            return None
        if value is NOT_APPLICABLE:
            return NOT_APPLICABLE_CELL
        if isinstance(self._scale, Choices):
            return MARK if isinstance(value, tuple) and self._part in value else None
        if isinstance(self._scale, ShortAnswers):
            place = int(self._part) - 1
            return value[place] if isinstance(value, tuple) and place < len(value) else None
        return self._labels.get(value, value)


class CellReader:
    """Turns what was typed into answers: drop-down labels in any language of the protocol, ids, numbers."""

    def __init__(self, protocol: Protocol, language: str) -> None:
        self.protocol = protocol
        self.language = language
        self._words: dict[str, dict[str, Any]] = {}

    def value(self, scale_name: str, text: str) -> Answer:
        """The answer that a cell of this scale says; text that fits nothing is returned as it is."""
        scale = self.protocol.scales[scale_name]
        if isinstance(scale, FreeText | RewrittenText):
            return text
        said = text.strip()
        if isinstance(scale, Ordinal | Slider):
            point = _leading_number(said)
            if point is not None:
                return point
        found: Answer = said_word(self._known(scale_name, scale), said, text)
        return found

    def _known(self, name: str, scale: Scale) -> dict[str, Any]:
        if name not in self._words:
            options = [(option.id, option.label) for option in getattr(scale, "options", ())]
            points = [(point.value, point.label) for point in getattr(scale, "points", ()) if point.label]
            self._words[name] = known_words([*options, *points], self.language)
        return self._words[name]


def known_words(options: list[tuple[Any, AnyText]], language: str) -> dict[str, Any]:
    """Everything that may be typed for each option, without regard to capital letters, accents and spaces.

    Where two options share a word, the label shown on the sheet goes before an id, that before other languages, and all
    of them before a spelling without accents.
    """
    words = {_spelt(shown(label, language)): value for value, label in reversed(options)}
    for value, _ in options:
        words.setdefault(_spelt(str(value)), value)
    for value, label in options:
        for word in label.languages.values() if isinstance(label, Text) else ():
            words.setdefault(_spelt(word), value)
    for word, value in list(words.items()):
        words.setdefault(without_accents(word), value)
    return words


def said_word(words: dict[str, Any], said: str, otherwise: Any = None) -> Any:
    """What a typed word means, of those known; with its accents if there is such a word, else without."""
    spelt = _spelt(said)
    return words.get(spelt, words.get(without_accents(spelt), otherwise))


def _spelt(text: str) -> str:
    """A word as it is compared: in small letters, with single spaces, without a full stop at its end."""
    return " ".join(unicodedata.normalize("NFC", text).casefold().split()).rstrip(".")


def without_accents(text: str) -> str:
    """The letters without the marks above and below them."""
    return "".join(char for char in unicodedata.normalize("NFD", text) if not unicodedata.combining(char))


def _leading_number(text: str) -> int | float | None:
    """A number, also with its label behind it ("3 - partly"); None for anything else."""
    found = _NUMBER.match(text)
    if not found:
        return None
    rest = text[found.end() :]
    if rest and not _LABEL_BEHIND.match(rest):
        return None
    said = number(found[0])
    return None if isinstance(said, Fault) else said


def is_blank(text: str | None) -> bool:
    """Whether a cell says nothing: empty, or the word for not applicable."""
    return not text or text.strip().casefold() in _BLANK


def is_marked(text: str) -> bool | None:
    """Whether a box is ticked; None when the cell says something else."""
    if is_blank(text):
        return False
    return True if without_accents(text.strip().casefold()) in _MARKS else None


def is_number(text: str) -> bool:
    """Whether it is a short whole number without a sign, as an edit or an occurrence has it."""
    return text.isdecimal() and len(text) < 10
