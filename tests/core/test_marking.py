"""Pieces of text: nothing is lost, characters stay whole, and long texts are compared too."""

import random
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rubrica.core.marking import Piece, cut, differences

TEXTS = st.text(max_size=60) | st.text("aAbé e\u0301\u200d👩💻🏽日本の.,'\n", max_size=40)


def changed(pieces: list[Piece]) -> list[str]:
    """The pieces that are marked."""
    return [piece.text for piece in pieces if piece.kind]


@given(TEXTS)
def test_cutting_loses_nothing(text: str) -> None:
    """The parts of a text are not empty and together are the text."""
    assert "".join(cut(text)) == text
    assert all(cut(text))


@given(st.text(st.characters(max_codepoint=127), max_size=30))
def test_plain_letters_are_cut_as_all_others(text: str) -> None:
    """They have a shorter way, which a letter with an accent at the end bars."""
    plain = text.rstrip()
    assert cut(f"{plain} é")[:-2] == cut(plain)


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("", []),
        ("It's  so_so.", ["It", "'", "s", "  ", "so_so", "."]),
        ("cafe\u0301s", ["cafe\u0301s"]),
        ("❤️love", ["❤️", "love"]),
        ("👩🏽‍💻👩", ["👩🏽‍💻", "👩"]),
        ("犬が2匹", ["犬", "が", "2", "匹"]),
        ("ක්‍රමය හොඳයි", ["ක්‍රමය", " ", "හොඳයි"]),
    ],
)
def test_cuts_between_words(text: str, parts: list[str]) -> None:
    """Words and clusters of emoji stay whole, and scripts without spaces are cut at every character."""
    assert cut(text) == parts


@given(TEXTS, TEXTS)
def test_differences_lose_nothing(source: str, rewrite: str) -> None:
    """The pieces of each side are that text, with what is gone on the one and what is new on the other."""
    old, new = differences(source, rewrite)
    assert ["".join(piece.text for piece in side) for side in (old, new)] == [source, rewrite]
    assert {piece.kind for piece in old} <= {"", "gone"}
    assert {piece.kind for piece in new} <= {"", "new"}
    kept = [[part for piece in side if not piece.kind for part in cut(piece.text)] for side in (old, new)]
    words = [[unicodedata.normalize("NFC", part) for part in parts if not part.isspace()] for parts in kept]
    assert words[0] == words[1]


@given(TEXTS)
def test_a_text_does_not_differ_from_itself(text: str) -> None:
    """Neither does it from its own copy in another Unicode form or with other white space."""
    assert not any(map(changed, differences(text, text)))
    assert not any(map(changed, differences("Un cafe\u0301 solo", " Un  café\nsolo ")))


@pytest.mark.parametrize(
    ("source", "rewrite", "gone", "new"),
    [
        ("The big  old cat sat.", "The cat sat down.", ["big  old"], ["down"]),
        ("", "New text.", [], ["New text."]),
        ("He left.", "he left!", ["He", "."], ["he", "!"]),
        ("猫が好きです。", "犬が好きでした。", ["猫", "す"], ["犬", "した"]),
    ],
)
def test_marks_words_that_changed(source: str, rewrite: str, gone: list[str], new: list[str]) -> None:
    """Neighbouring words make one piece with the space between them; without spaces, characters are compared."""
    assert [changed(side) for side in differences(source, rewrite)] == [gone, new]


@pytest.mark.parametrize("letters", ["a ", "ab. ", "日本語の。", [chr(0x4E00 + number) for number in range(3000)]])
def test_long_texts_are_compared(letters: str | list[str]) -> None:
    """Texts of 20,000 characters, alike or not, are compared, and nothing is lost."""
    chance = random.Random(5)
    source, rewrite = ("".join(chance.choices(letters, k=20_000)) for _ in range(2))
    old, _ = differences(source, rewrite)
    assert "".join(piece.text for piece in old) == source


def test_long_texts_are_still_compared_word_by_word() -> None:
    """In a long text where every sentence changed a little, only the changes are marked."""
    source = " ".join(f"The reader{number} opened the book{number}." for number in range(600))
    old, new = differences(source, source.replace("opened", "closed"))
    assert changed(old) == ["opened"] * 600
    assert changed(new) == ["closed"] * 600
