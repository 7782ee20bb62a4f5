"""An entry of a Thresh file from a judgement of ours.

An entry that was imported keeps everything that the judgement still says: order of keys, numbers, oddities and keys
that we have no use for. What was corrected since is written anew, in its place.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from rubrica.core.answers import Answers
from rubrica.core.study import ANSWERED, Item, Judgement
from rubrica.core.thresh import ThreshNames
from rubrica.exchange.thresh.edit_writing import EditList, Entry
from rubrica.exchange.thresh.entries import COMMENT, FIELDS, EntryReader
from rubrica.exchange.thresh.offsets import differ


class Judged(NamedTuple):
    """A judgement to write: of which item, by whom."""

    item: Item
    annotator: str
    judgement: Judgement


class EntryWriter:
    """Writes entries whose offsets count in ``unit``; ``about`` is what the study says of all its texts."""

    def __init__(self, names: ThreshNames, unit: str, about: Mapping[str, str] | None = None) -> None:
        self.names, self.unit = names, unit
        self.about = {"about_texts": dict(about)} if about else {}

    def fresh(self, judged: Judged, base: Mapping[str, Any] | None = None) -> Entry:
        """An entry for a judgement that was made here; ``base`` is the entry without edits that it was made about.

        A way out is no annotation: its entry has no edits, and its metadata say which way out it was.
        """
        item, judgement = judged.item, judged.judgement
        entry = dict(base) if base is not None else _of_item(item)
        metadata = entry.get("metadata")
        known = dict(metadata) if isinstance(metadata, dict) else {}
        outcome = {} if judgement.outcome == ANSWERED else {"outcome": judgement.outcome}
        entry["metadata"] = {**known, **self.about, "annotator": judged.annotator, **outcome}
        if judgement.outcome == ANSWERED:
            entry["edits"] = EditList(self.names, self.unit, item).write(judgement.edits)
        else:
            entry.pop("edits", None)
        return _with_comment(entry, {}, judgement.answers)

    def again(self, entry: Entry, judged: Judged, reader: EntryReader) -> Entry:
        """An imported entry with what its judgement says now."""
        item, judgement = judged.item, judged.judgement
        read = reader.read(entry, item)
        before = read.judgement or Judgement()
        counted_anew = reader.unit != self.unit and any(differ(text) for text in item.fields.values())
        if before == judgement and not counted_anew:
            return entry
        if judgement.outcome != ANSWERED:
            return self.fresh(judged, entry)
        edits = EditList(self.names, self.unit, item, counted_anew).merge(entry["edits"], read.placed, judgement.edits)
        return _with_comment({**entry, "edits": edits}, before.answers, judgement.answers)


def _of_item(item: Item) -> Entry:
    called = {ours: theirs for theirs, ours in FIELDS.items()}
    texts = {called.get(field, field): text for field, text in item.fields.items()}
    first: Entry = {key: texts.pop(key) for key in ("source", "target") if key in texts}
    metadata = dict(item.metadata) | ({"system": item.system} if item.system else {})
    return {**first, **texts, "metadata": metadata}


def _with_comment(entry: Entry, before: Answers, now: Answers) -> Entry:
    if before.get(COMMENT) == now.get(COMMENT):
        return entry
    if COMMENT in now:
        return {**entry, COMMENT: now[COMMENT]}
    return {key: value for key, value in entry.items() if key != COMMENT}
