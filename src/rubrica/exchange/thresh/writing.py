"""An entry of a Thresh file from a judgement of ours, with its edits.

The edits of one entry of a Thresh file: numbered within their category, constituents under their composite.

An entry that was imported keeps everything that the judgement still says: order of keys, numbers, oddities and keys
that we have no use for. What was corrected since is written anew, in its place.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from rubrica.core.answers import Answers
from rubrica.core.edits import SIDES as OUR_SIDES
from rubrica.core.edits import Edit
from rubrica.core.study import ANSWERED, Item, Judgement
from rubrica.core.thresh import ThreshCategory, ThreshNames
from rubrica.exchange.thresh.answers import merged_answers, write_answers
from rubrica.exchange.thresh.entries import COMMENT, FIELDS, SIDES, EntryReader, Placed, is_pair
from rubrica.exchange.thresh.offsets import differ, to_unit

Entry = dict[str, Any]
PARTS = "constituent_edits"


class EditList:
    """Writes the edits of one item. ``counted_anew``: the file that they come from counts offsets in another unit."""

    def __init__(self, names: ThreshNames, unit: str, item: Item, counted_anew: bool = False) -> None:
        self._names, self._unit, self._item, self._counted_anew = names, unit, item, counted_anew
        self._numbers: dict[str, Any] = {}
        self._highest: dict[str, int] = {}
        self._parts: dict[str, list[Edit]] = {}

    def write(self, edits: Iterable[Edit]) -> list[Entry]:
        """Edits that were made here: those on their own are numbered first, then constituents, as Thresh has it."""
        known = self._sorted(edits)
        return [self._new(edit) for edit in known if not edit.parent]

    def merge(self, raws: Sequence[Entry], placed: Sequence[Placed], edits: Iterable[Edit]) -> list[Entry]:
        """Edits of an imported entry: those of the file in their order, then those that were added.

        What was not understood when it was read stays as it is.
        """
        for raw in raws:
            for one in (raw, *parts_of(raw)):
                self._count(one)
        now = {edit.id: edit for edit in edits}
        for one in placed:
            current = now.get(one.edit.id)
            if current is not None and current.operation == one.edit.operation:
                raw = raws[one.place]
                self._numbers[one.edit.id] = (raw if one.part is None else parts_of(raw)[one.part]).get("id")
        known = self._sorted(now.values())
        whole = {one.place: one.edit for one in placed if one.part is None}
        written = []
        for index, raw in enumerate(raws):
            if index not in whole:
                written.append(raw)
            elif whole[index].id in now and not now[whole[index].id].parent:
                inside = {one.part: one.edit for one in placed if one.place == index and one.part is not None}
                written.append(self._with_parts(raw, whole[index], now[whole[index].id], inside))
        old = {edit.id for edit in whole.values()}
        return written + [self._new(edit) for edit in known if not edit.parent and edit.id not in old]

    def _sorted(self, edits: Iterable[Edit]) -> list[Edit]:
        """The edits that have a category, with a number for each and constituents set aside."""
        known = [edit for edit in edits if edit.operation in self._names.by_operation]
        for edit in sorted(known, key=lambda edit: bool(edit.parent)):
            if edit.parent:
                self._parts.setdefault(edit.parent, []).append(edit)
            if edit.id not in self._numbers:
                name = self._category(edit).name
                self._highest[name] = self._highest.get(name, 0) + 1
                self._numbers[edit.id] = self._highest[name]
        return known

    def _count(self, raw: Any) -> None:
        """Remember the highest number of each category, whoever has it."""
        if isinstance(raw, dict) and type(raw.get("id")) is int and isinstance(raw.get("category"), str):
            self._highest[raw["category"]] = max(self._highest.get(raw["category"], 0), raw["id"])

    def _category(self, edit: Edit) -> ThreshCategory:
        return self._names.by_operation[edit.operation]

    def _new(self, edit: Edit) -> Entry:
        category = self._category(edit)
        written: Entry = {"id": self._numbers[edit.id], "category": category.name}
        for side in OUR_SIDES:
            if edit.spans(side):
                written[SIDES[side]] = self._spans(edit, side)
        if edit.parent:
            return written
        if edit.id in self._parts:
            written[PARTS] = [self._new(part) for part in self._parts[edit.id]]
        return {**written, "annotation": write_answers(category, edit.answers) or None}

    def _with_parts(self, raw: Entry, before: Edit, now: Edit, inside: dict[int, Edit]) -> Entry:
        """An edit of the file with what changed since, in itself and in its constituents."""
        patched = self._patched(raw, before, now)
        parts = {edit.id: edit for edit in self._parts.get(now.id, ())}
        written = []
        for number, part in enumerate(parts_of(raw)):
            if number not in inside:
                written.append(part)
            elif inside[number].id in parts:
                written.append(self._patched(part, inside[number], parts.pop(inside[number].id)))
        written += [self._new(edit) for edit in parts.values()]
        if written != parts_of(raw):
            patched[PARTS] = written
        return patched

    def _patched(self, raw: Entry, before: Edit, now: Edit) -> Entry:
        patched = dict(raw)
        for side in OUR_SIDES:
            if now.spans(side) != before.spans(side):
                spans = self._spans(now, side)
                patched = _put(patched, SIDES[side], spans) if spans else _left_out(patched, SIDES[side])
            elif self._counted_anew and isinstance(raw.get(SIDES[side]), list):
                patched[SIDES[side]] = _recounted(raw[SIDES[side]], self._spans(now, side))
        if now.operation != before.operation:
            patched |= {"id": self._numbers[now.id], "category": self._category(now).name}
            if not now.parent:
                patched["annotation"] = write_answers(self._category(now), now.answers) or None
        elif now.answers != before.answers:
            annotation = merged_answers(self._category(now), raw.get("annotation"), before.answers, now.answers)
            patched["annotation"] = annotation
        return patched

    def _spans(self, edit: Edit, side: str) -> list[list[int]]:
        """The spans of one side as the file counts them."""
        text = self._item.fields.get(side, "")
        converted = (to_unit(text, span, self._unit) for span in edit.spans(side))
        return [[span.start, span.end] for span in converted]


def parts_of(raw: Entry) -> list[Any]:
    """The constituents of an edit in a file, if it has a list of them."""
    parts = raw.get(PARTS)
    return parts if isinstance(parts, list) else []


def _recounted(raw: list[Any], spans: list[list[int]]) -> list[Any]:
    """The spans of a side in another unit; what is no span stays."""
    return spans[0] if is_pair(raw) else [spans.pop(0) if is_pair(pair) else pair for pair in raw]


def _put(raw: Entry, key: str, value: Any) -> Entry:
    """The edit with this key: in its place if it was there, else before the annotation, where Thresh has it."""
    if key in raw or "annotation" not in raw:
        return {**raw, key: value}
    written: Entry = {}
    for name, part in raw.items():
        if name == "annotation":
            written[key] = value
        written[name] = part
    return written


def _left_out(raw: Entry, key: str) -> Entry:
    return {name: part for name, part in raw.items() if name != key}


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
