"""The correlation coefficients by name."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from itertools import permutations

import numpy as np

from rubrica.stats.bootstrap import Whole
from rubrica.stats.correlation.defined import Correlation, Real
from rubrica.stats.correlation.kendall import kendall, kendall_rows
from rubrica.stats.correlation.pearson import pearson, pearson_rows
from rubrica.stats.correlation.spearman import spearman, spearman_rows
from rubrica.stats.statistic import Statistic

PEARSON, SPEARMAN, KENDALL = "pearson", "spearman", "kendall"
COEFFICIENTS: Mapping[str, Callable[[Real, Real], Correlation]] = {
    PEARSON: pearson,
    SPEARMAN: spearman,
    KENDALL: kendall,
}
"""One pair of scores, with its p-value."""
BY_ROW: Mapping[str, Callable[[Real, Real], Real]] = {
    PEARSON: pearson_rows,
    SPEARMAN: spearman_rows,
    KENDALL: kendall_rows,
}
"""Many pairs of scores at once, without p-values: for resamples and permutations."""
EXACT = 8
"""Up to so many pairs of scores all orders are tried."""
NEAR = 1e-9


def exact_p(name: str, people: Real, metric: Real) -> Statistic | None:
    """The share of all orders of few scores whose coefficient is as far from 0; None where there are too many.

    scipy's p-value of Spearman's rho is 0 for three systems in one order, which chance gives one time in three.
    """
    if not 1 < len(people) <= EXACT:
        return None
    found = np.abs(BY_ROW[name](metric[_orders(len(metric))], people[None]))
    return Statistic(float(np.mean(found >= np.abs(BY_ROW[name](metric[None], people[None])) - NEAR)))


@cache
def _orders(many: int) -> Whole:
    return np.array(list(permutations(range(many))), dtype=np.int64)
