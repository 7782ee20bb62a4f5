"""Rows of a text whose fields are parted by commas, semicolons, tabs or bars; quotes may surround fields."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any, NamedTuple

from rubrica.core.errors import Problem
from rubrica.engine.limits import LONGEST_LINE, MB, Limits, limits

DELIMITERS = {",": "comma", ";": "semicolon", "\t": "tab", "|": "bar"}
_BROKEN = 25
"""Broken quotes after which the rest of a text is not looked at any more."""
_SEP = re.compile(r'\A"?sep=([,;\t|])"?(?=[\r\n])', re.IGNORECASE)
"""A first line by which Excel is told what parts the fields."""
_LINE = re.compile("[^\r\n]*(?:\r\n|\r|\n|$)")
_SAMPLE_LINES, _SAMPLE = 50, MB


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


class _Parsed(NamedTuple):
    """Rows up to the first quote that is not closed properly, and that problem."""

    rows: list[Line]
    problem: Problem | None


def read_delimited(text: str, delimiter: str = "") -> Delimited:
    """The rows that hold anything; the delimiter is detected if none is given.

    In tab-separated files quotes may be data: they are taken so where that cuts the rows more evenly. Raises InputError
    at the line where there are more rows, columns or cells than are read.
    """
    csv.field_size_limit(LONGEST_LINE)
    if told := _SEP.match(text):
        text, delimiter = text[told.end() :], told[1]
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
    sample = "".join(islice(_Lines(text[:_SAMPLE]), _SAMPLE_LINES))
    best, most = ",", 1
    for delimiter in DELIMITERS:
        rows = _until_broken(_Lines(sample), delimiter, csv.QUOTE_MINIMAL, bounds=None).rows
        width = len(rows[0].cells) if rows else 1
        same = sum(len(cells) == width for _, cells in rows)
        if width > most and same * 2 >= len(rows):
            best, most = delimiter, width
    return best


class _TooLongError(csv.Error):
    """A row has more characters than a row may have: its quotes are not closed, or its lines not parted."""


class _Lines(Iterator[str]):
    """The lines of a text with their ends, from a place on; ``row`` is where the row began of which they are."""

    def __init__(self, text: str, start: int = 0) -> None:
        self.text, self.place = text, start
        self.row = start

    def __next__(self) -> str:
        found = _LINE.match(self.text, self.place)
        if not found or not found[0]:
            raise StopIteration
        self.place = found.end()
        if self.place - self.row > LONGEST_LINE:
            raise _TooLongError
        return found[0]


def _parsed(text: str, delimiter: str, quoting: Any) -> tuple[list[Line], list[Problem]]:
    """All rows. Below a broken quote it goes on with the next line that has as many fields as the header."""
    bounds = limits()
    rows, problem = _until_broken(_Lines(text), delimiter, quoting, bounds=bounds)
    problems = []
    while problem is not None and problem.line is not None:
        problems.append(problem)
        if len(problems) == _BROKEN or not rows:
            break
        below = _Lines(text, _end_of_line(text, problem.line))
        more, problem = _until_broken(below, delimiter, quoting, problem.line + 1, bounds=bounds)
        whole = next((place for place, line in enumerate(more) if len(line.cells) == len(rows[0].cells)), len(more))
        rows += more[whole:]
    return rows, problems


def _end_of_line(text: str, number: int) -> int:
    """The place in the text at which a line, counted from 1, ends."""
    found = next(islice(_LINE.finditer(text), number - 1, None), None)
    return found.end() if found else len(text)


def _until_broken(lines: _Lines, delimiter: str, quoting: Any, first: int = 1, *, bounds: Limits | None) -> _Parsed:
    """Rows up to the first quote that is not closed properly, and that problem."""
    reader = csv.reader(lines, delimiter=delimiter, quoting=quoting, strict=True)
    rows: list[Line] = []
    start = first
    try:
        for cells in reader:
            if any(cells) and any(cell.strip() for cell in cells):
                rows.append(Line(start, cells))
                if bounds:
                    bounds.check_shape(len(rows) - 1, len(cells), line=start)
            start = first + reader.line_num
            lines.row = lines.place
    except _TooLongError:
        what = f"this row has more than {LONGEST_LINE:,} characters"
        fix = "Close its quotes, or part its lines: no text for people is as long."
        return _Parsed(rows, Problem(what=what, rule="size", line=start, fix=fix, value=LONGEST_LINE))
    except csv.Error as error:
        what = f"a field is not closed properly: {error}"
        fix = 'A quote inside a quoted field is written twice: "".'
        return _Parsed(rows, Problem(what=what, rule="quoting", line=start, fix=fix))
    return _Parsed(rows, None)


def _uneven(rows: Sequence[Line]) -> int:
    """How many rows have another width than the first."""
    return sum(len(line.cells) != len(rows[0].cells) for line in rows)
