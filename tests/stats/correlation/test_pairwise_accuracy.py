"""Pairwise accuracies of metrics.

Pairwise accuracy of systems, by hand.

Soft pairwise accuracy: by hand, against scipy's permutation test, undefined with a reason.

Pairwise accuracy with tie calibration: by hand, and against trying every threshold on every pair.
"""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from scipy.stats import permutation_test

from rubrica.stats.correlation import pairwise_accuracy as module
from rubrica.stats.correlation.pairwise_accuracy import (
    Real,
    better,
    pairwise_accuracy,
    soft_pairwise_accuracy,
    tie_calibrated_accuracy,
)


def test_by_hand() -> None:
    """People order a < b < c < d, the metric a < c = d < b: ab, ac and ad are in the same order, bc and bd are not.

    cd is tied by the metric only, which is wrong: 3 of 6.
    """
    found = pairwise_accuracy(np.array([1.0, 2, 3, 4]), np.array([10.0, 20, 15, 15]))
    assert found.accuracy.value == pytest.approx(3 / 6)
    assert found.pairs == 6


def test_undefined_for_one_system() -> None:
    """One system has nothing to be ordered with."""
    assert pairwise_accuracy(np.array([1.0]), np.array([1.0])).accuracy.reason == "there are no two systems to compare"


def test_by_hand_of_soft_pairwise_accuracy() -> None:
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


def tried(people: Real, metric: Real, groups: list[list[int]]) -> tuple[float, float]:
    """The definition, written out: the best mean accuracy of groups over all thresholds, the smallest first."""
    found = []
    apart = {abs(metric[i] - metric[j]) for group in groups for i, j in combinations(group, 2)}
    for epsilon in sorted({0.0} | apart):
        accuracies = []
        for group in groups:
            right = []
            for i, j in combinations(group, 2):
                human, score = people[i] - people[j], metric[i] - metric[j]
                score = 0.0 if abs(score) <= epsilon else score
                right.append(np.sign(human) == np.sign(score))
            accuracies.append(np.mean(right))
        found.append((float(np.mean(accuracies)), -epsilon))
    best = max(round(accuracy, 12) for accuracy, _ in found)
    return best, min(-epsilon for accuracy, epsilon in found if round(accuracy, 12) == best)


def test_by_hand_of_tie_calibrated_accuracy() -> None:
    """People 1, 1, 2 and a metric 0.1, 0.2, 0.9.

    Without a threshold the tie of the first two is missed: 2 of 3. With 0.1 it is found and nothing is lost: 3 of 3.
    """
    found = tie_calibrated_accuracy(np.array([1.0, 1, 2]), np.array([0.1, 0.2, 0.9]))
    assert found.accuracy.value == pytest.approx(1.0)
    assert found.epsilon.value == pytest.approx(0.1)
    assert (found.pairs, found.groups) == (3, 1)


@pytest.mark.parametrize("seed", range(4))
def test_equal_to_trying_every_threshold(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Over all pairs and within sources of uneven size, in blocks of any size."""
    monkeypatch.setattr(module, "BLOCK", 40)
    generator = np.random.default_rng(seed)
    people = generator.integers(1, 4, size=30).astype(float)
    metric = people + generator.normal(scale=1 + seed, size=30).round(1)
    groups = generator.integers(8, size=30)
    every = tie_calibrated_accuracy(people, metric)
    assert (every.accuracy.value, every.epsilon.value) == pytest.approx(tried(people, metric, [list(range(30))]))
    inside = [list(np.flatnonzero(groups == number)) for number in range(8)]
    inside = [group for group in inside if len(group) > 1]
    within = tie_calibrated_accuracy(people, metric, groups)
    assert (within.accuracy.value, within.epsilon.value) == pytest.approx(tried(people, metric, inside))
    assert within.groups == len(inside)


def test_undefined_has_a_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    """One unit, sources with one unit each, or more pairs than are looked at."""
    one = np.array([1.0, 2.0, 3.0])
    assert "no two units" in tie_calibrated_accuracy(one[:1], one[:1]).accuracy.reason
    assert "no two units" in tie_calibrated_accuracy(one, one, np.arange(3)).epsilon.reason
    monkeypatch.setattr(module, "MOST_PAIRS", 2)
    assert tie_calibrated_accuracy(one, one).accuracy.reason == "3 pairs are more than 2: take a sample of units"
