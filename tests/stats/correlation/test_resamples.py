"""Resamples of correlations.

Signs of pairs under many weights: against comparing all pairs, and against scipy's tau-b.

Resamples of correlations: each equals scipy's on the units that were drawn.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pytest
from scipy import stats
from scipy.stats import kendalltau

from rubrica.stats import bootstrap
from rubrica.stats.correlation import resamples
from rubrica.stats.correlation.resamples import Real, pair_signs, resampled, resampled_systems

GENERATOR = np.random.default_rng(11)
MANY = 300
ROWS = {
    "no ties": GENERATOR.normal(size=MANY),
    "few levels": GENERATOR.integers(4, size=MANY).astype(float),
    "one level has most": np.where(GENERATOR.random(MANY) < 0.8, 0.5, GENERATOR.normal(size=MANY)),
    "constant": np.ones(MANY),
    "rounded": GENERATOR.normal(size=MANY).round(1),
}


def compared(one: Real, other: Real, times: Real) -> Real:
    """The definition: every unit with every other."""
    signs = np.sign(np.subtract.outer(one, one)) * np.sign(np.subtract.outer(other, other))
    return np.einsum("ri,ij,rj->r", times, signs, times)


@pytest.mark.parametrize("size", [None, 1, 7, MANY])
@pytest.mark.parametrize("first", ROWS)
def test_equal_to_all_pairs(first: str, size: int | None) -> None:
    """Whatever ties there are and however wide bands are, exactly."""
    times = GENERATOR.integers(4, size=(5, MANY)).astype(float)
    for other in ROWS.values():
        one = ROWS[first]
        assert pair_signs(one, other, size).weighed(times.T).tolist() == compared(one, other, times).tolist()


def test_equal_to_scipy() -> None:
    """With each unit once, the sum by the number of ordered pairs is tau-b of scores without ties."""
    one, other = ROWS["no ties"], ROWS["no ties"] + GENERATOR.normal(size=MANY)
    found = pair_signs(one, other).weighed(np.ones((MANY, 1)))[0] / (MANY * (MANY - 1))
    assert found == pytest.approx(kendalltau(one, other).statistic, abs=1e-14)


SCIPY = {"pearson": stats.pearsonr, "spearman": stats.spearmanr, "kendall": stats.kendalltau}
RESAMPLES_GENERATOR = np.random.default_rng(3)
SOURCES = np.repeat(np.arange(12), 3)
PEOPLE = RESAMPLES_GENERATOR.integers(1, 6, size=(2, 36)) / 2
METRICS = PEOPLE[[0, 1, 1]] + RESAMPLES_GENERATOR.normal(size=(3, 36))


def _draws(replicates: int, seed: int) -> npt.NDArray[np.float64]:
    """How often each unit came."""
    whole = bootstrap.resample(
        lambda weights: weights, np.ones(12), replicates, np.random.default_rng(seed), part_of=SOURCES
    )
    return whole.drawn


@pytest.mark.parametrize("name", SCIPY)
def test_equal_to_scipy_on_what_was_drawn(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Counts of draws give the coefficient of the units repeated as often; blocks and both ways of tau-b alike."""
    found, without = resampled(name, PEOPLE, METRICS, SOURCES, 20, seed=5)
    times = _draws(20, 5).astype(int)
    assert found.shape == (20, 2, 3)
    for number in (0, 7, 19):
        drawn = np.repeat(np.arange(36), times[number])
        for (row, column), value in np.ndenumerate(found[number]):
            wanted = SCIPY[name](PEOPLE[row][drawn], METRICS[column][drawn]).statistic
            assert value == pytest.approx(wanted, abs=1e-9)
    assert without.shape == (12, 2, 3)
    kept = SOURCES != 4
    assert without[4, 1, 2] == pytest.approx(SCIPY[name](PEOPLE[1][kept], METRICS[2][kept]).statistic, abs=1e-9)
    monkeypatch.setattr(resamples, "MATRIX", 10)
    monkeypatch.setattr(bootstrap, "BLOCK", 2000)
    assert resampled(name, PEOPLE, METRICS, SOURCES, 20, seed=5).drawn == pytest.approx(found, abs=1e-9)


def test_sources_bring_all_their_units() -> None:
    """Units of one source come equally often, and as many sources are drawn as there are."""
    times = _draws(50, 1).reshape(50, 12, 3)
    assert (times == times[:, :, :1]).all()
    assert (times[:, :, 0].sum(axis=1) == 12).all()


def test_a_side_that_does_not_vary_is_undefined() -> None:
    """Resamples of a constant have no coefficient."""
    for name in SCIPY:
        assert np.isnan(resampled(name, np.ones((1, 36)), METRICS, SOURCES, 5, seed=1).drawn).all()


@pytest.mark.parametrize("name", SCIPY)
def test_systems_and_sources_are_drawn(name: str) -> None:
    """Coefficients of systems' means over drawn sources, of drawn systems; without each of both, as scipy has them."""
    generator = np.random.default_rng(4)
    sums, counts = generator.normal(size=(2, 15, 12)) + np.arange(12) / 6, np.ones((15, 12))
    counts[3, 5] = sums[0, 3, 5] = sums[1, 3, 5] = 0
    found = resampled_systems(sums, counts, 200, seed=2)
    # A system that was drawn twice has the same mean twice, which sources drawn alone never give.
    assert found.drawn.shape == (2, 200, 12)
    assert any(len(set(row)) < 12 for row in found.drawn[0].tolist())
    drawn, left = found.of(name, 0, 1)
    assert drawn[7] == pytest.approx(SCIPY[name](*found.drawn[:, 7]).statistic, abs=1e-9)
    means = sums.sum(axis=1) / counts.sum(axis=0)
    systems = [SCIPY[name](*np.delete(means, out, axis=1)).statistic for out in range(12)]
    rest = [np.delete(sums, out, axis=1).sum(axis=1) / np.delete(counts, out, axis=0).sum(axis=0) for out in range(15)]
    sources = [SCIPY[name](*one).statistic for one in rest]
    expected = [*(sources - np.mean(sources)), *(systems - np.mean(systems))]
    assert left == pytest.approx(expected, abs=1e-9)


def test_a_system_without_a_source_leaves_the_resample_undefined() -> None:
    """A system that was rated on one source has no mean where that is not drawn."""
    counts = np.ones((10, 4))
    counts[1:, 2] = 0
    found = resampled_systems(np.random.default_rng(1).normal(size=(2, 10, 4)) * counts, counts, 300, seed=1)
    drawn, _ = found.of("pearson", 0, 1)
    # The source is missing from a resample with probability 0.9^10 = 0.35, and the system drawn with 1 - 0.75^4 = 0.68.
    assert 0.15 < np.isnan(drawn).mean() < 0.35
