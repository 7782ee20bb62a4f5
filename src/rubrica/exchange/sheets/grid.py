"""A sheet read back: cells as text, found by the header above them, with addresses for messages."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from rubrica.core.errors import MOST_LISTED, Problem, wrong
from rubrica.core.text_helpers import shortened
from rubrica.exchange.sheets.addresses import Area, area, letter
from rubrica.exchange.sheets.layout import META_SHEET, Column
from rubrica.exchange.sheets.package import Oddities, Package


class Line(NamedTuple):
    """One row: its number on the sheet and its cells by position."""

    number: int
    cells: tuple[str | None, ...]


class Grid:
    """The cells of one sheet. ``places`` says where each known header stands."""

    def __init__(self, file: str, sheet: str, lines: list[Line], columns: Sequence[Column], first: int = 0) -> None:
        self.file = file
        self.sheet = sheet
        self.lines = lines
        self.columns = list(columns)
        self.first = first
        header = lines[0].cells if lines else ()
        known, old = {column.header for column in columns}, {one.old: one.header for one in columns if one.old}
        found = [(cell or "").strip() for cell in header]
        self.header = [name if name in known or old.get(name) in found else old.get(name, name) for name in found]
        self.places = {
            column.header: self.header.index(column.header) for column in columns if column.header in self.header
        }
        self._once = {name for name in self.places if self.header.count(name) == 1}
        self._merged: list[Area] = []
        self._spoilt: dict[int, set[int]] = {}

    def rows(self) -> Iterator[Line]:
        """The rows below the header that hold anything."""
        for line in self.lines[1:]:
            if any(cell and not cell.isspace() for cell in line.cells):
                yield line

    def text(self, line: Line, column: Column) -> str:
        """What a cell says; empty if it is blank or its column is gone."""
        place = self.places.get(column.header)
        return (line.cells[place] or "") if place is not None else ""

    def has(self, column: Column) -> bool:
        """Whether the column is there, once: what stands in it can be relied upon."""
        return column.header in self._once

    def spoil(self, oddities: Oddities) -> list[Problem]:
        """Remember cells that are merged or hold formulas or errors: what they seem to say is not reported too."""
        found = []
        # Beyond as many as can be listed it makes no difference what else is said of their cells.
        self._merged = [area(merged) for merged in oddities.merged[:MOST_LISTED]]
        for merged in oddities.merged:
            fix = "Unmerge them and fill in each cell."
            found.append(self._at(merged, "these cells are merged", "merged", fix, merged))
        for cell in oddities.formulas:
            self._spoil(cell)
            found.append(self._at(cell, "this cell holds a formula", "formula", "Type the value itself.", None))
        for cell in oddities.errors:
            self._spoil(cell)
            found.append(self._at(cell, "this cell holds an error value", "error", "Type the value itself.", None))
        return found

    def _spoil(self, cell: str) -> None:
        (row, *_), (column, *_) = area(cell)
        self._spoilt.setdefault(row, set()).add(column)

    def spoilt_on(self, line: Line) -> bool:
        """Whether any cell of the row was reported as merged or as a formula."""
        return line.number in self._spoilt or any(line.number in rows for rows, _ in self._merged)

    def is_spoilt(self, line: Line, column: Column) -> bool:
        """Whether the cell was reported as merged or as a formula."""
        if not (self._spoilt or self._merged) or column.header not in self.places:
            return False
        place = self.places[column.header] + self.first
        return place in self._spoilt.get(line.number, ()) or any(
            line.number in rows and place in places for rows, places in self._merged
        )

    def problem(self, line: Line | None, column: Column | None, what: str, rule: str, fix: str, **more: Any) -> Problem:
        """Something wrong with a cell, a row (its first cell is named) or the whole sheet."""
        place = self.places.get(column.header) if column else None
        cell = f"{letter((place or 0) + self.first)}{line.number}" if line else ""
        return Problem(what=what, rule=rule, fix=fix, file=self.file, sheet=self.sheet, cell=cell, **more)

    def changed(self, line: Line, column: Column, text: str) -> list[Problem]:
        """A cell that does not say any more what was handed out: one problem, or none."""
        if not self.has(column):
            return []
        found = self.text(line, column)
        if found == text or _as_saved(found) == _as_saved(text) or self.is_spoilt(line, column):
            return []
        fix = f"Put back: {shortened(text, 80)}"
        what = f"the text of {column.header!r} was changed"
        return [self.problem(line, column, what, "locked_cell", fix, value=found[:200])]

    def _at(self, cell: str, what: str, rule: str, fix: str, value: Any) -> Problem:
        return Problem(what=what, rule=rule, fix=fix, value=value, file=self.file, sheet=self.sheet, cell=cell)

    def header_problems(self) -> list[Problem]:
        """Columns that are gone, renamed or doubled; a header that is gone altogether is one problem."""
        if not self.places:
            fix = "Put the header back into row 1, without rows above it, or start from the sheet as it was written."
            return [self._at("1:1", "row 1 is not the header any more", "header", fix, None)]
        known = {column.header for column in self.columns}
        strange = [name for name in self.header if name and name not in known]
        found = []
        for column in self.columns:
            times = self.header.count(column.header)
            if times > 1:
                second = [index for index, name in enumerate(self.header) if name == column.header][1]
                what = f"the column {column.header!r} stands {times} times"
                cell = f"{letter(second + self.first)}1"
                found.append(self._at(cell, what, "column", "Remove the copy.", column.header))
            elif times == 0:
                hint = f" Row 1 has {', '.join(map(repr, strange[:5]))} instead." if strange else ""
                fix = f"Put it back with its header in row 1, or start from the sheet as it was written.{hint}"
                what = f"the column {column.header!r} is gone or was renamed"
                found.append(self._at("1:1", what, "column", fix, column.header))
        return found


def _as_saved(text: str) -> str:
    """Text without what saving may change: line endings, white space at the ends, characters no cell can hold."""
    lines = text.replace("\r\n", "\n").replace("\r", "\n").strip()
    return lines.replace("\ufffe", "_xFFFE_").replace("\uffff", "_xFFFF_")


def load_grid(package: Package, sheet: str, columns: Sequence[Column]) -> Grid:
    """Read one sheet of a workbook."""
    return Grid(str(package.path), sheet, _lines(package, sheet), columns, package.first_column(sheet))


def read_meta(package: Package) -> dict[str, str]:
    """What the hidden sheet says about the file."""
    if META_SHEET not in package.sheets:
        raise wrong(
            "this is not one of Rubrica's sheets: the hidden sheet that says whose it is has gone",
            "identity",
            "Copy the answers into the sheet that `rubrica sheets write` made.",
            file=str(package.path),
        )
    return {
        line.cells[0]: line.cells[1] or ""
        for line in _lines(package, META_SHEET)
        if len(line.cells) > 1 and line.cells[0]
    }


def _lines(package: Package, sheet: str) -> list[Line]:
    return [Line(number, row) for number, row in enumerate(package.rows(sheet), start=1)]
