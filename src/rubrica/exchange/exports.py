"""Writing records to files, a chunk at a time: memory does not grow with the study.

What is to be exported, as pages, the API and the command ask for it.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from itertools import islice
from typing import Any, BinaryIO, NamedTuple

import attrs

from rubrica.core.answers import NOT_APPLICABLE
from rubrica.core.conditions import reads_the_same
from rubrica.core.errors import wrong
from rubrica.core.profile import USUAL
from rubrica.core.protocol import Protocol
from rubrica.core.scales import Ordinal, RewrittenText, Slider
from rubrica.core.target_words import context_field
from rubrica.core.verdicts import decides_perfect
from rubrica.exchange.edit_tables import write_edits_csv, write_edits_jsonl, write_words
from rubrica.exchange.items import excel_length
from rubrica.exchange.records import Record, about_cell, table_columns, to_json, to_row
from rubrica.exchange.whole_files import Encoded, safe_row

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


CORRECTION_COLUMNS = (
    *("source", "rewrite", "correction", "kind", "who"),
    *("item", "system", "stage", "language", "about_texts"),
)


def write_corrections(records: Iterable[Record], protocol: Protocol, out: BinaryIO, *, safe: bool = False) -> int:
    """Every text that somebody wrote, beside what it replaces: a corpus of edits and corrections as CSV.

    ``kind`` is the question that asked for it. What was left unchanged, as earlier versions took it, is none.
    """
    writer = csv.DictWriter(Encoded(out), CORRECTION_COLUMNS)
    writer.writeheader()
    asked = [one for one in protocol.questions if isinstance(protocol.scale_of(one), RewrittenText)]
    by_role = {role: [field.id for field in protocol.fields if field.role == role] for role in ("source", "rewrite")}
    count = 0
    for record in records:
        fields, about = record.item.fields, record.item.metadata
        texts = {role: next((fields.get(name, "") for name in names), "") for role, names in by_role.items()}
        for question in asked:
            written = record.judgement.answers.get(question.id)
            if not isinstance(written, str) or reads_the_same(written, texts["rewrite"] or texts["source"]):
                continue
            row = texts | {"correction": written, "kind": question.id, "who": record.annotator}
            row |= {"item": record.item.key, "system": record.item.system, "stage": record.stage}
            row["language"] = about.get("language") or about.get("lang") or ""
            row["about_texts"] = about_cell(record) or ""
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
    "corrections": write_corrections,
}
"""Formats that are written from judgements one by one: each takes records, protocol and where to write; those with
cells also whether they are to be ``safe``."""


class Format(NamedTuple):
    """A format: how its files end, what it counts, and what a protocol must ask for to have it: edits, rewrites,
    words, or ratings that say which rewrites are perfect."""

    ending: str
    unit: str = "judgement"
    asks: str = ""

    @property
    def cells(self) -> bool:
        """Whether a spreadsheet opens it."""
        return self.ending in ("csv", "xlsx")


FORMATS = {
    "jsonl": Format("jsonl"),
    "csv": Format("csv"),
    "xlsx": Format("xlsx"),
    "parquet": Format("parquet"),
    "edits-csv": Format("csv", "edit", asks="edits"),
    "edits-jsonl": Format("jsonl", "edit", asks="edits"),
    "words": Format("csv", "row", asks="edits"),
    "corrections": Format("csv", "correction", asks="rewrites"),
    "thresh": Format("json", "entry", asks="edits"),
    "profiles": Format("csv", "profile"),
    "benchmark": Format("zip", "gold rewrite", asks="ratings"),
    "mlsp": Format("zip", "instance", asks="words"),
    "tsar": Format("tsv", "instance", asks="words"),
    "guideline": Format("tsv", "instance", asks="words"),
}
"""Every format of an export. ``thresh`` needs more than judgements: what was imported, in its order; ``profiles`` has
none of them; ``benchmark`` has what they decide, ``mlsp``, ``tsar`` and ``guideline`` what they add up to."""


@attrs.frozen(kw_only=True)
class Wanted:
    """The format, one stage or all, the last word or all of them, excluded people or not.

    ``safe_cells``: in a table, no text is taken for a formula (see ``whole_files.py``).
    ``indent``, ``ascii``, ``newline`` and ``offsets`` are for Thresh files; what is not said of them is as in the files
    that the entries came from. The others are for data sets of words (``report.lexical_release``): ``joined`` is the
    study of the other task; ``part`` is the one file of a release that is wanted, none means all of it; ``annotators``
    puts in what people told about themselves, ``same_people`` gives a person one id in both tasks.
    """

    form: str = "jsonl"
    stage: str = ""
    every_revision: bool = False
    excluded: bool = False
    safe_cells: bool = False
    indent: int | None = None
    ascii: bool | None = None
    newline: bool | None = None
    offsets: str = ""
    joined: str = ""
    part: str = ""
    ties: str = "first"
    none_simpler: str = "target"
    trial: int = 0
    strict: bool = False
    unattested: bool = False
    unaggregated: bool = False
    annotators: bool = False
    same_people: bool = False

    @property
    def layout(self) -> dict[str, Any]:
        """How a Thresh file is to be laid out, as far as that is said."""
        said = {"indent": self.indent, "ascii": self.ascii, "newline": self.newline}
        return {name: value for name, value in said.items() if value is not None}

    @property
    def format(self) -> Format:
        """The format. Raises InputError if there is none of that name, or it cannot have what is wanted."""
        if self.form not in FORMATS:
            fix = f"Use one of {', '.join(FORMATS)}."
            raise wrong(f"there is no format {self.form!r}", "format", fix, value=self.form)
        found = FORMATS[self.form]
        if self.safe_cells and not found.cells:
            tables = ", ".join(form for form, format in FORMATS.items() if format.cells)
            fix = f"Leave safe cells out, or use one of {tables}."
            raise wrong(f"{self.form} has no cells that a spreadsheet runs", "safe_cells", fix, value=self.form)
        if found.asks != "words" and (chosen := self.filters):
            fix = "Leave it out, or use one of mlsp, tsar, guideline."
            raise wrong(f"{', '.join(chosen)}: only data sets of words have that", "option", fix, value=self.form)
        if self.form == "thresh" and self.every_revision:
            fix = "Leave out the earlier revisions, or export as edits-jsonl."
            raise wrong("a Thresh file has the last word only", "revisions", fix, value=self.form)
        return found

    @property
    def ending(self) -> str:
        """How the file's name ends: one part of a release is a table, not an archive."""
        return "tsv" if self.form == "mlsp" and self.part not in ("", "archive") else self.format.ending

    @property
    def filters(self) -> dict[str, str]:
        """What a signature says of the choices of a release, where they are not the usual ones."""
        usual = Wanted()
        names = (
            "joined",
            "part",
            "ties",
            "none_simpler",
            "trial",
            "strict",
            "unattested",
            "unaggregated",
            "annotators",
            "same_people",
        )
        return {name: str(value) for name in names if (value := getattr(self, name)) != getattr(usual, name)}

    def check(self, study: str, asked: Container[str], versions: int) -> None:
        """Raise InputError if a study whose stages ask for this, and run so many versions, has no such export."""
        if self.format.asks and self.format.asks not in asked:
            fix = "Use one of jsonl, csv, xlsx, parquet."
            raise wrong(f"{study!r} has no {self.format.asks} to export as {self.form}", "format", fix, value=self.form)
        if versions > 1 and self.format.ending != "jsonl" and self.form != "profiles":
            what = "the stages run different protocols or versions, and a table has the columns of one"
            raise wrong(what, "stage", "Export one stage at a time, or all as jsonl.", value=self.form)

    def file_name(self, study: str, day: str) -> str:
        """What a browser is told to call the file."""
        kind = self.form if self.format.asks or self.form == "profiles" else "judgements"
        return f"{study}-{self.stage or kind}-{day}.{self.ending}"


def asked_in(protocols: Sequence[Protocol]) -> set[str]:
    """What protocols ask for that has formats of its own: edits, rewrites, words, ratings that say what is perfect."""
    rewrites = any(isinstance(scale, RewrittenText) for protocol in protocols for scale in protocol.scales.values())
    ratings = any(map(decides_perfect, protocols))
    words = any(map(asks_for_words, protocols))
    found = {
        "words": words,
        "edits": any(protocol.edits for protocol in protocols),
        "rewrites": rewrites,
        "ratings": ratings,
    }
    return {name for name, there in found.items() if there}


def asks_for_words(protocol: Protocol) -> bool:
    """Whether people judge a word in its context, or give simpler ones for it."""
    return bool(context_field(protocol)) and not any(field.role == "rewrite" for field in protocol.fields)


USUAL_CHOICES = Wanted()
"""The last word of everybody who is not excluded."""
