"""What is said of a file of items that stops nothing: copies, texts that are missing, what of the file is not read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rubrica.core.protocol import Protocol
from rubrica.core.study import Item
from rubrica.core.text_helpers import first_of
from rubrica.exchange.corpus_rows import item_texts
from rubrica.exchange.sheets.addresses import area
from rubrica.exchange.tables import Table
from rubrica.exchange.target_places import Placing
from rubrica.exchange.wide_columns import system_name, wide_field

NEAREST = 3
"""How many columns or sheets are named."""
BLANKS = frozenset(
    [
        "n/a",
        "na",
        "none",
        "null",
        "nan",
        "nil",
        "todo",
        "tbd",
        "error",
        "empty",
        "missing",
        "#n/a",
        "#ref!",
        "#value!",
        "k.a.",
        "s/d",
    ]
)
FEW_WORDS = 3
"""What stands where a text is missing, beside an original of more words than this."""


def table_remarks(table: Table, systems: Sequence[str], lacking: Mapping[str, Sequence[int]]) -> list[str]:
    """Of the table; ``lacking`` are the rows in which a system has no text."""
    remarks = [*_numbered(table, systems), *_lacking(lacking), *_alike(table, systems), *never_computed(table)]
    if any(row.values.get("", "").strip() for row in table.rows):
        remarks.append("a column without a name in the header is not read")
    for name in table.doubled:
        remarks.append(f"several columns are called {name!r}: all but the first have a number behind it")
    if table.unread:
        remarks.append(f"only this sheet is read, not {first_of(list(map(repr, table.unread)), NEAREST)}")
    return remarks


def _numbered(table: Table, systems: Sequence[str]) -> list[str]:
    """Systems without names, because their columns have none."""
    if not systems or table.columns != tuple(str(number) for number in range(1, len(table.columns) + 1)):
        return []
    called = ", ".join(systems)
    return [f"the file has no header, so the systems are called {called} in tables: write names above them for others"]


def _alike(table: Table, systems: Sequence[str]) -> list[str]:
    """Systems with the same texts throughout: people would judge each of them twice."""
    by_texts: dict[tuple[str, ...], list[str]] = {}
    for column in systems:
        by_texts.setdefault(tuple(row.values.get(column, "").strip() for row in table.rows), []).append(column)
    return [
        f"{' and '.join(map(repr, same))} have the same text in every row: is one of them a copy?"
        for same in by_texts.values()
        if len(same) > 1
    ]


def equal_texts(items: Sequence[Item], protocol: Protocol) -> list[str]:
    """How many rewrites are their source, and how many sentences two systems rewrote in the same way; spaces aside."""
    texts = item_texts(protocol)
    if texts is None or not texts.rewrite:
        return []
    unchanged, systems = 0, dict[tuple[str, str], set[str]]()
    for item in items:
        source, rewrite = (" ".join(item.fields.get(field, "").split()) for field in (texts.source, texts.rewrite))
        unchanged += source == rewrite
        systems.setdefault((source, rewrite), set()).add(item.system)
    shared = len({source for (source, _), same in systems.items() if len(same) > 1})
    found = []
    if unchanged:
        equal = "rewrite equals its" if len(items) == 1 else "rewrites equal their"
        found.append(f"{unchanged:,} of {len(items):,} {equal} original: people judge them like any other")
    if shared:
        have = "sentence has" if shared == 1 else "sentences have"
        found.append(f"{shared:,} {have} the same rewrite by two systems: people judge it once for each of them")
    return found


def never_computed(table: Table) -> list[str]:
    """Columns with formulas that no spreadsheet has computed: they are read as empty."""
    if table.odd is None:
        return []
    texts, cells = {row.line: row.values for row in table.rows}, set(table.odd.formulas).difference(table.odd.texts)
    blank: dict[str, int] = {}
    for (line, *_), (place, *_) in map(area, cells):
        name = table.columns[place - table.first] if 0 <= place - table.first < len(table.columns) else ""
        if name and line in texts and not texts[line].get(name):
            blank[name] = blank.get(name, 0) + 1
    told = first_of([f"{name!r} ({many:,})" for name, many in blank.items()], NEAREST)
    fix = "they are read as empty, so open the file with a spreadsheet and save it"
    return [f"formulas were never computed in {told}: {fix}"] if blank else []


def blank_like(placings: Sequence[Placing], protocol: Protocol) -> list[str]:
    """Rewrites that are no text but stand for one that is missing."""
    field = wide_field(protocol)
    found = [
        f"{text!r} in row {row}{f' ({item.system})' if item.system else ''}"
        for row, item in placings
        if (text := item.fields.get(field, "").strip())
        and (text.casefold() in BLANKS or not any(map(str.isalnum, text)))
        and any(len(other.split()) > FEW_WORDS for name, other in item.fields.items() if name != field)
    ]
    told = f"people would judge {first_of(found, 5)} as a text: empty the cells, or leave the items out, if it is none"
    return [told] if found else []


def _lacking(lacking: Mapping[str, Sequence[int]]) -> list[str]:
    """Rows in which a system has no text: there is no item for them."""
    return [
        f"{system_name(column)} has no text in row {first_of(rows, 10)}: left out" for column, rows in lacking.items()
    ]
