"""What can be told of a rater without the others.

What can be told of one rater alone: tails against SciPy's distributions, reading times by hand.

Runs by chance, against every order there is.

Agreement of raters with themselves, by kind of question, counted by hand.
"""

from itertools import groupby, permutations
from math import comb

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.integrate import dblquad
from scipy.stats import binom, norm

from rubrica.core.ratings import CHOICES, INTERVAL, JACCARD, MASI, NOMINAL, ORDINAL, SCALE, YES_NO, Criterion
from rubrica.core.scales import Choice, Choices, Ordinal, Point, Slider
from rubrica.core.texts import plain
from rubrica.stats.checks import alone
from rubrica.stats.checks.alone import (
    Given,
    consistency,
    fewer_than,
    least_seconds,
    more_than,
    one_answer,
    run_by_chance,
    words,
)


def test_shares_are_held_against_the_binomial() -> None:
    """6 or more of 10 where 0.2 are usual, 2 or fewer of 8 where 0.8 are: SciPy's tails; parts are rounded up."""
    assert more_than(6, 10, 0.2) == pytest.approx(binom.sf(5, 10, 0.2))
    assert fewer_than(2, 8, 0.8) == pytest.approx(binom.cdf(2, 8, 0.8))
    assert fewer_than(1.5, 8, 0.8) == pytest.approx(binom.cdf(2, 8, 0.8))
    assert more_than(0, 10, 0.2) == 1


def test_one_answer_is_the_mean_over_what_questions_and_raters_are_like() -> None:
    """Without others: the integral of the binomial tail over two normal variables, by SciPy's quadrature."""

    def tail(lenient: float, like: float) -> float:
        share = norm.cdf(like + alone.LENIENCY * lenient)
        chance = binom.sf(27, 30, share)
        return float(chance * norm.pdf(lenient) * norm.pdf(like, alone.ONE_QUESTION, alone.BETWEEN))

    expected, _ = dblquad(tail, -2, 4, -4, 4)
    assert one_answer(Given(28, 30), []) == pytest.approx(expected, rel=0.02)


def test_what_others_do_is_taken_in() -> None:
    """40 of 40 is nothing where others do the same, and unheard of where they do it half of the time."""
    same, half = [Given(39, 40)] * 2, [Given(20, 40)] * 2
    assert one_answer(Given(40, 40), same) > 0.1
    assert one_answer(Given(40, 40), half) < 0.002
    assert one_answer(Given(260, 260), []) < 0.001
    assert one_answer(Given(0, 40), half) == pytest.approx(1)


@pytest.mark.parametrize("share", [0.5, 0.7, 0.849])
def test_careful_raters_are_seldom_called_unusual(share: float) -> None:
    """Alone, with answers of one kind as often as the paper's systems and people have them: fewer than 1 in 100."""
    generator = np.random.default_rng(3)
    like = norm.ppf(share) * np.sqrt(1 + 0.3**2)
    raters = norm.cdf(like + 0.3 * generator.standard_normal(3000))
    times = generator.binomial(60, raters)
    most = next(number for number in range(61) if one_answer(Given(number, 60), []) < 0.01)
    assert np.mean(times >= most) < 0.01


def test_reading_takes_time() -> None:
    """Twenty words at ten a second and two questions at half a second: three seconds. Two kana are a word."""
    assert least_seconds(["one two three four five"] * 4, 2) == pytest.approx(3.0)
    assert words("きょうは晴れ OK") == pytest.approx(4.0)
    assert words("") == 0


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


POINTS = Criterion("p", "p", SCALE, ORDINAL, (1, 2, 3, 4, 5), 5)


def scale(points: int) -> Ordinal:
    """A scale from 1 on."""
    return Ordinal(tuple(Point(value, plain(str(value))) for value in range(1, points + 1)))


def test_within_one_of_five_points_is_consistent() -> None:
    """Of 3-3, 4-5, 1-4, 2-2: half the same, three the same or near, distances 0 + 1 + 3 + 0 by 4."""
    found = consistency([(3, 3), (4, 5), (1, 4), (2, 2)], POINTS, scale(5))
    assert (found.pairs, found.same, found.consistent, found.value.value) == (4, 2, 3, 0.75)
    assert found.difference.value == 1.0


def test_on_three_points_the_next_one_is_another_answer() -> None:
    """2 out of 3 is another opinion than 3."""
    found = consistency([(3, 3), (3, 2)], Criterion("p", "p", SCALE, ORDINAL, (1, 2, 3), 3), scale(3))
    assert (found.consistent, found.value.value) == (1, 0.5)


def test_within_a_tenth_of_a_slider_is_consistent() -> None:
    """From 0 to 100: 60 and 70 are, 60 and 71 are not."""
    slider = Criterion("s", "s", SCALE, INTERVAL)
    assert consistency([(60, 70), (60, 71)], slider, Slider(0, 100, 1)).consistent == 1


def test_yes_or_no_has_no_distance() -> None:
    """Only the share of the same answers; how far yes is from no has no answer."""
    found = consistency([("yes", "no"), ("no", "no")], Criterion("y", "y", YES_NO, NOMINAL, ("no", "yes")), Choice(()))
    assert found.value.value == 0.5
    assert found.difference.value is None


@pytest.mark.parametrize(("level", "expected"), [(JACCARD, (1 + 1 / 2 + 0) / 3), (MASI, (1 + 1 / 2 * 2 / 3 + 0) / 3)])
def test_sets_are_compared_part_by_part(level: str, expected: float) -> None:
    """{a, b} in another order is the same; {a, b} and {a} share 1/2 (MASI: two thirds of it); {a} and {c} nothing."""
    pairs = [(("a", "b"), ("b", "a")), (("a", "b"), ("a",)), (("a",), ("c",))]
    found = consistency(pairs, Criterion("s", "s", CHOICES, level, ("a", "b", "c")), Choices((), 0, 3))
    assert found.same == 1
    assert found.value.value == pytest.approx(expected, abs=1e-12)


def test_labels_of_a_scale_are_apart_by_their_places() -> None:
    """low, middle, high: from low to high it is two points."""
    words = Criterion("w", "w", SCALE, ORDINAL, ("low", "middle", "high"), "high")
    found = consistency([("low", "high"), ("low", "middle")], words, Choice(()))
    assert (found.difference.value, found.consistent) == (1.5, 0)
    five = Criterion("w", "w", SCALE, ORDINAL, ("none", "low", "middle", "high", "all"), "all")
    assert consistency([("low", "high"), ("low", "middle")], five, Choice(())).consistent == 1


def test_nothing_seen_twice() -> None:
    """Undefined, with the reason."""
    assert consistency([], POINTS, scale(5)).value.reason == "no unit was seen twice"
