"""Krippendorff's alpha against his own example, a derivation by hand, and Fleiss' kappa."""

from __future__ import annotations

import pytest

from rubrica.stats.agreement.fleiss_kappa import fleiss_kappa
from rubrica.stats.agreement.krippendorff_alpha import nominal_alpha
from rubrica.stats.agreement.units import units_of


def test_the_published_example_with_gaps() -> None:
    """Four observers, twelve units, gaps: the worked example of nominal data gives 0.743."""
    observers = [
        [1, 2, 3, 3, 2, 1, 4, 1, 2, None, None, None],
        [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, None, 3],
        [None, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, None],
        [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, None],
    ]
    units = units_of(list(zip(*observers, strict=True)), [1, 2, 3, 4, 5])
    assert nominal_alpha(units).value == pytest.approx(0.743, abs=5e-4)


def test_two_annotators_by_hand() -> None:
    """Ten units of two annotators on two categories, four of them in disagreement."""
    # Krippendorff's second example: 14 zeros and 6 ones among 20 values, 4 disagreeing units.
    # Observed: 4 units x 2 ordered pairs = 8. Expected: 2 x 14 x 6 / 19 = 168 / 19. Alpha = 1 - 8 x 19 / 168 = 0.095.
    units = {(2, 0): 5, (1, 1): 4, (0, 2): 1}
    assert nominal_alpha(units).value == pytest.approx(1 - 8 * 19 / 168)


@pytest.mark.parametrize("units", [{(3, 0): 90, (2, 1): 6, (1, 2): 3, (0, 3): 5}, {(2, 0): 7, (1, 1): 2, (0, 2): 4}])
def test_complete_data_are_kappa_and_a_little(units: dict[tuple[int, ...], int]) -> None:
    """For complete data alpha is kappa + (1 - kappa) / (number of values)."""
    kappa = fleiss_kappa(units).value
    assert kappa is not None
    values = sum(sum(counts) * times for counts, times in units.items())
    assert nominal_alpha(units).value == pytest.approx(kappa + (1 - kappa) / values)


def test_undefined_with_a_reason() -> None:
    """Without a pair, or with one category only, there is no alpha."""
    assert "two annotators" in nominal_alpha({(1, 0): 3}).reason
    assert "same category" in nominal_alpha({(3, 0): 3, (0, 1): 2}).reason
