"""Scores of a rewrite from its edits.

Our score, by hand.

The authors' score with its oddities, by hand.
"""

from __future__ import annotations

from math import exp

import pytest

from rubrica.core.edits import Edit
from rubrica.edits.score import mean_scores, published_score, score
from tests.edits.pairs import annotated, edit, typology
from tests.edits.test_summary import EASIER, FILLER, HELPER, OPEN, SIMPLER, SPLIT


def test_good_edits_add_and_errors_take() -> None:
    """Each edit is worth its weight, its rating and its share of the 78 characters of both texts."""
    # Percentages: "ferry departed" + "boat left" 23/78, "noon" + "noon." 9/78, "and" + "it" + "It" 7/78, in per cent.
    # Paraphrase rated 2: 46/78; rated 1: 9/78, with a grammar error: -2 x 9/78; bad split rated 3: -2 x 3 x 7/78.
    found = score(annotated("ana", SIMPLER, EASIER, *SPLIT, FILLER), typology())
    assert found.quality == pytest.approx(100 * (46 + 9) / 78)
    assert found.error == pytest.approx(100 * (-18 - 42) / 78)
    assert found.total == pytest.approx(100 * -5 / 78)
    assert found.families == pytest.approx(
        {"Conceptual": 0, "Syntax": 100 * -42 / 78, "Lexical": 100 * (46 + 9 - 18) / 78}
    )
    assert (found.edits, found.unscored) == (4, 0)


def test_all_spans_count() -> None:
    """A substitution of equal length and one in two pieces are worth their characters."""
    answers = {"information": "less", "deletion_type": "bad_deletion", "severity": 1}
    pieces = edit("1", "substitution", ("ferry", "departed"), ("boat", "left at"), **answers)
    # 5 + 8 + 4 + 7 = 24 of 78 characters; an error rated 1 takes twice that.
    assert score(annotated("ana", pieces), typology()).total == pytest.approx(-2 * 100 * 24 / 78)


def test_trivial_changes_are_worth_what_they_are_rated() -> None:
    """A helpful insertion has a rating and adds; one that does not help has none and takes nothing."""
    # "fast." is 5 of 78 characters.
    assert score(annotated("ana", HELPER), typology()).total == pytest.approx(100 * 5 / 78)
    assert score(annotated("ana", FILLER), typology()).total == 0


def test_open_edits_are_counted_not_scored() -> None:
    """An edit without type, or without the rating that is due, is worth nothing and is said so."""
    unrated = edit("1", "insertion", (), "fast.", insertion_type="elaboration")
    found = score(annotated("ana", OPEN, unrated), typology())
    assert (found.total, found.edits, found.unscored) == (0, 2, 2)


def test_means() -> None:
    """The mean of no score is none; edits are added up."""
    assert mean_scores([]) is None
    found = mean_scores([score(annotated("ana", *edits), typology()) for edits in ((HELPER,), ())])
    assert found is not None
    assert (found.total, found.families["Lexical"], found.edits) == (
        pytest.approx(250 / 78),
        pytest.approx(250 / 78),
        1,
    )


SAME = {"information": "same", "paraphrase_impact": "positive", "efficacy": 2}


def total(*edits: Edit) -> float:
    """The total score of a pair with these edits; its source has 39 characters."""
    return published_score(annotated("ana", *edits), typology()).total


def factor(difference: int) -> float:
    """The size factor of an edit whose last spans differ by so many characters."""
    return exp(difference / 39) - 1


@pytest.mark.parametrize(
    ("one", "expected"),
    [
        # "and it" (6) is gone: 1 x 5.1956.
        (edit("1", "deletion", "and it", deletion_type="good_deletion", efficacy=1), 5.1956 * factor(6)),
        (edit("1", "insertion", (), "fast.", insertion_type="elaboration", efficacy=3), 3 * 5.1956 * factor(5)),
        (HELPER, 5.1956 * factor(5)),
        (FILLER, 0),
        (edit("1", "deletion", "and", deletion_type="trivial_deletion"), 0),
        # "departed" (8) became "left" (4).
        (edit("1", "substitution", "departed", "left", **SAME), 2 * 10.7592 * factor(4)),
        (
            edit("1", "reorder", "noon", "noon.", reorder_level="word", impact="positive", efficacy=1),
            5.4917 * factor(1),
        ),
        (edit("1", "deletion", "and it", deletion_type="bad_deletion", severity=2), 2 * -5.7967 * factor(6)),
        (
            edit("1", "reorder", "noon", "noon.", reorder_level="word", impact="negative", severity=3),
            3 * -5.0520 * factor(1),
        ),
        (edit("1", "substitution", "departed", "left", information="different", severity=1), 6.1286 * factor(4)),
    ],
)
def test_weights(one: Edit, expected: float) -> None:
    """Each kind of edit has its weight; a lexical error raises the score."""
    assert total(one) == pytest.approx(expected)


def test_equal_lengths_are_worth_nothing() -> None:
    """A substitution that is as long as before has no size."""
    assert total(edit("1", "substitution", "ferry", "fast.", **SAME)) == 0


def test_only_the_last_span_counts() -> None:
    """Of several spans on a side the last one decides, in a composite the last of its parts."""
    pieces = edit("1", "substitution", ("ferry", "and"), ("boat", "noon."), **SAME)
    assert total(pieces) == pytest.approx(2 * 10.7592 * factor(2))
    split = Edit("1", "split", answers={"impact": "positive", "efficacy": 1})
    parts = edit("2", "deletion", "departed", parent="1"), edit("3", "substitution", "it", "sank", parent="1")
    assert total(split, *parts) == pytest.approx(5.4917 * factor(2))


def test_grammar_overrides_and_parts_do_not_add_up() -> None:
    """A grammar error multiplies what the edit is worth; in the parts its weight is zero."""
    wrong = edit("1", "substitution", "departed", "left", **SAME, grammar_error="yes")
    lost = edit("2", "deletion", "and it", deletion_type="bad_deletion", severity=2)
    found = published_score(annotated("ana", wrong, lost), typology())
    grammar, content = 2 * 10.7592 * 6.1286 * factor(4), 2 * -5.7967 * factor(6)
    assert found.total == pytest.approx(grammar + content)
    assert (found.quality, found.error) == (0, pytest.approx(content))
    assert found.families == pytest.approx({"Conceptual": content, "Syntax": 0, "Lexical": grammar})
