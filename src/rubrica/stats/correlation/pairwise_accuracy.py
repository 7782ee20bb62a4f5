"""Pairwise accuracy of a metric on systems: the share of pairs of systems that it puts in people's order.

Kocmi et al., To Ship or Not to Ship: An Extensive Evaluation of Automatic Metrics for Machine Translation, WMT 2021,
section 4.1. The sign of the difference of two systems' means has to be the same.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from rubrica.stats.correlation.defined import Real
from rubrica.stats.statistic import Statistic

ONE_SYSTEM = "there are no two systems to compare"


class PairwiseAccuracy(NamedTuple):
    """The share, and of how many pairs of systems."""

    accuracy: Statistic
    pairs: int


def pairwise_accuracy(people: Real, metric: Real) -> PairwiseAccuracy:
    """The share of pairs of systems in the same order, from the systems' means. Undefined for fewer than two systems.

    As published, a tie on one side only is wrong, and on both sides right.
    """
    first, second = np.triu_indices(len(people), 1)
    if not len(first):
        return PairwiseAccuracy(Statistic(None, ONE_SYSTEM), 0)
    same = np.sign(people[first] - people[second]) == np.sign(metric[first] - metric[second])
    return PairwiseAccuracy(Statistic(float(same.mean())), len(first))
