"""Writing a 3,000-line sheet with validation and reading it back, beside XlsxWriter's and fastexcel's own time.

Processor time, best of several rounds. The peer writes the same filled cells without rules, colours or protection; the
blank answer cells, which our sheet must hold to unlock them, are left out for the peer, and counted in a second figure.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import attrs
import fastexcel
import xlsxwriter

from benchmarks.report import Figure
from rubrica.core.simulation import Simulator
from rubrica.core.study import Item
from rubrica.exchange.sheets.layout import SheetFile, SheetRow
from rubrica.exchange.sheets.read import OpenedSheet, read_sheet
from rubrica.exchange.sheets.write import write_sheet
from rubrica.protocols.catalog import load_shipped

ROWS, ROUNDS = 3000, 7


def filled_sheet(protocol_id: str, rows: int) -> SheetFile:
    """A sheet of the protocol with simulated answers; texts are the practice items', numbered to differ."""
    protocol = load_shipped(protocol_id).protocol.resolve({})
    stage = protocol.stages[0]
    simulator = Simulator(protocol, stage, "bench")
    listed = []
    for number in range(rows):
        practice = protocol.practice[number % len(protocol.practice)]
        item = Item(str(number), {name: f"{text} ({number})" for name, text in practice.fields.items()})
        listed.append(SheetRow(f"row{number:012d}", item, simulator.judge(item)))
    return SheetFile("bench", "study", "sheet", stage, "a", 1, protocol, "en", listed)


def _plain_write(cells: list[tuple[str | None, ...]], path: Path, *, blanks: bool = False) -> None:
    with xlsxwriter.Workbook(str(path)) as book:
        page = book.add_worksheet()
        unlocked = book.add_format({"locked": False})
        for row, values in enumerate(cells):
            for column, value in enumerate(values):
                if value is None:
                    if blanks:
                        page.write_blank(row, column, None, unlocked)
                    continue
                if value.isdigit():
                    page.write_number(row, column, int(value))
                else:
                    page.write_string(row, column, value)


def _plain_read(path: Path) -> list[tuple[str | None, ...]]:
    return fastexcel.read_excel(path).load_sheet(0, header_row=None, dtypes="string").to_polars().rows()


def _best(action: Callable[[], object]) -> float:
    times = []
    for _ in range(ROUNDS):
        start = time.process_time()
        action()
        times.append(time.process_time() - start)
    return min(times)


def run() -> Iterator[Figure]:
    """Ratios for a rubric of eleven questions and for a small one."""
    for protocol_id in ("breve", "adequacy_fluency"):
        sheet = filled_sheet(protocol_id, ROWS)
        with tempfile.TemporaryDirectory() as folder:
            ours, plain = Path(folder) / "ours.xlsx", Path(folder) / "plain.xlsx"
            write_sheet(sheet, ours)
            cells = _plain_read(ours)
            ours_write = _best(lambda sheet=sheet, ours=ours: write_sheet(sheet, ours))
            plain_write = _best(lambda cells=cells, plain=plain: _plain_write(cells, plain))
            blank = attrs.evolve(sheet, rows=[attrs.evolve(row, judgement=None) for row in sheet.rows])
            ours_read = _best(lambda blank=blank, ours=ours: read_sheet(OpenedSheet(ours), blank))
            with_blanks = _best(lambda cells=cells, plain=plain: _plain_write(cells, plain, blanks=True))
            _plain_write(cells, plain)
            plain_read = _best(lambda plain=plain: _plain_read(plain))
            assert len(read_sheet(OpenedSheet(ours), blank).judgements) == ROWS
        detail = f"write {ours_write:.2f} / {plain_write:.2f} s, read {ours_read:.2f} / {plain_read:.2f} s"
        ratio = (ours_write + ours_read) / (plain_write + plain_read)
        yield Figure(f"{protocol_id}, {ROWS:,} rows there and back", ratio, "x", 2.0, detail=detail)
        ratio = (ours_write + ours_read) / (with_blanks + plain_read)
        yield Figure("  against the same cells, blank ones included", ratio, "x")
