"""Labels on tokens, derived by hand from three annotations of one pair.

Source tokens: The(0) ferry(1) departed(2) at(3) noon(4) and(5) it(6) sank.(7)
Rewrite tokens: The(8) boat(9) left(10) at(11) noon.(12) ||(13) It(14) sank(15) fast.(16)
"""

from __future__ import annotations

from rubrica.core.edits import Edit, Span
from rubrica.edits.selection import LABELS, by_pair, cut_spans, inside, select, space_tokens, usual_number
from tests.edits.pairs import SOURCE, annotated, edit, span

ANA = annotated(
    "ana",
    edit("1", "substitution", "ferry", "boat", information="same"),
    edit("2", "substitution", "departed", "left", information="same"),
    edit("3", "insertion", (), "fast."),
    Edit("4", "split"),
    edit("5", "deletion", "and", parent="4"),
    edit("6", "substitution", "it", "It", parent="4"),
)
BEN = annotated(
    "ben",
    edit("1", "substitution", "ferry departed", "boat left", information="same"),
    edit("2", "insertion", (), "sank fast."),
    edit("3", "deletion", "and"),
)
EVA = annotated(
    "eva",
    edit("1", "substitution", "ferry", "boat", information="different"),
    edit("2", "substitution", "departed", "left", information="same"),
    edit("3", "substitution", "departed at", "left at", information="same"),
    edit("4", "reorder", "noon", "noon.", reorder_level="word"),
    edit("5", "reorder", "at", (), texts=(SOURCE, "")),
    edit("6", "insertion", (), "fast."),
)


def test_labels_are_counted_by_annotators_and_by_marks() -> None:
    """Tokens by how many people gave them a label, and by how often it was laid on them."""
    found = select([ANA, BEN, EVA])
    assert found.tokens == 17
    # Same: ferry, boat by ana, ben; departed, left by all three, by eva twice: four marks; at(3), at(11) by eva.
    same = found.labels["Substitution-same"]
    assert same.annotators == (17 - 6, 2, 2, 2)
    assert same.marks == {2: 2, 4: 2, 1: 2}
    # Insertion: fast. by all three, sank(15) by ben alone.
    insertion = found.labels["Insertion"]
    assert (insertion.annotators, insertion.marks) == ((15, 1, 0, 1), {1: 1, 3: 1})
    # Deletion: and, by ben alone: ana's is part of a split, which covers and, it, It.
    assert found.labels["Deletion"].annotators == (16, 1, 0, 0)
    assert found.labels["Split"].annotators == (14, 3, 0, 0)
    assert found.labels["Reorder-word"].annotators == (15, 2, 0, 0)
    assert found.labels["Substitution-more"].annotators == (17, 0, 0, 0)


def test_what_no_row_has_is_counted_apart() -> None:
    """Different information and a reorder without level enter no row of the table."""
    assert select([ANA, BEN, EVA]).skipped == {"Substitution-different": 2, "Reorder-unsaid": 1}


def test_rows_are_those_of_the_paper() -> None:
    """Nine rows in the order in which Table 2 prints them."""
    names = "Insertion Deletion Substitution-more Substitution-less Reorder-word Reorder-component Split Structure"
    assert [label.name for label in LABELS] == [*names.split(), "Substitution-same"]


def test_pairs_are_gathered_by_annotator() -> None:
    """The annotations of a pair come together; a repeated one is left out."""
    again = annotated("ana", edit("1", "deletion", "and"))
    found = by_pair([ANA, BEN, again, annotated("ana", key="2")])
    assert {key: list(people) for key, people in found.items()} == {"1": ["ana", "ben"], "2": ["ana"]}
    assert found["1"]["ana"] is ANA


def test_how_many_annotators_count() -> None:
    """Three if any pair has three; else the usual number; none if nobody shares a pair."""
    two = [annotated(name, key=key) for key in "12" for name in ("ana", "ben")]
    assert usual_number(by_pair(two)) == 2
    assert usual_number(by_pair([*two, annotated("eva", key="2")])) == 3
    assert usual_number(by_pair([annotated("ana"), annotated("ben", key="2")])) is None


def test_tokens_stand_between_single_spaces() -> None:
    """Two spaces have an empty token between them, as the authors' code has it."""
    assert space_tokens("a  b.") == [Span(0, 1), Span(2, 2), Span(3, 5)]


def test_a_token_that_is_cut_is_not_inside() -> None:
    """Without its full stop the last word is not covered, and the span is counted as cutting it."""
    tokens = space_tokens(SOURCE)
    short, full = span(SOURCE, "it sank"), span(SOURCE, "it sank.")
    assert (inside(tokens, [short]), inside(tokens, [full])) == ([6], [6, 7])
    assert cut_spans([annotated("ana", Edit("1", "deletion", (short,)), Edit("2", "deletion", (full,)))]) == 1
