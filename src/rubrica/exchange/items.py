"""From a table to items: which column is which field, shown before it is used; every bad row reported.

A row is an item, or one for each system where every system has a column of its own (``wide_columns.py``).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from rubrica.core.errors import InputError, Problem
from rubrica.core.protocol import Protocol
from rubrica.core.study import LONGEST_NAME, Item
from rubrica.core.target_words import context_field
from rubrica.core.text_helpers import did_you_mean, first_of
from rubrica.core.typed import storable
from rubrica.exchange.columns import MOST, PLACE_COLUMNS, guesses, no_column, own_columns
from rubrica.exchange.item_remarks import blank_like, equal_texts, never_computed, table_remarks
from rubrica.exchange.tables import Row, Table, read_table, sheets_of
from rubrica.exchange.target_places import NOT_FOUND, Placing, place_targets
from rubrica.exchange.wide_columns import (
    Candidate,
    as_called,
    candidates,
    holds_texts,
    joined_columns,
    likely_source,
    split_columns,
    system_name,
    wide_field,
    without_header,
)

MOST_SHEETS = 10
"""How many further sheets of a workbook are looked at for the columns."""
MAX_TEXT = 32_767
"""The most characters an Excel cell holds, emoji counted twice: longer texts could never be put on a sheet."""


class Matched(NamedTuple):
    """Which column each field was taken from, and the columns left over (kept as metadata).

    ``systems`` are the columns that each hold the rewrites of one system, if there are several; they then stand
    together as the column of the field. ``why`` has the reason of a guess, by field; ``offered`` are columns that may
    be a system's.
    """

    columns: Mapping[str, str]
    unused: tuple[str, ...]
    systems: tuple[str, ...] = ()
    why: Mapping[str, str] = {}
    offered: tuple[Candidate, ...] = ()

    def told(self) -> str:
        """In words which column each field was taken from; for a guess, with its reason."""
        names = {field: repr(column) for field, column in self.columns.items()}
        names |= {field: ", ".join(map(repr, self.systems)) for field in self.columns if self.spread(field)}
        reasons = {field: f" ({why})" for field, why in self.why.items() if why}
        return ", ".join(f"{field} <- {column}{reasons.get(field, '')}" for field, column in names.items())

    def spread(self, field: str) -> bool:
        """Whether this field is in several columns."""
        return bool(self.systems) and self.columns.get(field) == joined_columns(self.systems)


class Read(NamedTuple):
    """Items, how the columns were matched, remarks that do not stop anything, and how many rows there were."""

    items: list[Item]
    matched: Matched
    remarks: list[str]
    rows: int = 0

    @property
    def arithmetic(self) -> str:
        """``60 sentences × 3 systems = 180 items``, where systems have columns of their own."""
        return multiplied(self.rows, len(self.matched.systems), len(self.items))


def multiplied(rows: int, systems: int, items: int) -> str:
    """Sentences times systems, and what is missing; "" where a row is an item."""
    if not systems:
        return ""
    missing = rows * systems - items
    less = f", less {missing:,} without a text," if missing else ""
    return f"{rows:,} sentence{'s' * (rows != 1)} × {systems} systems{less} = {items:,} items"


class ReadFile(NamedTuple):
    """The items of a file, and in words what was detected."""

    detected: str
    read: Read


class Unmarked(NamedTuple):
    """A row whose target word is not found in its context."""

    line: int
    word: str
    context: str


class Looked(NamedTuple):
    """A file of items as it is understood so far: its columns and first rows, the column of each field, what is wrong.

    ``items`` are empty if anything is wrong, or if they were not asked for; ``keys`` are those of the items.
    """

    columns: tuple[str, ...]
    first: list[Row]
    rows: int
    detected: str
    matched: Matched
    keys: list[str]
    items: list[Item]
    remarks: list[str]
    problems: Sequence[Problem]
    unmarked: Sequence[Unmarked] = ()

    @property
    def taken(self) -> Mapping[str, str]:
        """The column of each field."""
        return self.matched.columns

    @property
    def arithmetic(self) -> str:
        """``60 sentences × 3 systems = 180 items``, where systems have columns of their own."""
        return multiplied(self.rows, len(self.matched.systems), len(self.keys))

    @property
    def unused(self) -> list[str]:
        """The columns that are kept as metadata."""
        return list(self.matched.unused)


def read_items_file(
    path: Path, protocol: Protocol, given: Mapping[str, str], header: bool, decided: Mapping[str, str] | None = None
) -> ReadFile:
    """The items of a table in a file. Raises InputError with every problem."""
    table = _read_table(path, header, protocol, given)
    return ReadFile(table.detected, read_items(table, protocol, given, decided, wide=True))


def _read_table(path: Path, header: bool, protocol: Protocol, given: Mapping[str, str]) -> Table:
    """The table; of a workbook, that on the first sheet which has the columns, or the first sheet if none has."""
    try:
        table, refused = read_table(path, header=header, by_hand=True), None
    except InputError as error:
        table, refused = Table(str(path), (), [], "", []), error
    if path.suffix.lower() != ".xlsx" or (refused is None and (not table.unread or _complete(table, protocol, given))):
        others: Sequence[str] = ()
    else:
        others = table.unread or sheets_of(path)[1:]
    for name in others[:MOST_SHEETS]:
        try:
            other = read_table(path, header=header, by_hand=True, sheet=name)
        except InputError:
            continue
        if _complete(other, protocol, given):
            return other
    if refused:
        raise refused
    return table


def _complete(table: Table, protocol: Protocol, given: Mapping[str, str]) -> bool:
    """Whether every field has its column here."""
    try:
        match_columns(table, protocol, given, wide=True)
    except InputError:
        return False
    return True


def look_at_items(
    path: Path,
    protocol: Protocol,
    given: Mapping[str, str],
    header: bool,
    decided: Mapping[str, str],
    *,
    first: int,
    whole: bool,
) -> Looked:
    """A file of items with the columns as they are matched now, whatever is wrong with it; its ``first`` rows.

    Columns that the file does not have are guessed anew. Raises InputError if no table can be read. Only with ``whole``
    the items themselves are given, of which there may be very many.
    """
    table = _read_table(path, header, protocol, given)
    if not table.columns and table.problems:
        raise InputError(*table.problems)
    names = [*(field.id for field in protocol.fields), *own_columns(protocol)]
    columns = {"", *table.columns}
    known = {
        name: column
        for name, column in given.items()
        if name in names and columns.issuperset(split_columns(column, table))
    }
    matched = _matched(table, protocol, known, wide=True)
    looked = Looked(table.columns, table.rows[:first], len(table.rows), table.detected, matched, [], [], [], ())
    try:
        read = read_items(table, protocol, {name: matched.columns.get(name, "") for name in names}, decided)
    except InputError as error:
        return looked._replace(problems=error.problems, unmarked=_unmarked(error.problems, table, protocol, matched))
    keys = [item.key for item in read.items]
    return looked._replace(keys=keys, items=read.items if whole else [], remarks=read.remarks)


def _unmarked(problems: Sequence[Problem], table: Table, protocol: Protocol, matched: Matched) -> list[Unmarked]:
    """The rows that need a place for their target, or to be left out."""
    column, rows = matched.columns.get(context_field(protocol), ""), {row.line: row.values for row in table.rows}
    lines = [(problem.line or 0, str(problem.value)) for problem in problems if problem.rule == NOT_FOUND]
    return [Unmarked(line, word, rows.get(line, {}).get(column, "")) for line, word in lines]


def match_columns(table: Table, protocol: Protocol, given: Mapping[str, str], *, wide: bool = False) -> Matched:
    """Find the column of each field: as given, else by its name; with ``wide``, systems side by side by their texts.

    A field given as ``""`` is in no column, whatever the columns are called. Of a table in which nothing could be read,
    the broken lines are reported and no missing columns.
    """
    if not table.columns and table.problems:
        raise InputError(*table.problems)
    if without_header(table):
        what = "this line holds texts, not the names of columns"
        fix = "If the file has no header: --no-header. Else put a line with a name for every column above the texts."
        raise InputError(Problem(what=what, rule="header", line=table.top, value="", fix=fix).at(file=table.file))
    problems: list[Problem] = []
    given = {name: as_called(column, table) for name, column in given.items()}
    names = [field.id for field in protocol.fields] + list(own_columns(protocol))
    for name, column in given.items():
        if name not in names:
            fix = did_you_mean(name, names, f"There are: {', '.join(names)}.")
            what = f"{protocol.id} has no field {name!r}"
            problems.append(Problem(what=what, rule="unknown_field", value=name, fix=fix, line=1))
        else:
            named = split_columns(column, table) if name == wide_field(protocol) else [column] if column else []
            absent = [one for one in named if one not in table.columns]
            problems += [no_column(one, table).at(rule="unknown_column") for one in absent]
    found = _matched(table, protocol, given, wide=wide)
    problems += _doubled(table, protocol, found, given)
    for field in protocol.fields:
        if field.required and field.id not in found.columns and not given.get(field.id):
            problems.append(_no_field(field.id, table, protocol, found))
    if problems:
        raise InputError(*(problem.at(file=table.file) for problem in [*problems, *table.problems]))
    return found


def _matched(table: Table, protocol: Protocol, given: Mapping[str, str], *, wide: bool) -> Matched:
    """The column of each field as far as it can be told; of what systems write, perhaps several."""
    spread = wide_field(protocol)
    named = split_columns(given.get(spread, ""), table) if spread else []
    guessed = guesses(table, protocol, given)
    columns = {name: guess.column for name, guess in guessed.items()}
    why = {name: guess.why for name, guess in guessed.items() if guess.why}
    source = likely_source(table, protocol, columns) if wide and "system" not in columns else None
    field = next((one.id for one in protocol.fields if one.role in ("source", "reference")), "")
    if source and field not in given:
        columns[field], why[field] = source.column, source.why
    offered = candidates(table, protocol, columns) if wide and "system" not in columns else []
    systems: tuple[str, ...] = ()
    if len(named) > 1:
        systems = tuple(named) if set(named) <= set(table.columns) else ()
    elif spread not in given and not (spread in guessed and not guessed[spread].why):
        likely = [candidate for candidate in offered if candidate.taken]
        if len(likely) > 1:
            systems, why[spread] = tuple(one.column for one in likely), _of_several(likely[0].why)
        elif likely and spread not in guessed:
            columns[spread], why[spread] = likely[0].column, likely[0].why
    if systems:
        columns[spread] = joined_columns(systems)
    taken = {*columns.values(), *systems}
    unused = tuple(column for column in table.columns if column and column not in taken)
    return Matched(columns, unused, systems, why, tuple(offered))


def _of_several(why: str) -> str:
    """The reason why one column was taken, said of several."""
    return why.replace("its ", "their ").replace("it has", "they have")


def _no_field(field: str, table: Table, protocol: Protocol, found: Matched) -> Problem:
    columns = first_of(list(map(repr, filter(None, table.columns))), MOST)
    several = ""
    if field == wide_field(protocol):
        likely = [one.column for one in found.offered if one.taken] or ["A", "B"]
        several = f"; several systems side by side: --map {field}={joined_columns(likely if len(likely) > 1 else 'AB')}"
    fix = f"Columns here: {columns}. Name the right one: --map {field}=COLUMN (or --no-header){several}."
    unread = ""
    if table.unread:
        others = first_of(list(map(repr, table.unread)), 3)
        unread = f"; nor has the sheet {others} columns for all of it"
    unread += "".join(f"; {told}" for told in never_computed(table))
    what = f"no column for the field {field!r} of {protocol.id}{unread}"
    return Problem(what=what, rule="columns", value=field, line=1, fix=fix)


def _doubled(table: Table, protocol: Protocol, found: Matched, given: Mapping[str, str]) -> list[Problem]:
    """Columns that serve two fields, systems named in two ways, and texts given as the name of a system."""
    fields: dict[str, list[str]] = {}
    for name, column in found.columns.items():
        for one in found.systems if found.spread(name) else [column]:
            fields.setdefault(one, []).append(name)
    problems = []
    for column, names in fields.items():
        if len(names) > 1:
            what = f"the column {column!r} is given for {' and '.join(map(repr, names))}"
            fix = "One column serves one field: choose another for one of them."
            problems.append(Problem(what=what, rule="one_field", line=1, value=column, fix=fix))
    for name, column in found.columns.items():
        if column in table.doubled and not given.get(name) and not found.spread(name):
            what = f"the column {column!r} stands twice"
            fix = "Rename one of the two columns; if the file has no header: --no-header."
            problems.append(Problem(what=what, rule="header", line=table.top, value=column, fix=fix))
    system = found.columns.get("system", "")
    if system and found.systems:
        what = f"the systems are in columns of their own, and in the column {system!r} as well"
        fix = f"Leave out one of the two: the column {system!r}, or all columns of rewrites but one."
        problems.append(Problem(what=what, rule="system", line=1, value=system, fix=fix))
    elif system and holds_texts(table, system):
        what = f"the column {system!r} holds texts, not names of systems"
        fix = f"If they are rewrites: --map {wide_field(protocol) or 'rewrite'}={system}. Else leave system out."
        problems.append(Problem(what=what, rule="system", line=1, value=system, fix=fix))
    return problems


def read_items(
    table: Table,
    protocol: Protocol,
    given: Mapping[str, str] | None = None,
    decided: Mapping[str, str] | None = None,
    *,
    wide: bool = False,
) -> Read:
    """Items of a table. Raises InputError with every bad row; ``wide`` as for ``match_columns``.

    ``decided`` is said of rows whose target word is not found (``exchange.target_places``).
    """
    matched = match_columns(table, protocol, given or {}, wide=wide)
    problems = list(table.problems)
    placings: list[Placing] = []
    rows: dict[str, tuple[int, int]] = {}
    lacking: dict[str, list[int]] = {}
    for number, row in enumerate(table.rows, start=1):
        for column in matched.systems or ("",):
            if column and not row.values.get(column, "").strip():
                lacking.setdefault(column, []).append(row.line)
                continue
            item = _item(row, number, protocol, matched, column)
            problems += _item_problems(item, row, protocol)
            key = item.key.removesuffix(f"-{item.system}") if column else item.key
            first, line = rows.setdefault(key, (number, row.line))
            if first != number and column in ("", *matched.systems[:1]):
                problems.append(
                    Problem(
                        what=f"the id {key!r} was already used on line {line}",
                        rule="duplicate_id",
                        line=row.line,
                        value=key,
                        fix="Give each row an id of its own, or leave the column out.",
                    )
                )
            placings.append(Placing(row.line, item))
    problems += [
        Problem(what=f"the column {column!r} has no text", rule="required", line=1, value=column, fix="Leave it out.")
        for column, rows in lacking.items()
        if table.rows and len(rows) == len(table.rows)
    ]
    placed = place_targets(placings, protocol, decided)
    problems += placed.problems
    if not placed.items and not problems:
        problems.append(Problem(what="there are no rows", rule="empty", fix="Add at least one row.", line=1))
    if problems:
        raise InputError(*(problem.at(file=table.file) for problem in sorted(problems, key=_line)))
    remarks = [*table_remarks(table, matched.systems, lacking), *equal_texts(placed.items, protocol)]
    remarks += blank_like(placings, protocol)
    remarks += placed.remarks
    return Read(placed.items, matched, remarks, len(table.rows))


def _line(problem: Problem) -> int:
    return problem.line or 0


def _item(row: Row, number: int, protocol: Protocol, matched: Matched, column: str) -> Item:
    """The item of a row, or that of the system in this column of it."""

    def own(name: str) -> str:
        return row.values.get(matched.columns.get(name, ""), "").strip()

    fields = {
        field.id: row.values[matched.columns[field.id]]
        for field in protocol.fields
        if row.values.get(matched.columns.get(field.id, ""))
    }
    key, system = own("id") or str(number), own("system")
    if column:
        fields[wide_field(protocol)] = row.values[column]
        system = system_name(column)
        key = f"{key}-{system}"
    group = own("group") or (fields.get(protocol.group_by, "") if protocol.group_by else "")
    return Item(
        key=key,
        fields=fields,
        system=system,
        author=own("author"),
        group=group_name(group),
        metadata={column: row.values[column] for column in matched.unused if row.values.get(column)}
        | {name: own(name) for name in PLACE_COLUMNS if own(name)},
    )


def group_name(text: str) -> str:
    """A group is named by its text; a long one by its beginning and its digest."""
    if len(text) <= 100:
        return text
    import hashlib

    return f"{text[:80]}…{hashlib.sha256(text.encode()).hexdigest()[:12]}"


def context_problems(text: str) -> list[Problem]:
    """Why a text that somebody typed cannot be the context of a word."""
    if not text or not storable(text):
        fix, what = "Type a sentence.", "the context is empty or holds a broken character"
        return [Problem(what=what, rule="context", fix=fix, value=text[:80])]
    if excel_length(text) > MAX_TEXT:
        return [Problem(what="the context is too long", rule="length", fix="Shorten it.", value=len(text))]
    return []


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
        if len(value) > LONGEST_NAME:
            found.append(
                Problem(
                    what=f"the {name} has {len(value):,} characters",
                    rule="length",
                    line=row.line,
                    value=len(value),
                    fix=f"Shorten it to {LONGEST_NAME}, or map another column.",
                )
            )
    return found
