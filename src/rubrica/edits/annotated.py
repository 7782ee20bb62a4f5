"""A pair of texts with the edits that one annotator marked: what every analysis of edits starts from.

Which edit of one annotator is which edit of another: by operation and by the characters that both cover. Two edits can
be the same only if their operation is. How much they overlap is the share of the characters that either covers, on
both sides, that both cover (Jaccard). Edits are paired one to one, the best overlap first.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import attrs

from rubrica.core.edits import SIDES, Edit, Span


@attrs.frozen(kw_only=True)
class AnnotatedPair:
    """One annotator's edits of one pair.

    ``key`` identifies the pair, the same for everybody who annotated it; ``name`` is how a reader finds it again:
    the item's id in a study, the number of the entry in a file.
    """

    key: str
    name: str
    source: str
    rewrite: str
    annotator: str
    edits: tuple[Edit, ...]
    system: str = ""
    stage: str = ""

    def text(self, side: str) -> str:
        """The text of one side, ``source`` or ``rewrite``."""
        return self.source if side == "source" else self.rewrite


@attrs.frozen
class WholeEdit:
    """An edit that stands for itself, with the constituents that a composite one is made of."""

    edit: Edit
    constituents: tuple[Edit, ...] = ()

    def spans(self, side: str) -> tuple[Span, ...]:
        """All spans on one side, as listed: its own, then those of its constituents."""
        return tuple(span for part in (self.edit, *self.constituents) for span in part.spans(side))


def whole_edits(edits: Sequence[Edit]) -> list[WholeEdit]:
    """The edits of a pair with constituents put where they belong; they are not edits of their own.

    An edit whose composite is not there stands for itself.
    """
    known = {edit.id for edit in edits}
    inside: dict[str, list[Edit]] = {}
    for edit in edits:
        if edit.parent in known:
            inside.setdefault(edit.parent, []).append(edit)
    return [WholeEdit(edit, tuple(inside.get(edit.id, ()))) for edit in edits if edit.parent not in known]


def covered(spans: Iterable[Span], length: int) -> int:
    """How many characters of a text the spans cover, each counted once; what lies outside the text covers nothing."""
    total, reached = 0, 0
    for span in sorted(spans):
        start, end = max(span.start, reached, 0), min(span.end, length)
        if end > start:
            total, reached = total + end - start, end
    return total


def outside(pairs: Iterable[AnnotatedPair]) -> int:
    """How many spans lie outside their text, wholly or in part."""
    return sum(
        not 0 <= span.start <= span.end <= len(pair.text(side))
        for pair in pairs
        for edit in pair.edits
        for side in SIDES
        for span in edit.spans(side)
    )


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
