"""Whole edits, and how much of a text spans cover."""

from __future__ import annotations

from rubrica.core.edits import Edit, Span
from rubrica.edits.annotated import covered, outside, whole_edits
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
