"""Williams' test: do two metrics correlate differently with the same people's scores?

Williams, Regression Analysis, 1959; recommended by Steiger, Psychological Bulletin 87, 1980, and for metrics by Graham
and Baldwin, Testing for Significance of Increased Correlation with Human Judgment, EMNLP 2014, equation 1. The two
correlations share one side, and the more the metrics correlate with each other, the smaller a difference it detects.
It is a test of Pearson's r.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from rubrica.stats.statistic import Statistic

LEAST = 4
"""The test has n - 3 degrees of freedom."""


class Williams(NamedTuple):
    """The statistic t with n - 3 degrees of freedom, and its two-sided p-value."""

    t: Statistic
    p: Statistic


def williams(one: float, other: float, between: float, n: int) -> Williams:
    """The test of ``one`` against ``other``, Pearson's r of two metrics with people; ``between`` is the metrics' own r.

    Undefined for fewer than four units, and for two metrics that are a line of each other or of people's scores.
    """
    if n < LEAST:
        return _without(f"fewer than {LEAST} units")
    determinant = 1 - one**2 - other**2 - between**2 + 2 * one * other * between
    mean = (one + other) / 2
    below = 2 * max(determinant, 0.0) * (n - 1) / (n - 3) + mean**2 * (1 - between) ** 3
    if below < 1e-15 or 1 + between < 1e-12:
        return _without("the two metrics say the same")
    from scipy.stats import t as student

    t = (one - other) * math.sqrt((n - 1) * (1 + between) / below)
    return Williams(Statistic(t), Statistic(float(2 * student.sf(abs(t), n - 3))))


def _without(reason: str) -> Williams:
    return Williams(Statistic(None, reason), Statistic(None, reason))
