"""Annotated pairs, and which edit is which.

Whole edits, and how much of a text spans cover.

Matching the edits of two annotators, by hand.
"""

from __future__ import annotations

import pytest

from rubrica.core.edits import Edit, Span
from rubrica.edits.annotated import count, covered, match, outside, whole_edits
from tests.edits.pairs import REWRITE, annotated, edit


def test_constituents_belong_to_their_composite() -> None:
    """A composite has the spans of its parts, and the parts are no edits of their own."""
    split = Edit("p", "split")
    parts = edit("a", "deletion", "and", parent="p"), edit("b", "substitution", "it", "It", parent="p")
    whole, other = whole_edits((split, *parts, edit("c", "insertion", (), "fast.")))
    assert whole.constituents == parts
    assert [len(whole.spans(side)) for side in ("source", "rewrite")] == [2, 1]
    assert other.edit.id == "c"


def test_a_part_without_its_composite_stands_for_itself() -> None:
    """Nothing is lost when a composite is missing."""
    assert [whole.edit.id for whole in whole_edits((edit("a", "deletion", "and", parent="gone"),))] == ["a"]


def test_covered_characters_are_counted_once() -> None:
    """Overlaps count once, and what lies outside the text counts nothing."""
    # [2, 5) and [4, 7) cover 2 to 7: five; [8, 20) of a text of ten covers two; [30, 40) and [6, 6) nothing.
    spans = [Span(4, 7), Span(2, 5), Span(8, 20), Span(30, 40), Span(6, 6)]
    assert covered(spans, 10) == 7


def test_spans_outside_their_text_are_counted() -> None:
    """One span ends after its text."""
    beyond = Edit("1", "insertion", rewrite=(Span(0, 3), Span(5, len(REWRITE) + 1)))
    assert outside([annotated("ana", beyond)]) == 1


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
