"""Matching the edits of two annotators, by hand."""

from __future__ import annotations

import pytest

from rubrica.edits.annotated import whole_edits
from rubrica.edits.matching import count, match
from tests.edits.pairs import edit


def test_best_overlap_first_and_each_edit_once() -> None:
    """Equal spans match fully; a longer one by its shared characters; another operation never."""
    one = whole_edits(
        (
            edit("1", "deletion", "and it"),
            edit("2", "substitution", "ferry", "boat"),
            edit("3", "deletion", "sank."),
            edit("4", "insertion", (), "fast."),
        )
    )
    other = whole_edits(
        (
            edit("a", "deletion", "it sank."),
            edit("b", "substitution", "ferry departed", "boat"),
            edit("c", "insertion", (), "fast."),
            edit("d", "reorder", "and it", (), texts=("The ferry departed at noon and it sank.", "")),
        )
    )
    found = {(pair.one.edit.id, pair.other.edit.id): pair.overlap for pair in match(one, other, 0.5)}
    # "sank." is 5 of the 8 characters of "it sank."; "ferry" + "boat" are 9 of the 18 of "ferry departed" + "boat".
    assert found == {("4", "c"): 1.0, ("3", "a"): pytest.approx(5 / 8), ("2", "b"): pytest.approx(9 / 18)}
    # "and it" shares only "it", 2 of 12 characters, with a, which is taken anyway.
    counted = count(one, other, match(one, other, 0.5))
    assert counted == (8, 2, 6)
    assert count(one, other, match(one, other, 0.6)) == (8, 2, 4)


def test_nothing_matches_nothing() -> None:
    """Two annotations without edits have nothing to match, and edits without words match none."""
    assert count([], [], match([], [], 0.5)) == (0, 0, 0)
    empty = whole_edits((edit("1", "split"),))
    assert match(empty, empty, 0.5) == []
