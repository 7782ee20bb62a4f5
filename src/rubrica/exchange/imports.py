"""Reading records back from JSON lines, CSV, Excel or Parquet."""

from __future__ import annotations

from pathlib import Path

from rubrica.core.errors import InputError, Problem, wrong
from rubrica.core.protocol import Protocol
from rubrica.core.scales import storable_json
from rubrica.engine.limits import limits
from rubrica.exchange.decoding import decode
from rubrica.exchange.records import Record, RecordReader
from rubrica.exchange.tables import JsonLine, Table, json_lines, read_table

FORMATS = {".jsonl": "jsonl", ".ndjson": "jsonl", ".csv": "csv", ".tsv": "csv", ".xlsx": "xlsx", ".parquet": "parquet"}


def read_records(path: Path, protocol: Protocol, form: str = "") -> list[tuple[int, Record]]:
    """Records with their lines. Raises InputError with every line that cannot be understood."""
    if not path.is_file():
        raise wrong("there is no such file", "file", "Check the name and the folder.", file=str(path))
    by_name = FORMATS.get(path.suffix.lower(), "")
    if form and by_name and form != by_name:
        fix = "Leave --format out, or rename the file."
        raise wrong(f"its name says {by_name}, --format says {form}", "format", fix, file=str(path), value=form)
    form = form or by_name
    if not form:
        known = ", ".join(FORMATS)
        raise wrong(f"files ending in {path.suffix!r} are not imported", "format", f"Use {known}.", file=str(path))
    if form != "jsonl":
        return records_of(read_table(path), protocol)
    reader, bounds = RecordReader(protocol), limits()
    found: list[tuple[int, Record | None]] = []
    for line in json_lines(decode(path)):
        found.append((line.number, _json_line(reader, line)))
        bounds.check_shape(len(found), 1, file=str(path), line=line.number)
    return _whole(str(path), reader, found)


def records_of(table: Table, protocol: Protocol) -> list[tuple[int, Record]]:
    """The same of a table that was read already."""
    lacking = [column for column in ("item", "annotator") if column not in table.columns]
    if lacking:
        fix = "Start from a file that `rubrica export` wrote."
        raise wrong(f"no column {' or '.join(lacking)}", "columns", fix, file=table.file, line=1)
    reader = RecordReader(protocol)
    reader.problems += table.problems
    return _whole(table.file, reader, [(row.line, reader.from_row(row.values, row.line)) for row in table.rows])


def _whole(file: str, reader: RecordReader, found: list[tuple[int, Record | None]]) -> list[tuple[int, Record]]:
    if not found and not reader.problems:
        reader.problems.append(Problem(what="there are no judgements", rule="empty", fix="Add some.", line=1))
    if reader.problems:
        placed = [problem.at(file=file) for problem in reader.problems]
        raise InputError(*sorted(placed, key=lambda problem: problem.line or 0))
    return [(line, record) for line, record in found if record is not None]


def _json_line(reader: RecordReader, line: JsonLine) -> Record | None:
    number, text, data, broken = line
    if broken:
        reader.problems.append(broken)
        return None
    if "\\u" in text and not storable_json(data):
        what = "this line holds a NUL character or half of a surrogate pair"
        fix = "Remove the broken character."
        reader.problems.append(Problem(what=what, rule="characters", fix=fix, line=number))
        return None
    return reader.from_json(data, number)
