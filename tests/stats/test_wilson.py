"""Wilson's interval against published values."""

from __future__ import annotations

import pytest

from rubrica.stats.statistic import wilson


def test_wilson_interval_of_a_published_example() -> None:
    """81 of 263: 0.2553 to 0.3662 (Newcombe 1998, Statistics in Medicine 17, table I, method 3)."""
    low, high = wilson(81 / 263, 263)
    assert low == pytest.approx(0.2553, abs=5e-5)
    assert high == pytest.approx(0.3662, abs=5e-5)


def test_full_agreement_still_has_an_interval() -> None:
    """0 of 20 is 0 to 0.1611 (the same table), so 20 of 20 is 0.8389 to 1."""
    low, high = wilson(1.0, 20)
    assert low == pytest.approx(0.8389, abs=5e-5)
    assert high == 1.0
