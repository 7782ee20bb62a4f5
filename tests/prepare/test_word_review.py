"""Picked words after a change of their context, and what a person may choose instead."""

from __future__ import annotations

import pytest

from rubrica.prepare.word_review import BAND, WHY, Placed, Word, candidates_of, chosen, follow, kept_candidates

TEXT = "The sturdy roots survive beneath the frozen soil."
ROOTS, FROZEN = Placed(11, "roots"), Placed(37, "frozen")


@pytest.mark.parametrize(
    ("after", "expected"),
    [
        ("In winter the sturdy roots survive beneath the frozen soil.", [Placed(21, "roots"), Placed(47, "frozen")]),
        ("The sturdy roots live on below the frozen soil.", [ROOTS, Placed(35, "frozen")]),
        ("The sturdy rootz survive beneath the frozen soil.", [Placed(11, "rootz"), FROZEN]),
        ("The sturdy plants and trees survive beneath the frozen soil.", [None, Placed(48, "frozen")]),
        ("The sturdy roots survive beneath the soil.", [ROOTS, None]),
    ],
)
def test_places_follow_an_edited_text(after: str, expected: list[Placed | None]) -> None:
    """Before, between and behind a change; a mended word is followed, one that is gone is not."""
    found = follow(TEXT, after, [ROOTS, FROZEN])
    assert found == expected
    assert all(after[one.start :].startswith(one.text) for one in found if one)


def test_places_follow_where_words_have_no_spaces() -> None:
    """A word of several signs keeps its place among others."""
    assert follow("図書館で古代文明を研究した。", "彼は図書館で古代文明を研究した。", [Placed(4, "古代文明")]) == [
        Placed(6, "古代文明")
    ]


def test_the_second_of_two_equal_words_stays_the_second() -> None:
    """The place counts, not the spelling."""
    before = "The old mill and the old well stand there."
    assert follow(before, f"Today {before}", [Placed(21, "old")]) == [Placed(27, "old")]


def test_candidates_round_trip_and_strange_ones_are_passed_over() -> None:
    """What does not stand at its place, or is no list at all, offers nothing."""
    words = [Word("sturdy", 4, {BAND: "3", WHY: "rare"})]
    assert candidates_of({"candidates": kept_candidates(words)}, TEXT) == words
    assert candidates_of({"candidates": kept_candidates(words)}, "Another text.") == []
    for broken in ("", "{", "3", '[{"word": 4, "start": "x"}, 7]'):
        assert candidates_of({"candidates": broken}, TEXT) == []


def test_any_word_can_be_chosen_and_says_what_is_known_of_it() -> None:
    """By the lists of its language; without one that is said; where no word begins there is none."""
    own = chosen(TEXT, 4, [], "en")
    assert own is not None
    assert (own.text, own.about["lemma"]) == ("sturdy", "sturdy")
    assert own.about[WHY].startswith("chosen in the review; Zipf ")
    sinhala = chosen("පාසලේ සිසුන් උද්‍යානයේ වගා කළහ.", 0, [], "si")
    assert sinhala is not None
    assert "its frequency is not known" in sinhala.about[WHY]
    assert sinhala.band == 0
    assert chosen(TEXT, 5, [], "en") is None
