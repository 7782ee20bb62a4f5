"""Pairwise accuracies of a metric: of systems, plain and soft, and of rewrites with tie calibration.

Pairwise accuracy of a metric on systems: the share of pairs of systems that it puts in people's order. Kocmi et al.,
To Ship or Not to Ship: An Extensive Evaluation of Automatic Metrics for Machine Translation, WMT 2021, section 4.1.
The sign of the difference of two systems' means has to be the same.

Soft pairwise accuracy: whether a metric is as sure of the order of two systems as people are. Thompson, Mathur,
Deutsch and Khayrallah, Improving Statistical Significance in Human Evaluation of Automatic Metrics via Soft Pairwise
Accuracy, WMT 2024. For each pair of systems, one-sided p-values of the paired permutation test are computed from
people's and from the metric's scores; the accuracy of the pair is 1 - |p_people - p_metric|. All pairs and both sides
share the random signs.

A permutation that gives exactly the observed difference counts half, where the authors' code counts it whole: the p of
one system against another and that of the reverse then add up to 1, and their order does not matter. For scores that
are not tied the difference vanishes.

Pairwise accuracy with tie calibration: how often a metric orders two rewrites as people do, ties included. Deutsch,
Foster and Freitag, Ties Matter: Meta-Evaluating Modern Metrics with Pairwise Accuracy and Tie Calibration, EMNLP 2023.
A pair counts as right if the metric puts it in people's order, or ties it where people do. Metrics hardly ever give
two equal scores, so differences up to a threshold (epsilon) count as ties, and the threshold is the one with the
highest accuracy. It is chosen on the same data, which favours every metric a little.

Only where people tie can a larger threshold gain anything, so those differences are the candidates. Within sources all
pairs are counted block by block and never stored; over all pairs most need not be looked at (``tie_threshold.py``).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from typing import NamedTuple

import attrs
import numpy as np
import numpy.typing as npt

from rubrica.stats.correlation.coefficients import Real
from rubrica.stats.correlation.tie_threshold import best_threshold
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


Whole = npt.NDArray[np.int64]
BLOCK = 1_000_000
"""Pairs that are looked at together."""
MOST_PAIRS = 50_000_000
"""More pairs than those of 10,000 units take minutes: use a sample, or pairs within sources."""


@attrs.frozen
class TieCalibrated:
    """The accuracy, the threshold it was reached with, how many pairs there are, and in how many groups."""

    accuracy: Statistic
    epsilon: Statistic
    pairs: int
    groups: int


def tie_calibrated_accuracy(people: Real, metric: Real, groups: Whole | None = None) -> TieCalibrated:
    """The best accuracy over thresholds, and the smallest threshold that reaches it.

    With ``groups`` (the number of each unit's source) only pairs of one source count, the accuracy is the mean of those
    of sources, and the threshold is the same for all: "group-by-item". Without, all pairs count alike. Undefined
    without a pair, and for more than 50 million.
    """
    grouped = _groups(len(people), groups)
    pairs = sum(map(_many, grouped))
    reason = "there are no two units to compare" if not pairs else ""
    if pairs > MOST_PAIRS:
        reason = f"{pairs:,} pairs are more than {MOST_PAIRS:,}: take a sample of units"
    if reason:
        return TieCalibrated(Statistic(None, reason), Statistic(None, reason), pairs, len(grouped))
    if groups is None:
        best = best_threshold(people, metric)
        return TieCalibrated(Statistic(best.right / pairs), Statistic(best.epsilon), pairs, 1)
    accuracy, epsilon = _best(people, metric, grouped)
    return TieCalibrated(Statistic(accuracy), Statistic(epsilon), pairs, len(grouped))


def _groups(units: int, groups: Whole | None) -> list[Whole]:
    """The places of the units of each group that has at least two."""
    if groups is None:
        return [np.arange(units)] if units > 1 else []
    order = np.argsort(groups, kind="stable")
    cuts = np.flatnonzero(np.diff(groups[order])) + 1
    return [part for part in np.split(order, cuts) if len(part) > 1]


def _best(people: Real, metric: Real, grouped: list[Whole]) -> tuple[float, float]:
    tied = [np.abs(block.metric[block.people == 0]) for block in _pairs(people, metric, grouped)]
    candidates = np.unique(np.concatenate([*tied, [0.0]]))
    changed = np.zeros(len(candidates) + 1)
    right = 0.0
    for block in _pairs(people, metric, grouped):
        alike, same = block.people == 0, block.people * block.metric > 0
        right += block.weight[same].sum()
        for chosen, sign in ((alike, 1), (same, -1)):
            changed += sign * _reached(candidates, np.abs(block.metric[chosen]), block.weight[chosen])
    accuracy = (right + np.cumsum(changed[:-1])) / (max(map(_many, grouped)) * len(grouped))
    highest = int(np.argmax(accuracy >= accuracy.max() - 1e-12))
    return float(accuracy[highest]), float(candidates[highest])


def _reached(candidates: Real, apart: Real, weight: Real) -> Real:
    """By candidate, the weight of pairs that become ties there; looked up in order, which is much quicker."""
    order = np.argsort(apart)
    place = np.searchsorted(candidates, apart[order])
    found: Real = np.bincount(place, weight[order], minlength=len(candidates) + 1).astype(float)
    return found


class _Block(NamedTuple):
    """Differences of pairs on both sides, and what each pair weighs.

    A pair of the largest group weighs 1, so that groups of one size are counted in whole numbers, without rounding.
    """

    people: Real
    metric: Real
    weight: Real


def _pairs(people: Real, metric: Real, grouped: list[Whole]) -> Iterator[_Block]:
    """All pairs in blocks: parts of a large group, or many small groups of one size together."""
    largest = max(map(_many, grouped))
    sizes: dict[int, list[Whole]] = defaultdict(list)
    for group in grouped:
        sizes[len(group)].append(group)
    for size, alike in sizes.items():
        many = size * (size - 1) // 2
        step = BLOCK // many
        if not step:
            for group in alike:
                yield from _of_group(people[group], metric[group], largest / many)
            continue
        first, second = np.triu_indices(size, 1)
        for start in range(0, len(alike), step):
            units = np.stack(alike[start : start + step])
            apart = [(side[units[:, first]] - side[units[:, second]]).ravel() for side in (people, metric)]
            yield _Block(apart[0], apart[1], np.full(len(apart[0]), largest / many))


def _many(group: Whole) -> int:
    """How many pairs a group has."""
    return len(group) * (len(group) - 1) // 2


def _of_group(people: Real, metric: Real, weight: float) -> Iterator[_Block]:
    many = len(people)
    step = max(1, BLOCK // many)
    for start in range(0, many - 1, step):
        rows = np.arange(start, min(start + step, many - 1))
        later = rows[:, None] < np.arange(start, many)[None, :]
        apart = [(side[rows][:, None] - side[None, start:])[later] for side in (people, metric)]
        yield _Block(apart[0], apart[1], np.full(len(apart[0]), weight))
