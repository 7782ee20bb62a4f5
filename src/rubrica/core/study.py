"""Items, annotators and judgements, as every part of Rubrica passes them around."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Collection, Hashable, Iterable, Mapping
from typing import Protocol, TypeVar

import attrs

from rubrica.core.answers import Answers
from rubrica.core.edits import Edit
from rubrica.core.errors import Problem

ANSWERED = "answered"
"""The outcome of a judgement that answers the questions; the others are the protocol's ways out."""


LONGEST_NAME = 200
"""Characters that an id, a system, an author or a group may have."""
SHARED = " | "
"""Between the names of systems that gave the same output: it is judged once and credited to each of them."""

LEFT_OUT = "left_out"
"""The metadata that names systems which have nothing to be judged where others have (``prepare.posthoc``)."""


def systems_named(name: str) -> tuple[str, ...]:
    """The systems that an item's ``system`` names, mostly one; none if it is empty."""
    return tuple(dict.fromkeys(filter(None, map(str.strip, name.split(SHARED)))))


@attrs.frozen
class Item:
    """One thing to judge. ``key`` is the researcher's own id, unique in the study.

    ``system`` made it; several that made the same are named together (:func:`systems_named`).
    """

    key: str
    fields: Mapping[str, str]
    system: str = ""
    author: str = ""
    group: str = ""
    metadata: Mapping[str, str] = attrs.field(factory=dict)


class Grouped(Protocol):
    """Whatever is of an item, by its key, and of a group, if it has one."""

    @property
    def key(self) -> str: ...

    @property
    def group(self) -> str: ...


OfItem = TypeVar("OfItem", bound=Grouped)
Of = TypeVar("Of")
Key = TypeVar("Key", bound=Hashable)


def gathered(rows: Iterable[Of], by: Callable[[Of], Key]) -> dict[Key, list[Of]]:
    """The rows by what they have in common, in their order."""
    found: dict[Key, list[Of]] = {}
    for row in rows:
        found.setdefault(by(row), []).append(row)
    return found


def page_of(item: Grouped) -> str:
    """What an item shares with those that are shown on one page with it: its group; without one it is alone."""
    return item.group or f"\0{item.key}"


def pages(items: Iterable[OfItem]) -> list[list[OfItem]]:
    """These items page by page, in the order of their first ones."""
    return list(gathered(items, page_of).values())


@attrs.frozen
class Annotator:
    """Who judges: a person, a language model or a metric."""

    name: str
    kind: str = "person"


@attrs.frozen
class Judgement:
    """The answers and edits of one annotator to one item at one stage."""

    answers: Answers = attrs.field(factory=dict)
    edits: tuple[Edit, ...] = ()
    outcome: str = ANSWERED


def key_problems(keys: Iterable[str], known: Iterable[str]) -> list[Problem]:
    """Ids of new items that the study has already (``known``), or that stand twice among these."""
    taken, found = set(known), []
    for number, key in enumerate(keys, start=1):
        if key in taken:
            what = f"item {number}: the id {key!r} is in the study already"
            fix = "Give the new item another id; one that is in the study cannot be changed."
            found.append(Problem(what=what, rule="duplicate_id", fix=fix, value=key))
        taken.add(key)
    return found


def with_fresh_keys(items: Iterable[Item], known: Collection[str]) -> list[Item]:
    """The same items under numbers that are free beside ``known``: for a file without ids, whose rows are counted."""
    taken = set(known)
    free = (str(number) for number in itertools.count(len(known) + 1) if str(number) not in taken)
    return [attrs.evolve(item, key=key) for item, key in zip(items, free, strict=False)]
