"""A small calculator for the formulas that colour a sheet: AND, OR, NOT, LEN, TRIM, EXACT, =, as Excel has them."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from openpyxl.utils import range_boundaries
from openpyxl.worksheet.worksheet import Worksheet

_TOKEN = re.compile(r'"(?:[^"]|"")*"|\$?[A-Z]{1,3}\$?[0-9]+|[A-Z]+(?=\()|TRUE|FALSE|<>|>=|<=|[=<>(),]|[0-9.]+')
_FUNCTIONS: dict[str, Callable[..., Any]] = {
    "AND": lambda *parts: all(parts),
    "OR": lambda *parts: any(parts),
    "NOT": lambda part: not part,
    "LEN": lambda value: len(_text(value)),
    "EXACT": lambda one, other: _text(one) == _text(other),
    "TRIM": lambda value: " ".join(_text(value).split(" ")).strip(" "),
}


def _text(value: Any) -> str:
    if value is None:
        return ""
    return str(int(value)) if isinstance(value, float) and value.is_integer() else str(value)


def _same(one: Any, other: Any) -> bool:
    """Text is compared whatever its case; text is never equal to a number."""
    if isinstance(one, str) and isinstance(other, str):
        return one.casefold() == other.casefold()
    return bool(one == other) and isinstance(one, str) == isinstance(other, str)


_COMPARE: dict[str, Callable[[Any, Any], bool]] = {
    "=": _same,
    "<>": lambda one, other: not _same(one, other),
    ">": lambda one, other: bool(one > other),
}


class Calculator:
    """Calculates a formula written for row 2 as it stands in another row of a page."""

    def __init__(self, page: Worksheet) -> None:
        self.page = page

    def __call__(self, formula: str, row: int) -> Any:
        """The value of the formula in that row."""
        tokens = _TOKEN.findall(formula)
        assert "".join(tokens) == formula
        value, rest = self._expression(tokens, row)
        assert rest == []
        return value

    def _expression(self, tokens: list[str], row: int) -> tuple[Any, list[str]]:
        value, rest = self._operand(tokens, row)
        if rest and rest[0] in _COMPARE:
            other, after = self._operand(rest[1:], row)
            return _COMPARE[rest[0]](value, other), after
        return value, rest

    def _operand(self, tokens: list[str], row: int) -> tuple[Any, list[str]]:
        token, rest = tokens[0], tokens[1:]
        if token in _FUNCTIONS:
            arguments = []
            rest = rest[1:]
            while True:
                value, rest = self._expression(rest, row)
                arguments.append(value)
                closing, rest = rest[0], rest[1:]
                if closing == ")":
                    return _FUNCTIONS[token](*arguments), rest
        if token.startswith('"'):
            return token[1:-1].replace('""', '"'), rest
        if token in ("TRUE", "FALSE"):
            return token == "TRUE", rest
        if token[0].isdigit():
            return float(token), rest
        letters = re.match(r"\$([A-Z]+)2", token)
        assert letters, token
        return self.page[f"{letters[1]}{row}"].value, rest


def colours(page: Worksheet, row: int) -> dict[str, str]:
    """The colour that conditional formats give to each cell of a row, by column; the first that holds wins."""
    calculate = Calculator(page)
    result: dict[str, str] = {}
    for area in page.conditional_formatting:
        left, top, _, bottom = range_boundaries(str(area.sqref))
        if not top <= row <= bottom:
            continue
        column = page.cell(1, left).column_letter
        for rule in area.rules:
            if column not in result and calculate(rule.formula[0], row):
                result[column] = "#" + rule.dxf.fill.bgColor.rgb[2:].lower()
    return result
