"""Our score, by hand."""

from __future__ import annotations

import pytest

from rubrica.edits.score import mean_scores, score
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
