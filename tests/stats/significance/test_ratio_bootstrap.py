"""Resampled shares and means: the draws replayed one by one, scipy's bootstrap, undefined cases."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import bootstrap as scipy_bootstrap

from rubrica.stats import bootstrap
from rubrica.stats.significance.ratio_bootstrap import ratio_intervals, ratio_resamples, ratios

ABOVE = np.array([[3.0, 1.0], [0.0, 1.0], [2.0, 0.0], [5.0, 0.0]])
BELOW = np.array([[4.0, 1.0], [1.0, 1.0], [2.0, 0.0], [7.0, 0.0]])


def test_ratio_of_sums() -> None:
    """(3 + 0 + 2 + 5) / (4 + 1 + 2 + 7) = 10 / 14; the other 2 / 2; nothing below the line is undefined."""
    first, second = ratios(ABOVE, BELOW)
    assert first.value == pytest.approx(10 / 14)
    assert second.value == 1
    assert ratios(np.zeros((2, 1)), np.zeros((2, 1)))[0].value is None


def test_resamples_are_sums_over_the_drawn_clusters(monkeypatch: pytest.MonkeyPatch) -> None:
    """Replaying the draws with the same generator and adding up rows gives the same ratios, in blocks or not."""
    whole = np.stack([one.drawn for one in ratio_resamples(ABOVE, BELOW, 50, seed=9)], axis=1)
    for row, times in zip(whole, next(bootstrap.draws(np.ones(4), 50, np.random.default_rng(9))), strict=True):
        drawn = np.repeat(np.arange(4), times.astype(int))
        below = BELOW[drawn].sum(axis=0)
        expected = [
            top / bottom if bottom else np.nan for top, bottom in zip(ABOVE[drawn].sum(axis=0), below, strict=True)
        ]
        assert row == pytest.approx(expected, nan_ok=True, abs=1e-12)
    monkeypatch.setattr(bootstrap, "BLOCK", 12)
    again = np.stack([one.drawn for one in ratio_resamples(ABOVE, BELOW, 50, seed=9)], axis=1)
    assert np.array_equal(again, whole, equal_nan=True)


def test_what_is_left_without_a_cluster() -> None:
    """Without the first: (0 + 2 + 5) / (1 + 2 + 7); clusters in which nothing is counted bear on nothing."""
    first, second = ratio_resamples(ABOVE, BELOW, 5, seed=0)
    assert first.left_out == pytest.approx([7 / 10, 10 / 13, 8 / 12, 5 / 7])
    assert second.left_out == pytest.approx([1, 1])
    assert (first.units, second.units) == (4, 2)


def test_interval_of_a_mean_is_that_of_scipy() -> None:
    """With one rating a cluster the interval is scipy's BCa interval, up to Student and the noise of resamples."""
    values = np.random.default_rng(1).normal(3, 1, 80)
    (found,) = ratio_intervals(values[:, None], np.ones((80, 1)), replicates=20_000, seed=0)
    expected = scipy_bootstrap(
        (values,), np.mean, n_resamples=20_000, method="BCa", rng=np.random.default_rng(5)
    ).confidence_interval
    assert found.low.value == pytest.approx(expected.low, abs=0.015)
    assert found.high.value == pytest.approx(expected.high, abs=0.015)
    assert found.defined == 20_000


def test_no_interval_without_enough_clusters() -> None:
    """Nine sources, or nine sources that count, have no interval, and the reason is said."""
    marks = np.arange(20.0)[:, None]
    (few,) = ratio_intervals(marks[:9], np.ones((9, 1)), replicates=10, seed=0)
    counted = (np.arange(20)[:, None] < 9).astype(float)
    (counting,) = ratio_intervals(marks * counted, counted, replicates=10, seed=0)
    (none,) = ratio_intervals(marks, np.ones((20, 1)), replicates=0, seed=0)
    assert few.low.reason == counting.low.reason == "an interval needs at least 10 sources"
    assert none.low.reason == "no resamples were asked for"


def test_sources_that_are_alike_have_no_interval() -> None:
    """Twelve right of twelve is no certainty: an interval from 1 to 1 would claim it."""
    (found,) = ratio_intervals(np.ones((12, 1)), np.ones((12, 1)), replicates=50, seed=0)
    assert found.low.value is found.high.value is None
    assert "all sources are alike" in found.low.reason
