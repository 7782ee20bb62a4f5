"""The median of the answers to each unit, with an interval from order statistics.

Of n answers, the k-th lowest and the k-th highest hold the median of all raters there could be with at least 95 %
if a binomial of n and 1/2 is below k with at most 2.5 % (Conover, Practical Nonparametric Statistics, 1999, section
3.2). That takes six answers. Uncertainty is the mean distance of the answers from the median, in points of the scale.
"""

from __future__ import annotations

import math

import numpy as np

from rubrica.stats.aggregation.gold import DEVIATION, Gold, by_unit, plain
from rubrica.stats.bootstrap import alike
from rubrica.stats.coded import Coded
from rubrica.stats.statistic import Statistic

FEWEST = 6


def medians(answers: Coded) -> list[Gold]:
    """The median answer to each unit, halfway between the middle two of an even number."""
    numbers = answers.numbers[answers.code]
    return [_gold(sorted(numbers[places].tolist())) for places in by_unit(answers)]


def _gold(values: list[float]) -> Gold:
    raters = len(values)
    if not raters:
        nothing = Statistic(None, "no answer")
        return Gold(None, 0, 0, nothing, nothing, nothing, nothing, DEVIATION, "no answer")
    median = float(np.median(values))
    support = values.count(median)
    deviation = sum(abs(value - median) for value in values) / raters
    low, high = _interval(values)
    return Gold(plain(median), raters, support, Statistic(support / raters), low, high, Statistic(deviation), DEVIATION)


def _interval(values: list[float]) -> tuple[Statistic, Statistic]:
    if len(values) < FEWEST:
        reason = Statistic(None, f"an interval of a median needs {FEWEST} raters")
        return reason, reason
    rank, below = 0, 0.0
    while (below := below + math.comb(len(values), rank) / 2 ** len(values)) <= 0.025:
        rank += 1
    low, high = values[rank - 1], values[len(values) - rank]
    if low == high:
        reason = Statistic(None, alike(f"{len(values) - 2 * (rank - 1)} answers in the middle"))
        return reason, reason
    return Statistic(low), Statistic(high)
