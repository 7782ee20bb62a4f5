"""What a cell lets people type, what it tells them when they choose it, and when it is coloured."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any

import xlsxwriter

from rubrica.core.scales import Ordinal, Scale, ShortAnswers, Slider
from rubrica.core.text_helpers import shortened
from rubrica.core.texts import shown
from rubrica.exchange.sheets.addresses import letter
from rubrica.exchange.sheets.layout import MARK, META_SHEET, Column, labels

_SENTENCE_END = re.compile(r"[.!?…](?=\s)")
MESSAGE, TITLE = 255, 32
"""The most characters that Excel shows in an input message and in its title."""


class Lists:
    """The hidden sheet: what the file is, and the drop-down lists that do not fit into a cell's rule."""

    def __init__(self, meta: dict[str, str]) -> None:
        self._meta = meta
        self._columns: list[list[Any]] = []

    def add(self, meta: dict[str, str]) -> None:
        """Say more of what the file is."""
        self._meta = {**self._meta, **meta}

    def source(self, values: list[Any]) -> Any:
        """What a validation rule's `source` is: the values themselves, or where they stand.

        Inside a rule Excel takes a comma for the end of a value and a quote for the end of the list.
        """
        joined = ",".join(map(str, values))
        if len(joined) <= MESSAGE and '"' not in joined and not any("," in str(value) for value in values):
            return values
        if values not in self._columns:
            self._columns.append(values)
        column = letter(self._columns.index(values) + 2)
        return f"='{META_SHEET}'!${column}$1:${column}${len(values)}"

    def write(self, book: xlsxwriter.Workbook) -> None:
        """Write the sheet; last, because by then all lists are known."""
        page = book.add_worksheet(META_SHEET)
        for row, (key, value) in enumerate(self._meta.items()):
            page.write_string(row, 0, key)
            page.write_string(row, 1, value)
        for column, values in enumerate(self._columns, start=2):
            for row, value in enumerate(values):
                if isinstance(value, str):
                    page.write_string(row, column, value)
                else:
                    page.write_number(row, column, value)
        page.protect()
        page.very_hidden()


def list_rule(source: Any, title: str, message: str) -> dict[str, Any]:
    """A drop-down list with an explanation beside it."""
    return {"validate": "list", "source": source, **note(title, message)}


def note(title: str, message: str) -> dict[str, Any]:
    """The part of a rule that is shown beside a chosen cell."""
    named = {"input_title": title} if len(title) <= TITLE else {}
    return {**named, "input_message": whole_sentences(message, MESSAGE)}


def answer_rule(column: Column, scale: Scale, language: str, lists: Lists) -> dict[str, Any]:
    """The validation rule of an answer: its list where there is one, and what each point means."""
    if column.part and hasattr(scale, "options"):
        return list_rule([MARK], column.header, column.title)
    message = meaning_of(scale, language) or column.title
    listed = list(labels(scale, language).values())
    if listed:
        return list_rule(lists.source(listed), column.header, message)
    if isinstance(scale, Slider):
        return {
            "validate": "integer" if scale.whole else "decimal",
            "criteria": "between",
            "minimum": scale.minimum,
            "maximum": scale.maximum,
            **note(column.header, message),
        }
    none = shown(scale.none, language) if isinstance(scale, ShortAnswers) else ""
    return {"validate": "any", **note(column.header, " ".join(filter(None, (column.title, none))))}


def meaning_of(scale: Scale, language: str) -> str:
    """What each point means, within the 255 characters that Excel shows."""
    if isinstance(scale, Ordinal):
        return meanings(
            (str(point.value), shown(point.label, language), shown(point.meaning, language)) for point in scale.points
        )
    if isinstance(scale, Slider):
        ends = ((scale.minimum, scale.low), (scale.maximum, scale.high))
        return meanings((f"{value:g}", shown(label, language), "") for value, label in ends)
    options = getattr(scale, "options", ())
    if not any(option.meaning for option in options):
        return ""
    return meanings((shown(option.label, language), "", shown(option.meaning, language)) for option in options)


def meanings(points: Iterable[tuple[str, str, str]]) -> str:
    """Points as lines of ``value = label: meaning`` that fit together into one message; nothing is cut.

    Where they do not fit, meanings are left out, those of the last points first: every point keeps its label. The
    Guidelines sheet has them in full.
    """
    known = [point for point in points if any(point[1:])]
    full = [f"{head} = {': '.join(filter(None, rest))}" for head, *rest in known]
    short = [f"{head} = {label}" if label else head for head, label, _ in known]
    for whole in range(len(known), -1, -1):
        lines = full[:whole] + short[whole:]
        if _fits(lines):
            return "\n".join(lines)
    return ", ".join(head for head, *_ in known) if _fits([", ".join(head for head, *_ in known)]) else ""


def whole_sentences(text: str, most: int) -> str:
    """As many whole sentences from the beginning as fit; all words that fit where not even one does."""
    if len(text) <= most:
        return text
    ends = [found.end() for found in _SENTENCE_END.finditer(text) if found.end() <= most]
    return text[: ends[-1]].strip() if ends else shortened(text, most)


def _fits(lines: Sequence[str]) -> bool:
    return len("\n".join(lines)) <= MESSAGE


def paint(page: Any, index: int, last: int, formula: str, style: Any) -> None:
    """Colour the cells of a column for which the formula, written for its first row, is true."""
    page.conditional_format(1, index, last, index, {"type": "formula", "criteria": f"={formula}", "format": style})
