"""The permutation test of two metrics: against all exchanges by hand, chance, undefined cases."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from scipy import stats

from rubrica.stats.correlation.metric_permutation import metric_permutations


def test_equal_to_all_exchanges() -> None:
    """With seven units all 128 exchanges can be tried; random ones come near the exact share."""
    generator = np.random.default_rng(6)
    people = generator.normal(size=7)
    one, other = people + generator.normal(scale=[[0.3], [2.0]], size=(2, 7))
    left, right = stats.zscore(one), stats.zscore(other)

    def difference(first: np.ndarray, second: np.ndarray) -> float:
        return abs(stats.pearsonr(people, first).statistic - stats.pearsonr(people, second).statistic)

    observed = difference(left, right)
    swaps = [np.array(signs) for signs in product((False, True), repeat=7)]
    exact = np.mean([difference(np.where(s, right, left), np.where(s, left, right)) >= observed - 1e-12 for s in swaps])
    (found,) = metric_permutations("pearson", people[None], one, other, 8_000, seed=1)
    assert found.value == pytest.approx(exact, abs=0.02)


def test_finds_a_difference_and_not_itself() -> None:
    """A metric against noise is found; against itself p is 1; the same for the same seed."""
    generator = np.random.default_rng(7)
    people = generator.normal(size=45)
    good, noise = people + 0.3 * generator.normal(size=45), generator.normal(size=45)
    for name in ("pearson", "spearman", "kendall"):
        (found,) = metric_permutations(name, people[None], good, noise, 49, seed=1)
        assert found.value == pytest.approx(0.02)
        assert metric_permutations(name, people[None], good, good, 49, seed=1)[0].value == pytest.approx(1.0)


def test_systems() -> None:
    """Scores of units are exchanged, and systems' means correlated."""
    generator = np.random.default_rng(8)
    systems = np.repeat(np.arange(6), 20)
    quality = generator.normal(size=6)
    good = quality[systems] + generator.normal(scale=0.1, size=120)
    noise = generator.normal(size=120)
    member = np.eye(6)[systems] / 20
    (found,) = metric_permutations("pearson", quality[None], good, noise, 199, 1, summed=lambda rows: rows @ member)
    assert found.value is not None
    assert found.value < 0.1


def test_undefined_has_a_reason() -> None:
    """A constant metric, or no permutations."""
    varied = np.arange(5.0)
    assert "does not vary" not in metric_permutations("pearson", varied[None], varied, varied[::-1], 9, 1)[0].reason
    assert "do not vary" in metric_permutations("pearson", varied[None], np.ones(5), varied, 9, 1)[0].reason
    assert "no permutations" in metric_permutations("pearson", varied[None], varied, varied, 0, 1)[0].reason
