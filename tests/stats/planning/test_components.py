"""Variance components of a pilot: by hand, on simulated data of known variances, and where there are none."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rubrica.stats.planning.components import Pilot, components

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
