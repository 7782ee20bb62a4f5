"""Tables from files: CSV, TSV, JSONL, XLSX, Parquet, with the line of every row and no guessing in silence.

A table is a header and rows of text. What was detected (format, delimiter, quoting, encoding) is kept so that it can
be shown. Values are text as they stand in the file; numbers of a spreadsheet lose a needless ``.0``, and what an
export put before texts to make them safe for spreadsheets is taken away again.

Columns inside columns: ``answers.fluency`` of JSON lines whose ``answers`` are objects.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from rubrica.core.errors import InputError, Problem, wrong
from rubrica.core.json_text import NotJsonError, parse_json
from rubrica.core.typed import storable
from rubrica.engine.limits import LONGEST_LINE, MB, limits
from rubrica.engine.own_process import in_own_process
from rubrica.exchange.decoding import decoded, digest_of, split_lines
from rubrica.exchange.delimited import DELIMITERS, Line, other_delimiter, read_delimited
from rubrica.exchange.spreadsheet_tables import from_header, numbered, titles_above, with_merged
from rubrica.exchange.whole_files import SIGNATURE, as_meant

if TYPE_CHECKING:
    import polars

    from rubrica.exchange.sheets.package import Oddities


FORMATS = (".csv", ".tsv", ".jsonl", ".xlsx", ".parquet")
SPREADSHEETS = (".xls", ".xlsm", ".xlsb", ".xltx", ".ods", ".fods", ".numbers")
NO_COLUMNS = ("edits", "metadata", "_thresh_id", "_interface_id")
"""Keys of an entry of Thresh that are no text of it."""
UNSAFE = ("encoding", "quoting", "header", "title", "size")
"""Rules that concern a table as a whole: where one is broken, its rows are not to be used."""


class Row(NamedTuple):
    """The texts of one row, by column, and the line on which it starts."""

    line: int
    values: Mapping[str, str]


class Table(NamedTuple):
    """A table read from a file: columns, rows, in words what was detected, and rows that are broken.

    Broken rows are left out of ``rows``; whoever uses the table reports them with what else is wrong. ``top`` is the
    line of the header. ``sheet`` is the name of the sheet of a workbook that was read, ``unread`` are its others,
    ``first`` is the column of the sheet, from 0, where the table begins, and ``odd`` what a table should not have: an
    error value or a formula without a result is read as an empty cell. ``digest`` is what signatures say of the file.
    ``doubled`` are names that several columns have; all but the first then have a number behind it.
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
    first: int = 0
    digest: str = ""
    doubled: tuple[str, ...] = ()

    def trusted(self) -> Table:
        """The same. Raises InputError where something is wrong with the table as a whole."""
        unsafe = [problem for problem in self.problems if problem.rule in UNSAFE]
        if unsafe:
            raise InputError(*unsafe)
        return self


def read_table(
    path: Path, *, header: bool = True, whatever: bool = False, by_hand: bool = False, sheet: str = ""
) -> Table:
    """Read a table by the extension of its file. Raises InputError if it cannot be read as a table at all.

    Without ``header`` the columns are named 1, 2, 3, … With ``whatever``, a wrong encoding, a broken quote or a doubled
    column do not stop it: they are among the problems, for those who want to say everything that is wrong at once.
    ``by_hand`` is for texts that people keep for reading: titles above, merged cells and doubled names are taken as
    they are meant (``spreadsheet_tables.py``). ``sheet`` is the one of a workbook that is read, else its first.
    """
    if not path.is_file():
        raise wrong("there is no such file", "file", "Check the name and the folder.", file=str(path))
    _check_start(path)
    match path.suffix.lower():
        case ".csv":
            table = _read_text(path, header, by_hand)
        case ".tsv" | ".txt":
            table = _read_text(path, header, by_hand, "\t")
        case ".jsonl" | ".ndjson":
            table = _read_json_lines(path)
        case ".json":
            table = _read_entries(path)
        case ".xlsx":
            table = _read_excel(path, header, by_hand, sheet)
        case ".parquet":
            table = _read_parquet(path)
        case other:
            raise not_read(str(path), other, FORMATS)
    if not whatever:
        table.trusted()
    table = _without_unstorable(table if table.digest else table._replace(digest=digest_of(path)))
    if SIGNATURE not in table.columns:
        return table
    return table._replace(rows=[row._replace(values=as_meant(row.values)) for row in table.rows])


