"""What a cell lets people type, what it tells them when they choose it, and when it is coloured.

Conditions of a protocol as Excel formulas, for colouring what is open and what contradicts itself. Cells are compared
as text, trimmed: a 3 typed as text is a 3 to the reader, so it is one to the colours too.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import xlsxwriter

from rubrica.core import conditions as c
from rubrica.core.scales import Ordinal, RewrittenText, Scale, ShortAnswers, Slider
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


ROW = "2"
"""Formulas are written for the first row of data; Excel moves them along."""


class Formulas:
    """Turns conditions on answers into formulas over one sheet's columns."""

    def __init__(self, columns: Sequence[Column], language: str, fixed: Mapping[str, Any] | None = None) -> None:
        self.columns = columns
        self.language = language
        self.fixed = fixed or {}

    def knowing(self, answers: Mapping[str, Any]) -> Formulas:
        """The same, with some answers known beforehand, as an edit's operation implies them."""
        return Formulas(self.columns, self.language, answers)

    def cells(self, question: str, options: Sequence[str] = ()) -> list[str]:
        """Addresses of a question's cells in the first row, their columns fixed; of some options only, if named."""
        return [
            f"${letter(index)}{ROW}"
            for index, column in enumerate(self.columns)
            if column.kind == "answer" and column.name == question and (not options or column.part in options)
        ]

    def condition(self, condition: c.Condition | None) -> str:
        """A formula that is true when the condition holds; TRUE when it cannot be told from the sheet."""
        match condition:
            case c.AllOf(parts):
                return f"AND({','.join(map(self.condition, parts))})"
            case c.AnyOf(parts):
                return f"OR({','.join(map(self.condition, parts))})"
            case c.Not(part):
                return f"NOT({self.condition(part)})"
            case c.AnswerIs(question, values):
                return self._is(question, values)
            case c.AnswerIncludes(question, options):
                return _any_filled(self.cells(question, options))
            case c.Answered(question):
                return "TRUE" if question in self.fixed else _any_filled(self.cells(question))
        return "TRUE"

    def _is(self, question: str, values: Sequence[Any]) -> str:
        if question in self.fixed:
            return "TRUE" if self.fixed[question] in values else "FALSE"
        cells = self.cells(question)
        if not cells:
            return "TRUE"
        column = next(column for column in self.columns if column.name == question and column.kind == "answer")
        assert column.scale is not None
        spoken = labels(column.scale, self.language)
        accepted = dict.fromkeys(values) | {spoken[value]: None for value in values if value in spoken}
        return f"OR({','.join(same(cells[0], value) for value in accepted)})"

    def outside(self, column: Column, index: int) -> str | None:
        """True when a filled cell holds none of the values on its list, or a text that had to change."""
        assert column.scale is not None
        cell = f"${letter(index)}{ROW}"
        if isinstance(column.scale, RewrittenText):
            fields = [number for number, one in enumerate(self.columns) if one.name in column.scale.differs_from]
            texts = [f"EXACT(TRIM({cell}),TRIM(${letter(number)}{ROW}))" for number in fields]
            return f"OR({','.join(texts)})" if texts else None
        if hasattr(column.scale, "options") and column.part:
            return f"NOT({same(cell, MARK)})"
        spoken = labels(column.scale, self.language)
        if not spoken or len(spoken) > 20:
            return None
        allowed = dict.fromkeys([*spoken, *spoken.values()])
        return f"NOT(OR({','.join(same(cell, value) for value in allowed)}))"


def filled(cell: str) -> str:
    """True when the cell says something."""
    return f"LEN(TRIM({cell}))>0"


def same(cell: str, value: Any) -> str:
    """True when the cell says this value, as a number or as text, in capital letters or not."""
    if isinstance(value, float) and not value.is_integer():
        return f"{cell}={value}"
    text = str(int(value)) if isinstance(value, float) else str(value)
    return f'TRIM({cell})="' + text.replace('"', '""') + '"'


def _any_filled(cells: Sequence[str]) -> str:
    return f"OR({','.join(map(filled, cells))})" if cells else "TRUE"
