"""Kendall's tau-b: pairs in the same order minus pairs in the other order, with ties on either side accounted for.

Kendall, The treatment of ties in ranking problems, Biometrika 33, 1945. By scipy in O(n log n) (Knight, A computer
method for calculating Kendall's tau with ungrouped data, JASA 61, 1966), with its p-value: exact for few scores without
ties, else from the normal approximation.
"""

from __future__ import annotations

import numpy as np

from rubrica.stats.correlation.defined import Correlation, Real, undefined, without
from rubrica.stats.statistic import Statistic

FEW = 40
"""Up to so many scores a row, all pairs are compared at once; beyond, each row is sorted by itself."""


def kendall(people: Real, metric: Real) -> Correlation:
    """tau-b and its p-value. Undefined for fewer than three pairs, or where one side does not vary."""
    reason = undefined(people, metric)
    if reason:
        return without(reason)
    from scipy.stats import kendalltau

    found = kendalltau(people, metric)
    return Correlation(Statistic(float(found.statistic)), Statistic(float(found.pvalue)))


def kendall_rows(one: Real, other: Real) -> Real:
    """tau-b of each row with the row of the other table (or with one row); NaN where a row does not vary."""
    left, right = np.broadcast_arrays(one, other)
    if left.shape[-1] > FEW:
        return _sorted(left, right)
    first, second = np.triu_indices(left.shape[-1], 1)
    signs = [np.sign(side[..., first] - side[..., second]) for side in (left, right)]
    untied = [np.abs(side).sum(axis=-1) for side in signs]
    varied = (untied[0] > 0) & (untied[1] > 0)
    below = np.sqrt(np.where(varied, untied[0] * untied[1], 1.0))
    found: Real = np.where(varied, (signs[0] * signs[1]).sum(axis=-1) / below, np.nan)
    return found


def _sorted(left: Real, right: Real) -> Real:
    from scipy.stats import kendalltau

    return np.array([kendalltau(*rows).statistic for rows in zip(left, right, strict=True)], dtype=float)
