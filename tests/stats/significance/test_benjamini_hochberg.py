"""Benjamini and Hochberg's correction against SciPy."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import false_discovery_control

from rubrica.stats.significance.benjamini_hochberg import benjamini_hochberg
from rubrica.stats.statistic import Statistic


def test_by_hand() -> None:
    """Of .01, .04, .03 the largest stays, .03 x 3 / 2 = .045 is above it, .01 x 3 = .03."""
    found = benjamini_hochberg([Statistic(0.01), Statistic(0.04), Statistic(0.03)])
    assert [one.value for one in found] == pytest.approx([0.03, 0.04, 0.04])


@given(st.lists(st.floats(0, 1), min_size=1, max_size=30))
def test_same_as_scipy(values: list[float]) -> None:
    """Whatever the p-values."""
    found = benjamini_hochberg([Statistic(value) for value in values])
    assert [one.value for one in found] == pytest.approx(false_discovery_control(values).tolist(), abs=1e-12)


def test_undefined_tests_do_not_count() -> None:
    """A test that could not be made keeps its reason."""
    found = benjamini_hochberg([Statistic(0.02), Statistic(None, "too few"), Statistic(0.5)])
    assert found[1] == Statistic(None, "too few")
    assert found[0].value == pytest.approx(0.04)
