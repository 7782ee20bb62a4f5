"""Distances between sets against Passonneau's examples and NLTK."""

from __future__ import annotations

import pytest
from nltk.metrics.distance import jaccard_distance, masi_distance

from rubrica.core.ratings import JACCARD, MASI
from rubrica.stats.agreement.distances import distances

SETS = [(), ("a",), ("a", "b"), ("b", "c"), ("a", "b", "c"), ("d",)]


def test_masi_by_hand() -> None:
    """Equal 0; subset 1 - J x 2/3; overlap 1 - J x 1/3; disjoint 1; two empty sets are equal."""
    table = distances(SETS, MASI)
    assert table[1, 2] == pytest.approx(1 - 1 / 2 * 2 / 3)
    assert table[2, 3] == pytest.approx(1 - 1 / 3 * 1 / 3)
    assert table[1, 5] == 1
    assert table[0, 1] == 1
    assert table.diagonal() == pytest.approx([0] * len(SETS))


def test_equal_nltk() -> None:
    """Jaccard exactly; MASI but for NLTK's rounding of 2/3 and 1/3 to two digits."""
    for i, one in enumerate(SETS[1:], start=1):
        for j, other in enumerate(SETS[1:], start=1):
            assert distances(SETS, JACCARD)[i, j] == pytest.approx(jaccard_distance(set(one), set(other)))
            assert distances(SETS, MASI)[i, j] == pytest.approx(masi_distance(set(one), set(other)), abs=0.004)


def test_other_levels_have_no_table() -> None:
    """Ordinal distances depend on the data."""
    with pytest.raises(ValueError, match="ordinal"):
        distances([1, 2], "ordinal")
