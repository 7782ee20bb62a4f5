"""A sheet read back: cells as text, found by the header above them, with addresses for messages."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from rubrica.core.errors import Problem, wrong
from rubrica.exchange.sheets.layout import META_SHEET, Column, letter
from rubrica.exchange.sheets.package import Package


class Line(NamedTuple):
    """One row: its number on the sheet and its cells by position."""

    number: int
    cells: tuple[str | None, ...]


class Grid:
    """The cells of one sheet. ``places`` says where each known header stands."""

    def __init__(self, file: str, sheet: str, lines: list[Line], columns: Sequence[Column]) -> None:
        self.file = file
        self.sheet = sheet
        self.lines = lines
        header = lines[0].cells if lines and lines[0].number == 1 else ()
        self.header = [(cell or "").strip() for cell in header]
        self.columns = list(columns)
        self.places = {
            column.header: self.header.index(column.header) for column in columns if column.header in self.header
        }

    def rows(self) -> Iterator[Line]:
        """The rows below the header that hold anything."""
        for line in self.lines:
            if line.number > 1 and any(line.cells):
                yield line

    def text(self, line: Line, column: Column) -> str:
        """What a cell says; empty if it is blank or its column is gone."""
        place = self.places.get(column.header)
        return (line.cells[place] or "") if place is not None else ""

    def problem(self, line: Line | None, column: Column | None, what: str, rule: str, fix: str, **more: Any) -> Problem:
        """Something wrong with a cell, a row or the whole sheet."""
        place = self.places.get(column.header) if column else None
        cell = f"{letter(place) if place is not None else 'A'}{line.number}" if line else ""
        return Problem(what=what, rule=rule, fix=fix, file=self.file, sheet=self.sheet, cell=cell, **more)

    def header_problems(self) -> list[Problem]:
        """Columns that are gone, renamed or doubled."""
        found = []
        for column in self.columns:
            times = self.header.count(column.header)
            if times == 1:
                continue
            if times > 1:
                second = [index for index, name in enumerate(self.header) if name == column.header][1]
                found.append(
                    Problem(
                        what=f"the column {column.header!r} stands {times} times",
                        rule="column",
                        value=column.header,
                        fix="Remove the copy.",
                        file=self.file,
                        sheet=self.sheet,
                        cell=f"{letter(second)}1",
                    )
                )
            else:
                found.append(
                    Problem(
                        what=f"the column {column.header!r} is gone or was renamed",
                        rule="column",
                        value=column.header,
                        fix="Put it back with its header in row 1, or start from the sheet as it was written.",
                        file=self.file,
                        sheet=self.sheet,
                        cell="1:1",
                    )
                )
        return found


def load_grid(package: Package, book: Any, sheet: str, columns: Sequence[Column]) -> Grid:
    """Read one sheet of an opened workbook."""
    return Grid(str(package.path), sheet, _lines(book, sheet), columns)


def open_book(path: Path) -> Any:
    """The workbook, opened by the fast reader."""
    import fastexcel

    try:
        return fastexcel.read_excel(path)
    except fastexcel.FastExcelError as error:
        reason = str(error).splitlines()[0]
        raise wrong(f"this Excel file cannot be read: {reason}", "xlsx", "Save it again.", file=str(path)) from error


def read_meta(package: Package, book: Any) -> dict[str, str]:
    """What the hidden sheet says about the file."""
    if META_SHEET not in package.sheets:
        raise wrong(
            "this is not one of Rubrica's sheets: the hidden sheet that says whose it is has gone",
            "identity",
            "Copy the answers into the sheet that `rubrica sheets write` made.",
            file=str(package.path),
        )
    return {
        line.cells[0]: line.cells[1] or "" for line in _lines(book, META_SHEET) if len(line.cells) > 1 and line.cells[0]
    }


def _lines(book: Any, sheet: str) -> list[Line]:
    frame = book.load_sheet(sheet, header_row=None, skip_rows=0, dtypes="string").to_polars()
    return [Line(number, row) for number, row in enumerate(frame.rows(), start=1)]
