"""Percent agreement and its interval, derived by hand."""

from __future__ import annotations

import pytest

from rubrica.core.answers import NOT_APPLICABLE
from rubrica.core.pairwise import Agreement, percent_agreement, wilson


def test_agreement_counts_pairs_within_items() -> None:
    """Three answers a, a, b give one agreeing pair of three; two equal ones give one of one: 2 of 4 on two items."""
    assert percent_agreement([["a", "a", "b"], ["x", "x"]]) == Agreement(2, 4, 2)
    assert Agreement(2, 4, 2).share == 0.5


def test_single_answers_and_what_is_not_applicable_make_no_pair() -> None:
    """An item with one answer says nothing about agreement, and *not applicable* is no answer."""
    found = percent_agreement([[1], [1, NOT_APPLICABLE], []])
    assert found == Agreement(0, 0, 0)
    assert found.share is None
    assert found.interval is None


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
