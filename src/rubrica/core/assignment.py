"""Who gets what, and in which order: pure and seeded, so that a deal can be repeated and explained.

Items of one group (the three words of a context) are dealt together. Each item goes to as many different people as it
still wants, always to the least loaded of those who may have it. A duplicate goes to whoever had its original, and
never stands next to it.

Sheets are dealt all at once (:func:`deal`, :func:`arrange`, :func:`sheets`). The studio leases a few groups at a time
(:func:`pick`), the planted ones as they fall due (:func:`planted_due`).
"""

from __future__ import annotations

import hashlib
import heapq
import random
import sys
from collections.abc import Callable, Collection, Container, Mapping, Sequence

import attrs

from rubrica.core.errors import Problem, wrong
from rubrica.core.study import Item, page_of, pages

MAX_OVERLAP = 1000
MINIMUM_GAP = 10
"""How many places a duplicate should at least be away from its original, where there is room."""
FEWEST_GROUPS = 3
"""With fewer, nothing can stand between a duplicate and its original."""
DUPLICATE = "~2"
"""Ends the key of a hidden duplicate."""


@attrs.frozen
class Want:
    """An item that still wants judgements: ``need`` of them."""

    key: str
    group: str
    need: int


def deal(
    wants: Sequence[Want],
    annotators: Sequence[str],
    may: Callable[[str, str], bool],
    *,
    load: Mapping[str, int],
    room: Mapping[str, int] | None = None,
    newcomers: Container[str] = (),
    seed: int = 0,
) -> dict[str, list[list[str]]]:
    """Deal items to annotators: for each annotator the groups of items given, in the order dealt.

    ``may(annotator, item)`` tells eligibility; ``load`` how much each already has; ``room`` how many more items
    each can take (None: any number); ``newcomers`` get one group in any case. Nobody gets an item twice. Wants that
    nobody can take stay open.
    """
    rng = random.Random(f"deal:{seed}")
    order = pages(want for want in wants if want.need > 0)
    rng.shuffle(order)
    tie = {name: rng.random() for name in annotators}
    total = {name: load.get(name, 0) for name in annotators}
    left = dict(room) if room is not None else None
    dealt: dict[str, list[list[str]]] = {name: [] for name in annotators}
    for group in order:
        need = {want.key: want.need for want in group}
        given: set[str] = set()
        while any(need.values()):
            offer = [item for item, count in need.items() if count]
            best, items = None, []
            for name in sorted(annotators, key=lambda name: (total[name], tie[name])):
                if name in given:
                    continue
                items = [item for item in offer if may(name, item)]
                first = name in newcomers and not dealt[name]
                if items and (first or left is None or left.get(name, 0) >= len(items)):
                    best = name
                    break
            if best is None:
                break
            given.add(best)
            dealt[best].append(items)
            total[best] += len(items)
            if left is not None:
                left[best] -= len(items)
            for item in items:
                need[item] -= 1
    return dealt


def arrange(
    groups: Sequence[Sequence[str]],
    duplicates: Mapping[str, str],
    gold: Sequence[Sequence[str]],
    *,
    seed: str,
) -> list[list[str]]:
    """The order in which one annotator sees the groups, with duplicates and gold items mixed in.

    ``duplicates`` maps an item to its hidden duplicate. A group is duplicated as a whole when all its items are. When
    there is no other group to stand between them, a duplicate could only be next to its original and is left out.
    """
    rng = random.Random(f"order:{seed}")
    sequence = [list(group) for group in (*groups, *gold)]
    rng.shuffle(sequence)
    originals = [group for group in sequence if all(item in duplicates for item in group)]
    for original in originals:
        places = _places_away(sequence.index(original), len(sequence))
        if places:
            sequence.insert(rng.choice(places), [duplicates[item] for item in original])
    return sequence


