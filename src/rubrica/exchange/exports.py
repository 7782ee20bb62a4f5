"""Writing records to files, a chunk at a time: memory does not grow with the study."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import UTC, datetime
from itertools import islice
from typing import Any, BinaryIO, NamedTuple

from rubrica.core.answers import NOT_APPLICABLE
from rubrica.core.errors import wrong
from rubrica.core.profile import USUAL
from rubrica.core.protocol import Protocol
from rubrica.core.scales import Ordinal, Slider
from rubrica.exchange.edit_tables import write_edits_csv, write_edits_jsonl, write_words
from rubrica.exchange.encoded import Encoded
from rubrica.exchange.items import excel_length
from rubrica.exchange.records import Record, table_columns, to_json, to_row
from rubrica.exchange.safe_cells import safe_row

CHUNK = 1000
ROW_GROUP = 5000
"""Rows that Parquet keeps together, and so in memory at once."""
EXCEL_CELL = 32_767
EXCEL_ROWS = 1_048_575
MADE = datetime(2000, 1, 1, tzinfo=UTC)
"""When every workbook says it was made: equal judgements make equal files, to the byte."""


def write_jsonl(records: Iterable[Record], protocol: Protocol, out: BinaryIO) -> int:
    """One JSON object a line. Returns how many were written."""
    count = 0
    for record in records:
        out.write(json.dumps(to_json(record), ensure_ascii=False).encode() + b"\n")
        count += 1
    return count


def write_csv(records: Iterable[Record], protocol: Protocol, out: BinaryIO, *, safe: bool = False) -> int:
    """Comma-separated with a header, UTF-8, CRLF as the standard has it. ``safe``: no cell is taken for a formula."""
    writer = csv.DictWriter(Encoded(out), table_columns(protocol), extrasaction="ignore")
    writer.writeheader()
    count = 0
    for record in records:
        row = to_row(record, protocol)
        writer.writerow(safe_row(row) if safe else row)
        count += 1
    return count


def write_xlsx(records: Iterable[Record], protocol: Protocol, out: BinaryIO, *, safe: bool = False) -> int:
    """A workbook of one sheet, written row by row. Texts are texts; ``safe``: also if it is saved as CSV."""
    import xlsxwriter

    columns = table_columns(protocol)
    options = {"constant_memory": True, "strings_to_formulas": False, "strings_to_urls": False}
    count = 0
    with xlsxwriter.Workbook(out, options) as book:
        book.set_properties({"created": MADE})
        page = book.add_worksheet("Judgements")
        bold = book.add_format({"bold": True})
        for index, column in enumerate(columns):
            page.write_string(0, index, column, bold)
        page.freeze_panes(1, 0)
        for count, record in enumerate(records, start=1):
            row = safe_row(to_row(record, protocol)) if safe else to_row(record, protocol)
            for index, column in enumerate(columns):
                value = row.get(column)
                if isinstance(value, str):
                    _check_excel(value, f"item {record.item.key}: {column}", count)
                    page.write_string(count, index, value)
                elif value is not None:
                    page.write_number(count, index, value)
    return count


def _check_excel(value: str, where: str, row: int) -> None:
    """Refuse what Excel would cut or change."""
    if excel_length(value) > EXCEL_CELL or row > EXCEL_ROWS:
        what = f"{where} has {excel_length(value):,} characters in row {row:,}"
        fix = "Excel holds 32,767 in a cell and 1,048,576 rows: export as jsonl, csv or parquet."
        raise wrong(what, "xlsx", fix)
    if "\ufffe" in value or "\uffff" in value:
        raise wrong(f"{where} holds U+FFFE or U+FFFF", "xlsx", "Excel cannot: export as jsonl, csv or parquet.")


def write_parquet(records: Iterable[Record], protocol: Protocol, out: BinaryIO) -> int:
    """Typed columns: numbers for scales, text for the rest; what is not applicable is null and listed apart."""
    import polars
    from polars.io.plugins import register_io_source

    schema = polars.Schema(
        {column: _parquet_type(column, protocol, polars) for column in [*table_columns(protocol), "not_applicable"]}
    )
    count = 0

    def frames(
        with_columns: list[str] | None, predicate: Any, n_rows: int | None, batch_size: int | None
    ) -> Iterator[Any]:
        nonlocal count
        rows = iter(records)
        while chunk := list(islice(rows, CHUNK)):
            count += len(chunk)
            yield polars.DataFrame([_typed(record, protocol) for record in chunk], schema=schema)

    source = register_io_source(frames, schema=schema)
    source.sink_parquet(out, row_group_size=ROW_GROUP)
    return count


def _parquet_type(column: str, protocol: Protocol, polars: Any) -> Any:
    question = protocol.questions_by_id.get(column)
    scale = protocol.scales.get(question.scale) if question else None
    if column == "revision" or isinstance(scale, Ordinal) or (isinstance(scale, Slider) and scale.whole):
        return polars.Int64
    if column == "seconds" or isinstance(scale, Slider):
        return polars.Float64
    return polars.List(polars.String) if column == "not_applicable" else polars.String


def _typed(record: Record, protocol: Protocol) -> dict[str, Any]:
    answers = record.judgement.answers
    dropped = [question.id for question in protocol.questions if answers.get(question.id) is NOT_APPLICABLE]
    return to_row(record, protocol) | dict.fromkeys(dropped) | {"not_applicable": dropped}


def write_profiles(
    profiles: Iterable[tuple[str, Mapping[str, Any]]], about: Mapping[str, str], out: BinaryIO, *, safe: bool = False
) -> int:
    """What each annotator told about themselves, under an alias, with whom the study's texts are for."""
    writer = csv.DictWriter(Encoded(out), ["annotator", *USUAL, *about], extrasaction="ignore")
    writer.writeheader()
    count = 0
    for alias, told in profiles:
        row = {"annotator": alias, **told, **about}
        writer.writerow(safe_row(row) if safe else row)
        count += 1
    return count


WRITERS: dict[str, Callable[..., int]] = {
    "jsonl": write_jsonl,
    "csv": write_csv,
    "xlsx": write_xlsx,
    "parquet": write_parquet,
    "edits-csv": write_edits_csv,
    "edits-jsonl": write_edits_jsonl,
    "words": write_words,
}
"""Formats that are written from judgements one by one: each takes records, protocol and where to write; those with
cells also whether they are to be ``safe``."""


class Format(NamedTuple):
    """A format: how its files end, what it counts, and whether only protocols with edits have it."""

    ending: str
    unit: str = "judgement"
    edits: bool = False

    @property
    def cells(self) -> bool:
        """Whether a spreadsheet opens it."""
        return self.ending in ("csv", "xlsx")


FORMATS = {
    "jsonl": Format("jsonl"),
    "csv": Format("csv"),
    "xlsx": Format("xlsx"),
    "parquet": Format("parquet"),
    "edits-csv": Format("csv", "edit", edits=True),
    "edits-jsonl": Format("jsonl", "edit", edits=True),
    "words": Format("csv", "row", edits=True),
    "thresh": Format("json", "entry", edits=True),
    "profiles": Format("csv", "profile"),
}
"""Every format of an export. ``thresh`` needs more than judgements: what was imported, in its order; ``profiles`` has
none of them."""
