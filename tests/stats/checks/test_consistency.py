"""Agreement of raters with themselves, by kind of question, counted by hand."""

import pytest

from rubrica.core.ratings import CHOICES, INTERVAL, JACCARD, MASI, NOMINAL, ORDINAL, SCALE, YES_NO, Criterion
from rubrica.core.scales import Choice, Choices, Ordinal, Point, Slider
from rubrica.core.texts import plain
from rubrica.stats.checks.consistency import consistency

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
