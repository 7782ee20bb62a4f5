"""Resamples of correlations: each equals scipy's on the units that were drawn."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from rubrica.stats.correlation import resamples
from rubrica.stats.correlation.resamples import draws, resampled

SCIPY = {"pearson": stats.pearsonr, "spearman": stats.spearmanr, "kendall": stats.kendalltau}
GENERATOR = np.random.default_rng(3)
SOURCES = np.repeat(np.arange(12), 3)
PEOPLE = GENERATOR.integers(1, 6, size=(2, 36)) / 2
METRICS = PEOPLE[[0, 1, 1]] + GENERATOR.normal(size=(3, 36))


@pytest.mark.parametrize("name", SCIPY)
def test_equal_to_scipy_on_what_was_drawn(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Counts of draws give the coefficient of the units repeated as often; blocks and both ways of tau-b alike."""
    found = resampled(name, PEOPLE, METRICS, SOURCES, 20, seed=5)
    times = np.concatenate(list(draws(SOURCES, 20, 5))).astype(int)
    assert found.shape == (20, 2, 3)
    for number in (0, 7, 19):
        drawn = np.repeat(np.arange(36), times[number])
        for (row, column), value in np.ndenumerate(found[number]):
            wanted = SCIPY[name](PEOPLE[row][drawn], METRICS[column][drawn]).statistic
            assert value == pytest.approx(wanted, abs=1e-9)
    monkeypatch.setattr(resamples, "MATRIX", 10)
    monkeypatch.setattr(resamples, "CELLS", 500)
    assert resampled(name, PEOPLE, METRICS, SOURCES, 20, seed=5) == pytest.approx(found, abs=1e-9)


def test_sources_bring_all_their_units() -> None:
    """Units of one source come equally often, and as many sources are drawn as there are."""
    times = np.concatenate(list(draws(SOURCES, 50, 1))).reshape(50, 12, 3)
    assert (times == times[:, :, :1]).all()
    assert (times[:, :, 0].sum(axis=1) == 12).all()


def test_a_side_that_does_not_vary_is_undefined() -> None:
    """Resamples of a constant have no coefficient."""
    for name in SCIPY:
        assert np.isnan(resampled(name, np.ones((1, 36)), METRICS, SOURCES, 5, seed=1)).all()
