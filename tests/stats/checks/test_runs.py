"""Runs by chance, against every order there is."""

from itertools import groupby, permutations
from math import comb

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rubrica.stats.checks.runs import run_by_chance


def share_of_orders(answers: list[str], length: int) -> float:
    """The share of all different orders that have such a run, by trying them."""
    orders = list(set(permutations(answers)))
    hits = sum(max(len(list(run)) for _, run in groupby(order)) >= length for order in orders)
    return hits / len(orders)


def test_exact_where_only_one_run_has_room() -> None:
    """Of 5 a and 3 b, a run of 5 a has 4 places among comb(8, 3) = 56 orders: 4 / 56."""
    found = run_by_chance(list("aaaaabbb"), 5).value
    assert found == pytest.approx(4 / comb(8, 3), abs=1e-12)
    assert found == pytest.approx(share_of_orders(list("aaaaabbb"), 5), abs=1e-12)


@settings(max_examples=30, deadline=None)
@given(st.lists(st.sampled_from("abc"), min_size=2, max_size=7), st.integers(2, 6))
def test_never_below_the_exact_share(answers: list[str], length: int) -> None:
    """The bound is at least the exact share, and equal to it for runs longer than half of the sequence."""
    found = run_by_chance(answers, length).value
    if len(set(answers)) < 2:
        assert found is None
        return
    exact = share_of_orders(answers, length)
    assert found is not None
    assert found >= exact - 1e-12
    if 2 * length > len(answers):
        assert found == pytest.approx(exact, abs=1e-12)


def test_without_a_choice_there_is_no_chance() -> None:
    """Who always answers the same has only one order."""
    assert run_by_chance(["a"] * 20, 20).reason == "always the same answer"
    assert run_by_chance([], 0).reason == "no answer"
