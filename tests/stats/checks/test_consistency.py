"""Agreement of raters with themselves, by kind of question, counted by hand."""

import pytest

from rubrica.core.ratings import CHOICES, JACCARD, MASI, NOMINAL, ORDINAL, SCALE, YES_NO, Criterion
from rubrica.stats.checks.consistency import consistency

POINTS = Criterion("p", "p", SCALE, ORDINAL, (1, 2, 3, 4, 5), 5)


def test_points_of_a_scale() -> None:
    """Of 3-3, 4-5, 1-4, 2-2: half the same, three within one, distances 0 + 1 + 3 + 0 by 4."""
    found = consistency([(3, 3), (4, 5), (1, 4), (2, 2)], POINTS)
    assert (found.pairs, found.same, found.value.value) == (4, 2, 0.5)
    assert (found.within_one.value, found.difference.value) == (0.75, 1.0)


def test_yes_or_no_has_no_distance() -> None:
    """Only the share of the same answers; how far yes is from no has no answer."""
    found = consistency([("yes", "no"), ("no", "no")], Criterion("y", "y", YES_NO, NOMINAL, ("no", "yes")))
    assert found.value.value == 0.5
    assert found.difference.value is None


@pytest.mark.parametrize(("level", "expected"), [(JACCARD, (1 + 1 / 2 + 0) / 3), (MASI, (1 + 1 / 2 * 2 / 3 + 0) / 3)])
def test_sets_are_compared_part_by_part(level: str, expected: float) -> None:
    """{a, b} in another order is the same; {a, b} and {a} share 1/2 (MASI: two thirds of it); {a} and {c} nothing."""
    pairs = [(("a", "b"), ("b", "a")), (("a", "b"), ("a",)), (("a",), ("c",))]
    found = consistency(pairs, Criterion("s", "s", CHOICES, level, ("a", "b", "c")))
    assert found.same == 1
    assert found.value.value == pytest.approx(expected, abs=1e-12)


def test_labels_of_a_scale_are_apart_by_their_places() -> None:
    """low, middle, high: from low to high it is two points."""
    words = Criterion("w", "w", SCALE, ORDINAL, ("low", "middle", "high"), "high")
    assert consistency([("low", "high"), ("low", "middle")], words).difference.value == 1.5


def test_nothing_seen_twice() -> None:
    """Undefined, with the reason."""
    assert consistency([], POINTS).value.reason == "no unit was seen twice"
