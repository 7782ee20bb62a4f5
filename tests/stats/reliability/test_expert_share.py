"""The Beta distribution of an expert's share: closed forms, scipy, undefined without judgements."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import beta

from rubrica.stats.reliability.expert_share import expert_share


def test_all_correct_in_closed_form() -> None:
    """Beta(n + 1, 1) has the distribution x^(n + 1): its 10th percentile is 0.1^(1 / 17) for 16 of 16."""
    found = expert_share(16, 16)
    assert found.mean.value == pytest.approx(17 / 18)
    assert found.above.value == pytest.approx(0.1 ** (1 / 17), abs=1e-12)
    assert found.below.value == pytest.approx(0.9 ** (1 / 17), abs=1e-12)


def test_none_correct_is_the_mirror_image() -> None:
    """Beta(1, n + 1): its 90th percentile is 1 - 0.1^(1 / 17)."""
    found = expert_share(0, 16)
    assert found.below.value == pytest.approx(1 - 0.1 ** (1 / 17), abs=1e-12)
    assert found.mean.value == pytest.approx(1 / 18)


@given(st.integers(1, 60).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))), st.floats(0.5, 0.99))
def test_bounds_are_those_of_scipy(counts: tuple[int, int], confidence: float) -> None:
    """For any counts and confidence."""
    correct, judged = counts
    found = expert_share(correct, judged, confidence)
    expected = beta(correct + 1, judged - correct + 1)
    assert found.above.value == pytest.approx(expected.ppf(1 - confidence), abs=1e-9)
    assert found.below.value == pytest.approx(expected.ppf(confidence), abs=1e-9)
    assert found.mean.value == pytest.approx(expected.mean(), abs=1e-12)


def test_density_by_hand() -> None:
    """1 of 2 is Beta(2, 2), whose density is 6 x (1 - x); it has a surface of 1."""
    shares = [step / 1000 for step in range(1001)]
    found = expert_share(1, 2).density(shares)
    assert found[250] == pytest.approx(6 * 0.25 * 0.75)
    assert math.fsum(found) / 1000 == pytest.approx(1, abs=1e-5)


def test_without_judgements_it_is_undefined() -> None:
    """A prior alone is no finding."""
    found = expert_share(0, 0)
    assert found.mean.value is None
    assert found.mean.reason == "no expert judged any"
    assert found.density([0.5]) == []
