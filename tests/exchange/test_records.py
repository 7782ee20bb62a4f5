"""Judgements go out in four formats and come back equal, for every protocol; missing and not applicable stay apart."""

from __future__ import annotations

import io
import json
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import attrs
import openpyxl
import polars
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rubrica.core.answers import NOT_APPLICABLE
from rubrica.core.errors import InputError
from rubrica.core.protocol import Protocol
from rubrica.core.study import Item, Judgement
from rubrica.core.verdicts import of_judgement
from rubrica.exchange.exports import WRITERS
from rubrica.exchange.imports import read_records
from rubrica.exchange.records import Record, table_columns
from tests.exchange.sheet_making import STAGES, make_sheet, protocol_of
from tests.length import either

FORMATS = ("jsonl", "csv", "xlsx", "parquet")
every_format = pytest.mark.parametrize("form", FORMATS)
AT = datetime(2026, 11, 15, 12, 30, 15, tzinfo=UTC)


def simulated(protocol_id: str, stage_id: str) -> list[Record]:
    """Records of simulated judgements, with everything that a record may carry."""
    sheet = make_sheet(protocol_id, stage_id, filled=True)
    records = []
    for number, row in enumerate(sheet.rows):
        assert row.judgement is not None
        metadata = {"domain": "news 👍", "note": "line\nbreak"} if number % 2 else {}
        item = attrs.evolve(row.item, metadata=metadata, system="sys-a" if number % 3 else "", author="ana")
        records.append(
            Record(
                study="A study",
                stage=stage_id,
                item=item,
                annotator=f"=a{number % 3}",
                judgement=row.judgement,
                revision=number + 1,
                planted="gold" if number == 0 else "",
                submitted_at=AT if number else None,
                seconds=12.5 if number % 2 else None,
                verdicts=of_judgement(sheet.protocol, item, row.judgement),
                protocol=f"{protocol_id}@1.0",
                signature="a:1|b:2",
            )
        )
    return records


def written(records: Sequence[Record], protocol: Protocol, form: str, folder: Path) -> Path:
    """Export records to a file."""
    path = folder / f"judgements.{form}"
    with path.open("wb") as out:
        assert WRITERS[form](records, protocol, out) == len(records)
    return path


def comparable(record: Record) -> Record:
    """A record without what is worked out anew from the others: verdicts, protocol and signature."""
    return attrs.evolve(record, verdicts={}, signature="")


@every_format
@pytest.mark.parametrize(("protocol_id", "stage_id"), STAGES)
def test_what_is_exported_is_imported_equal(protocol_id: str, stage_id: str, form: str, tmp_path: Path) -> None:
    """Answers, edits with constituents, lists, blanks, times, metadata and people are what they were."""
    protocol, records = protocol_of(protocol_id), simulated(protocol_id, stage_id)
    back = read_records(written(records, protocol, form, tmp_path), protocol)
    assert [record for _, record in back] == [comparable(record) for record in records]


def one(answers: dict[str, Any], fields: dict[str, str] | None = None, outcome: str = "answered") -> Record:
    """A record of one BrevE judgement."""
    item = Item("i1", fields or {"source": "Uno.", "rewrite": "Uno."})
    return Record(study="s", stage="rate", item=item, annotator="a", judgement=Judgement(answers, (), outcome))


@every_format
def test_missing_and_not_applicable_and_blank_stay_apart(form: str, tmp_path: Path) -> None:
    """A question that does not apply is not one that was not answered, and an empty list is an answer."""
    protocol = protocol_of("breve")
    records = [
        one({"severity": NOT_APPLICABLE, "acceptance": NOT_APPLICABLE, "edit": NOT_APPLICABLE}),
        one({}),
        one({"concern_kinds": (), "severity": 2}),
        one({"concern_kinds": ("hate", "other"), "comment": "x"}),
    ]
    back = [
        record.judgement.answers for _, record in read_records(written(records, protocol, form, tmp_path), protocol)
    ]
    assert back == [record.judgement.answers for record in records]


