"""Holm's correction against statsmodels, by hand, and with tests that have no p-value."""

from __future__ import annotations

import numpy as np
import pytest
from statsmodels.stats.multitest import multipletests

from rubrica.stats.significance.holm import holm
from rubrica.stats.statistic import Statistic


def test_by_hand() -> None:
    """0.01, 0.04, 0.03: 3 x 0.01 = 0.03, then 2 x 0.03 = 0.06, then 1 x 0.04, raised to 0.06."""
    found = holm([Statistic(0.01), Statistic(0.04), Statistic(0.03)])
    assert [one.value for one in found] == pytest.approx([0.03, 0.06, 0.06])


def test_a_test_without_a_value_does_not_count() -> None:
    """It keeps its reason, and the others are corrected as if it were not there."""
    nothing = Statistic(None, "no pair")
    found = holm([Statistic(0.02), nothing, Statistic(0.5)])
    assert found == [Statistic(0.04), nothing, Statistic(0.5)]
    assert holm([]) == []


@pytest.mark.parametrize("number", [1, 2, 5, 12, 200])
def test_as_statsmodels_has_it(number: int) -> None:
    """Adjusted p-values of any list, ties, zeros and ones included."""
    values = np.random.default_rng(number).random(number).round(2)
    values[:1] = 0.0
    expected = multipletests(values, method="holm")[1]
    found = [one.value for one in holm([Statistic(float(value)) for value in values])]
    assert found == pytest.approx(list(expected), abs=1e-12)
