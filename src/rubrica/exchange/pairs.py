"""Pairs of a source and its rewrite from a file: any table, or the JSON list that Thresh reads and writes."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from rubrica.exchange.items import read_items
from rubrica.exchange.tables import read_table
from rubrica.exchange.thresh.files import EntryAt, read_file
from rubrica.protocols.catalog import load_shipped

MADE_HERE = ("edits", "suggested_by", "language")
"""Columns of a file of suggestions that say nothing about the pair."""


class TextPair(NamedTuple):
    """A source, its rewrite, and what else the file says of them."""

    source: str
    rewrite: str
    id: str = ""
    system: str = ""
    metadata: Mapping[str, Any] = {}
    entry: Mapping[str, Any] = {}
    """The entry of a Thresh file, as it is."""


class Pairs(NamedTuple):
    """Pairs, in words what the file was taken for, and remarks that stop nothing."""

    pairs: list[TextPair]
    detected: str
    remarks: list[str]


def read_pairs(path: Path, given: Mapping[str, str] | None = None) -> Pairs:
    """Pairs of a file: Thresh's list if it ends in .json, else a table whose columns are found or ``given``.

    Raises InputError with everything that is wrong.
    """
    if path.suffix.lower() == ".json":
        return _from_thresh(path)
    table = read_table(path)
    read = read_items(table, load_shipped("salsa").protocol, given)
    columns = read.matched.told()
    pairs = [
        TextPair(
            item.fields["source"],
            item.fields["rewrite"],
            item.key,
            item.system,
            {column: text for column, text in item.metadata.items() if column not in MADE_HERE},
        )
        for item in read.items
    ]
    return Pairs(pairs, f"{table.detected}; {columns}", read.remarks)


def _from_thresh(path: Path) -> Pairs:
    data = read_file(path, ("source", "target"))
    pairs = [_of_entry(entry) for entry in data.entries]
    edited = sum(bool(pair.entry.get("edits")) for pair in pairs)
    remark = f"{edited} of {len(pairs)} entries have edits; suggestions take their place in what is written"
    return Pairs(pairs, "Thresh JSON, UTF-8; source <- 'source', rewrite <- 'target'", [remark] if edited else [])


def _of_entry(entry: EntryAt) -> TextPair:
    metadata = entry.data.get("metadata")
    known = metadata if isinstance(metadata, dict) else {}
    system = str(known.get("system", ""))
    return TextPair(entry.data["source"], entry.data["target"], str(entry.number), system, known, entry.data)
