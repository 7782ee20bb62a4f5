"""Conditions of a protocol as Excel formulas, for colouring what is open and what contradicts itself."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rubrica.core import conditions as c
from rubrica.exchange.sheets.layout import MARK, Column, labels, letter

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

    def cell(self, question: str, part: str = "") -> str | None:
        """The address of a question's cell in the first row, its column fixed."""
        for index, column in enumerate(self.columns):
            if column.kind in ("answer", "operation") and column.name == question and part in ("", column.part):
                return f"${letter(index)}{ROW}"
        return None

    def condition(self, condition: c.Condition | None) -> str:
        """A formula that is true when the condition holds; TRUE when it cannot be told from the sheet."""
        match condition:
            case None:
                return "TRUE"
            case c.AllOf(parts):
                return f"AND({','.join(map(self.condition, parts))})"
            case c.AnyOf(parts):
                return f"OR({','.join(map(self.condition, parts))})"
            case c.Not(part):
                return f"NOT({self.condition(part)})"
            case c.AnswerIs(question, values):
                return self._is(question, values)
            case c.AnswerIncludes(question, options):
                cells = [self.cell(question, option) for option in options]
                return f"OR({','.join(f'LEN({cell})>0' for cell in cells if cell)})" if any(cells) else "TRUE"
            case c.Answered(question):
                cell = self.cell(question)
                return f"LEN({cell})>0" if cell else "TRUE"
        return "TRUE"

    def _is(self, question: str, values: Sequence[Any]) -> str:
        if question in self.fixed:
            return "TRUE" if self.fixed[question] in values else "FALSE"
        cell = self.cell(question)
        if cell is None:
            return "TRUE"
        column = next(column for column in self.columns if column.name == question and column.kind == "answer")
        assert column.scale is not None
        spoken = labels(column.scale, self.language)
        accepted = dict.fromkeys(values) | {spoken[value]: None for value in values if value in spoken}
        return f"OR({','.join(f'{cell}={quote(value)}' for value in accepted)})"

    def outside(self, column: Column, index: int) -> str | None:
        """True when a filled cell holds none of the values on its list."""
        assert column.scale is not None
        cell = f"${letter(index)}{ROW}"
        if column.kind == "answer" and hasattr(column.scale, "options") and column.part:
            return f"AND(LEN({cell})>0,LOWER({cell})<>{quote(MARK)})"
        spoken = labels(column.scale, self.language)
        if not spoken or len(spoken) > 20:
            return None
        allowed = dict.fromkeys([*spoken, *spoken.values()])
        return f"AND(LEN({cell})>0,{','.join(f'{cell}<>{quote(value)}' for value in allowed)})"


def quote(value: Any) -> str:
    """A value as a formula writes it."""
    return str(value) if isinstance(value, int | float) else '"' + str(value).replace('"', '""') + '"'
