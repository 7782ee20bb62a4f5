"""The correlation coefficients by name, and when they are defined.

When a correlation is defined, and the pair of figures that every correlation gives.

Pearson's product-moment correlation r: how near the points lie to a line. Pearson, Notes on regression and inheritance
in the case of two parents, Proceedings of the Royal Society 58, 1895. The p-value is that of scipy: Student's t with n
- 2 degrees of freedom, two-sided.

Spearman's rank correlation rho: Pearson's r of mid-ranks, so that only the order of the scores counts. Spearman, The
proof and measurement of association between two things, American Journal of Psychology 15, 1904. It is the coefficient
of Table 4 of Zhang, Zhu, Brahma and Li, Small but Mighty, 2020. The p-value is that of scipy.

Kendall's tau-b: pairs in the same order minus pairs in the other order, with ties on either side accounted for.
Kendall, The treatment of ties in ranking problems, Biometrika 33, 1945. By scipy in O(n log n) (Knight, A computer
method for calculating Kendall's tau with ungrouped data, JASA 61, 1966), with its p-value: exact for few scores
without ties, else from the normal approximation.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from itertools import permutations
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from rubrica.stats.bootstrap import Whole
from rubrica.stats.statistic import Statistic

Real = npt.NDArray[np.float64]
LEAST = 3
"""Two points always lie on a line: a correlation of fewer than three says nothing."""
SAME = 1e-13
"""Scores that differ by less than this share of the largest do not vary: the difference is an error of rounding."""


DIGITS = 12
"""Digits of a mean that count, from the largest of its row on: the last ones depend on the order of a sum."""


class Correlation(NamedTuple):
    """A coefficient and its two-sided p-value."""

    value: Statistic
    p: Statistic


def undefined(people: Real, metric: Real) -> str:
    """Why these scores have no correlation, in words; empty if they have one."""
    if len(people) < LEAST:
        return f"fewer than {LEAST} pairs of scores"
    if constant(people):
        return "people's scores do not vary"
    return "the metric's scores do not vary" if constant(metric) else ""


def constant(scores: Real) -> bool:
    """Whether all scores are the same."""
    return bool(np.ptp(scores) <= SAME * np.abs(scores).max())


def settled(means: Real) -> Real:
    """Means whose ties are ties: those that are equal but for rounding are equal. Rows may be many.

    Two systems with the same answers in another order have sums that differ in the last digit, and ranks and signs of
    differences know no nearly.
    """
    largest = np.fmax.reduce(np.abs(means), axis=-1, keepdims=True, initial=0.0)
    scale = np.where(largest > 0, largest, 1.0)
    found: Real = np.round(means / scale, DIGITS) * scale
    return found


def without(reason: str) -> Correlation:
    """A correlation that is not defined."""
    return Correlation(Statistic(None, reason), Statistic(None, reason))


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
