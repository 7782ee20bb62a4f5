"""Whether systems differ.

The paired permutation test: exact by hand and by scipy, sampled near the exact value, seeded.

Holm's correction against statsmodels, by hand, and with tests that have no p-value.

Benjamini and Hochberg's correction against SciPy.

Ranks and clusters, derived by hand.
"""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import false_discovery_control, permutation_test
from statsmodels.stats.multitest import multipletests

from rubrica.stats.significance import EXACT, Rank, benjamini_hochberg, exact_p, holm, ranks, sign_flips
from rubrica.stats.statistic import Statistic


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


def test_by_hand_of_benjamini_hochberg() -> None:
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


def test_a_cluster_ends_where_all_above_beat_all_below() -> None:
    """b is not told apart from a, nor from c: one cluster of three; d loses to all, so it is a second."""
    better = {("a", "c"): True, ("a", "d"): True, ("b", "d"): True, ("c", "d"): True}
    found = ranks({"d": 1.0, "b": 3.0, "a": 4.0, "c": 2.0}, better)
    assert found == [
        Rank("a", 4.0, 1, 1, 2, 1),  # better than c and d: at worst second
        Rank("b", 3.0, 2, 1, 3, 1),  # better than d only
        Rank("c", 2.0, 3, 2, 3, 1),  # a is better: at best second
        Rank("d", 1.0, 4, 4, 4, 2),
    ]


def test_equal_scores_share_a_place() -> None:
    """Two systems with the same score have the same place and cluster."""
    assert [(one.system, one.place, one.cluster) for one in ranks({"a": 1.0, "b": 1.0, "c": 0.5}, {})] == [
        ("a", 1, 1),
        ("b", 1, 1),
        ("c", 3, 1),
    ]


def test_systems_that_all_differ_are_clusters_of_one() -> None:
    """Each boundary is a boundary of clusters."""
    better = {("a", "b"): True, ("a", "c"): True, ("b", "c"): True}
    assert [one.cluster for one in ranks({"a": 3.0, "b": 2.0, "c": 1.0}, better)] == [1, 2, 3]
