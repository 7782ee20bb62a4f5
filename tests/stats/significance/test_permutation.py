"""The paired permutation test: exact by hand and by scipy, sampled near the exact value, seeded."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import permutation_test

from rubrica.stats.significance.permutation import EXACT, exact_p, sign_flips


def test_three_differences_by_hand() -> None:
    """Of the eight signs of 1, 2, 3 only two give a sum of 6 or -6."""
    assert exact_p(np.array([1.0, 2.0, 3.0])) == 2 / 8
    # Sums of ±1 ±2 ±2: 5, 1, 1, -3, 3, -1, -1, -5; observed 1 + 2 - 2 = 1, and all are at least 1 from 0.
    assert exact_p(np.array([1.0, 2.0, -2.0])) == 1


def test_no_difference_at_all_is_no_evidence() -> None:
    """When every difference is 0, p is 1."""
    (found,) = sign_flips(np.zeros((5, 1)), 100, 0)
    assert found.p.value == 1
    assert found.exact


@given(st.lists(st.integers(-4, 4), min_size=2, max_size=9))
@settings(max_examples=40, deadline=None)
def test_exact_p_is_that_of_scipy(values: list[int]) -> None:
    """All signs, zeros and ties included, as scipy counts them."""
    differences = np.array(values, dtype=float)
    expected = permutation_test(
        (differences,), lambda x, axis: np.sum(x, axis=axis), permutation_type="samples", n_resamples=np.inf
    ).pvalue
    assert exact_p(differences) == pytest.approx(float(expected), abs=1e-12)


def test_sampled_p_is_near_the_exact_one() -> None:
    """With more differences than are tried exactly, a sample of signs; the same for the same seed."""
    differences = np.random.default_rng(3).normal(0.4, 1, (EXACT + 4, 2))
    first, again = (sign_flips(differences, 20_000, 5) for _ in range(2))
    assert first == again
    for column, found in enumerate(first):
        assert not found.exact
        assert found.p.value == pytest.approx(exact_p(differences[:, column]), abs=0.015)


def test_a_sampled_p_is_never_zero() -> None:
    """One is added to count and total."""
    (found,) = sign_flips(np.ones((60, 1)), 99, 0)
    assert found.p.value == 1 / 100


def test_without_permutations_there_is_no_p() -> None:
    """The reason is said."""
    (found,) = sign_flips(np.ones((60, 1)), 0, 0)
    assert found.p.value is None
    assert "permutations" in found.p.reason
