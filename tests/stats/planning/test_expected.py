"""Simulated studies: widths near the analytic ones, power near that of statsmodels, undefined parts."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.stats import t
from statsmodels.stats.power import TTestPower

from rubrica.stats.planning.components import Pilot, components
from rubrica.stats.planning.expected import expected
from tests.stats.planning.test_components import pilot, simulated

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
