"""From a table to items: which column is which field, shown before it is used; every bad row reported."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from rubrica.core.errors import InputError, Problem
from rubrica.core.protocol import Protocol
from rubrica.core.study import Item
from rubrica.core.text_helpers import did_you_mean, first_of
from rubrica.exchange.columns import OWN_COLUMNS, guess_columns, no_column
from rubrica.exchange.tables import Row, Table, read_table

MAX_TEXT = 32_767
"""The most characters an Excel cell holds, emoji counted twice: longer texts could never be put on a sheet."""


class Matched(NamedTuple):
    """Which column each field was taken from, and the columns left over (kept as metadata)."""

    columns: Mapping[str, str]
    unused: tuple[str, ...]


class Read(NamedTuple):
    """Items, how the columns were matched, and remarks that do not stop anything."""

    items: list[Item]
    matched: Matched
    remarks: list[str]


class ReadFile(NamedTuple):
    """The items of a file, and in words what was detected."""

    detected: str
    read: Read


class Looked(NamedTuple):
    """A file of items as it is understood so far: its columns and first rows, the column of each field, what is wrong.

    ``items`` are empty if anything is wrong, or if they were not asked for; ``keys`` are those of the items.
    """

    columns: tuple[str, ...]
    first: list[Row]
    rows: int
    detected: str
    taken: Mapping[str, str]
    keys: list[str]
    items: list[Item]
    remarks: list[str]
    problems: Sequence[Problem]

    @property
    def unused(self) -> list[str]:
        """The columns that are kept as metadata."""
        taken = set(self.taken.values())
        return [column for column in self.columns if column and column not in taken]


def read_items_file(path: Path, protocol: Protocol, given: Mapping[str, str], header: bool) -> ReadFile:
    """The items of a table in a file. Raises InputError with every problem."""
    table = read_table(path, header=header)
    return ReadFile(table.detected, read_items(table, protocol, given))


def look_at_items(
    path: Path, protocol: Protocol, given: Mapping[str, str], header: bool, *, first: int, whole: bool
) -> Looked:
    """A file of items with the columns as they are matched now, whatever is wrong with it; its ``first`` rows.

    Columns that the file does not have are guessed anew. Raises InputError if no table can be read. Only with ``whole``
    the items themselves are given, of which there may be very many.
    """
    table = read_table(path, header=header)
    if not table.columns and table.problems:
        raise InputError(*table.problems)
    names = [*(field.id for field in protocol.fields), *OWN_COLUMNS]
    columns = {"", *table.columns}
    known = {name: column for name, column in given.items() if name in names and column in columns}
    taken = guess_columns(table, protocol, known)
    looked = Looked(table.columns, table.rows[:first], len(table.rows), table.detected, taken, [], [], [], ())
    try:
        read = read_items(table, protocol, {name: taken.get(name, "") for name in names})
    except InputError as error:
        return looked._replace(problems=error.problems)
    keys = [item.key for item in read.items]
    return looked._replace(keys=keys, items=read.items if whole else [], remarks=read.remarks)


def match_columns(table: Table, protocol: Protocol, given: Mapping[str, str]) -> Matched:
    """Find the column of each field: as given, else by its name.

    A field given as ``""`` is in no column, whatever the columns are called. Of a table in which nothing could be read,
    the broken lines are reported and no missing columns.
    """
    if not table.columns and table.problems:
        raise InputError(*table.problems)
    problems: list[Problem] = []
    names = [field.id for field in protocol.fields] + list(OWN_COLUMNS)
    for name, column in given.items():
        if name not in names:
            fix = did_you_mean(name, names, f"There are: {', '.join(names)}.")
            what = f"{protocol.id} has no field {name!r}"
            problems.append(Problem(what=what, rule="unknown_field", value=name, fix=fix, line=1))
        elif column and column not in table.columns:
            problems.append(no_column(column, table).at(rule="unknown_column"))
    found = guess_columns(table, protocol, given)
    for field in protocol.fields:
        if field.required and field.id not in found and not given.get(field.id):
            columns = ", ".join(map(repr, table.columns))
            problems.append(
                Problem(
                    what=f"no column for the field {field.id!r} of {protocol.id}",
                    rule="columns",
                    value=field.id,
                    line=1,
                    fix=f"Columns here: {columns}. Name the right one: --map {field.id}=COLUMN (or --no-header).",
                )
            )
    if problems:
        raise InputError(*(problem.at(file=table.file) for problem in [*problems, *table.problems]))
    taken = set(found.values())
    return Matched(found, tuple(column for column in table.columns if column and column not in taken))


def read_items(table: Table, protocol: Protocol, given: Mapping[str, str] | None = None) -> Read:
    """Items of a table. Raises InputError with every bad row."""
    matched = match_columns(table, protocol, given or {})
    problems = list(table.problems)
    items: list[Item] = []
    lines: dict[str, int] = {}
    for number, row in enumerate(table.rows, start=1):
        item = _item(row, number, protocol, matched)
        problems += _item_problems(item, row, protocol)
        if item.key in lines:
            problems.append(
                Problem(
                    what=f"the id {item.key!r} was already used on line {lines[item.key]}",
                    rule="duplicate_id",
                    line=row.line,
                    value=item.key,
                    fix="Give each row an id of its own, or leave the column out.",
                )
            )
        lines.setdefault(item.key, row.line)
        items.append(item)
    if not items and not problems:
        problems.append(Problem(what="there are no rows", rule="empty", fix="Add at least one row.", line=1))
    if problems:
        raise InputError(*(problem.at(file=table.file) for problem in sorted(problems, key=_line)))
    return Read(items, matched, _remarks(items, protocol))


def _line(problem: Problem) -> int:
    return problem.line or 0


def _item(row: Row, number: int, protocol: Protocol, matched: Matched) -> Item:
    def own(name: str) -> str:
        return row.values.get(matched.columns.get(name, ""), "").strip()

    fields = {
        field.id: row.values[matched.columns[field.id]]
        for field in protocol.fields
        if row.values.get(matched.columns.get(field.id, ""))
    }
    group = own("group") or (fields.get(protocol.group_by, "") if protocol.group_by else "")
    return Item(
        key=own("id") or str(number),
        fields=fields,
        system=own("system"),
        author=own("author"),
        group=_group_name(group),
        metadata={column: row.values[column] for column in matched.unused if row.values.get(column)},
    )


def _group_name(text: str) -> str:
    """A group is named by its text; a long one by its beginning and its digest."""
    if len(text) <= 100:
        return text
    import hashlib

    return f"{text[:80]}…{hashlib.sha256(text.encode()).hexdigest()[:12]}"


def excel_length(text: str) -> int:
    """How long Excel takes the text to be: characters beyond U+FFFF, such as emoji, are two."""
    return len(text) if text.isascii() else len(text.encode("utf-16-le")) // 2


def _item_problems(item: Item, row: Row, protocol: Protocol) -> list[Problem]:
    found = []
    for field in protocol.fields:
        text = item.fields.get(field.id, "")
        if field.required and not text.strip():
            found.append(
                Problem(
                    what=f"the field {field.id!r} is empty",
                    rule="required",
                    line=row.line,
                    value=text,
                    fix="Fill it in, or remove the row.",
                )
            )
        elif excel_length(text) > MAX_TEXT:
            found.append(
                Problem(
                    what=f"the field {field.id!r} has {excel_length(text):,} characters",
                    rule="length",
                    line=row.line,
                    value=excel_length(text),
                    fix=f"A text may have {MAX_TEXT:,}: shorten or split it.",
                )
            )
    for name, value in (("id", item.key), ("system", item.system), ("author", item.author), ("group", item.group)):
        if len(value) > 200:
            found.append(
                Problem(
                    what=f"the {name} has {len(value):,} characters",
                    rule="length",
                    line=row.line,
                    value=len(value),
                    fix="Shorten it to 200, or map another column.",
                )
            )
    return found


def _remarks(items: Sequence[Item], protocol: Protocol) -> list[str]:
    """Things worth knowing that stop nothing, for instance target words that are not in their context."""
    roles = {field.role: field.id for field in protocol.fields}
    remarks = []
    if "context" in roles and "target" in roles:
        absent = [
            item.key
            for item in items
            if item.fields.get(roles["target"], "").strip() not in item.fields.get(roles["context"], "")
        ]
        if absent:
            words = "1 target word does not" if len(absent) == 1 else f"{len(absent)} target words do not"
            remarks.append(f"{words} stand in the context as written and cannot be marked: {first_of(absent, 5)}")
    return remarks
