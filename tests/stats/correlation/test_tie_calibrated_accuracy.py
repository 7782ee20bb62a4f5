"""Pairwise accuracy with tie calibration: by hand, and against trying every threshold on every pair."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from rubrica.stats.correlation import tie_calibrated_accuracy as module
from rubrica.stats.correlation.tie_calibrated_accuracy import Real, tie_calibrated_accuracy


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


def test_by_hand() -> None:
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
