"""How often an expert says *correct*, when so many of a crowd do: a Beta distribution for each group of outputs.

Section 6 and Figure 1 of Zhang, Zhu, Brahma and Li, Small but Mighty: New Benchmarks for Split and Rephrase, 2020. With
k of n outputs correct and one added to each side (Laplace), the share is distributed as Beta(k + 1, n - k + 1). Bounds
are one-sided: at a confidence of 0.9 the share is above the 10th percentile, and it is below the 90th.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from rubrica.stats.statistic import Statistic

NOBODY = "no expert judged any"


class ExpertShare(NamedTuple):
    """The share of outputs that an expert calls correct: its mean, and where it lies with the given confidence."""

    correct: int
    judged: int
    mean: Statistic
    above: Statistic
    below: Statistic

    def density(self, shares: Sequence[float]) -> list[float]:
        """The density at these shares, for drawing; empty if nothing was judged."""
        from scipy.stats import beta

        if not self.judged:
            return []
        return [float(value) for value in beta.pdf(shares, self.correct + 1, self.judged - self.correct + 1)]


def expert_share(correct: int, judged: int, confidence: float = 0.9) -> ExpertShare:
    """The distribution of the share from counts. Undefined without any judgement: a prior is no finding."""
    from scipy.special import betaincinv

    if not judged:
        nothing = Statistic(None, NOBODY)
        return ExpertShare(0, 0, nothing, nothing, nothing)
    first, second = correct + 1, judged - correct + 1
    return ExpertShare(
        correct,
        judged,
        Statistic(first / (first + second)),
        Statistic(float(betaincinv(first, second, 1 - confidence))),
        Statistic(float(betaincinv(first, second, confidence))),
    )
