"""Soft pairwise accuracy: by hand, against scipy's permutation test, undefined with a reason."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import permutation_test

from rubrica.stats.correlation.soft_pairwise_accuracy import better, soft_pairwise_accuracy


def test_by_hand() -> None:
    """Two sources, two systems: people differ by 1 and 1, the metric by 1 and -1.

    Signs of people's differences give sums 2, 0, 0, -2: the observed 2 is reached by one of four, which counts half:
    p = 1/8. The metric's sum is 0: one of four is above, two are equal: p = (1 + 2/2) / 4 = 1/2. So 1 - 3/8.
    """
    people, metric = np.array([[2.0, 1], [3, 2]]), np.array([[1.0, 0], [0, 1]])
    found = soft_pairwise_accuracy(people, metric, 200_000, seed=1)
    assert found.accuracy.value == pytest.approx(1 - 3 / 8, abs=0.01)
    assert found.pairs == 1


def test_equal_to_scipy() -> None:
    """One-sided p-values are those of scipy's paired test, up to chance and to the tie of the observed order."""
    generator = np.random.default_rng(4)
    scores = generator.normal(loc=[0.0, 0.3], size=(30, 2))
    wanted = permutation_test(
        (scores[:, 0], scores[:, 1]),
        lambda x, y, axis: np.mean(x - y, axis=axis),
        permutation_type="samples",
        alternative="greater",
        vectorized=True,
        n_resamples=20_000,
        rng=1,
    ).pvalue
    assert better((scores[:, 0] - scores[:, 1])[:, None], 20_000, 2)[0] == pytest.approx(wanted, abs=0.01)


def test_order_of_systems_does_not_matter() -> None:
    """Ties count half, so that the reverse of a pair has the p-value 1 - p."""
    generator = np.random.default_rng(5)
    people, metric = generator.integers(1, 4, size=(2, 12, 4)).astype(float)
    one = soft_pairwise_accuracy(people, metric, 20_000, 1).accuracy.value
    reverse = soft_pairwise_accuracy(people[:, ::-1], metric[:, ::-1], 20_000, 1).accuracy.value
    assert one == pytest.approx(reverse, abs=0.02)
    assert soft_pairwise_accuracy(people, people, 100, 1).accuracy.value == pytest.approx(1.0)


def test_missing_scores_and_undefined() -> None:
    """Pairs use the sources that both systems have; without any, or with one system, there is a reason."""
    people = np.array([[1.0, 2, np.nan], [2, 1, np.nan], [np.nan, np.nan, 3]])
    found = soft_pairwise_accuracy(people, people, 50, 1)
    assert (found.accuracy.value, found.pairs) == (pytest.approx(1.0), 1)
    assert "same source" in soft_pairwise_accuracy(people[:, 1:], people[:, 1:], 50, 1).accuracy.reason
    assert "no two systems" in soft_pairwise_accuracy(people[:, :1], people[:, :1], 50, 1).accuracy.reason
    assert "no permutations" in soft_pairwise_accuracy(people, people, 0, 1).accuracy.reason
