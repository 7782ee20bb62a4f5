"""Pairs of a source and its rewrite from a file: any table, or the JSON list that Thresh reads and writes."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from rubrica.core.errors import InputError, Problem, wrong
from rubrica.core.scales import storable
from rubrica.exchange.items import read_items
from rubrica.exchange.tables import decode, read_table
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
    columns = ", ".join(f"{field} <- {column!r}" for field, column in read.matched.columns.items())
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
    if not path.is_file():
        raise wrong("there is no such file", "file", "Check the name and the folder.", file=str(path))
    pairs, problems = [], []
    for number, (line, entry) in enumerate(_entries(decode(path), str(path)), start=1):
        found = list(_entry_problems(entry, number))
        problems += [problem.at(file=str(path), line=line) for problem in found]
        if not found:
            metadata = entry.get("metadata")
            known = metadata if isinstance(metadata, dict) else {}
            pairs.append(
                TextPair(entry["source"], entry["target"], str(number), str(known.get("system", "")), known, entry)
            )
    if not pairs and not problems:
        problems.append(Problem(what="there are no entries", rule="empty", fix="Add one.", file=str(path), line=1))
    if problems:
        raise InputError(*problems)
    edited = sum(bool(pair.entry.get("edits")) for pair in pairs)
    remark = f"{edited} of {len(pairs)} entries have edits; suggestions take their place in what is written"
    return Pairs(pairs, "Thresh JSON, UTF-8; source <- 'source', rewrite <- 'target'", [remark] if edited else [])


def _entries(text: str, file: str) -> Iterator[tuple[int, Any]]:
    """The elements of a JSON list, each with the line on which it starts."""
    decoder = json.JSONDecoder()
    fix = 'A Thresh file is a list: [{"source": …, "target": …}, …].'
    at = _after_space(text, 0)
    if text[at : at + 1] != "[":
        raise wrong("this is not a JSON list", "json", fix, file=file, line=1)
    at = _after_space(text, at + 1)
    line, counted = 1, 0
    while text[at : at + 1] != "]":
        line, counted = line + text.count("\n", counted, at), at
        try:
            entry, end = decoder.raw_decode(text, at)
        except (json.JSONDecodeError, RecursionError) as error:
            reason = error.msg if isinstance(error, json.JSONDecodeError) else "it is nested too deeply"
            raise wrong(f"not JSON: {reason}", "json", fix, file=file, line=line) from error
        yield line, entry
        at = _after_space(text, end)
        if text[at : at + 1] == ",":
            at = _after_space(text, at + 1)
        elif text[at : at + 1] != "]":
            raise wrong("the list does not go on here", "json", fix, file=file, line=text.count("\n", 0, at) + 1)


def _after_space(text: str, at: int) -> int:
    while at < len(text) and text[at] in " \t\r\n":
        at += 1
    return at


def _entry_problems(entry: Any, number: int) -> Iterator[Problem]:
    if not isinstance(entry, dict):
        yield Problem(what=f"entry {number} is no object", rule="form", fix='Write {"source": …, "target": …}.')
        return
    for key in ("source", "target"):
        text = entry.get(key)
        if not isinstance(text, str) or not text.strip():
            fix = "Fill it in, or remove the entry."
            yield Problem(what=f"entry {number} has no {key}", rule="required", fix=fix, value=text)
        elif not storable(text):
            what = f"the {key} of entry {number} holds a NUL character or half of a surrogate pair"
            yield Problem(what=what, rule="characters", fix="Remove the broken character.")
