"""Spearman's rank correlation rho: Pearson's r of mid-ranks, so that only the order of the scores counts.

Spearman, The proof and measurement of association between two things, American Journal of Psychology 15, 1904. It is
the coefficient of Table 4 of Zhang, Zhu, Brahma and Li, Small but Mighty, 2020. The p-value is that of scipy.
"""

from __future__ import annotations

from rubrica.stats.correlation.defined import Correlation, Real, undefined, without
from rubrica.stats.correlation.pearson import pearson_rows
from rubrica.stats.statistic import Statistic


def spearman(people: Real, metric: Real) -> Correlation:
    """rho and its p-value. Undefined for fewer than three pairs, or where one side does not vary."""
    reason = undefined(people, metric)
    if reason:
        return without(reason)
    from scipy.stats import spearmanr

    found = spearmanr(people, metric)
    return Correlation(Statistic(float(found.statistic)), Statistic(float(found.pvalue)))


def spearman_rows(one: Real, other: Real) -> Real:
    """rho of each row with the row of the other table (or with one row); NaN where a row does not vary."""
    from scipy.stats import rankdata

    return pearson_rows(rankdata(one, axis=-1), rankdata(other, axis=-1))