def _places_away(index: int, length: int) -> list[int]:
    """Where something may be inserted so that it is not next to ``index``: far away if possible."""
    for gap in (min(MINIMUM_GAP, length // 2), 2):
        before = range(0, max(0, index - gap + 2))
        after = range(index + gap, length + 1)
        places = list(after) or list(before)
        if gap >= 2 and places:
            return places
    return []


def that_fit(groups: Sequence[list[str]], room: int) -> list[list[str]]:
    """Those of the groups, one after the other, that fit into the room that is left."""
    fitting: list[list[str]] = []
    for group in groups:
        if len(group) <= room:
            room -= len(group)
            fitting.append(group)
    return fitting


@attrs.frozen
class SheetRoom:
    """What one annotator can get on sheets: at most how many rows (None: any number), with which planted groups.

    ``gold`` has known answers; ``owed`` are hidden duplicates of rows on earlier sheets, which were full.
    """

    most: int | None
    duplicates: Mapping[str, str]
    gold: list[list[str]] = attrs.field(factory=list)
    owed: list[list[str]] = attrs.field(factory=list)

    def beside(self, *groups: list[str]) -> int:
        """How many rows are left beside the planted ones and these groups."""
        taken = sum(map(len, [*self.gold, *self.owed, *groups]))
        return sys.maxsize if self.most is None else self.most - taken

    def for_plain(self, items: int) -> int:
        """How many plain items fit, if as many of them have duplicates as of the study's ``items``."""
        if not self.most:
            return sys.maxsize if self.most is None else 0
        return max(1, int(self.beside() / (1 + len(self.duplicates) / max(1, items))))

    def arranged(self, groups: list[list[str]], seed: str) -> list[list[str]]:
        """The groups with the planted ones among them, and with as many of their duplicates as there is room for.

        What is owed one does not stand last: then something stands between them, whatever comes later.
        """
        doubled = [group for group in groups if all(key in self.duplicates for key in group)]
        twins = {key: self.duplicates[key] for group in that_fit(doubled, self.beside(*groups)) for key in group}
        sequence = arrange(groups, twins, [*self.gold, *self.owed], seed=seed)
        for _ in sequence:
            if sequence[-1] not in doubled or sequence[-1][0] in twins:
                break
            sequence.insert(0, sequence.pop())
        return sequence


def sheet_room(
    size: int | None,
    limit: int | None,
    duplicates: Mapping[str, str],
    gold: list[list[str]],
    owed: list[list[str]],
    *,
    beside_others: bool = True,
) -> SheetRoom:
    """The room on a single sheet of this ``size`` (None: any number of sheets) and under this ``limit`` of items.

    Known answers take a tenth of a sheet, and owed duplicates leave a row for something else, if there is any.
    """
    most = min((bound for bound in (size, limit) if bound is not None), default=None)
    room = SheetRoom(most, duplicates)
    tenth = max(1, size // 10 if size is not None else sum(map(len, gold)))
    room = attrs.evolve(room, gold=that_fit(gold, min(tenth, room.beside())))
    return attrs.evolve(room, owed=that_fit(owed, room.beside() - beside_others))


def sheets(sequence: Sequence[Sequence[str]], size: int) -> list[list[str]]:
    """Cut a sequence of groups into sheets of at most ``size`` items; a group is never torn apart."""
    result: list[list[str]] = []
    for group in sequence:
        if not result or len(result[-1]) + len(group) > size:
            result.append([])
        result[-1] += group
    return result


def pick(
    wants: Sequence[Want],
    *,
    taken: Mapping[str, int],
    count: int,
    seed: str,
    first: Container[str] = (),
) -> list[list[str]]:
    """The next groups of items for one annotator, at most ``count``.

    Items of ``first``, which the annotator has begun already, come before all others. Then groups that others have
    begun, so that items are finished and agreement can be seen early; among equals the order is the annotator's own,
    by ``seed``, so that people do not all see the same sequence.
    """

    def rank(page: list[Want]) -> tuple[bool, int, bytes]:
        begun = max(taken.get(want.key, 0) for want in page)
        own = hashlib.blake2b(f"{seed}:{page_of(page[0])}".encode(), digest_size=8).digest()
        return not any(want.key in first for want in page), -begun, own

    nearest = heapq.nsmallest(count, pages(want for want in wants if want.need > 0), key=rank)
    return [[want.key for want in page] for page in nearest]


def planted_due(
    had: Sequence[Sequence[str]],
    gold: Sequence[Sequence[str]],
    duplicates: Mapping[str, str],
    *,
    every: int,
    more_to_come: bool,
) -> list[list[str]]:
    """Planted groups that an annotator should get next, after the groups ``had`` so far, in that order.

    One gold group falls due after each ``every`` plain ones. A duplicate falls due :data:`MINIMUM_GAP` groups after
    its original; when nothing else is left to come, as soon as one other group stands between. What the annotator
    has had already is never due.
    """
    seen = {item for group in had for item in group}
    copies = {copy: original for original, copy in duplicates.items()}
    golden = {item for group in gold for item in group}
    plain = sum(not (set(group) & golden or set(group) & copies.keys()) for group in had)
    left = [list(group) for group in gold if not seen & set(group)]
    fallen_due = len(left) if not more_to_come else plain // every - (len(gold) - len(left))
    due = left[: max(0, fallen_due)] if plain else []
    gap = MINIMUM_GAP if more_to_come else 2
    for place, twin in owed(had, duplicates).items():
        if len(had) + len(due) - place >= gap:
            due.append(twin)
    return due


def owed(had: Sequence[Sequence[str]], duplicates: Mapping[str, str]) -> dict[int, list[str]]:
    """Hidden duplicates of whole groups of ``had`` that have not come again, by the place of these among them."""
    seen = {item for group in had for item in group}
    twins = {place: [duplicates[item] for item in group if item in duplicates] for place, group in enumerate(had)}
    return {place: twin for place, twin in twins.items() if len(twin) == len(had[place]) and not seen & set(twin)}


def within(groups: Sequence[list[str]], room: int | None, *, newcomer: bool) -> list[list[str]]:
    """The first groups that do not lead beyond the room (None: any number); a newcomer gets one in any case."""
    found: list[list[str]] = []
    for group in groups:
        if room is not None:
            room -= len(group)
            if room < 0 and (found or not newcomer):
                break
        found.append(group)
    return found


def drawn_groups(groups: Collection[str], share: float, seed: int) -> list[str]:
    """The groups of items that are asked twice: this share, one at least. Raises InputError if there are few."""
    if len(groups) < FEWEST_GROUPS:
        what = f"hidden duplicates need at least three groups of items, there are {len(groups)}"
        fix = "Set their share to 0 (on the command line, leave `duplicates=` out of --checks)."
        raise wrong(what, "duplicates", fix, value=len(groups))
    return random.Random(f"duplicates:{seed}").sample(sorted(groups), max(1, round(share * len(groups))))


def hidden_copy(item: Item) -> Item:
    """The duplicate of an item, which looks like any other."""
    return attrs.evolve(item, key=item.key + DUPLICATE, group=item.group + DUPLICATE if item.group else "")


def overlap_problems(overlap: Mapping[str, int], least: int = 0) -> list[Problem]:
    """Numbers of judgements, by the key of the stage, that no stage can ask for; ``least`` is what some item has."""
    found = []
    for key, wanted in overlap.items():
        what, fix = f"an overlap of {wanted} is not possible", f"Use a number from 1 to {MAX_OVERLAP:,}."
        if 1 <= wanted < least:
            what = f"an overlap of {wanted} is fewer than some items have already"
            fix = f"Items of this stage have up to {least}: use {least} or more."
        elif 1 <= wanted <= MAX_OVERLAP:
            continue
        found.append(Problem(what=what, rule="overlap", fix=fix, value=wanted, question=key))
    return found
