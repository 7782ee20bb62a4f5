"""Tables from files: CSV, TSV, JSONL, XLSX, Parquet, with the line of every row and no guessing in silence.

A table is a header and rows of text. What was detected (format, delimiter, quoting, encoding) is kept so that it can be
shown. Values are text as they stand in the file; numbers of a spreadsheet lose a needless ``.0``.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from rubrica.core.errors import InputError, Problem, wrong
from rubrica.core.scales import storable

FORMATS = (".csv", ".tsv", ".jsonl", ".xlsx", ".parquet")
DELIMITERS = {",": "comma", ";": "semicolon", "\t": "tab", "|": "bar"}
_BIG_FIELD = 10_000_000


class Row(NamedTuple):
    """The texts of one row, by column, and the line on which it starts."""

    line: int
    values: Mapping[str, str]


class Table(NamedTuple):
    """A table read from a file: columns, rows, in words what was detected, and rows that are broken.

    Broken rows are left out of ``rows``; whoever uses the table reports them with what else is wrong. ``sheet`` is the
    name of the sheet of a workbook.
    """

    file: str
    columns: tuple[str, ...]
    rows: list[Row]
    detected: str
    problems: list[Problem]
    sheet: str = ""


def read_table(path: Path, *, header: bool = True) -> Table:
    """Read a table by the extension of its file. Raises InputError if it cannot be read as a table at all.

    Without ``header`` the columns are named 1, 2, 3, …
    """
    if not path.is_file():
        raise wrong("there is no such file", "file", "Check the name and the folder.", file=str(path))
    csv.field_size_limit(_BIG_FIELD)
    match path.suffix.lower():
        case ".csv":
            table = _read_delimited(path, header, None)
        case ".tsv" | ".txt":
            table = _read_delimited(path, header, "\t")
        case ".jsonl" | ".ndjson":
            table = _read_json_lines(path)
        case ".xlsx":
            table = _read_excel(path, header)
        case ".parquet":
            table = _read_parquet(path)
        case other:
            raise wrong(
                f"files ending in {other or 'nothing'} are not read",
                "format",
                f"Use one of {', '.join(FORMATS)}.",
                file=str(path),
                value=other,
            )
    return _without_unstorable(table)


def decode(path: Path) -> str:
    """The text of a UTF-8 file, with or without a byte order mark; anything else is refused by line."""
    data = path.read_bytes()
    if data.startswith((b"\xff\xfe", b"\xfe\xff")) or data[:200].count(b"\0") * 4 > len(data[:200]):
        raise wrong("this is UTF-16, not UTF-8", "encoding", "Save it as UTF-8.", file=str(path), line=1)
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        raise wrong(
            f"this is not UTF-8: byte {data[error.start]:#04x}",
            "encoding",
            "Save the file as UTF-8 (in Excel: CSV UTF-8).",
            file=str(path),
            line=line,
        ) from error


def _read_delimited(path: Path, header: bool, delimiter: str | None) -> Table:
    text = decode(path)
    delimiter = delimiter or _detect_delimiter(text)
    quoted, problems = _parse(text, delimiter, csv.QUOTE_MINIMAL)
    rows, quoting = quoted, "quotes around fields"
    if delimiter == "\t" and '"' in text and (problems or _uneven(quoted)):
        unquoted, _ = _parse(text, delimiter, csv.QUOTE_NONE)
        if problems or _uneven(unquoted) < _uneven(quoted):
            rows, problems, quoting = unquoted, [], "quotes are data"
    if problems:
        raise InputError(*(problem.at(file=str(path)) for problem in problems))
    detected = f"{DELIMITERS.get(delimiter, delimiter)}-separated, UTF-8"
    return _with_header(path, rows, header, detected + (f", {quoting}" if '"' in text else ""))


def _detect_delimiter(text: str) -> str:
    """The delimiter that cuts the first lines most evenly into the most columns; comma if none does."""
    sample = "\n".join(text.split("\n")[:50])
    best, most = ",", 1
    for delimiter in DELIMITERS:
        rows, _ = _parse(sample, delimiter, csv.QUOTE_MINIMAL)
        width = len(rows[0][1]) if rows else 1
        same = sum(len(cells) == width for _, cells in rows)
        if width > most and same * 2 >= len(rows):
            best, most = delimiter, width
    return best


def _parse(text: str, delimiter: str, quoting: Any) -> tuple[list[tuple[int, list[str]]], list[Problem]]:
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, quoting=quoting, strict=True)
    rows: list[tuple[int, list[str]]] = []
    start = 1
    try:
        for cells in reader:
            if any(cells):
                rows.append((start, cells))
            start = reader.line_num + 1
    except csv.Error as error:
        return rows, [
            Problem(
                what=f"a field is not closed properly: {error}",
                rule="quoting",
                line=start,
                fix='A quote inside a quoted field is written twice: "".',
            )
        ]
    return rows, []


def _uneven(rows: Sequence[tuple[int, list[str]]]) -> int:
    """How many rows have another width than the first."""
    return sum(len(cells) != len(rows[0][1]) for _, cells in rows)


def _with_header(path: Path, rows: list[tuple[int, list[str]]], header: bool, detected: str) -> Table:
    if not rows:
        raise wrong("the file is empty", "empty", "It needs a header and at least one row.", file=str(path), line=1)
    if not header:
        width = max(len(cells) for _, cells in rows)
        columns = tuple(str(number) for number in range(1, width + 1))
        data = rows
    else:
        columns, data = tuple(cell.strip() for cell in rows[0][1]), rows[1:]
    wrong_header = _header_problems(columns, rows[0][0])
    if wrong_header:
        raise InputError(*(problem.at(file=str(path)) for problem in wrong_header))
    even, problems = [], []
    for line, cells in data:
        if len(cells) > len(columns) or (header and len(cells) < len(columns)):
            fix = "Quote fields that contain the delimiter, or add the missing ones."
            fields = "1 field" if len(cells) == 1 else f"{len(cells)} fields"
            what = f"this row has {fields}, the header has {len(columns)}"
            problems.append(Problem(what=what, rule="width", file=str(path), line=line, value=len(cells), fix=fix))
        else:
            even.append(Row(line, dict(zip(columns, cells, strict=False))))
    return Table(str(path), columns, even, detected, problems)


def _header_problems(columns: Sequence[str], line: int) -> list[Problem]:
    found = []
    for number, name in enumerate(columns, start=1):
        if name and name in columns[: number - 1]:
            fix = "Rename one of the two columns."
            found.append(
                Problem(what=f"the column {name!r} stands twice", rule="header", line=line, value=name, fix=fix)
            )
    return found


def _read_json_lines(path: Path) -> Table:
    problems, rows = [], []
    columns: dict[str, None] = {}
    for number, line in enumerate(decode(path).split("\n"), start=1):
        if not line.strip():
            continue
        try:
            record = parse_json(line)
        except ValueError as error:
            problems.append(Problem(what=f"not JSON: {error}", rule="json", line=number, fix="One object a line."))
            continue
        if not isinstance(record, dict):
            problems.append(Problem(what="not a JSON object", rule="json", line=number, fix='Write {"column": …}.'))
            continue
        columns.update(dict.fromkeys(record))
        rows.append(Row(number, {key: as_text(value) for key, value in record.items() if value is not None}))
    if not rows and not problems:
        raise wrong("the file is empty", "empty", "It needs at least one line.", file=str(path), line=1)
    placed = [problem.at(file=str(path)) for problem in problems]
    return Table(str(path), tuple(columns), rows, "JSON lines, UTF-8", placed)


def parse_json(line: str) -> Any:
    """A JSON value; ValueError for whatever is not JSON, also for NaN, huge numbers and endless nesting."""
    try:
        return json.loads(line, parse_constant=_no_constant)
    except json.JSONDecodeError as error:
        raise ValueError(f"{error.msg} at character {error.pos + 1}") from error
    except RecursionError as error:
        raise ValueError("it is nested too deeply") from error


def _no_constant(name: str) -> None:
    raise ValueError(f"{name} is not a JSON number")


def as_text(value: Any) -> str:
    """A value of a typed format as text: whole floats without ``.0``, lists and objects as JSON."""
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    if isinstance(value, list | dict):
        return json.dumps(value, ensure_ascii=False, default=str)
    return "" if value is None else str(value)


def _read_excel(path: Path, header: bool) -> Table:
    import fastexcel

    from rubrica.exchange.sheets.package import Package

    Package(path)
    try:
        book = fastexcel.read_excel(path)
        cells = book.load_sheet(0, header_row=None, skip_rows=0, dtypes="string").to_polars().rows()
    except fastexcel.FastExcelError as error:
        reason = str(error).splitlines()[0]
        fix = "Save it again as .xlsx."
        raise wrong(f"this is not a readable Excel file: {reason}", "xlsx", fix, file=str(path)) from error
    rows = [(line, [cell or "" for cell in row]) for line, row in enumerate(cells, start=1) if any(row)]
    width = max((index + 1 for _, row in rows[:1] for index, cell in enumerate(row) if cell), default=0)
    trimmed = [(line, row[:width] if not any(row[width:]) else row) for line, row in rows]
    name = book.sheet_names[0]
    return _with_header(path, trimmed, header, f"Excel, sheet {name!r}")._replace(sheet=name)


def _read_parquet(path: Path) -> Table:
    import polars

    try:
        frame = polars.read_parquet(path)
    except (polars.exceptions.PolarsError, OSError) as error:
        raise wrong(
            f"this is not a readable Parquet file: {str(error).splitlines()[0]}",
            "parquet",
            "Write it again.",
            file=str(path),
        ) from error
    rows = [
        Row(number, {key: as_text(value) for key, value in record.items() if value is not None})
        for number, record in enumerate(frame.iter_rows(named=True), start=1)
    ]
    return Table(str(path), tuple(frame.columns), rows, "Parquet", [])


def _without_unstorable(table: Table) -> Table:
    """The table without rows that hold NUL or half of a surrogate pair, which become problems."""
    broken_names = [column for column in table.columns if not storable(column)]
    if broken_names:
        what = "the name of a column holds a broken character (NUL, or half of an emoji)"
        raise wrong(what, "characters", "Remove the broken character.", file=table.file, line=1, value=broken_names)
    problems, rows = list(table.problems), []
    for row in table.rows:
        if storable("".join(row.values.values())):
            rows.append(row)
            continue
        broken = [column for column, value in row.values.items() if not storable(value)]
        for column in broken:
            what = f"the column {column!r} holds a broken character (NUL, or half of an emoji)"
            fix = "Remove the broken character."
            problems.append(Problem(what=what, rule="characters", file=table.file, line=row.line, fix=fix))
    return table._replace(rows=rows, problems=problems)
