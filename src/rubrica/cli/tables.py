"""Tables of results on the terminal, or in the form that was asked for.

Tables that are wider than the terminal: words are wrapped in their cells, then columns go into blocks below. A line
that the terminal breaks wherever it ends cannot be read as a row of a table. The first columns of words, which say
what a row is of, stand again at the left of every block. What goes into a file or a pipe is never laid out anew.
"""

from __future__ import annotations

import shutil
import sys
import textwrap
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from rubrica.cli.options import choose
from rubrica.cli.output import print_table, say

if TYPE_CHECKING:
    from rubrica.report.tables import Table


Format = Annotated[
    str, typer.Option("--format", metavar="FORM", help="How tables are written: text, csv, markdown, latex.")
]

LEAST_WIDTH = 40
"""A narrower terminal breaks lines as it likes."""


def check_form(form: str) -> None:
    """Refuse a form that there is none of, before anything long is computed."""
    from rubrica.report.tables import FORMS

    choose(form, ["text", *FORMS], "form")


def print_tables(tables: Sequence[Table], form: str = "text") -> None:
    """Print tables one after the other; as text, with their titles, notes and the reasons of empty cells."""
    from rubrica.report.tables import FORMS

    check_form(form)
    for number, table in enumerate(tables):
        if number:
            print()
        if form == "text":
            _print(table)
        else:
            print(FORMS[form](table), end="")
    if form == "text":
        for signature in dict.fromkeys(table.signature for table in tables if table.signature):
            say(signature)


def _print(table: Table) -> None:
    from rubrica.report.tables import TEXT, shown

    right = [column.kind != TEXT for column in table.columns]
    rows = [[shown(cell, column) for cell, column in zip(row, table.columns, strict=True)] for row in table.rows]
    notes = table.notes()
    header = [column.title for column in table.columns]
    print(table.title)
    print()
    if not sys.stdout.isatty():
        print_table(header, rows, right=right)
        print("\n".join(notes) + "\n" * bool(notes), end="")
        return
    width = max(LEAST_WIDTH, shutil.get_terminal_size().columns)
    lines = fitted(header, rows, right, width)
    wrapped = [line for note in notes for line in textwrap.wrap(note, width, break_on_hyphens=False)]
    print("\n".join([*lines, *wrapped]))


GAP = "  "
NARROWEST, LONGEST_WORD = 12, 24
"""Words are not squeezed into fewer characters than the first, and broken only if they are longer than the second."""

KEYS, UNIT = 0.6, 4
"""The part of the width that may be repeated in every block; a column of few characters is the unit of the others."""


class _Grid(NamedTuple):
    """Lines of cells, the header first; which columns are to the right; how wide each is, and can be at least."""

    lines: list[list[str]]
    right: Sequence[bool]
    widths: list[int]
    least: list[int]

    def width(self, columns: Sequence[int]) -> int:
        """Of these columns with the gaps between them."""
        return sum(self.widths[column] for column in columns) + len(GAP) * (len(columns) - 1)

    def squeezed(self, columns: Sequence[int], width: int) -> _Grid:
        """The same with the widest of these columns giving way until they fit, or no more can be wrapped."""
        widths = list(self.widths)
        over = self.width(columns) - width
        while over > 0:
            wide = [column for column in columns if widths[column] > self.least[column]]
            if not wide:
                break
            widths[max(wide, key=lambda column: widths[column])] -= 1
            over -= 1
        return self._replace(widths=widths)


def fitted(header: Sequence[str], rows: Sequence[Sequence[str]], right: Sequence[bool], width: int) -> list[str]:
    """The lines of the table in so many characters, as far as its numbers allow."""
    lines = [list(header), *(list(row) for row in rows)]
    cells = [[line[column] for line in lines] for column in range(len(header))]
    every = range(len(header))
    grid = _Grid(lines, right, [max(map(len, column)) for column in cells], list(map(_least, cells)))
    whole = grid.squeezed(every, width)
    if whole.width(every) <= width:
        return _written(whole, every)
    keys = _keys(grid, width)
    grid = grid.squeezed(keys, width // 2)
    found: list[str] = []
    for number, block in enumerate(_blocks(grid, keys, width)):
        found += [""] * (number > 0) + _written(grid.squeezed(block, width), block)
    return found


def _least(cells: Sequence[str]) -> int:
    """How narrow a column can be: numbers and their intervals stay in one line; headings and words are wrapped."""
    title, *rest = cells
    numbers = [cell for cell in rest if not any(letter.isalpha() for letter in cell)]
    words = [
        word
        for cell in (title, *rest)
        if cell not in numbers
        for word in textwrap.wrap(cell, 1, break_long_words=False)
    ]
    longest = max((min(len(word), LONGEST_WORD) for word in words), default=0)
    wrapped = NARROWEST if len(numbers) < len(rest) else 0
    return min(max(map(len, cells)), max([longest, wrapped, *map(len, numbers)]))


def _keys(grid: _Grid, width: int) -> list[int]:
    """The columns of words at the left, at least the first, as far as they leave room for others."""
    keys = [0]
    for column in range(1, len(grid.right) - 1):
        words = grid.widths[column] <= UNIT or any(any(map(str.isalpha, line[column])) for line in grid.lines[1:])
        wider = grid.squeezed([*keys, column], 0)
        if grid.right[column] or not words or wider.width([*keys, column]) > KEYS * width:
            break
        keys.append(column)
    return keys


def _blocks(grid: _Grid, keys: list[int], width: int) -> list[list[int]]:
    """Columns that stand beside each other, each block after the same first ones."""
    blocks = [list(keys)]
    for column in range(len(keys), len(grid.widths)):
        least = min(grid.widths[column], max(grid.least[column], LONGEST_WORD))
        if len(blocks[-1]) > len(keys) and grid.width(blocks[-1]) + len(GAP) + least > width:
            blocks.append(list(keys))
        blocks[-1].append(column)
    return blocks


def _written(grid: _Grid, columns: Sequence[int]) -> list[str]:
    """These columns, a line or several for each row."""
    found = []
    for line in grid.lines:
        cells = [textwrap.wrap(line[column], grid.widths[column]) or [""] for column in columns]
        for place in range(max(map(len, cells))):
            parts = [cell[place] if place < len(cell) else "" for cell in cells]
            aligned = [
                part.rjust(grid.widths[column]) if grid.right[column] else part.ljust(grid.widths[column])
                for part, column in zip(parts, columns, strict=True)
            ]
            found.append(GAP.join(aligned).rstrip())
    return found
