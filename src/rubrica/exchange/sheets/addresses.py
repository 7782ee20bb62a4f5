"""Addresses of cells: ``A1``, ``AB12``, ranges such as ``A1:B2``."""

from __future__ import annotations

import re
from typing import NamedTuple

_CELL = re.compile(r"\$?([A-Z]+)\$?([0-9]+)")


class Area(NamedTuple):
    """Rows, counted from 1 as a spreadsheet does, and columns, counted from 0."""

    rows: range
    columns: range


def letter(index: int) -> str:
    """The letters of a column: 0 is A, 26 is AA."""
    name = ""
    index += 1
    while index:
        index, rest = divmod(index - 1, 26)
        name = chr(65 + rest) + name
    return name


def index_of(letters: str) -> int:
    """The inverse of :func:`letter`."""
    number = 0
    for char in letters:
        number = number * 26 + ord(char) - 64
    return number - 1


def area(reference: str) -> Area:
    """Rows and columns of a cell or of a range like A1:B2."""
    ends = _CELL.findall(reference) or [("A", "1")]
    columns = [index_of(name) for name, _ in ends]
    rows = [int(number) for _, number in ends]
    return Area(range(min(rows), max(rows) + 1), range(min(columns), max(columns) + 1))
