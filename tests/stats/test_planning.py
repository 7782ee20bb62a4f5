"""What a pilot tells of a larger study.

Variance components of a pilot: by hand, on simulated data of known variances, and where there are none.

Simulated studies: widths near the analytic ones, power near that of statsmodels, undefined parts.
"""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import t
from statsmodels.stats.power import TTestPower

from rubrica.stats.planning import Pilot, components, expected

Real = np.ndarray


def pilot(first: list[list[float]], second: list[list[float]] | None = None) -> Pilot:
    """Ratings as arrays."""
    return Pilot(*(tuple(np.array(one, dtype=float) for one in side) for side in (first, second or [])))


def simulated(texts: int, raters: int, *, between: float, gap: float, within: float, effect: float, seed: int) -> Pilot:
    """Ratings with these standard deviations; the difference of the systems from text to text has ``gap``."""
    generator = np.random.default_rng(seed)
    base = generator.normal(0, between, texts)
    shift = effect + generator.normal(0, gap, texts)
    sides = [base + shift / 2, base - shift / 2]
    return Pilot(*(tuple(mean + generator.normal(0, within, raters) for mean in side) for side in sides))


def test_by_hand() -> None:
    """Two texts, two ratings each, two systems."""
    found = components(pilot([[1, 3], [4, 4]], [[0, 2], [1, 3]]))
    # Squares around means: 1 + 1, 0, 1 + 1, 1 + 1 = 6, with four degrees of freedom.
    assert found.within.value == pytest.approx(6 / 4)
    # Means 2, 4 and 1, 2: squares around each system's mean 1 + 1 + .25 + .25 = 2.5, two degrees of freedom;
    # raters add 1.5 / 2 to each: 1.25 - 0.75.
    assert found.between.value == pytest.approx(0.5)
    # Differences 1 and 2: variance 0.5, less than the 1.5 x (1/2 + 1/2) that raters add, so 0.
    assert found.gap.value == 0
    assert found.difference.value == pytest.approx(1.5)


def test_texts_without_a_rating_are_left_out() -> None:
    """A text that one system has no rating of counts for the other's mean, not for the difference."""
    found = components(pilot([[1, 3], [5, 5], [2, 2]], [[0, 2], [], [1, 1]]))
    assert found.difference.value == pytest.approx((1 + 1) / 2)


def test_one_rating_each_says_nothing_about_raters() -> None:
    """The reason is said; the difference is still there."""
    found = components(pilot([[1], [2]], [[2], [2]]))
    assert found.within.value is found.between.value is found.gap.value is None
    assert "rated twice" in found.within.reason
    assert found.difference.value == -0.5


def test_one_system_has_no_difference() -> None:
    """Texts and raters are known, differences are not."""
    found = components(pilot([[1, 2], [3, 5]]))
    assert found.between.value is not None
    assert found.gap.value is None
    assert found.difference.value is None


def test_known_variances_are_found() -> None:
    """4,000 texts with three ratings: estimates within a few per cent of the truth."""
    found = components(simulated(4000, 3, between=0.8, gap=0.5, within=1.1, effect=0.3, seed=1))
    assert found.within.value == pytest.approx(1.1**2, rel=0.03)
    # A system's mean is the text's and half the shift: 0.8^2 + 0.5^2 / 4.
    assert found.between.value == pytest.approx(0.8**2 + 0.5**2 / 4, rel=0.06)
    # Observed differences vary by 0.25 + 2 x 1.21 / 3 = 1.06, estimated with an error of 1.06 x sqrt(2 / 4000) = 0.024.
    assert found.gap.value == pytest.approx(0.5**2, abs=3 * 0.024)
    assert found.difference.value == pytest.approx(0.3, abs=0.05)


@given(st.integers(0, 10_000))
@settings(max_examples=25, deadline=None)
def test_residuals_have_exactly_their_variance(seed: int) -> None:
    """What is drawn from has mean 0 and the variance that was estimated."""
    found = components(simulated(6, 3, between=1, gap=1, within=1, effect=0, seed=seed))
    for residuals, variance in (
        (found.within_residuals, found.within),
        (found.between_residuals, found.between),
        (found.gap_residuals, found.gap),
    ):
        assert residuals.mean() == pytest.approx(0, abs=1e-9)
        assert (residuals**2).mean() == pytest.approx(variance.value, abs=1e-9)


