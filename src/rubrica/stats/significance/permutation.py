"""The paired permutation test: could the difference between two systems be chance?

If two systems are equally good, each source's difference could as well have the other sign (Fisher, The Design of
Experiments, 1935, section 21; Good, Permutation, Parametric and Bootstrap Tests, 2005). With few differences all signs
are tried and the p-value is exact; with many, a seeded sample of them with one added to count and total, so that p is
never 0 (Phipson and Smyth, Statistical Applications in Genetics and Molecular Biology 9, 2010).
"""

from __future__ import annotations

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