def not_read(file: str, ending: str, formats: Sequence[str]) -> InputError:
    """What is said of a file whose name ends so; a workbook of another kind can be saved as one that is read."""
    save = f"Save it as .xlsx (of formats, {', '.join(formats)} are read)."
    fix = save if ending in SPREADSHEETS and ".xlsx" in formats else f"Use one of {', '.join(formats)}."
    return wrong(f"files ending in {ending or 'nothing'} are not read", "format", fix, file=file, value=ending)


STARTS = {b"PK\3\4": ".xlsx", b"PAR1": ".parquet"}
"""What files of a binary format begin with."""


def _check_start(path: Path) -> None:
    """Refuse a file that is no text though its name says so."""
    with path.open("rb") as file:
        start = file.read(4)
    ending = path.suffix.lower()
    if start in STARTS and ending not in STARTS.values():
        what = f"its name ends in {ending}, but it begins as a file that ends in {STARTS[start]}"
        raise wrong(what, "format", f"Rename it to {path.stem}{STARTS[start]}.", file=str(path), value=ending)


def _read_text(path: Path, header: bool, by_hand: bool, delimiter: str = "") -> Table:
    text, problems, digest, encoding = decoded(path, table=True)
    try:
        found = read_delimited(text, delimiter)
    except InputError as error:
        raise InputError(*(problem.at(file=str(path)) for problem in error.problems)) from error
    problems += [problem.at(file=str(path)) for problem in found.problems]
    detected = f"{DELIMITERS.get(found.delimiter, found.delimiter)}-separated, {encoding}"
    detected += f", {found.quoting}" if found.quoting else ""
    read = _Read(found.rows, detected, problems, found.delimiter)
    return _with_header(path, read, header, by_hand)._replace(digest=digest)


class _Read(NamedTuple):
    """The rows of a file, what was detected, what is wrong so far, and what parts the fields, if anything does."""

    rows: list[Line]
    detected: str
    problems: Sequence[Problem] = ()
    delimiter: str = ""


def _with_header(path: Path, read: _Read, header: bool, by_hand: bool) -> Table:
    rows, detected, problems, delimiter = read
    if not rows and not problems:
        raise wrong("the file is empty", "empty", "It needs a header and at least one row.", file=str(path), line=1)
    if not rows:
        return Table(str(path), (), [], detected, list(problems))
    top, doubled = rows[0].number, tuple[str, ...]()
    if not header:
        width = max(len(cells) for _, cells in rows)
        columns = tuple(str(number) for number in range(1, width + 1))
        data = rows
    else:
        rows = from_header(rows) if by_hand else rows
        columns, data = tuple(cell.strip() for cell in rows[0].cells), rows[1:]
        if rows[0].number != top:
            top = rows[0].number
            detected += f", header in row {top}: what stands above is not read"
        if by_hand:
            doubled = tuple(name for name in dict.fromkeys(columns) if name and columns.count(name) > 1)
            columns = numbered(columns)
    found = [*problems, *(problem.at(file=str(path)) for problem in _header_problems(columns, top))]
    even = []
    for line in data:
        if len(line.cells) > len(columns) or (header and len(line.cells) < len(columns)):
            found.append(_uneven(line, len(columns), delimiter).at(file=str(path)))
        else:
            even.append(Row(line.number, dict(zip(columns, line.cells, strict=False))))
    return Table(str(path), columns, even, detected, found, top, doubled=doubled)


def _uneven(line: Line, width: int, delimiter: str) -> Problem:
    """A row with fewer or more fields than the header: perhaps it is parted by another sign."""
    other = other_delimiter(line.cells, width, delimiter)
    if other:
        what = f"this row is parted by {other}s, the header by {DELIMITERS[delimiter]}s"
        fix = "Use one sign in the whole file."
        return Problem(what=what, rule="delimiter", line=line.number, value=other, fix=fix)
    many = len(line.cells)
    quote = "Quote fields that contain the delimiter, or add the missing ones."
    fix = quote if delimiter else "Name the column in the header, or empty the cells beside the table."
    what = f"this row has {'1 field' if many == 1 else f'{many} fields'}, the header has {width}"
    return Problem(what=what, rule="width", line=line.number, value=many, fix=fix)