def test_ratings_that_are_all_alike_say_nothing() -> None:
    """Only threes: a width of 0 would be false certainty, so variances are undefined; the difference is 0."""
    found = components(pilot([[3, 3], [3, 3]], [[3, 3], [3, 3]]))
    assert {one.reason for one in (found.within, found.between, found.gap)} == {
        "all ratings of the pilot are alike, so that it cannot show what ratings vary by"
    }
    assert found.difference.value == 0


FOUND = components(simulated(3000, 3, between=0.8, gap=0.6, within=1.0, effect=0.25, seed=4))
WITHIN, BETWEEN, GAP = (FOUND.within.value, FOUND.between.value, FOUND.gap.value)


def width(variance: float, items: int) -> float:
    """The expected width: 2 t sigma / sqrt(n), times the bias c4 of a standard deviation of n normal values."""
    c4 = math.sqrt(2 / (items - 1)) * math.gamma(items / 2) / math.gamma((items - 1) / 2)
    return float(2 * t.ppf(0.975, items - 1) * math.sqrt(variance / items) * c4)


@pytest.mark.parametrize("items", [20, 60, 150])
@pytest.mark.parametrize("raters", [1, 3, 5])
def test_widths_are_the_analytic_ones(items: int, raters: int) -> None:
    """Normal data of known variances: between + within / k for a mean, gap + 2 within / k for a difference."""
    found = expected(FOUND, 0.25, items, raters, replicates=1500, alpha=0.05, seed=3)
    assert found.width_mean.value == pytest.approx(width(BETWEEN + WITHIN / raters, items), rel=0.015)
    assert found.width_difference.value == pytest.approx(width(GAP + 2 * WITHIN / raters, items), rel=0.015)


@pytest.mark.parametrize(("items", "raters"), [(40, 1), (80, 2), (120, 5)])
def test_power_is_that_of_the_t_test(items: int, raters: int) -> None:
    """As statsmodels has it for normal differences, up to the noise of 4,000 studies (less than 0.02)."""
    power = TTestPower()
    size = 0.25 / math.sqrt(GAP + 2 * WITHIN / raters)
    wanted = power.power(effect_size=size, nobs=items, alpha=0.05, alternative="two-sided")
    found = expected(FOUND, 0.25, items, raters, replicates=4000, alpha=0.05, seed=9)
    assert found.power.value == pytest.approx(float(wanted), abs=0.025)


def test_without_an_effect_the_test_keeps_its_level() -> None:
    """An effect of 0 is found in 5 % of the studies."""
    found = expected(FOUND, 0.0, 50, 2, replicates=4000, alpha=0.05, seed=0)
    assert found.power.value == pytest.approx(0.05, abs=0.012)


def test_more_is_better_and_seeded() -> None:
    """More items or raters make intervals narrower; the same seed gives the same numbers."""
    few, items, raters = (
        expected(FOUND, 0.25, *size, replicates=400, alpha=0.05, seed=1) for size in ((30, 1), (90, 1), (30, 5))
    )
    assert items.width_difference.value < few.width_difference.value
    assert raters.width_difference.value < few.width_difference.value
    assert few == expected(FOUND, 0.25, 30, 1, replicates=400, alpha=0.05, seed=1)


def test_what_a_pilot_does_not_say_is_undefined() -> None:
    """One system has widths of means only; one text has none; no rating twice has nothing."""
    alone = expected(components(pilot([[1, 2], [3, 5], [2, 2]])), None, 50, 2, replicates=50, alpha=0.05, seed=0)
    assert alone.width_mean.value is not None
    assert alone.width_difference.value is alone.power.value is None
    assert "two systems" in alone.power.reason
    assert expected(FOUND, 0.2, 1, 2, replicates=50, alpha=0.05, seed=0).width_mean.value is None
    single = components(Pilot((np.array([1.0]),), (np.array([2.0]),)))
    assert "rated twice" in expected(single, 0.2, 50, 2, replicates=50, alpha=0.05, seed=0).power.reason
