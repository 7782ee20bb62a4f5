"""Answers to cells and back: labels for values, one cell for each part of a long answer."""

from __future__ import annotations

import re
from typing import Any

from rubrica.core.answers import NOT_APPLICABLE, Answer
from rubrica.core.protocol import Protocol
from rubrica.core.scales import Choices, FreeText, Ordinal, RewrittenText, Scale, ShortAnswers, Slider
from rubrica.core.texts import Text
from rubrica.exchange.sheets.layout import MARK, NOT_APPLICABLE_CELL, Column, labels

_NUMBER = re.compile(r"[-+]?\d+([.,]\d+)?")
_BLANK = ("", NOT_APPLICABLE_CELL.casefold(), "n.a.", "not_applicable")
_MARKS = (MARK, "✓", "1", "true", "yes", "sí", "si")


def to_cell(value: Answer | None, column: Column, language: str) -> Any:
    """What the cell of an answered question shows; None leaves it blank."""
    if value is None:
        return None
    if value is NOT_APPLICABLE:
        return NOT_APPLICABLE_CELL
    scale = column.scale
    if isinstance(scale, Choices):
        return MARK if isinstance(value, tuple) and column.part in value else None
    if isinstance(scale, ShortAnswers):
        place = int(column.part) - 1
        return value[place] if isinstance(value, tuple) and place < len(value) else None
    assert scale is not None
    return labels(scale, language).get(value, value)


class CellReader:
    """Turns what was typed into answers: drop-down labels in any language of the protocol, ids, numbers."""

    def __init__(self, protocol: Protocol) -> None:
        self.protocol = protocol
        self._words: dict[str, dict[str, str]] = {}

    def value(self, scale_name: str, text: str) -> Answer:
        """The answer that a cell of this scale says; text that fits nothing is returned as it is."""
        scale = self.protocol.scales[scale_name]
        if isinstance(scale, FreeText | RewrittenText):
            return text
        if isinstance(scale, Ordinal | Slider):
            return _number(text, scale)
        return self._ids(scale_name, scale).get(text.strip().casefold(), text)

    def _ids(self, name: str, scale: Scale) -> dict[str, str]:
        if name not in self._words:
            words: dict[str, str] = {}
            for option in getattr(scale, "options", ()):
                spoken = option.label.languages.values() if isinstance(option.label, Text) else ()
                for word in (*spoken, option.id):
                    words.setdefault(word.casefold(), option.id)
            self._words[name] = words
        return self._words[name]


def _number(text: str, scale: Ordinal | Slider) -> Answer:
    """A number, also with its label behind it ("3 - partly"); anything else stays text and fails later."""
    found = _NUMBER.match(text.strip())
    if not found:
        return text
    rest = text.strip()[found.end() :]
    if rest and not re.match(r"\s*[-=:.–—(]\s*\D", rest):
        return text
    number = float(found[0].replace(",", "."))
    return int(number) if number.is_integer() else number


def is_blank(text: str | None) -> bool:
    """Whether a cell says nothing: empty, or the word for not applicable."""
    return text is None or text.strip().casefold() in _BLANK


def is_marked(text: str) -> bool | None:
    """Whether a box is ticked; None when the cell says something else."""
    if is_blank(text):
        return False
    return True if text.strip().casefold() in _MARKS else None