def _header_problems(columns: Sequence[str], line: int) -> list[Problem]:
    found, seen = [], set[str]()
    for name in columns:
        if name and name in seen:
            what, fix = f"the column {name!r} stands twice", "Rename one of the two columns."
            found.append(Problem(what=what, rule="header", line=line, value=name, fix=fix, question=name))
        seen.add(name)
    return found


def _read_json_lines(path: Path) -> Table:
    text, problems, digest, _ = decoded(path)
    bounds = limits()
    rows: list[Row] = []
    columns: dict[str, None] = {}
    for found in json_lines(text):
        if not isinstance(found.value, dict):
            broken = Problem(what="not a JSON object", rule="json", line=found.number, fix='Write {"column": …}.')
            problems.append(found.problem or broken)
            continue
        columns.update(dict.fromkeys(found.value))
        rows.append(Row(found.number, {key: as_text(part) for key, part in found.value.items() if part is not None}))
        bounds.check_shape(len(rows), len(columns), file=str(path), line=found.number)
    if not rows and not problems:
        raise wrong("the file is empty", "empty", "It needs at least one line.", file=str(path), line=1)
    placed = [problem.at(file=str(path)) for problem in problems]
    return Table(str(path), tuple(columns), rows, "JSON lines, UTF-8", placed, digest=digest)


class JsonLine(NamedTuple):
    """A line that says something: its number, its text, and its value or what is wrong with it."""

    number: int
    text: str
    value: Any
    problem: Problem | None = None


def json_lines(text: str) -> Iterator[JsonLine]:
    """The lines of a text that are not blank, each read as JSON."""
    for number, line in enumerate(split_lines(text), start=1):
        if not line.strip():
            continue
        try:
            if len(line) > LONGEST_LINE:
                raise NotJsonError(f"this line has {len(line):,} characters, at most {LONGEST_LINE:,} are read")
            yield JsonLine(number, line, parse_json(line))
        except NotJsonError as error:
            fix = "One object a line, each key once."
            yield JsonLine(number, line, None, Problem(what=f"not JSON: {error}", rule="json", line=number, fix=fix))


def first_json_line(path: Path) -> dict[str, Any] | None:
    """The first object of a file of JSON lines, without reading the others; None if that is no such file."""
    if path.suffix.lower() not in (".jsonl", ".ndjson") or not path.is_file():
        return None
    with path.open("rb") as file:
        start = next((line for line in iter(lambda: file.readline(LONGEST_LINE), b"") if line.strip()), b"")
    found = next(json_lines(start.decode("utf-8-sig", errors="replace")), None)
    return found.value if found and isinstance(found.value, dict) else None


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


def _read_entries(path: Path) -> Table:
    """A data file of Thresh: a JSON list of entries. Their metadata are columns, too; edits are no part of a table."""
    from rubrica.exchange.thresh.files import read_file

    rows, edited = [], 0
    for entry in read_file(path).entries:
        metadata = entry.data.get("metadata")
        told = {**(metadata if isinstance(metadata, dict) else {}), **entry.data}
        edited += bool(told.get("edits"))
        kept = {key: value for key, value in told.items() if key not in NO_COLUMNS and value is not None}
        rows.append(Row(entry.line, {str(key): as_text(value) for key, value in kept.items()}))
    columns = tuple(dict.fromkeys(name for row in rows for name in row.values))
    left = f"; {edited} with edits, which an import takes, not a table" if edited else ""
    return Table(str(path), columns, rows, f"JSON list of entries, UTF-8{left}", [])


def sheets_of(path: Path) -> list[str]:
    """The names of the sheets of a workbook. Raises InputError if it is none."""
    from rubrica.exchange.sheets.package import Package

    return Package(path).sheets


