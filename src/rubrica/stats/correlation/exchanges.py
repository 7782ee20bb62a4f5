"""Correlations of two metrics whose scores of some units are exchanged, for many exchanges and criteria at once.

The permutation test of two metrics (``metric_permutation.py``) needs them by the thousand. Only which of a unit's two
scores belongs to the first metric changes, so that Pearson's r follows from sums of what was moved; ranks from counting
through both metrics' scores, which are sorted once; and tau-b is that of both metrics' scores together, those that do
not belong to the metric having no weight. What belongs to the second metric is what is left.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from rubrica.stats.correlation.coefficients import KENDALL, PEARSON, SPEARMAN
from rubrica.stats.correlation.defined import Real
from rubrica.stats.correlation.pearson import FLAT
from rubrica.stats.correlation.resamples import prepared_signs, weighed_kendall

Swapped = npt.NDArray[np.bool_]
"""A row an exchange, a column a unit."""


class Both(NamedTuple):
    """Coefficients of the first and of the second metric, by exchange and criterion; NaN where one does not vary."""

    first: Real
    second: Real


Exchange = Callable[[Swapped], Both]


def exchange(name: str, people: Real, left: Real, right: Real) -> Exchange:
    """The coefficient ``name``, ready for exchanges. ``people`` has a row a criterion, the metrics are standardised."""
    return _MEASURES[name](people, left, right)


def _pearson(people: Real, left: Real, right: Real) -> Exchange:
    centred = people - people.mean(axis=1, keepdims=True)
    spread = (centred**2).sum(axis=1)
    varied = spread > FLAT * (people**2).sum(axis=1)

    def sums(side: Real) -> Real:
        return np.stack([side, side**2, *(centred * side)])

    start, moved = sums(left).sum(axis=1), sums(right) - sums(left)
    whole = start + sums(right).sum(axis=1)

    def of(added: Real) -> Real:
        own = (added[:, 1] - added[:, 0] ** 2 / len(left))[:, None]
        defined = varied & (own > FLAT * added[:, 1:2])
        below = np.sqrt(np.where(defined, own * spread, 1.0))
        return np.where(defined, np.clip(added[:, 2:] / below, -1, 1), np.nan)

    def measure(swapped: Swapped) -> Both:
        first = start + swapped.astype(float) @ moved.T
        return Both(of(first), of(whole - first))

    return measure


def _spearman(people: Real, left: Real, right: Real) -> Exchange:
    """Ranks are doubled and around 0: whole numbers, whose sums are exact."""
    from scipy.stats import rankdata

    many = len(left)
    pooled = np.concatenate([left, right])
    order = np.argsort(pooled, kind="stable")
    unit, is_right = order % many, order >= many
    begin, end = (np.searchsorted(pooled[order], pooled[order], side) for side in ("left", "right"))
    ties = bool((end - begin > 1).any())
    ranked = 2 * rankdata(people, axis=1) - (many + 1)
    spread, beside = (ranked**2).sum(axis=1), ranked[:, unit]

    def of(ranks: Real) -> Real:
        own = np.einsum("nr,nr->r", ranks, ranks)[:, None]
        defined = (own > 0) & (spread > 0)
        return np.where(defined, (beside @ ranks).T / np.sqrt(np.where(defined, own * spread, 1.0)), np.nan)

    def measure(swapped: Swapped) -> Both:
        mine = np.ascontiguousarray(swapped.T)[unit] == is_right[:, None]
        reached = np.cumsum(mine, axis=0, dtype=np.int32)
        before = reached - mine
        ranks = (reached[end - 1] + before[begin] if ties else reached + before) - many
        # The second metric has what the first has not, of all the scores that are as low.
        others = (begin + end - 2 * many).astype(np.int32)[:, None] - ranks
        return Both(of((ranks * mine).astype(float)), of((others * ~mine).astype(float)))

    return measure


def _kendall(people: Real, left: Real, right: Real) -> Exchange:
    sides = np.concatenate([people, people], axis=1), np.concatenate([left, right])[None]
    signs = prepared_signs(*sides)

    def measure(swapped: Swapped) -> Both:
        weights = np.concatenate([~swapped.T, swapped.T]).astype(float)
        return Both(*(weighed_kendall(times, *sides, signs)[:, 0].T for times in (weights, 1 - weights)))

    return measure


_MEASURES: Mapping[str, Callable[[Real, Real, Real], Exchange]] = {
    PEARSON: _pearson,
    SPEARMAN: _spearman,
    KENDALL: _kendall,
}
