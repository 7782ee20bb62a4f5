"""What annotators do to a sheet, so that the documentation's examples can go on when "the sheets come back"."""

from __future__ import annotations

from pathlib import Path

import attrs

from rubrica.core.simulation import Simulator
from rubrica.exchange.sheets.read import OpenedSheet
from rubrica.exchange.sheets.write import write_sheet


def fill(path: Path, seed: str = "") -> None:
    """Write answers of a simulated annotator into a sheet of a study in the home that is open."""
    from rubrica.store.allocation.sheets import sheet_file
    from rubrica.store.models import Sheet

    file = sheet_file(Sheet.objects.get(pid=OpenedSheet(path).meta["sheet"]))
    simulator = Simulator(file.protocol, file.stage, f"{path.name}:{seed}")
    rows = [attrs.evolve(row, judgement=simulator.judge(row.item, None, row.edits)) for row in file.rows]
    write_sheet(attrs.evolve(file, rows=rows), path)


def set_cell(path: Path, sheet: str, cell: str, value: str) -> None:
    """Type something into a cell, a number as a number."""
    import openpyxl

    book = openpyxl.load_workbook(path)
    book[sheet][cell] = int(value) if value.lstrip("-").isdigit() else value or None
    book.save(path)
