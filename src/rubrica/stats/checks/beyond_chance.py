"""How far a rater's answers go with those of the others beyond chance, all questions together: one test for each rater.

Whoever answers at random may have a low figure in every single question without any of them being surprising. So the
questions are put together, and chance is what it would be had the rater given the same judgements to their units in
another order: whole judgements are moved, so that a rater who ticks the same point everywhere does not count as
several witnesses. Nothing is drawn for that: mean and variance over all orders are known (Hoeffding, A Combinatorial
Central Limit Theorem, 1951). With the rater's own answers as rows x and what the others say of the same units as rows
y, each less its mean, the sum of x . y has the mean 0, and two questions have the covariance

    sum over all entries of (X'X2) * (Y'Y2), divided by n - 1.

For numbers x and y have one column, and the figure is a correlation; for labels a column for each label (y: the share
of the others who gave it), and the figure is the agreement beyond chance, as Cohen's kappa is.

Somebody is far below the others if two things hold. Their figure cannot be told from chance (at 1 %). And it is too
low for somebody who agrees two thirds as well as is usual: a minimum-effect test (Hodges and Lehmann, Testing the
Approximate Validity of Statistical Hypotheses, 1954), because people differ, and who agrees a little less than others
is no case. Two thirds is our choice. The test needs no guess at how much raters differ, as that among peers does, and
becomes sharper with every unit; so it also works with three raters.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from rubrica.stats.coded import Real, Whole
from rubrica.stats.statistic import Statistic

ENOUGH_OF_USUAL = 2 / 3
"""Of what is usual: who agrees with the others at least so well is not far below them."""
ABOVE_CHANCE = 2.326
"""So many standard deviations above 0, a figure is told from chance: one-sided, 1 %."""
FEWEST_OTHERS = 2
"""With one other rater it cannot be told which of the two is the odd one."""


class Relation(NamedTuple):
    """One rater's answers to a question (rows, less their mean) beside what others say of the same units.

    ``unit`` says which units these are; the figure is the sum of ``own`` times ``others``, divided by ``scale``.
    """

    unit: Whole
    own: Real
    others: Real
    scale: float

    @property
    def value(self) -> float:
        """Agreement beyond chance: 0 is chance, 1 is the most."""
        return float((self.own * self.others).sum() / self.scale)


class Together(NamedTuple):
    """The weighted mean of a rater's figures, and its variance over all orders of their judgements."""

    value: float
    variance: float


def of_numbers(unit: Whole, own: Real, others: Real) -> Relation:
    """Numbers, or their ranks; both sides must vary."""
    left, right = own[:, None] - own.mean(), others[:, None] - others.mean()
    return Relation(unit, left, right, math.sqrt(float((left**2).sum() * (right**2).sum())))


def of_labels(unit: Whole, own: Whole, shares: Real) -> Relation | None:
    """Labels as numbers, and for each unit (row) and label the share of the others who gave it.

    None if the rater always gives one label, or the others always say the same of these: nothing can go together.
    """
    used, place = np.unique(own, return_inverse=True)
    chosen, given = np.eye(len(used))[place], shares[:, used]
    room = 1 - float((chosen.mean(axis=0) * given.mean(axis=0)).sum())
    left, right = chosen - chosen.mean(axis=0), given - given.mean(axis=0)
    if len(used) < 2 or not (np.abs(right) > 1e-12).any():
        return None
    return Relation(unit, left, right, len(own) * room)


def together(relations: Mapping[str, Relation], weights: Mapping[str, float]) -> Together:
    """Put the questions of a rater together; there is at least one. Weights need not add up to 1."""
    total = sum(weights[name] for name in relations)
    share = {name: weights[name] / total if total else 1 / len(relations) for name in relations}
    value = sum(share[name] * relation.value for name, relation in relations.items())
    variance = sum(
        share[one] * share[two] * _covariance(relations[one], relations[two]) for one in relations for two in relations
    )
    return Together(value, max(0.0, variance))


def _covariance(one: Relation, two: Relation) -> float:
    """Of two figures over all orders; of units that only one of the questions has, nothing is common."""
    common, left, right = np.intersect1d(one.unit, two.unit, return_indices=True)
    if len(common) < 2:
        return 0.0
    own = one.own[left].T @ two.own[right]
    others = one.others[left].T @ two.others[right]
    return float((own * others).sum() / (len(common) - 1) / (one.scale * two.scale))


def usual_weights(figures: Mapping[str, Sequence[float]]) -> dict[str, float]:
    """What each question counts: as much as raters usually agree on it, nothing if not beyond chance."""
    return {name: max(0.0, float(np.median(values))) if len(values) else 0.0 for name, values in figures.items()}


def each_far_below(every: Mapping[str, Together], standing: Sequence[str]) -> dict[str, Statistic]:
    """:func:`far_below` for each rater among those who are ``standing``, without themselves."""
    values = np.array([every[rater].value for rater in standing])
    variances = np.array([every[rater].variance for rater in standing])
    places = {rater: place for place, rater in enumerate(standing)}
    found = {}
    for rater, own in every.items():
        others = np.arange(len(standing)) != places.get(rater, -1)
        found[rater] = _far_below(own, values[others], variances[others])
    return found


def far_below(own: Together, others: Sequence[Together]) -> Statistic:
    """The chance of so low a figure if the rater agreed two thirds as well as is usual; undefined with one other rater.

    It is 1 if the figure can be told from chance. Usual is the median of the others, as uncertain as a median is.
    """
    return _far_below(own, np.array([one.value for one in others]), np.array([one.variance for one in others]))


def _far_below(own: Together, values: Real, variances: Real) -> Statistic:
    if len(values) < FEWEST_OTHERS:
        reason = f"{len(values)} others to compare with, and it takes {FEWEST_OTHERS}: it cannot be told"
        return Statistic(None, reason)
    if own.value > ABOVE_CHANCE * math.sqrt(own.variance):
        return Statistic(1.0)
    usual = max(0.0, float(np.median(values)))
    spread = max(float(values.var(ddof=1)), float(variances.mean()))
    variance = own.variance + ENOUGH_OF_USUAL**2 * math.pi / 2 * spread / len(values)
    below = (own.value - ENOUGH_OF_USUAL * usual) / math.sqrt(variance) if variance else 0.0
    return Statistic(0.5 * math.erfc(-below / math.sqrt(2)))
