"""Tables from files: CSV, TSV, JSONL, XLSX, Parquet, with the line of every row and no guessing in silence.

A table is a header and rows of text. What was detected (format, delimiter, quoting, encoding) is kept so that it can be
shown. Values are text as they stand in the file; numbers of a spreadsheet lose a needless ``.0``.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from rubrica.core.errors import InputError, Problem, wrong
from rubrica.core.scales import storable
from rubrica.exchange.decoding import decoded
from rubrica.exchange.delimited import DELIMITERS, Line, other_delimiter, read_delimited

if TYPE_CHECKING:
    from rubrica.exchange.sheets.package import Oddities

FORMATS = (".csv", ".tsv", ".jsonl", ".xlsx", ".parquet")
UNSAFE = ("encoding", "quoting", "header")
"""Rules that concern a table as a whole: where one is broken, its rows are not to be used."""


class Row(NamedTuple):
    """The texts of one row, by column, and the line on which it starts."""

    line: int
    values: Mapping[str, str]


class Table(NamedTuple):
    """A table read from a file: columns, rows, in words what was detected, and rows that are broken.

    Broken rows are left out of ``rows``; whoever uses the table reports them with what else is wrong. ``top`` is the
    line of the header. ``sheet`` is the name of the sheet of a workbook that was read, ``unread`` are its others, and
    ``odd`` what a table should not have: an error value or a formula without a result is read as an empty cell.
    """

    file: str
    columns: tuple[str, ...]
    rows: list[Row]
    detected: str
    problems: list[Problem]
    top: int = 1
    sheet: str = ""
    unread: tuple[str, ...] = ()
    odd: Oddities | None = None


def read_table(path: Path, *, header: bool = True, whatever: bool = False) -> Table:
    """Read a table by the extension of its file. Raises InputError if it cannot be read as a table at all.

    Without ``header`` the columns are named 1, 2, 3, … With ``whatever``, a wrong encoding, a broken quote or a doubled
    column do not stop it: they are among the problems, for those who want to say everything that is wrong at once.
    """
    if not path.is_file():
        raise wrong("there is no such file", "file", "Check the name and the folder.", file=str(path))
    match path.suffix.lower():
        case ".csv":
            table = _read_text(path, header)
        case ".tsv" | ".txt":
            table = _read_text(path, header, "\t")
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
    unsafe = [problem for problem in table.problems if problem.rule in UNSAFE]
    if unsafe and not whatever:
        raise InputError(*unsafe)
    return _without_unstorable(table)


def _read_text(path: Path, header: bool, delimiter: str = "") -> Table:
    text, problems = decoded(path)
    found = read_delimited(text, delimiter)
    problems += [problem.at(file=str(path)) for problem in found.problems]
    detected = f"{DELIMITERS.get(found.delimiter, found.delimiter)}-separated, UTF-8"
    detected += f", {found.quoting}" if found.quoting else ""
    return _with_header(path, found.rows, header, detected, problems, found.delimiter)


def _with_header(
    path: Path, rows: list[Line], header: bool, detected: str, problems: Sequence[Problem] = (), delimiter: str = ""
) -> Table:
    if not rows and not problems:
        raise wrong("the file is empty", "empty", "It needs a header and at least one row.", file=str(path), line=1)
    if not rows:
        return Table(str(path), (), [], detected, list(problems))
    if not header:
        width = max(len(cells) for _, cells in rows)
        columns = tuple(str(number) for number in range(1, width + 1))
        data = rows
    else:
        columns, data = tuple(cell.strip() for cell in rows[0].cells), rows[1:]
    found = [*problems, *(problem.at(file=str(path)) for problem in _header_problems(columns, rows[0].number))]
    even = []
    for line in data:
        if len(line.cells) > len(columns) or (header and len(line.cells) < len(columns)):
            found.append(_uneven(line, len(columns), delimiter).at(file=str(path)))
        else:
            even.append(Row(line.number, dict(zip(columns, line.cells, strict=False))))
    return Table(str(path), columns, even, detected, found, rows[0].number)


def _uneven(line: Line, width: int, delimiter: str) -> Problem:
    """A row with fewer or more fields than the header: perhaps it is parted by another sign."""
    other = other_delimiter(line.cells, width, delimiter)
    if other:
        what = f"this row is parted by {other}s, the header by {DELIMITERS[delimiter]}s"
        fix = "Use one sign in the whole file."
        return Problem(what=what, rule="delimiter", line=line.number, value=other, fix=fix)
    many = len(line.cells)
    fix = "Quote fields that contain the delimiter, or add the missing ones."
    what = f"this row has {'1 field' if many == 1 else f'{many} fields'}, the header has {width}"
    return Problem(what=what, rule="width", line=line.number, value=many, fix=fix)


def _header_problems(columns: Sequence[str], line: int) -> list[Problem]:
    found = []
    for number, name in enumerate(columns):
        if name and name in columns[:number]:
            what, fix = f"the column {name!r} stands twice", "Rename one of the two columns."
            found.append(Problem(what=what, rule="header", line=line, value=name, fix=fix, question=name))
    return found


def _read_json_lines(path: Path) -> Table:
    text, problems = decoded(path)
    rows: list[Row] = []
    columns: dict[str, None] = {}
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip():
            continue
        try:
            record = parse_json(line)
        except ValueError as error:
            problems.append(
                Problem(what=f"not JSON: {error}", rule="json", line=number, fix="One object a line, each key once.")
            )
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
    """A JSON value; ValueError for whatever is not JSON, also for NaN, huge numbers, endless nesting, doubled keys."""
    try:
        return json.loads(line, parse_constant=_no_constant, object_pairs_hook=_once)
    except json.JSONDecodeError as error:
        raise ValueError(f"{error.msg} at character {error.pos + 1}") from error
    except RecursionError as error:
        raise ValueError("it is nested too deeply") from error


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object; of a key that stands twice nobody knows which value is meant."""
    found = dict(pairs)
    if len(found) < len(pairs):
        keys = [key for key, _ in pairs]
        raise ValueError(f"the key {next(key for key in found if keys.count(key) > 1)!r} stands twice")
    return found


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

    package = Package(path)
    try:
        book = fastexcel.read_excel(path)
        cells = book.load_sheet(0, header_row=None, skip_rows=0, dtypes="string").to_polars().rows()
    except fastexcel.FastExcelError as error:
        reason = str(error).splitlines()[0]
        fix = "Save it again as .xlsx."
        raise wrong(f"this is not a readable Excel file: {reason}", "xlsx", fix, file=str(path)) from error
    rows = [
        Line(line, [cell or "" for cell in row])
        for line, row in enumerate(cells, start=1)
        if any(cell and cell.strip() for cell in row)
    ]
    width = max((index + 1 for _, row in rows[:1] for index, cell in enumerate(row) if cell), default=0)
    trimmed = [Line(line, row[:width] if not any(row[width:]) else row) for line, row in rows]
    name = book.sheet_names[0]
    table = _with_header(path, trimmed, header, f"Excel, sheet {name!r}")
    return table._replace(sheet=name, unread=tuple(book.sheet_names[1:]), odd=package.oddities(name))


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
