"""Guessing what was meant, and cutting texts and lists."""

from __future__ import annotations

import pytest

from rubrica.core.text_helpers import did_you_mean, first_of, nearest, shortened


@pytest.mark.parametrize(
    ("name", "known", "found"),
    [
        ("Item ID", ["item", "item_id"], ["item_id"]),
        ("fluncy", ["meaning", "fluency"], ["fluency"]),
        ("xyz", ["meaning", "fluency"], []),
        ("meaning", [], []),
        ("--", ["", "—"], []),
    ],
)
def test_what_was_probably_meant(name: str, known: list[str], found: list[str]) -> None:
    """What differs by capitals and signs only comes before what is similar; nothing is offered that is far off."""
    assert nearest(name, known) == found


def test_a_guess_or_what_there_is() -> None:
    """Several guesses are parted by or; without a guess the other words are said."""
    assert did_you_mean("rating", ["Rating", "RATING"], "No.", 3) == "Did you mean 'Rating' or 'RATING'?"
    assert did_you_mean("zzz", ["rating"], "Columns: rating.") == "Columns: rating."


@pytest.mark.parametrize(
    ("text", "most", "result"),
    [
        ("short", 10, "short"),
        ("one two three", 9, "one two…"),
        ("one two three", 12, "one two…"),
        ("one, two three", 8, "one…"),
        ("abcdefgh", 5, "abcd…"),
    ],
)
def test_texts_are_cut_between_words(text: str, most: int, result: str) -> None:
    """An ellipsis stands for what is left out, and half words are avoided."""
    assert shortened(text, most) == result


def test_a_list_is_cut_with_an_ellipsis() -> None:
    """Only a list that is longer is."""
    assert first_of([1, 2, 3], 3) == "1, 2, 3"
    assert first_of(["a", "b", "c"], 2, "; ") == "a; b; …"
