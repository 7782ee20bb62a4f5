"""Answers as arrays."""

from __future__ import annotations

import numpy as np
import pytest

from rubrica.core.answers import NOT_APPLICABLE
from rubrica.core.ratings import CHOICE, NOMINAL, ORDINAL, SCALE, Criterion, Rating
from rubrica.stats.coded import coded, from_matrix, from_triples

LABELS = Criterion("q", "q", SCALE, ORDINAL, ("poor", "fair", "good"), "good")


def _rating(unit: str, rater: str, answer: object) -> Rating:
    return Rating(unit, rater, {} if answer is None else {"q": answer})  # type: ignore[dict-item]


def test_missing_and_not_applicable_are_left_out() -> None:
    """Nothing is stored for an answer that was not given."""
    given = [_rating("1", "a", "good"), _rating("1", "b", None), _rating("2", "a", NOT_APPLICABLE)]
    found = coded(given, LABELS)
    assert (found.units, found.raters, found.values) == (("1",), ("a",), ("good",))


def test_labels_keep_the_order_of_their_scale() -> None:
    """Labels of a scale are in its order, those of no scale in the alphabet's; answers are sorted by unit."""
    given = [_rating("1", "a", "poor"), _rating("2", "a", "good"), _rating("1", "b", "good")]
    found = coded(given, LABELS)
    assert found.values == ("poor", "good")
    assert found.unit.tolist() == [0, 0, 1]
    assert found.scores(ORDINAL).tolist() == [0, 1]
    assert coded(given, Criterion("q", "q", CHOICE, NOMINAL)).values == ("good", "poor")
    with pytest.raises(TypeError, match="not numbers"):
        _ = found.numbers


@pytest.mark.parametrize("table", [[[1, 5], [np.nan, 2]], [[0.5, -3.25], [1e9, np.nan]], [[np.nan, np.nan]]])
def test_tables_come_back(table: list[list[float]]) -> None:
    """A table is the same after coding, whole numbers and others."""
    assert np.array_equal(from_matrix(np.array(table)).matrix(), np.array(table, dtype=float), equal_nan=True)


def test_values_that_nobody_chose() -> None:
    """Possible values can be added, if they hold all that were chosen."""
    found = from_triples([("1", "a", 2), ("1", "b", 4)], (2, 4))
    wide = found.widened((1, 2, 3, 4, 5))
    assert wide.values == (1, 2, 3, 4, 5)
    assert wide.code.tolist() == [1, 3]
    assert found.widened((1, 2, 3)) is found
