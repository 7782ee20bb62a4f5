"""Conditions of a protocol as Excel formulas, for colouring what is open and what contradicts itself.

Cells are compared as text, trimmed: a 3 typed as text is a 3 to the reader, so it is one to the colours too.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rubrica.core import conditions as c
from rubrica.core.scales import RewrittenText
from rubrica.exchange.sheets.addresses import letter
from rubrica.exchange.sheets.layout import MARK, Column, labels

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
