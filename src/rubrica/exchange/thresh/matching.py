"""Which item each entry of a Thresh file is about, and who said it: an item with the same texts, or a new one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import attrs

from rubrica.core.errors import Problem, refuse
from rubrica.core.names import annotator_name_problems
from rubrica.core.protocol import Protocol
from rubrica.core.study import Item
from rubrica.exchange.thresh.entries import ANNOTATORS, item_of, named_in
from rubrica.exchange.thresh.files import EntryAt, ThreshData
from rubrica.exchange.thresh.offsets import UTF16

NOBODY = ""
"""Stands for the annotator of an entry that nobody annotated."""
LONGEST_KEY = 200
PAIR = ("source", "rewrite")


@attrs.frozen(kw_only=True)
class Choices:
    """How to read a file: into which stage, whose it is, how its offsets count, whether it may bring new items.

    With ``suggest`` its edits are nobody's judgements, but suggestions to whoever marks edits.
    """

    stage: str = ""
    annotator: str = ""
    offsets: str = UTF16
    add_items: bool = False
    suggest: bool = False


class PlacedEntry(NamedTuple):
    """An entry, the key of the item that it is about, and its annotator."""

    entry: EntryAt
    item: str
    annotator: str


@attrs.define(eq=False)
class _Slot:
    """An item, whether the study has it or the file adds it, and whose entries of this file are about it."""

    item: Item
    known: bool
    users: set[str] = attrs.field(factory=set)

    def takes(self, system: str, annotator: str) -> bool:
        """Whether this annotator's entry can be about it: nobody says two things of one item.

        An entry without annotation has its item to itself, so that a judgement of the item can take its place.
        """
        if self.item.system != system and (not self.known or (self.item.system and system)):
            return False
        if annotator == NOBODY:
            return not self.users
        return NOBODY not in self.users and annotator not in self.users


class Matching:
    """The items of a study by their texts, and those that a file adds. ``taken`` are keys that no new item can have."""

    def __init__(self, items: Iterable[Item], taken: Iterable[str], protocol: Protocol) -> None:
        self._protocol, self._fields = protocol, tuple(field.id for field in protocol.fields)
        self._by_texts: dict[tuple[str, ...], list[_Slot]] = {}
        self._by_pair: dict[tuple[str, ...], list[_Slot]] = {}
        self._keys = set(taken)
        self.added: list[Item] = []
        for item in items:
            self._file(_Slot(item, known=True))

    def place(self, data: ThreshData, annotator: str, *, may_add: bool) -> list[PlacedEntry]:
        """Each entry with its item and annotator: the one given, else whom it names, else the file's name.

        Raises InputError with every entry that has no item, or an annotator who cannot be one.
        """
        placed, problems = [], []
        for entry in data.entries:
            name = annotator or named_in(entry.data, ANNOTATORS) or Path(data.file).stem
            who = NOBODY if entry.data.get("edits") is None else name
            slot = self._find(entry.data, who) or (self._add(entry, who) if may_add else None)
            for problem in annotator_name_problems([who]) if who else ():
                problems.append(problem.at(fix="Name the annotator with --annotator.", line=entry.line))
            if slot is None:
                what = f"entry {entry.number}: the study has no item with these texts"
                fix = "Take them along with --add-items, or import into a study without items."
                problems.append(Problem(what=what, rule="unknown_item", fix=fix, line=entry.line))
            else:
                placed.append(PlacedEntry(entry, slot.item.key, who))
        refuse(problem.at(file=data.file) for problem in problems)
        return placed

    def _find(self, entry: Mapping[str, Any], annotator: str) -> _Slot | None:
        """The item of the study with the entry's texts that is free for this annotator."""
        wanted = item_of(entry, self._protocol, "")
        for slot in self._candidates(wanted):
            if slot.takes(wanted.system, annotator):
                slot.users.add(annotator)
                return slot
        return None

    def _add(self, entry: EntryAt, annotator: str) -> _Slot:
        """A new item for the entry; its key is the entry's own id if that is free, else its number."""
        item = item_of(entry.data, self._protocol, self._free_key(entry.data.get("id"), entry.number))
        slot = _Slot(item, known=False, users={annotator})
        self._file(slot)
        self.added.append(item)
        return slot

    def _candidates(self, wanted: Item) -> Iterator[_Slot]:
        """Items with all of the texts, then items with the same pair that say nothing of what stands around it."""
        yield from self._by_texts.get(_texts(wanted, self._fields), ())
        for slot in self._by_pair.get(_texts(wanted, PAIR), ()):
            if slot.known and set(slot.item.fields) <= set(PAIR) < set(wanted.fields):
                yield slot

    def _file(self, slot: _Slot) -> None:
        self._by_texts.setdefault(_texts(slot.item, self._fields), []).append(slot)
        self._by_pair.setdefault(_texts(slot.item, PAIR), []).append(slot)

    def _free_key(self, given: Any, number: int) -> str:
        wanted = str(given) if isinstance(given, str | int) and not isinstance(given, bool) else ""
        key = wanted if wanted.strip() and len(wanted) <= LONGEST_KEY else str(number)
        while key in self._keys:
            key = str(number)
            number += 1
        self._keys.add(key)
        return key


def items_in(data: ThreshData, protocol: Protocol) -> list[Item]:
    """The items that a file brings to a study without any: each pair once, however many people annotated it."""
    matching = Matching((), set(), protocol)
    matching.place(data, "", may_add=True)
    return matching.added


def _texts(item: Item, fields: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(item.fields.get(field, "") for field in fields)
