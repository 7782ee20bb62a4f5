"""Edits beside gold edits: what is the same, what overlaps, what is missing or extra, and the F1 of all marks."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rubrica.core.edit_scoring import compare, f_measure, marked, touched, words_of
from rubrica.core.edits import Edit, Span, find_quote

FIELDS = {
    "source": "The old mill, which stood by the river, burned down in 1904.",
    "rewrite": "The mill stood by the river. || It burned down long ago.",
}


def span(side: str, quote: str) -> tuple[Span, ...]:
    """The words quoted from one side."""
    found = find_quote(FIELDS[side], quote)
    assert isinstance(found, Span)
    return (found,)


def edit(name: str, operation: str, source: str = "", rewrite: str = "", parent: str = "") -> Edit:
    """An edit of the pair by quoted words."""
    return Edit(
        name,
        operation,
        span("source", source) if source else (),
        span("rewrite", rewrite) if rewrite else (),
        parent=parent,
    )


OLD = edit("1", "deletion", "old")
WHEN = edit("2", "substitution", "in 1904.", "long ago.")
SPLIT = (edit("3", "split"), edit("4", "deletion", "which", parent="3"), edit("5", "insertion", "", "It", parent="3"))
GOLD = (OLD, WHEN, *SPLIT)


def verdicts(*edits: Edit) -> list[tuple[str, str, str]]:
    """How these edits compare with the gold ones: ids of both and the verdict."""
    return [
        (pairing.gold.id if pairing.gold else "", pairing.given.id if pairing.given else "", pairing.verdict)
        for pairing in compare(FIELDS, edits, GOLD).pairings
    ]


def test_words_keep_their_punctuation_and_the_split_mark_is_none() -> None:
    """The mark of a split is not a word, so that nobody can be blamed for leaving it out."""
    assert [word.of(FIELDS["rewrite"]) for word in words_of(FIELDS["rewrite"])][5:8] == ["river.", "It", "burned"]


def test_a_word_is_marked_if_a_span_touches_it() -> None:
    """Half a word is the word; a space beside it is nothing."""
    text = "cold, wet days"
    assert touched(text, [Span(2, 4)]) == {0}
    assert touched(text, [Span(5, 6)]) == set()
    assert touched(text, [Span(3, 7)]) == {0, 1}


def test_words_are_counted_in_code_points() -> None:
    """Emoji and combining marks count as the code points that they are."""
    text = "a 👩‍🚀 flew é home"
    words = words_of(text)
    assert [word.of(text) for word in words] == ["a", "👩‍🚀", "flew", "é", "home"]
    assert touched(text, [words[3]]) == {3}


def test_a_composite_covers_the_words_of_its_parts() -> None:
    """Split: the third word of the source and the seventh of the rewrite, counted from 0 without the mark."""
    assert marked(FIELDS, SPLIT[0], SPLIT) == {("source", 3), ("rewrite", 6)}


def test_the_gold_itself_agrees_fully() -> None:
    """The same edits under other ids are all exact, and the F1 is 1."""
    copy = tuple(Edit("x" + one.id, one.operation, one.source, one.rewrite, {}, one.parent and "x" + one.parent)
                 for one in GOLD)  # fmt: skip
    found = compare(FIELDS, copy, GOLD)
    assert [pairing.verdict for pairing in found.pairings] == ["exact"] * 3
    assert found.f1 == 1


def test_overlap_missing_and_extra_are_told_apart() -> None:
    """One word too many overlaps; what has no counterpart is missing or extra.

    Marks: gold has 1 + 4 + 2 = 7; given "old mill," 2 and "burned" 1; common "old" 1. F1 = 2 * 1 / (3 + 7).
    """
    given = (edit("a", "deletion", "old mill,"), edit("b", "deletion", "burned"))
    assert verdicts(*given) == [("1", "a", "overlap"), ("2", "", "missing"), ("3", "", "missing"), ("", "b", "extra")]
    found = compare(FIELDS, given, GOLD)
    assert found.f1 == pytest.approx(2 / 10)
    assert found.pairings[0].f1 == pytest.approx(2 * 1 / (2 + 1))


def test_the_same_words_under_another_operation_are_named_so() -> None:
    """A substitution marked as a deletion is found, but no mark of it counts as common."""
    given = (edit("a", "deletion", "in 1904."),)
    assert verdicts(*given)[1] == ("2", "a", "operation")
    assert compare(FIELDS, given, GOLD).common == 0


def test_the_best_fit_comes_first() -> None:
    """Of two edits over the gold words, the better one stands for it and the other is extra."""
    given = (edit("a", "deletion", "The old mill,"), edit("b", "deletion", "old"))
    assert verdicts(*given) == [
        ("1", "b", "exact"),
        ("2", "", "missing"),
        ("3", "", "missing"),
        ("", "a", "extra"),
    ]


def test_nothing_to_mark_and_nothing_marked_is_full_agreement() -> None:
    """Identical texts have no edits; marking one there is worth nothing."""
    assert compare(FIELDS, (), ()).f1 == 1
    assert compare(FIELDS, (OLD,), ()).f1 == 0
    assert compare(FIELDS, (), (OLD,)).f1 == 0


@given(st.integers(0, 20), st.integers(0, 20), st.integers(0, 20))
def test_f_is_between_nothing_and_all(common: int, more: int, others: int) -> None:
    """F1 is 1 exactly when there is nothing beside the common marks."""
    value = f_measure(common, common + more, common + others)
    assert 0 <= value <= 1
    assert (value == 1) == (more == others == 0)


FEW = st.lists(st.sampled_from(GOLD[:2]), unique_by=lambda one: one.id)


@given(FEW, FEW)
def test_agreement_is_the_same_both_ways(one: list[Edit], other: list[Edit]) -> None:
    """Who is compared with whom does not matter for the F1."""
    assert compare(FIELDS, one, other).f1 == compare(FIELDS, other, one).f1
