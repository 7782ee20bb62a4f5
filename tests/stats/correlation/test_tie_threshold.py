"""The best threshold over all pairs: against sorting the distances of every pair, for ties and tails of all kinds."""

from __future__ import annotations

import numpy as np
import pytest

from rubrica.stats.correlation import tie_threshold as module
from rubrica.stats.correlation import tie_threshold as tie_window_module
from rubrica.stats.correlation.tie_threshold import Real, Threshold, best_threshold, tie_window

SHAPES = {
    "continuous": lambda scores: scores,
    "rounded": lambda scores: scores.round(1),
    "whole": np.round,
    "long tail": lambda scores: np.exp(2 * scores),
    "far off": lambda scores: np.where(np.arange(len(scores)) == 0, 1e9, scores),
    "many digits": lambda scores: scores / 10 + 1e6,
}


def tried(people: Real, metric: Real) -> Threshold:
    """Every pair, every threshold at which people tie: the most right, the smallest of those."""
    first, second = np.triu_indices(len(people), 1)
    human, score = people[first] - people[second], metric[first] - metric[second]
    apart = np.abs(score)
    found = [
        Threshold(int(((human == 0) & (apart <= one)).sum() + ((human * score > 0) & (apart > one)).sum()), float(one))
        for one in np.unique(np.concatenate([apart[human == 0], [0.0]]))
    ]
    return max(found, key=lambda one: (one.right, -one.epsilon))


@pytest.mark.parametrize("levels", [1, 2, 5, 1000])
@pytest.mark.parametrize("shape", SHAPES)
def test_equal_to_trying_all(shape: str, levels: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Exactly the same count and threshold, whether the window is narrowed or not, in blocks of any size."""
    monkeypatch.setattr(module, "BLOCK", 50)
    monkeypatch.setattr(tie_window_module, "BINS", 1 << 10)
    generator = np.random.default_rng(levels)
    for share in (0.0, 0.5, 5.0):
        people = generator.integers(levels, size=60) / 3
        metric = SHAPES[shape](np.minimum(share * people, 20) + generator.normal(size=60))
        wanted = tried(people, metric)
        for enough in (0, 100, 10_000):
            monkeypatch.setattr(module, "ENOUGH", enough)
            assert best_threshold(people, metric) == wanted


def test_the_window_leaves_out_most() -> None:
    """Three levels that a metric tells well apart: the best threshold is inside a small part of all distances."""
    generator = np.random.default_rng(2)
    people = np.sort(generator.integers(3, size=800))
    metric = people + 0.1 * generator.normal(size=800)
    order = np.argsort(metric)
    window = tie_window(people[order], metric[order])
    assert window.low <= best_threshold(people.astype(float), metric).epsilon <= window.high
    assert window.high - window.low < 0.2 * np.ptp(metric)
