"""Rows of a text whose fields are parted by commas, semicolons, tabs or bars; quotes may surround fields."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from rubrica.core.errors import Problem

DELIMITERS = {",": "comma", ";": "semicolon", "\t": "tab", "|": "bar"}
_BIG_FIELD = 10_000_000
_BROKEN = 25
"""Broken quotes after which the rest of a text is not looked at any more."""


class Line(NamedTuple):
    """The fields of one row, and the line on which it starts."""

    number: int
    cells: list[str]


class Delimited(NamedTuple):
    """The rows, what was detected, and quotes that are not closed properly."""

    rows: list[Line]
    delimiter: str
    quoting: str
    problems: list[Problem]


def read_delimited(text: str, delimiter: str = "") -> Delimited:
    """The rows that hold anything; the delimiter is detected if none is given.

    In tab-separated files quotes may be data: they are taken so where that cuts the rows more evenly.
    """
    csv.field_size_limit(_BIG_FIELD)
    delimiter = delimiter or _detected(text)
    rows, problems = _parsed(text, delimiter, csv.QUOTE_MINIMAL)
    quoting = "quotes around fields"
    if delimiter == "\t" and '"' in text and (problems or _uneven(rows)):
        unquoted, _ = _parsed(text, delimiter, csv.QUOTE_NONE)
        if problems or _uneven(unquoted) < _uneven(rows):
            rows, problems, quoting = unquoted, [], "quotes are data"
    return Delimited(rows, delimiter, quoting if '"' in text else "", problems)


def other_delimiter(cells: Sequence[str], width: int, delimiter: str) -> str:
    """The name of another delimiter that would cut a row of one field into as many as wanted; empty if none does."""
    if len(cells) != 1 or width < 2:
        return ""
    fits = (name for sign, name in DELIMITERS.items() if sign != delimiter and cells[0].count(sign) == width - 1)
    return next(fits, "")


def _detected(text: str) -> str:
    """The delimiter that cuts the first lines most evenly into the most columns; comma if none does."""
    sample = "\n".join(text.split("\n")[:50])
    best, most = ",", 1
    for delimiter in DELIMITERS:
        rows, _ = _until_broken(io.StringIO(sample, newline=""), delimiter, csv.QUOTE_MINIMAL)
        width = len(rows[0].cells) if rows else 1
        same = sum(len(cells) == width for _, cells in rows)
        if width > most and same * 2 >= len(rows):
            best, most = delimiter, width
    return best


def _parsed(text: str, delimiter: str, quoting: Any) -> tuple[list[Line], list[Problem]]:
    """All rows. Below a broken quote it goes on with the next line that has as many fields as the header."""
    rows, problem = _until_broken(io.StringIO(text, newline=""), delimiter, quoting)
    if problem is None:
        return rows, []
    lines = list(io.StringIO(text, newline=""))
    problems = []
    while problem is not None and problem.line is not None:
        problems.append(problem)
        if len(problems) == _BROKEN or not rows:
            break
        more, problem = _until_broken(lines[problem.line :], delimiter, quoting, problem.line + 1)
        whole = next((place for place, line in enumerate(more) if len(line.cells) == len(rows[0].cells)), len(more))
        rows += more[whole:]
    return rows, problems


def _until_broken(
    lines: Iterable[str], delimiter: str, quoting: Any, first: int = 1
) -> tuple[list[Line], Problem | None]:
    """Rows up to the first quote that is not closed properly, and that problem."""
    reader = csv.reader(lines, delimiter=delimiter, quoting=quoting, strict=True)
    rows: list[Line] = []
    start = first
    try:
        for cells in reader:
            if any(cells) and any(cell.strip() for cell in cells):
                rows.append(Line(start, cells))
            start = first + reader.line_num
    except csv.Error as error:
        what = f"a field is not closed properly: {error}"
        fix = 'A quote inside a quoted field is written twice: "".'
        return rows, Problem(what=what, rule="quoting", line=start, fix=fix)
    return rows, None


def _uneven(rows: Sequence[Line]) -> int:
    """How many rows have another width than the first."""
    return sum(len(line.cells) != len(rows[0].cells) for line in rows)
