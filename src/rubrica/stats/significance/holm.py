"""Holm's correction: p-values of many tests, so that the chance of any false finding stays at its level.

Holm, A Simple Sequentially Rejective Multiple Test Procedure, Scandinavian Journal of Statistics 6, 1979.
"""

from __future__ import annotations

from collections.abc import Sequence

from rubrica.stats.statistic import Statistic


def holm(tests: Sequence[Statistic]) -> list[Statistic]:
    """The adjusted p-values, in the order of the tests. A test without a p-value stays so, and does not count."""
    defined = sorted((test.value, index) for index, test in enumerate(tests) if test.value is not None)
    adjusted = list(tests)
    largest = 0.0
    for rank, (p, index) in enumerate(defined):
        largest = max(largest, min(1.0, (len(defined) - rank) * p))
        adjusted[index] = Statistic(largest)
    return adjusted
