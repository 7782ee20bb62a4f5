"""Suggested edits: what is said of them, what became of them, and as files: JSON lines of ours, or Thresh's JSON.

In a Thresh file edits are numbered within their category, constituents stand inside their composite, and offsets count
UTF-16 code units, as JavaScript does.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, BinaryIO, NamedTuple

from rubrica.core.edits import Edit, to_json
from rubrica.core.errors import Problem
from rubrica.core.study import ANSWERED, Judgement
from rubrica.core.validation import Validator
from rubrica.exchange.pairs import TextPair
from rubrica.exchange.thresh.entries import SIDES
from rubrica.exchange.thresh.offsets import UTF16, to_unit


class Suggested(NamedTuple):
    """A pair, the edits suggested for it, by what and for which language."""

    pair: TextPair
    edits: Sequence[Edit]
    suggested_by: str
    language: str


class Fate(NamedTuple):
    """What became of one suggestion in one judgement, as it is exported. ``together``: it was accepted with all others
    at once, and looked at afterwards.
    """

    stage: str
    item: str
    annotator: str
    suggestion: str
    engine: str
    operation: str
    source: list[list[int]]
    rewrite: list[list[int]]
    parent: str
    fate: str
    edit: str
    together: bool


class Told(NamedTuple):
    """What a page or the API says of suggestions, by their keys.

    ``became`` is the id of the edit made of each, or nothing if it was rejected. ``together`` are those that were
    accepted all at once: whether each was looked at since.
    """

    became: Mapping[str, str] = {}
    together: Mapping[str, bool] = {}


def fate(suggested: Edit, edit: Edit | None, *, mentioned: bool) -> str:
    """What became of a suggestion: the edit that was made of it, if any; ``mentioned``: something was said of it."""
    if edit is None:
        return "rejected" if mentioned else "ignored"
    same = (edit.operation, edit.source, edit.rewrite) == (suggested.operation, suggested.source, suggested.rewrite)
    return "accepted" if same else "adjusted"


def told_problems(validator: Validator, told: Told, submitted: Judgement | None = None) -> list[Problem]:
    """What a page could never say about suggestions; and of a ``submitted`` judgement every edit that was accepted with
    all others and not looked at.
    """
    if told.became and not validator.suggests:
        fix, value = "Send none.", len(told.became)
        return [Problem(what="no edits are suggested here", rule="suggestions", fix=fix, value=value)]
    if submitted is None or submitted.outcome != ANSWERED:
        return []
    unseen = {told.became.get(key, "") for key, looked in told.together.items() if not looked}
    return [
        Problem(
            what=f"edit {edit.id} was accepted with all others and not looked at",
            rule="looked_at",
            fix="Open it, and keep, change or remove it.",
            value=edit.operation,
            edit=edit.id,
        )
        for edit in submitted.edits
        if edit.id in unseen and not edit.parent
    ]


def write_json_lines(suggestions: Iterable[Suggested], stream: BinaryIO) -> None:
    """One object a line: id, source, rewrite, system and metadata if there are any, edits, suggested_by, language."""
    for pair, edits, suggested_by, language in suggestions:
        record: dict[str, Any] = {"id": pair.id, "source": pair.source, "rewrite": pair.rewrite}
        record |= {"system": pair.system} if pair.system else {}
        record |= {"metadata": dict(pair.metadata)} if pair.metadata else {}
        record |= {"edits": [to_json(edit) for edit in edits], "suggested_by": suggested_by, "language": language}
        stream.write(json.dumps(record, ensure_ascii=False).encode() + b"\n")


def write_thresh(suggestions: Iterable[Suggested], stream: BinaryIO) -> None:
    """A list of entries, indented by 4 as published files are.

    What an entry of a Thresh file had is kept, but for its edits and its annotator: the edits are no person's now.
    """
    separator = b"[\n"
    for suggestion in suggestions:
        lines = json.dumps(_entry(suggestion), ensure_ascii=False, indent=4).splitlines()
        stream.write(separator + "\n".join(f"    {line}" for line in lines).encode())
        separator = b",\n"
    stream.write(b"\n]" if separator == b",\n" else b"[]")


def _entry(suggestion: Suggested) -> dict[str, Any]:
    pair, edits, suggested_by, language = suggestion
    known = {"id": pair.id, **pair.metadata} | ({"system": pair.system} if pair.system else {})
    entry = dict(pair.entry) or {"source": pair.source, "target": pair.rewrite, "metadata": known}
    metadata = entry.get("metadata")
    own = metadata if isinstance(metadata, dict) else {}
    entry["metadata"] = {**own, "annotator": suggested_by, "suggested_by": suggested_by, "language": language}
    entry["edits"] = thresh_edits(edits, pair.source, pair.rewrite)
    return entry


def thresh_edits(edits: Sequence[Edit], source: str, rewrite: str) -> list[dict[str, Any]]:
    """Edits as Thresh has them, unanswered."""
    texts = {"source": source, "rewrite": rewrite}
    numbers: dict[str, int] = {}
    written: dict[str, dict[str, Any]] = {}
    found: list[dict[str, Any]] = []
    for edit in sorted(edits, key=lambda edit: bool(edit.parent)):
        numbers[edit.operation] = numbers.get(edit.operation, 0) + 1
        record: dict[str, Any] = {"id": numbers[edit.operation], "category": edit.operation}
        for side, key in SIDES.items():
            if edit.spans(side):
                spans = [to_unit(texts[side], span, UTF16) for span in edit.spans(side)]
                record[key] = [[span.start, span.end] for span in spans]
        written[edit.id] = record
        if edit.parent:
            written[edit.parent]["constituent_edits"].append(record)
            continue
        if any(part.parent == edit.id for part in edits):
            record["constituent_edits"] = []
        record["annotation"] = None
        found.append(record)
    return found
