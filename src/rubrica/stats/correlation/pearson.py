"""Pearson's product-moment correlation r: how near the points lie to a line.

Pearson, Notes on regression and inheritance in the case of two parents, Proceedings of the Royal Society 58, 1895. The
p-value is that of scipy: Student's t with n - 2 degrees of freedom, two-sided.
"""

from __future__ import annotations

import numpy as np

from rubrica.stats.correlation.defined import Correlation, Real, undefined, without
from rubrica.stats.statistic import Statistic

FLAT = 1e-12
"""Rows whose variance is below this share of their squares do not vary."""


def pearson(people: Real, metric: Real) -> Correlation:
    """r and its p-value. Undefined for fewer than three pairs, or where one side does not vary."""
    reason = undefined(people, metric)
    if reason:
        return without(reason)
    from scipy.stats import pearsonr

    found = pearsonr(people, metric)
    return Correlation(Statistic(float(found.statistic)), Statistic(float(found.pvalue)))


def pearson_rows(one: Real, other: Real) -> Real:
    """r of each row with the row of the other table (or with one row); NaN where a row does not vary."""
    left, right = one - one.mean(axis=-1, keepdims=True), other - other.mean(axis=-1, keepdims=True)
    spread = (left**2).sum(axis=-1), (right**2).sum(axis=-1)
    varied = (spread[0] > FLAT * (one**2).sum(axis=-1)) & (spread[1] > FLAT * (other**2).sum(axis=-1))
    below = np.sqrt(np.where(varied, spread[0] * spread[1], 1.0))
    found: Real = np.where(varied, np.clip((left * right).sum(axis=-1) / below, -1, 1), np.nan)
    return found
