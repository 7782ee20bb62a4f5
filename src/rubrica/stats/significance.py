"""Whether systems differ: the paired permutation test, corrections for many tests, ranks and clusters.

The paired permutation test: could the difference between two systems be chance? If two systems are equally good, each
source's difference could as well have the other sign (Fisher, The Design of Experiments, 1935, section 21; Good,
Permutation, Parametric and Bootstrap Tests, 2005). With few differences all signs are tried and the p-value is exact;
with many, a seeded sample of them with one added to count and total, so that p is never 0 (Phipson and Smyth,
Statistical Applications in Genetics and Molecular Biology 9, 2010).

Holm's correction: p-values of many tests, so that the chance of any false finding stays at its level. Holm, A Simple
Sequentially Rejective Multiple Test Procedure, Scandinavian Journal of Statistics 6, 1979.

Benjamini and Hochberg's correction: of what is found, the expected share that is false stays at its level. Benjamini
and Hochberg, Controlling the False Discovery Rate, Journal of the Royal Statistical Society B 57, 1995. For screening,
where a finding is a reason to look and not a verdict; where any false finding is one too many, use Holm.

Ranks of systems, and clusters of systems that cannot be told apart. As at the Conference on Machine Translation (Bojar
et al., Findings of WMT 2016, section 3.4): systems are ordered by their score, and a new cluster begins only where
every system above is significantly better than every one below. A system's range of ranks counts those that are
significantly better and worse than itself.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from rubrica.stats.statistic import Statistic, p_value

Real = npt.NDArray[np.float64]
EXACT = 14
"""Up to so many differences other than 0, all 2^n signs are tried; a 0 is the same with either sign."""
CHUNK = 2_000_000
NEAR = 1e-9
"""Sums that differ by less, relative to the largest possible, are equal: they were added in another order."""


class PermutationTest(NamedTuple):
    """The two-sided p-value, and whether all signs were tried."""

    p: Statistic
    exact: bool


def sign_flips(differences: Real, permutations: int, seed: int) -> list[PermutationTest]:
    """A test of the mean of each column's differences against 0; rows are sources, 0 where there is no pair.

    Without any difference other than 0, p is 1: nothing speaks against the systems being equal.
    """
    moving = np.count_nonzero(differences, axis=0)
    few = moving <= EXACT
    found: list[PermutationTest | None] = [
        PermutationTest(Statistic(exact_p(differences[:, column])), True) if few[column] else None
        for column in range(differences.shape[1])
    ]
    many = np.flatnonzero(~few)
    for column, p in zip(many, _sampled(differences[:, many], permutations, seed), strict=True):
        found[column] = PermutationTest(p, False)
    return [test for test in found if test is not None]


def exact_p(differences: Real) -> float:
    """The share of all signs whose sum is at least as far from 0 as the one observed."""
    moving = differences[differences != 0]
    signs = 1 - 2 * ((np.arange(2 ** len(moving))[:, None] >> np.arange(len(moving))) & 1)
    sums = np.abs(signs @ moving)
    return float(np.mean(sums >= abs(moving.sum()) - NEAR * np.abs(moving).sum()))


def _sampled(differences: Real, permutations: int, seed: int) -> list[Statistic]:
    if not differences.shape[1]:
        return []
    if not permutations:
        return [Statistic(None, "no permutations were asked for")] * differences.shape[1]
    generator = np.random.default_rng(seed)
    observed = np.abs(differences.sum(axis=0)) - NEAR * np.abs(differences).sum(axis=0)
    reached = np.zeros(differences.shape[1], dtype=np.int64)
    step = max(1, CHUNK // len(differences))
    for start in range(0, permutations, step):
        size = (min(step, permutations - start), len(differences))
        signs = generator.integers(2, size=size, dtype=np.int8).astype(float) * 2 - 1
        reached += np.count_nonzero(np.abs(signs @ differences) >= observed, axis=0)
    return [reached_p(int(count), permutations) for count in reached]


def reached_p(reached: int, tried: int) -> Statistic:
    """The p-value when so many of those tried at random are as far from 0; where none is, only a bound."""
    return p_value((reached + 1) / (tried + 1), not reached)


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


class Rank(NamedTuple):
    """Where a system stands: its place by score, the range of places it may have, its cluster (1 is the best)."""

    system: str
    score: float
    place: int
    best: int
    worst: int
    cluster: int


def ranks(scores: Mapping[str, float], better: Mapping[tuple[str, str], bool]) -> list[Rank]:
    """Ranks, the highest score first. ``better[a, b]`` says that a is significantly better than b; absent is no.

    Systems with the same score keep their order and share a place.
    """
    ordered = sorted(scores, key=lambda system: -scores[system])
    found: list[Rank] = []
    cluster = 0
    for index, system in enumerate(ordered):
        cluster += _begins(ordered, index, better)
        above = sum(better.get((other, system), False) for other in ordered)
        below = sum(better.get((system, other), False) for other in ordered)
        place = 1 + sum(score > scores[system] for score in scores.values())
        found.append(Rank(system, scores[system], place, 1 + above, len(ordered) - below, cluster))
    return found


def _begins(ordered: Sequence[str], index: int, better: Mapping[tuple[str, str], bool]) -> bool:
    return all(better.get((above, below), False) for above in ordered[:index] for below in ordered[index:])
