"""A sheet read back: cells as text, found by the header above them, with addresses for messages."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import Any, NamedTuple

from rubrica.core.errors import MOST_LISTED, Problem, wrong
from rubrica.core.text_helpers import shortened
from rubrica.exchange.sheets.addresses import Area, area, letter
from rubrica.exchange.sheets.layout import META_SHEET, Column
from rubrica.exchange.sheets.package import Oddities, Package
from rubrica.exchange.sheets.structure_words import StructureWords, Told

ENGLISH = StructureWords("en")


class Line(NamedTuple):
    """One row: its number on the sheet and its cells by position."""

    number: int
    cells: tuple[str | None, ...]


class Grid:
    """The cells of one sheet. ``places`` says where each known header stands."""

    def __init__(
        self,
        file: str,
        sheet: str,
        lines: list[Line],
        columns: Sequence[Column],
        first: int = 0,
        words: StructureWords = ENGLISH,
    ) -> None:
        self.words = words
        self.file = file
        self.sheet = sheet
        self.lines = lines
        self.columns = list(columns)
        self.first = first
        header = lines[0].cells if lines else ()
        known, old = {column.header for column in columns}, {one.old: one.header for one in columns if one.old}
        found = [_uncut((cell or "").strip(), known) for cell in header]
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
            found.append(self._at(merged, "merged", self.words("merged"), merged))
        for cell in oddities.formulas:
            self._spoil(cell)
            found.append(self._at(cell, "formula", self.words("formula"), None))
        for cell in oddities.errors:
            self._spoil(cell)
            found.append(self._at(cell, "error", self.words("error"), None))
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

    def problem(self, line: Line | None, column: Column | None, rule: str, told: Told, **more: Any) -> Problem:
        """Something wrong with a cell, a row (its first cell is named) or the whole sheet."""
        place = self.places.get(column.header) if column else None
        cell = f"{letter((place or 0) + self.first)}{line.number}" if line else ""
        return Problem(**told._asdict(), rule=rule, file=self.file, sheet=self.sheet, cell=cell, **more)

    def changed(self, line: Line, column: Column, text: str) -> list[Problem]:
        """A cell that does not say any more what was handed out: one problem, or none."""
        if not self.has(column):
            return []
        found = self.text(line, column)
        if found == text or _as_saved(found) == _as_saved(text) or self.is_spoilt(line, column):
            return []
        told = self.words("changed", header=column.header, text=shortened(text, 80))
        return [self.problem(line, column, "locked_cell", told, value=found[:200])]

    def _at(self, cell: str, rule: str, told: Told, value: Any) -> Problem:
        return Problem(**told._asdict(), rule=rule, value=value, file=self.file, sheet=self.sheet, cell=cell)

    def header_problems(self) -> list[Problem]:
        """Columns that are gone, renamed or doubled; a header that is gone altogether is one problem."""
        if not self.places:
            return [self._at("1:1", "header", self.words("no header"), None)]
        known = {column.header for column in self.columns}
        strange = [name for name in self.header if name and name not in known]
        found = []
        for column in self.columns:
            times = self.header.count(column.header)
            if times > 1:
                second = [index for index, name in enumerate(self.header) if name == column.header][1]
                told = self.words("doubled", header=column.header, times=times)
                found.append(self._at(f"{letter(second + self.first)}1", "column", told, column.header))
            elif times == 0:
                name, others = "gone, others" if strange else "gone", ", ".join(map(repr, strange[:5]))
                told = self.words(name, header=column.header, others=others)
                found.append(self._at("1:1", "column", told, column.header))
        return found


def _uncut(name: str, known: Collection[str]) -> str:
    """The header that this one was cut from: sheets that are out from before have long ones with an ellipsis."""
    start, cut, end = name.partition("…")
    if not cut or name in known:
        return name
    return next((one for one in known if one.startswith(start.rstrip()) and one.endswith(end)), name)


def _as_saved(text: str) -> str:
    """Text without what saving may change: line endings, white space at the ends, characters no cell can hold."""
    lines = text.replace("\r\n", "\n").replace("\r", "\n").strip()
    return lines.replace("\ufffe", "_xFFFE_").replace("\uffff", "_xFFFF_")


def load_grid(package: Package, sheet: str, columns: Sequence[Column], words: StructureWords = ENGLISH) -> Grid:
    """Read one sheet of a workbook."""
    return Grid(str(package.path), sheet, _lines(package, sheet), columns, package.first_column(sheet), words)


def read_meta(package: Package) -> dict[str, str]:
    """What the hidden sheet says about the file."""
    if META_SHEET not in package.sheets:
        raise wrong(
            "this is not one of Rubrica's sheets: the hidden sheet that says whose it is has gone",
            "identity",
            "Copy the answers into the file that was handed out; it can be had again.",
            file=str(package.path),
        )
    return {
        line.cells[0]: line.cells[1] or ""
        for line in _lines(package, META_SHEET)
        if len(line.cells) > 1 and line.cells[0]
    }


def _lines(package: Package, sheet: str) -> list[Line]:
    return [Line(number, row) for number, row in enumerate(package.rows(sheet), start=1)]
