"""Whether two metrics differ in how they correlate with people: Williams' test and a permutation test.

Williams' test: do two metrics correlate differently with the same people's scores? Williams, Regression Analysis,
1959; recommended by Steiger, Psychological Bulletin 87, 1980, and for metrics by Graham and Baldwin, Testing for
Significance of Increased Correlation with Human Judgment, EMNLP 2014, equation 1. The two correlations share one side,
and the more the metrics correlate with each other, the smaller a difference it detects. It is a test of Pearson's r.

Correlations of two metrics whose scores of some units are exchanged, for many exchanges and criteria at once. The
permutation test of two metrics needs them by the thousand. Only which of a unit's two
scores belongs to the first metric changes, so that Pearson's r follows from sums of what was moved; ranks from
counting through both metrics' scores, which are sorted once; and tau-b is that of both metrics' scores together, those
that do not belong to the metric having no weight. What belongs to the second metric is what is left.

A permutation test of two metrics on the same data: could their correlations with people differ by chance? PERM-BOTH of
Deutsch, Dror and Roth, A Statistical Analysis of Summarization Evaluation Metrics Using Resampling Methods, TACL 9,
2021: if the metrics are equally good, their scores of any rewrite could as well be exchanged. Metrics are standardised
first, since they have different scales. Two-sided; one is added to count and total, so that p is never 0 (Phipson and
Smyth, 2010).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from rubrica.stats.bootstrap import Whole
from rubrica.stats.correlation.coefficients import BY_ROW, FLAT, KENDALL, PEARSON, SPEARMAN, Real, constant
from rubrica.stats.correlation.resamples import prepared_signs, weighed_kendall
from rubrica.stats.significance import reached_p
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


CHUNK = 1_000_000
NEAR = 1e-12


def metric_permutations(
    name: str,
    people: Real,
    one: Real,
    other: Real,
    permutations: int,
    seed: int,
    summed: Callable[[Real], Real] | None = None,
    clusters: Whole | None = None,
) -> list[Statistic]:
    """The p-values of the difference of the coefficient ``name`` of two metrics, scores by unit.

    There is one for each criterion, the rows of ``people``: they share exchanges, and the metrics' ranks. ``summed``
    turns rows of scores of units into rows of scores of systems, for correlations of systems; ``people`` are then
    scores of systems. Units of one of ``clusters`` (a source) are exchanged together, for their scores hang together.
    Undefined where a metric does not vary, or no permutations are wanted.
    """
    if not permutations:
        return [Statistic(None, "no permutations were asked for")] * len(people)
    if constant(one) or constant(other):
        return [Statistic(None, "a metric's scores do not vary")] * len(people)
    left, right = ((side - side.mean()) / side.std() for side in (one, other))
    measure = _of_systems(name, people, left, right, summed) if summed else exchange(name, people, left, right)

    def difference(swapped: Swapped) -> Real:
        both = measure(swapped)
        return np.abs(both.first - both.second)

    observed = difference(np.zeros((1, len(one)), dtype=bool))[0]
    generator = np.random.default_rng(seed)
    reached, step = np.zeros(len(people), dtype=np.int64), max(1, CHUNK // len(one))
    for start in range(0, permutations, step):
        size = min(step, permutations - start)
        swapped = generator.random((size, len(one) if clusters is None else int(clusters.max()) + 1)) < 0.5
        swapped = swapped if clusters is None else swapped[:, clusters]
        reached += np.count_nonzero(difference(swapped) >= observed - NEAR, axis=0)
    return [
        Statistic(None, "a correlation is not defined") if np.isnan(value) else reached_p(int(many), permutations)
        for value, many in zip(observed, reached, strict=True)
    ]


def _of_systems(name: str, people: Real, left: Real, right: Real, summed: Callable[[Real], Real]) -> Exchange:
    """Coefficients of the sums of systems, which are few: they are correlated row by row."""

    def measure(swapped: Swapped) -> Both:
        sides = summed(np.where(swapped, right, left)), summed(np.where(swapped, left, right))
        return Both(*(np.stack([BY_ROW[name](side, row[None]) for row in people], axis=1) for side in sides))

    return measure
