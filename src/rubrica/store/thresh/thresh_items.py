"""Which item an entry of a Thresh file is about: one of the study's with the same texts, or a new one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import attrs

from rubrica.core.protocol import Protocol
from rubrica.core.study import Item
from rubrica.exchange.thresh.entries import item_of
from rubrica.store import models
from rubrica.store.translate import item_from

NOBODY = ""
"""Stands for the annotator of an entry that nobody annotated."""
LONGEST_KEY = 200


@attrs.define(eq=False)
class Slot:
    """An item, and whose entries of this file are about it. ``row`` is None until a new item is stored."""

    item: Item
    row: models.Item | None = None
    users: set[str] = attrs.field(factory=set)

    def takes(self, system: str, annotator: str) -> bool:
        """Whether this annotator's entry can be about it: nobody says two things of one item.

        An entry without annotation has its item to itself, so that a judgement of the item can take its place.
        """
        if self.item.system != system and (self.row is None or (self.item.system and system)):
            return False
        if annotator == NOBODY:
            return not self.users
        return NOBODY not in self.users and annotator not in self.users


class Slots:
    """The items of a study by their texts, and those that a file adds. Planted items are left alone."""

    def __init__(self, study: models.Study, protocol: Protocol) -> None:
        self._protocol = protocol
        self._fields = [field.id for field in protocol.fields]
        self._by_texts: dict[tuple[str, ...], list[Slot]] = {}
        self._by_pair: dict[tuple[str, ...], list[Slot]] = {}
        self._keys = set(study.items.values_list("key", flat=True))
        self.added: list[Slot] = []
        for row in study.items.unplanted():
            self._file(Slot(item_from(row), row))

    def find(self, entry: Mapping[str, Any], annotator: str) -> Slot | None:
        """The item of the study with the entry's texts that is free for this annotator."""
        wanted = item_of(entry, self._protocol, "")
        for slot in self._candidates(wanted):
            if slot.takes(wanted.system, annotator):
                slot.users.add(annotator)
                return slot
        return None

    def add(self, entry: Mapping[str, Any], number: int, annotator: str) -> Slot:
        """A new item for the entry; its key is the entry's own id if that is free, else its number."""
        slot = Slot(item_of(entry, self._protocol, self._free_key(entry.get("id"), number)), users={annotator})
        self._file(slot)
        self.added.append(slot)
        return slot

    def _candidates(self, wanted: Item) -> Iterator[Slot]:
        """Items with all of the texts, then items with the same pair that say nothing of what stands around it."""
        yield from self._by_texts.get(_texts(wanted, self._fields), ())
        for slot in self._by_pair.get(_texts(wanted, ("source", "rewrite")), ()):
            if slot.row is not None and set(slot.item.fields) <= {"source", "rewrite"} < set(wanted.fields):
                yield slot

    def _file(self, slot: Slot) -> None:
        self._by_texts.setdefault(_texts(slot.item, self._fields), []).append(slot)
        self._by_pair.setdefault(_texts(slot.item, ("source", "rewrite")), []).append(slot)

    def _free_key(self, given: Any, number: int) -> str:
        wanted = str(given) if isinstance(given, str | int) and not isinstance(given, bool) else ""
        key = wanted if wanted.strip() and len(wanted) <= LONGEST_KEY else str(number)
        while key in self._keys:
            key = str(number)
            number += 1
        self._keys.add(key)
        return key


def _texts(item: Item, fields: list[str] | tuple[str, ...]) -> tuple[str, ...]:
    return tuple(item.fields.get(field, "") for field in fields)
