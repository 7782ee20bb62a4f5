"""Pieces of text: nothing is lost, characters stay whole, and long texts are compared too."""

import random
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rubrica.core.marking import Marked, Piece, Target, cut, differences, mark_words

TEXTS = st.text(max_size=60) | st.text("aAbé e\u0301\u200d👩💻🏽日本の.,'\n", max_size=40)
TARGETS = st.builds(Target, TEXTS, st.none() | st.integers(-1, 4), st.none() | st.integers(-2, 50))


def marks(text: str, *targets: str | Target) -> list[tuple[str, int | None]]:
    """What is marked, and for which target."""
    return [(piece.text, piece.target) for piece in mark_words(text, targets) if piece.kind]


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


@given(TEXTS, st.lists(TEXTS | TARGETS, max_size=4))
def test_marking_loses_nothing(text: str, targets: list[str | Target]) -> None:
    """Whatever the targets, the pieces are the text, none is empty, and each target is marked at most once."""
    pieces = mark_words(text, targets)
    assert "".join(piece.text for piece in pieces) == text
    assert all(piece.text for piece in pieces)
    marked = [piece.target for piece in pieces if piece.kind]
    assert len(set(marked)) == len(marked)
    assert all((piece.kind == "target") == (piece.target is not None) for piece in pieces)


def test_marks_the_first_whole_word() -> None:
    """A word within another is passed over, and only the first occurrence is marked."""
    assert mark_words("A cart: the art of art.", ["art"]) == [
        Marked("A cart: the "),
        Marked("art", "target", 0),
        Marked(" of art."),
    ]


@pytest.mark.parametrize(
    ("text", "target", "expected"),
    [
        ("Light is light.", "light", "light"),
        ("Light it.", "light", "Light"),
        ("L'école est là.", "école", "école"),
        ("Vi un CAFÉ.", "café", "CAFÉ"),
        ("Un cafe\u0301 solo.", "café", "cafe\u0301"),
        ("Un café solo.", "cafe\u0301", "café"),
        ("In the U.S. today.", "U.S.", "U.S."),
        ("She took off early.", " took off ", "took off"),
        ("新しい図書館を開く。", "図書館", "図書館"),
        ("I ❤️love it.", "love", "love"),
        ("ක්‍රමය හොඳයි", "ක්‍රමය", "ක්‍රමය"),
        ("A (very) odd one", "(very)", "(very)"),
    ],
)
def test_finds_a_target(text: str, target: str, expected: str) -> None:
    """As written comes before another case; Unicode form, scripts without spaces and signs are no obstacle."""
    assert marks(text, target) == [(expected, 0)]


@pytest.mark.parametrize(
    ("text", "target"),
    [
        ("", "a"),
        ("a", ""),
        ("a", " "),
        ("lighter", "light"),
        ("👩‍💻", "👩"),
        ("cafe\u0301", "cafe"),
        ("a", "long word"),
    ],
)
def test_leaves_a_missing_target_unmarked(text: str, target: str) -> None:
    """A target that is not there as a whole word, or that would cut a character, is not marked."""
    assert marks(text, target) == []


def test_the_longer_of_overlapping_targets_wins() -> None:
    """The shorter one is marked at its next free place, if it has one."""
    assert marks("take off and take", "take", "take off") == [("take off", 1), ("take", 0)]
    assert marks("take off", "take", "take off") == [("take off", 1)]
    assert marks("light and light", "light", "light") == [("light", 0), ("light", 1)]


def test_an_occurrence_or_an_offset_says_which() -> None:
    """An occurrence counts from 1; an offset may be within a word, and is not believed where the word is not."""
    text = "the bank by the bank"
    assert mark_words(text, [Target("bank", 2)])[0].text == "the bank by the "
    assert mark_words(text, [Target("bank", start=16)])[0].text == "the bank by the "
    assert marks(text, "bank", Target("bank", 1)) == [("bank", 1), ("bank", 0)]
    assert marks("학교에서", Target("학교", start=0)) == [("학교", 0)]
    assert marks(text, Target("bank", 3)) == marks(text, Target("bank", start=5)) == []
    assert marks("cafe\u0301", Target("cafe", start=0)) == []


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
