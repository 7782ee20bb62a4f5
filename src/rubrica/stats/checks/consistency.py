"""How far raters agree with themselves when they see the same unit again.

An answer is consistent if it is the same, or near: within one point on scales of five points or more, within a tenth
of a slider (``core.grading``). Sets are compared by MASI or Jaccard's index (1 is the same). On a scale it also
matters how far apart answers are: the mean absolute difference in points.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from rubrica.core.answers import Answer
from rubrica.core.grading import POINTS_FOR_NEAR, consistent
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
    same = sum(_plain(one) == _plain(two) for one, two in pairs)
    if not pairs:
        return Consistency(0, 0, 0, nothing, nothing)
    if criterion.level in (MASI, JACCARD):
        apart = [float(distances((one, two), criterion.level)[0, 1]) for one, two in pairs]
        return Consistency(len(pairs), same, same, nothing, Statistic(1 - sum(apart) / len(apart)))
    near = sum(consistent(scale, one, two) for one, two in pairs)
    if not criterion.ordered:
        return Consistency(len(pairs), same, near, nothing, nothing)
    steps = [_steps(one, two, criterion) for one, two in pairs]
    if not criterion.numeric and len(criterion.values) >= POINTS_FOR_NEAR:
        near = sum(step <= 1 for step in steps)
    return Consistency(len(pairs), same, near, Statistic(sum(steps) / len(steps)), nothing)


def _plain(answer: Answer) -> Answer | frozenset[str]:
    """Sets have no order."""
    return frozenset(answer) if isinstance(answer, tuple) else answer


def _steps(one: Answer, two: Answer, criterion: Criterion) -> float:
    """How many points apart two answers are; labels of a scale by their places on it."""
    if isinstance(one, int | float) and isinstance(two, int | float):
        return abs(float(one) - float(two))
    places = {value: place for place, value in enumerate(criterion.values)}
    return abs(places.get(one, 0) - places.get(two, 0))
