"""A permutation test of two metrics on the same data: could their correlations with people differ by chance?

PERM-BOTH of Deutsch, Dror and Roth, A Statistical Analysis of Summarization Evaluation Metrics Using Resampling
Methods, TACL 9, 2021: if the metrics are equally good, their scores of any rewrite could as well be exchanged. Metrics
are standardised first, since they have different scales. Two-sided; one is added to count and total, so that p is never
0 (Phipson and Smyth, 2010).
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from rubrica.stats.correlation.coefficients import BY_ROW
from rubrica.stats.correlation.defined import Real, constant
from rubrica.stats.statistic import Statistic

CHUNK = 1_000_000
NEAR = 1e-12


def metric_permutation(
    name: str,
    people: Real,
    one: Real,
    other: Real,
    permutations: int,
    seed: int,
    summed: Callable[[Real], Real] | None = None,
) -> Statistic:
    """The p-value of the difference of the coefficient ``name`` of two metrics, scores by unit.

    ``summed`` turns rows of scores of units into rows of scores of systems, for correlations of systems; ``people`` are
    then scores of systems. Undefined where a metric does not vary, or no permutations are wanted.
    """
    if not permutations:
        return Statistic(None, "no permutations were asked for")
    if constant(one) or constant(other):
        return Statistic(None, "a metric's scores do not vary")
    measure, whole = BY_ROW[name], summed or (lambda rows: rows)
    left, right = ((side - side.mean()) / side.std() for side in (one, other))

    def difference(first: Real, second: Real) -> Real:
        found: Real = np.abs(measure(whole(first), people[None]) - measure(whole(second), people[None]))
        return found

    observed = float(difference(left[None], right[None])[0])
    if np.isnan(observed):
        return Statistic(None, "a correlation is not defined")
    generator = np.random.default_rng(seed)
    reached, step = 0, max(1, CHUNK // len(one))
    for start in range(0, permutations, step):
        swapped = generator.random((min(step, permutations - start), len(one))) < 0.5
        found = difference(np.where(swapped, right, left), np.where(swapped, left, right))
        reached += int(np.count_nonzero(found >= observed - NEAR))
    return Statistic((reached + 1) / (permutations + 1))
