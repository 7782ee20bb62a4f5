"""Holm's correction: p-values of many tests, so that the chance of any false finding stays at its level.

Holm, A Simple Sequentially Rejective Multiple Test Procedure, Scandinavian Journal of Statistics 6, 1979.
"""

from __future__ import annotations

from collections.abc import Sequence

from rubrica.stats.statistic import Statistic, p_value


def holm(tests: Sequence[Statistic]) -> list[Statistic]:
    """The adjusted p-values, in the order of the tests. A test without a p-value stays so, and does not count.

    What follows from an upper bound is one, but for 1, which nothing exceeds.
    """
    defined = sorted((test.value, index) for index, test in enumerate(tests) if test.value is not None)
    adjusted = list(tests)
    largest, bound = 0.0, False
    for rank, (p, index) in enumerate(defined):
        stepped = min(1.0, (len(defined) - rank) * p)
        if stepped >= largest:
            bound = tests[index].at_most or (bound and stepped == largest)
            largest = stepped
        adjusted[index] = p_value(largest, bound)
    return adjusted
