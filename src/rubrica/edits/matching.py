"""Which edit of one annotator is which edit of another: by operation and by the characters that both cover.

Two edits can be the same only if their operation is. How much they overlap is the share of the characters that either
covers, on both sides, that both cover (Jaccard). Edits are paired one to one, the best overlap first.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from rubrica.core.edits import SIDES
from rubrica.edits.annotated import WholeEdit


class Match(NamedTuple):
    """An edit of one annotator, the edit of the other that it is, and how much they overlap, from 0 to 1."""

    one: WholeEdit
    other: WholeEdit
    overlap: float


class Matched(NamedTuple):
    """Counts for span-level F1: edits in both annotations together, and how many found a partner."""

    edits: int
    exact: int
    overlapping: int

    def __add__(self, other: object) -> Matched:
        assert isinstance(other, Matched)
        return Matched(*(mine + theirs for mine, theirs in zip(self, other, strict=True)))


def match(one: Sequence[WholeEdit], other: Sequence[WholeEdit], least: float) -> list[Match]:
    """The pairs of edits that overlap by at least ``least`` (more than 0), best first, each edit at most once."""
    places, others = [_places(whole) for whole in one], [_places(whole) for whole in other]
    candidates = [
        (-overlap, here, there)
        for here, whole in enumerate(one)
        for there, partner in enumerate(other)
        if whole.edit.operation == partner.edit.operation
        and (overlap := _overlap(places[here], others[there])) >= least
        and overlap > 0
    ]
    taken: set[int] = set()
    taken_other: set[int] = set()
    found = []
    for overlap, here, there in sorted(candidates):
        if here not in taken and there not in taken_other:
            taken.add(here)
            taken_other.add(there)
            found.append(Match(one[here], other[there], -overlap))
    return found


def count(one: Sequence[WholeEdit], other: Sequence[WholeEdit], matches: Sequence[Match]) -> Matched:
    """What span-level F1 needs of two annotations and their matches; each match is two edits with a partner."""
    exact = sum(found.overlap == 1 for found in matches)
    return Matched(len(one) + len(other), 2 * exact, 2 * len(matches))


def _places(whole: WholeEdit) -> frozenset[tuple[str, int]]:
    return frozenset(
        (side, place) for side in SIDES for span in whole.spans(side) for place in range(span.start, span.end)
    )


def _overlap(one: frozenset[tuple[str, int]], other: frozenset[tuple[str, int]]) -> float:
    either = len(one | other)
    return len(one & other) / either if either else 0.0
