"""Resampled shares and means: the draws replayed one by one, scipy's bootstrap, undefined cases."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import bootstrap

from rubrica.stats.significance import ratio_bootstrap
from rubrica.stats.significance.paired_bootstrap import paired_bootstrap
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
    """Replaying the draws with the same generator and adding up rows gives the same ratios, in chunks or not."""
    whole = ratio_resamples(ABOVE, BELOW, 50, seed=9)
    generator = np.random.default_rng(9)
    for row in whole:
        drawn = generator.integers(4, size=4)
        below = BELOW[drawn].sum(axis=0)
        expected = [
            top / bottom if bottom else np.nan for top, bottom in zip(ABOVE[drawn].sum(axis=0), below, strict=True)
        ]
        assert row == pytest.approx(expected, nan_ok=True, abs=1e-12)
    monkeypatch.setattr(ratio_bootstrap, "CHUNK", 12)
    assert np.array_equal(ratio_resamples(ABOVE, BELOW, 50, seed=9), whole, equal_nan=True)


def test_interval_of_a_mean_is_that_of_scipy() -> None:
    """With one rating a cluster the interval is scipy's percentile interval, up to the noise of 20,000 resamples."""
    values = np.random.default_rng(1).normal(3, 1, 80)
    (found,) = ratio_intervals(values[:, None], np.ones((80, 1)), replicates=20_000, seed=0)
    expected = bootstrap(
        (values,), np.mean, n_resamples=20_000, method="percentile", rng=np.random.default_rng(5)
    ).confidence_interval
    assert found.low.value == pytest.approx(expected.low, abs=0.01)
    assert found.high.value == pytest.approx(expected.high, abs=0.01)
    assert found.defined == 20_000


def test_no_interval_without_two_clusters() -> None:
    """One source, or one source that counts, has no interval, and the reason is said."""
    (one,) = ratio_intervals(np.ones((1, 1)), np.ones((1, 1)), replicates=10, seed=0)
    (counting,) = ratio_intervals(np.array([[1.0], [0.0]]), np.array([[1.0], [0.0]]), replicates=10, seed=0)
    (none,) = ratio_intervals(np.ones((3, 1)), np.ones((3, 1)), replicates=0, seed=0)
    assert one.low.reason == counting.low.reason == "an interval needs at least two sources"
    assert none.low.reason == "no resamples were asked for"


def test_sources_that_are_alike_have_no_interval() -> None:
    """Nine right of nine is no certainty: an interval from 1 to 1 would claim it."""
    (found,) = ratio_intervals(np.ones((9, 1)), np.ones((9, 1)), replicates=50, seed=0)
    assert found.low.value is found.high.value is None
    assert "all sources are alike" in found.low.reason


def test_paired_bootstrap_by_hand() -> None:
    """Of nine resamples two are not above 0: 2 x (2 + 1) / (9 + 1); never above 1, undefined without any."""
    found = np.array([-1.0, 0.0, 1, 2, 3, 4, 5, 6, 7])
    assert paired_bootstrap(found).value == pytest.approx(0.6)
    assert paired_bootstrap(np.zeros(9)).value == 1
    assert paired_bootstrap(np.append(found, np.nan)).value == pytest.approx(0.6)
    assert paired_bootstrap(np.full(3, np.nan)).value is None