@every_format
@pytest.mark.parametrize(
    "comment", ["not_applicable", "N/A", "[]", "null", "=1+1", "007", " x ", 'a,b;c\t"d"\r\ne', "👩‍👩‍👧 e\u0301"]
)
def test_a_comment_is_a_comment_whatever_it_says(form: str, comment: str, tmp_path: Path) -> None:
    """Words that mean something to a format elsewhere are only words in a comment."""
    protocol = protocol_of("breve")
    (pair,) = read_records(written([one({"comment": comment})], protocol, form, tmp_path), protocol)
    assert pair[1].judgement.answers == {"comment": comment}


@every_format
def test_ways_out_are_kept(form: str, tmp_path: Path) -> None:
    """The outcome says how a judgement ended."""
    protocol = protocol_of("split_rewrite")
    record = attrs.evolve(one({}, {"source": "Uno."}, "too_simple"), stage="rewrite")
    assert read_records(written([record], protocol, form, tmp_path), protocol)[0][1] == record


texts = st.text(st.characters(codec="utf-8", exclude_characters="\0\ufffe\uffff"), min_size=1, max_size=40).filter(
    lambda text: not text.isspace()
)


@settings(max_examples=either(10, 40), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(source=texts, comment=texts, note=texts, name=texts)
@every_format
def test_any_text_survives_every_format(
    form: str, source: str, comment: str, note: str, name: str, tmp_path: Path
) -> None:
    """Texts, comments, metadata and names come back code point by code point."""
    protocol = protocol_of("breve")
    item = Item(name, {"source": source, "rewrite": "x"}, metadata={note: comment})
    record = attrs.evolve(one({"comment": comment}), item=item, annotator=name)
    assert read_records(written([record], protocol, form, tmp_path), protocol)[0][1] == record


def test_parquet_columns_have_types(tmp_path: Path) -> None:
    """Scales are numbers, what is not applicable is null and listed apart, the rest is text."""
    path = written(simulated("breve", "rate"), protocol_of("breve"), "parquet", tmp_path)
    schema = polars.read_parquet_schema(path)
    assert schema["simplification"] == schema["severity"] == schema["revision"] == polars.Int64
    assert schema["seconds"] == polars.Float64
    assert schema["comment"] == schema["concern"] == schema["acceptance"] == schema["source"] == polars.String
    assert schema["not_applicable"] == polars.List(polars.String)
    frame = polars.read_parquet(path)
    dropped = frame.filter(polars.col("not_applicable").list.contains("severity"))
    assert dropped.height > 0
    assert dropped["severity"].null_count() == dropped.height


def test_sliders_are_numbers_in_parquet(tmp_path: Path) -> None:
    """Whole sliders are whole numbers."""
    path = written(simulated("split_rate", "rate"), protocol_of("split_rate"), "parquet", tmp_path)
    assert polars.read_parquet_schema(path)["sensible"] == polars.Int64


def test_a_json_line_nests_what_belongs_together(tmp_path: Path) -> None:
    """The shape of a line is a promise; empty parts are left out."""
    (line,) = (
        written([one({"severity": NOT_APPLICABLE, "meaning": 3})], protocol_of("breve"), "jsonl", tmp_path)
        .read_text()
        .splitlines()
    )
    assert json.loads(line) == {
        "study": "s",
        "stage": "rate",
        "item": "i1",
        "fields": {"source": "Uno.", "rewrite": "Uno."},
        "annotator": "a",
        "revision": 1,
        "outcome": "answered",
        "answers": {"severity": {"not_applicable": True}, "meaning": 3},
        "protocol": "",
        "signature": "",
    }


@pytest.mark.parametrize("form", ["csv", "xlsx", "parquet"])
def test_tables_have_the_promised_columns(form: str, tmp_path: Path) -> None:
    """A column for each field, question and verdict, in this order, whatever the judgements hold."""
    protocol = protocol_of("split_rate")
    path = written(simulated("split_rate", "rate"), protocol, form, tmp_path)
    match form:
        case "csv":
            header = path.read_bytes().split(b"\r\n")[0].decode().split(",")
        case "xlsx":
            header = [str(cell.value) for cell in openpyxl.load_workbook(path).worksheets[0][1]]
        case _:
            header = polars.read_parquet(path).columns[:-1]
    assert header == table_columns(protocol)
    assert header[:7] == ["study", "stage", "item", "group", "system", "author", "planted"]
    assert "correct" in header


def test_exported_text_is_never_a_formula(tmp_path: Path) -> None:
    """A comment that begins with = is text in the workbook."""
    path = written([one({"comment": "=1+1"})], protocol_of("breve"), "xlsx", tmp_path)
    page = openpyxl.load_workbook(path).worksheets[0]
    (cell,) = [cell for cell in page[2] if cell.value == "=1+1"]
    assert cell.data_type != "f"


@pytest.mark.parametrize("comment", ["x" * 32_768, "👍" * 16_384, "\ufffe"])
def test_what_excel_would_cut_or_change_is_refused(comment: str, tmp_path: Path) -> None:
    """Too long a text, or one that no cell can hold, is refused with the formats that can."""
    with pytest.raises(InputError, match="jsonl, csv or parquet"):
        WRITERS["xlsx"]([one({"comment": comment})], protocol_of("breve"), io.BytesIO())


@every_format
def test_records_are_taken_one_at_a_time(form: str, tmp_path: Path) -> None:
    """An export reads its records as it goes, so that memory does not grow with the study."""
    protocol = protocol_of("breve")
    count = 2500
    with (tmp_path / f"many.{form}").open("wb") as out:
        assert WRITERS[form]((one({"meaning": 3}) for _ in range(count)), protocol, out) == count
    assert len(read_records(tmp_path / f"many.{form}", protocol)) == count


@every_format
def test_an_export_of_nothing_can_be_opened(form: str, tmp_path: Path) -> None:
    """A study without judgements exports an empty file of the right form."""
    protocol = protocol_of("breve")
    path = written([], protocol, form, tmp_path)
    with pytest.raises(InputError, match="no judgements"):
        read_records(path, protocol)


@every_format
def test_equal_judgements_make_equal_files(form: str) -> None:
    """Byte by byte, whenever they are written: the file of the page is the file of the command line."""
    protocol, records = protocol_of("breve"), simulated("breve", "rate")
    first, second = io.BytesIO(), io.BytesIO()
    WRITERS[form](records, protocol, first)
    WRITERS[form](records, protocol, second)
    assert first.getvalue() == second.getvalue()
    if form == "xlsx":
        assert openpyxl.load_workbook(first).properties.created == datetime(2000, 1, 1)


def _with(form: str, folder: Path, **columns: Any) -> Record:
    """A simulated judgement whose line in the file says this of these columns, read back."""
    (record, *_) = simulated("breve", "rate")
    file = folder / f"j.{form}"
    with file.open("wb") as stream:
        WRITERS[form](iter([record]), protocol_of("breve"), stream)
    if form == "csv":
        table = polars.read_csv(file, infer_schema=False)
        table.with_columns(**{name: polars.lit(str(value)) for name, value in columns.items()}).write_csv(file)
    else:
        file.write_text(json.dumps({**json.loads(file.read_text()), **columns}))
    ((_, read),) = read_records(file, protocol_of("breve"))
    return read


@pytest.mark.parametrize(("seconds", "revision"), [("2,5", "3"), (" 2.5 ", "3.0"), ("2,5", 3.0)])
@pytest.mark.parametrize("form", ["csv", "jsonl"])
def test_numbers_of_an_import_are_read_as_everywhere(form: str, seconds: Any, revision: Any, tmp_path: Path) -> None:
    """A decimal comma is a decimal comma, and a whole number may have a point, as other programs write it."""
    read = _with(form, tmp_path, seconds=seconds, revision=revision)
    assert (read.seconds, read.revision) == (2.5, 3)


@pytest.mark.parametrize(
    ("column", "value"),
    [("seconds", "1,234"), ("seconds", "2026-01-02"), ("seconds", -1), ("revision", 2.9), ("revision", "1_0")],
)
@pytest.mark.parametrize("form", ["csv", "jsonl"])
def test_what_is_no_number_in_an_import_is_refused(form: str, column: str, value: Any, tmp_path: Path) -> None:
    """Signs that may stand between thousands, dates, and a part of a revision; nothing is rounded in passing."""
    with pytest.raises(InputError, match="a date or number cannot be read"):
        _with(form, tmp_path, **{column: value})


def test_a_revision_is_no_yes(tmp_path: Path) -> None:
    """True is not the number 1."""
    with pytest.raises(InputError, match="a date or number cannot be read"):
        _with("jsonl", tmp_path, revision=True)
