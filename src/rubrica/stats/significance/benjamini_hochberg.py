"""Benjamini and Hochberg's correction: of what is found, the expected share that is false stays at its level.

Benjamini and Hochberg, Controlling the False Discovery Rate, Journal of the Royal Statistical Society B 57, 1995. For
screening, where a finding is a reason to look and not a verdict; where any false finding is one too many, use Holm.
"""

from __future__ import annotations

from collections.abc import Sequence

from rubrica.stats.statistic import Statistic


def benjamini_hochberg(tests: Sequence[Statistic]) -> list[Statistic]:
    """The adjusted p-values, in the order of the tests. A test without a p-value stays so, and does not count."""
    defined = sorted((test.value, index) for index, test in enumerate(tests) if test.value is not None)
    adjusted = list(tests)
    smallest = 1.0
    for rank in range(len(defined), 0, -1):
        p, index = defined[rank - 1]
        smallest = min(smallest, p * len(defined) / rank)
        adjusted[index] = Statistic(smallest)
    return adjusted
