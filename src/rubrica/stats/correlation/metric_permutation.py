"""A permutation test of two metrics on the same data: could their correlations with people differ by chance?

PERM-BOTH of Deutsch, Dror and Roth, A Statistical Analysis of Summarization Evaluation Metrics Using Resampling
Methods, TACL 9, 2021: if the metrics are equally good, their scores of any rewrite could as well be exchanged. Metrics
are standardised first, since they have different scales. Two-sided; one is added to count and total, so that p is never
0 (Phipson and Smyth, 2010).
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from rubrica.stats.bootstrap import Whole
from rubrica.stats.correlation.coefficients import BY_ROW
from rubrica.stats.correlation.defined import Real, constant
from rubrica.stats.correlation.exchanges import Both, Exchange, Swapped, exchange
from rubrica.stats.significance.permutation import reached_p
from rubrica.stats.statistic import Statistic

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
