"""The mean of the answers to each unit, with its standard error and Student's 95 % interval.

The standard error is the sample standard deviation (n - 1) by the root of n; with one rater it is undefined. The
interval takes raters for a sample of all raters there could be.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from rubrica.stats.aggregation.gold import ONE, STANDARD_ERROR, Gold
from rubrica.stats.bootstrap import NEAR, alike
from rubrica.stats.coded import Coded, Real, Whole
from rubrica.stats.statistic import Statistic


def means(answers: Coded) -> list[Gold]:
    """The mean answer to each unit. Raises TypeError if answers are not numbers."""
    return means_of(answers.unit, answers.numbers[answers.code], len(answers.units))


def means_of(unit: Whole, values: Real, units: int, nothing: str = "no answer") -> list[Gold]:
    """Means of values by unit; ``nothing`` is why a unit without values has none."""
    from scipy.special import stdtrit

    count = np.bincount(unit, minlength=units)
    with np.errstate(divide="ignore", invalid="ignore"):
        mean = np.bincount(unit, values, minlength=units) / count
        spread = np.bincount(unit, (values - mean[unit]) ** 2, minlength=units)
        error = np.sqrt(spread / (count - 1) / count)
        half = stdtrit(count - 1, 0.975) * error
    return [
        _gold(int(n), row, nothing)
        for n, row in zip(count, np.stack((mean, error, half), axis=1).tolist(), strict=True)
    ]


def _gold(raters: int, row: Sequence[float], nothing: str) -> Gold:
    mean, error, half = row
    no_share = Statistic(None, "a mean is nobody's answer")
    if raters < 2:
        reason = Statistic(None, nothing if not raters else ONE)
        value = mean if raters else None
        why = "" if raters else nothing
        return Gold(value, raters, None, no_share, reason, reason, reason, STANDARD_ERROR, why)
    ends = Statistic(mean - half), Statistic(mean + half)
    if half <= NEAR * abs(mean):
        ends = (Statistic(None, alike("answers")),) * 2
    return Gold(mean, raters, None, no_share, *ends, Statistic(error), STANDARD_ERROR)
