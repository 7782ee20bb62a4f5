"""Items, annotators, judgements and their receipts, as every part of Rubrica passes them around."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence
from datetime import datetime
from typing import NamedTuple, Protocol, TypeVar

import attrs

from rubrica.core.answers import Answers
from rubrica.core.edits import Edit
from rubrica.core.errors import InputError, Problem, first_problems

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


class Receipt(NamedTuple):
    """What became of what was said. ``superseded``: a draft that is kept, but another device had gone on meanwhile."""

    lease: str
    revision: int
    at: datetime
    repeated: bool = False
    superseded: bool = False
    corrected: bool = False


class Saved(NamedTuple):
    """How many judgements are new, corrected, the same as before."""

    judgements: int = 0
    revisions: int = 0
    unchanged: int = 0

    @classmethod
    def of(cls, receipts: Sequence[Receipt]) -> Saved:
        """The receipts, counted."""
        corrected = sum(one.corrected for one in receipts)
        unchanged = sum(one.repeated for one in receipts)
        return cls(len(receipts) - corrected - unchanged, corrected, unchanged)

    def __add__(self, other: object) -> Saved:
        assert isinstance(other, Saved)
        return Saved(*(one + two for one, two in zip(self, other, strict=True)))


class RefusedError(InputError):
    """Judgements that cannot be submitted, with the problems of each by the lease's public id."""

    def __init__(self, by_lease: dict[str, list[Problem]]) -> None:
        self.by_lease = {lease: first_problems(problems) for lease, problems in by_lease.items()}
        super().__init__(*(problem for problems in by_lease.values() for problem in problems))


def save_key_problems(key: str) -> list[Problem]:
    """Why the key of a page's save, which makes a repeated save the same one, is none."""
    if 8 <= len(key) <= 64 and key.isascii() and key.isprintable():
        return []
    return [Problem(what="the key of this save", rule="key", fix="Use 8 to 64 ASCII characters.", value=key[:80])]
