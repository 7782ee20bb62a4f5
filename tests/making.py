"""Small studies for tests, in our own sentences."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import attrs
import openpyxl

from rubrica.core.simulation import Simulator
from rubrica.core.study import Item
from rubrica.exchange.sheets.layout import SheetFile
from rubrica.exchange.sheets.read import OpenedSheet
from rubrica.exchange.sheets.write import write_sheet


def pairs(count: int, **more: str) -> list[Item]:
    """Pairs of a source and a rewrite that differ."""
    return [
        Item(
            f"p{number}", {"source": f"The {number} old gates stay shut.", "rewrite": f"Gate {number} is shut."}, **more
        )
        for number in range(1, count + 1)
    ]


def write_pairs(path: Path, count: int, columns: Mapping[str, str] | None = None) -> Path:
    """The same as a CSV file; ``columns`` adds columns with one value in all rows."""
    extra = dict(columns or {})
    lines = [",".join(["id", "source", "rewrite", *extra])]
    lines += [",".join([item.key, *item.fields.values(), *extra.values()]) for item in pairs(count)]
    path.write_text("\n".join(lines) + "\n")
    return path


def stored_sheet(path: Path) -> SheetFile:
    """What the store knows of a sheet file."""
    from rubrica.store.allocation.sheets import sheet_file
    from rubrica.store.models import Sheet

    return sheet_file(Sheet.objects.get(pid=OpenedSheet(path).meta["sheet"]))


def fill(path: Path, seed: str = "") -> None:
    """Fill a sheet as a simulated annotator would."""
    sheet = stored_sheet(path)
    simulator = Simulator(sheet.protocol, sheet.stage, f"{seed}:{sheet.annotator}")
    rows = [attrs.evolve(row, judgement=simulator.judge(row.item, None, row.edits)) for row in sheet.rows]
    write_sheet(attrs.evolve(sheet, rows=rows), path)


def type_into(path: Path, column: str, values: Sequence[object], sheet: str = "Judgements") -> None:
    """Type values into a column below its header, one a row, with another program."""
    book = openpyxl.load_workbook(path)
    page = book[sheet]
    known = {row[0].value: row[1].value for row in book["_rubrica"].iter_rows(max_col=2)} if "_rubrica" in book else {}
    wanted = {column, known.get(f"column:{column}", column), known.get(f"column:{sheet}:{column}", column)}
    place = next(cell.column for cell in page[1] if cell.value in wanted)
    for row, value in enumerate(values, start=2):
        page.cell(row, place).value = value
    book.save(path)


def table_bytes(ending: str, columns: Mapping[str, Sequence[str]]) -> bytes:
    """A table as a file of that format."""
    import io

    import polars

    frame, out = polars.DataFrame(dict(columns)), io.BytesIO()
    match ending:
        case "csv":
            frame.write_csv(out)
        case "tsv":
            frame.write_csv(out, separator="\t")
        case "jsonl":
            frame.write_ndjson(out)
        case "xlsx":
            frame.write_excel(out)
        case "parquet":
            frame.write_parquet(out)
    return out.getvalue()
