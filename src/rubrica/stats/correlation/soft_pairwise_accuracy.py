"""Soft pairwise accuracy: whether a metric is as sure of the order of two systems as people are.

Thompson, Mathur, Deutsch and Khayrallah, Improving Statistical Significance in Human Evaluation of Automatic Metrics
via Soft Pairwise Accuracy, WMT 2024. For each pair of systems, one-sided p-values of the paired permutation test are
computed from people's and from the metric's scores; the accuracy of the pair is 1 - |p_people - p_metric|. All pairs
and both sides share the random signs.

A permutation that gives exactly the observed difference counts half, where the authors' code counts it whole: the p of
one system against another and that of the reverse then add up to 1, and their order does not matter. For scores that
are not tied the difference vanishes.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from rubrica.stats.correlation.defined import Real
from rubrica.stats.correlation.pairwise_accuracy import ONE_SYSTEM
from rubrica.stats.statistic import Statistic

CHUNK = 2_000_000
NEAR = 1e-9
UNPAIRED = "no two systems rewrote the same source"


class SoftAccuracy(NamedTuple):
    """The accuracy, and of how many pairs of systems that have sources in common."""

    accuracy: Statistic
    pairs: int


def soft_pairwise_accuracy(people: Real, metric: Real, permutations: int, seed: int) -> SoftAccuracy:
    """Mean of 1 - |difference of p-values| over pairs of systems. Tables have a row a source, a column a system.

    NaN is a source without a score; a pair of systems is compared on the sources that both have on both sides.
    Undefined for fewer than two systems, or without common sources.
    """
    first, second = np.triu_indices(people.shape[1], 1)
    if not len(first):
        return SoftAccuracy(Statistic(None, ONE_SYSTEM), 0)
    if not permutations:
        return SoftAccuracy(Statistic(None, "no permutations were asked for"), 0)
    apart = [side[:, first] - side[:, second] for side in (people, metric)]
    paired = ~np.isnan(apart[0]) & ~np.isnan(apart[1])
    used = np.flatnonzero(paired.any(axis=0))
    if not len(used):
        return SoftAccuracy(Statistic(None, UNPAIRED), 0)
    both = np.concatenate([np.where(paired, side, 0.0)[:, used] for side in apart], axis=1)
    p = better(both, permutations, seed)
    return SoftAccuracy(Statistic(float(np.mean(1 - np.abs(p[: len(used)] - p[len(used) :])))), len(used))


def better(differences: Real, permutations: int, seed: int) -> Real:
    """One-sided p-values of each column's sum: the share of random signs that reach it; equal sums count half."""
    observed, size = differences.sum(axis=0), NEAR * np.abs(differences).sum(axis=0)
    generator = np.random.default_rng(seed)
    reached = np.zeros(len(observed))
    step = max(1, CHUNK // len(differences))
    for start in range(0, permutations, step):
        shape = (min(step, permutations - start), len(differences))
        signs = generator.integers(2, size=shape, dtype=np.int8).astype(float) * 2 - 1
        sums = signs @ differences - observed
        reached += (sums > size).sum(axis=0) + 0.5 * (np.abs(sums) <= size).sum(axis=0)
    found: Real = reached / permutations
    return found