def _read_excel(path: Path, header: bool, by_hand: bool, sheet: str) -> Table:
    from rubrica.exchange.sheets.package import Package

    package = Package(path)
    name = sheet or package.sheets[0]
    first, odd = package.first_column(name), package.oddities(name)
    cells = package.rows(name)
    rows = [
        Line(line, [cell or "" for cell in row])
        for line, row in enumerate(with_merged(cells, odd.merged, first) if by_hand else cells, start=1)
        if any(cell and cell.strip() for cell in row)
    ]
    whole = from_header(rows) if by_hand and header else rows
    width = max((index + 1 for _, row in whole[:1] for index, cell in enumerate(row) if cell), default=0)
    trimmed = [Line(line, row[:width] if not any(row[width:]) else row) for line, row in rows]
    titles = titles_above(whole) if header else []
    read = _Read(trimmed, f"Excel, sheet {name!r}", [one.at(file=str(path)) for one in titles])
    others = tuple(other for other in package.sheets if other != name)
    return _with_header(path, read, header, by_hand)._replace(sheet=name, unread=others, odd=odd, first=first)


def _read_parquet(path: Path) -> Table:
    """Always in a process of its own: pages of a Parquet file say how large they are, and the library believes it."""
    limits().check_file(path)
    return in_own_process(_parquet_table, str(path), path)


def _parquet_table(path: Path) -> Table:
    import polars

    bounds = limits()
    try:
        columns = len(polars.read_parquet_schema(path))
        rows = polars.scan_parquet(path).select(polars.len()).collect().item() if columns else 0
        bounds.check_shape(rows, columns, file=str(path))
        frame = polars.read_parquet(path)
    except (polars.exceptions.PolarsError, polars.exceptions.PanicException, OSError) as error:
        raise wrong(
            f"this is not a readable Parquet file: {(str(error).splitlines() or [''])[0]}",
            "parquet",
            "Write it again.",
            file=str(path),
        ) from error
    size = sum(map(_written_size, frame))
    if size > bounds.bytes:
        what = f"the values of this table have {size / MB:,.1f} MB, at most {bounds.megabytes:,} are read"
        raise bounds.beyond("megabytes", what, file=str(path), value=size)
    found = [
        Row(number, {key: as_text(value) for key, value in record.items() if value is not None})
        for number, record in enumerate(frame.iter_rows(named=True), start=1)
    ]
    return Table(str(path), tuple(frame.columns), found, "Parquet", [])


def _written_size(values: polars.Series) -> int:
    """Bytes of a column whose values are each written out: a text that is stored once may stand in every row."""
    import polars

    kind = values.dtype
    if isinstance(kind, polars.List | polars.Array):
        return 8 * len(values) + _written_size(values.explode())
    if isinstance(kind, polars.Struct):
        return sum(_written_size(values.struct.field(field.name)) for field in kind.fields)
    if isinstance(kind, polars.Binary):
        return int(values.bin.size().sum() or 0)
    if isinstance(kind, polars.String | polars.Categorical | polars.Enum):
        return int(values.cast(polars.String).str.len_bytes().sum() or 0)
    return 8 * len(values)


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


def with_nested(table: Table, wanted: Iterable[str]) -> Table:
    """The table with the wanted columns that stand inside others, where any row has them.

    ``a.b`` is the entry ``b`` of the object in column ``a``; a column that is really called ``a.b`` goes before it.
    """
    inside = [path for column in wanted if column not in table.columns and (path := _path(table, column))]
    if not inside:
        return table
    rows = []
    found: set[str] = set()
    for row in table.rows:
        more = {".".join(path): value for path in inside if (value := _value(row.values, path)) is not None}
        found.update(more)
        rows.append(Row(row.line, {**row.values, **more}) if more else row)
    added = tuple(".".join(path) for path in inside if ".".join(path) in found)
    return table._replace(columns=(*table.columns, *added), rows=rows)


def _path(table: Table, column: str) -> tuple[str, ...]:
    """The column that holds the object, and the keys inside it; empty if there is none."""
    parts = column.split(".")
    for cut in range(len(parts) - 1, 0, -1):
        if ".".join(parts[:cut]) in table.columns:
            return ".".join(parts[:cut]), *parts[cut:]
    return ()


def _value(values: Mapping[str, str], path: tuple[str, ...]) -> str | None:
    text = values.get(path[0], "")
    if not text.startswith("{"):
        return None
    try:
        found: Any = parse_json(text)
    except ValueError:
        return None
    for key in path[1:]:
        if not isinstance(found, dict) or key not in found:
            return None
        found = found[key]
    return as_text(found)
