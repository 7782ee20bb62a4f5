"""How far raters agree with themselves when they see the same unit again.

An answer is consistent if it is the same, or near: within one point on scales of five points or more, within a tenth
of a slider (``core.grading``). Sets are compared by MASI or Jaccard's index (1 is the same). On a scale it also
matters how far apart answers are: the mean absolute difference in points.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from rubrica.core.answers import Answer
from rubrica.core.grading import NEAR, POINTS_FOR_NEAR, RIGHT, WRONG, consistent
from rubrica.core.ratings import JACCARD, MASI, Criterion
from rubrica.core.scales import Scale
from rubrica.stats.agreement.distances import distances
from rubrica.stats.statistic import Statistic


class Consistency(NamedTuple):
    """Of ``pairs`` of first and second answers: how many are the same, the same or near, and how far apart they are."""

    pairs: int
    same: int
    consistent: int
    difference: Statistic
    similarity: Statistic

    @property
    def value(self) -> Statistic:
        """The figure by which raters are compared: similarity of sets, else the share of consistent answers."""
        if self.similarity.value is not None:
            return self.similarity
        return Statistic(self.consistent / self.pairs) if self.pairs else Statistic(None, "no unit was seen twice")


def consistency(pairs: Sequence[tuple[Answer, Answer]], criterion: Criterion, scale: Scale) -> Consistency:
    """Compare first and second answers to one question."""
    nothing = Statistic(None, "no unit was seen twice" if not pairs else f"answers to {criterion.id} have no distance")
    if not pairs:
        return Consistency(0, 0, 0, nothing, nothing)
    verdicts = [again(one, two, criterion, scale) for one, two in pairs]
    counts = len(pairs), verdicts.count(RIGHT), len(pairs) - verdicts.count(WRONG)
    if criterion.level in (MASI, JACCARD):
        apart = [float(distances((one, two), criterion.level)[0, 1]) for one, two in pairs]
        return Consistency(*counts, nothing, Statistic(1 - sum(apart) / len(apart)))
    if not criterion.ordered:
        return Consistency(*counts, nothing, nothing)
    steps = [_steps(one, two, criterion) for one, two in pairs]
    return Consistency(*counts, Statistic(sum(steps) / len(steps)), nothing)


def again(first: Answer, second: Answer, criterion: Criterion, scale: Scale) -> str:
    """What an answer to the same unit again is worth: right if it is the same, near on a scale, else wrong."""
    if _plain(first) == _plain(second):
        return RIGHT
    if criterion.level in (MASI, JACCARD):
        return WRONG
    if criterion.ordered and not criterion.numeric and len(criterion.values) >= POINTS_FOR_NEAR:
        near = _steps(first, second, criterion) <= 1
    else:
        near = consistent(scale, first, second)
    return NEAR if near else WRONG


def _plain(answer: Answer) -> Answer | frozenset[str]:
    """Sets have no order."""
    return frozenset(answer) if isinstance(answer, tuple) else answer


def _steps(one: Answer, two: Answer, criterion: Criterion) -> float:
    """How many points apart two answers are; labels of a scale by their places on it."""
    if isinstance(one, int | float) and isinstance(two, int | float):
        return abs(float(one) - float(two))
    places = {value: place for place, value in enumerate(criterion.values)}
    return abs(places.get(one, 0) - places.get(two, 0))
