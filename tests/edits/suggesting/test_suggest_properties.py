"""Suggested edits of any two texts: inside their texts, never overlapping, always the same, no character cut."""

from __future__ import annotations

import unicodedata
from itertools import pairwise

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from rubrica.core.edits import SIDES, Edit
from rubrica.edits.suggesting.suggest import suggest
from rubrica.edits.suggesting.tokens import words_of

WORDS = st.sampled_from(
    [
        "the", "The", "of", "and", "who", "old", "old,", "mill", "mill.", "mills", "sold", "(sell)", "1990", "1,990",
        "quickly", "||", "|", ".", "“old”", "...", "—", "😀", "👩‍👧", "👍🏽", "cafe\u0301", "café", "𝔸𝔹", "שלום,",
        "العربية.", "字がある。", "ไทย", "\u202e", "\u0301", "-", "It", "They", "Dr.",
    ]
)  # fmt: skip
SPACES = st.sampled_from([" ", " ", " ", "  ", "\n", "\u00a0", "\t"])
PHRASES = st.lists(st.tuples(WORDS, SPACES), max_size=25).map(lambda parts: "".join(a + b for a, b in parts))
TEXTS = PHRASES | PHRASES.map(str.strip) | st.text(max_size=60)
LANGUAGES = st.sampled_from(["en", "es", "he", "ja", ""])


@st.composite
def rewritten(draw: st.DrawFn) -> tuple[str, str]:
    """A text and one made from its words, shuffled, dropped and added to, as rewrites are."""
    words = draw(st.lists(WORDS, max_size=25))
    kept = draw(st.lists(st.integers(0, max(len(words) - 1, 0)), max_size=25))
    new = [words[at] if words and not draw(st.booleans()) else draw(WORDS) for at in kept]
    return " ".join(words), " ".join(new)


PAIRS = st.tuples(TEXTS, TEXTS) | rewritten()
unhurried = settings(deadline=None)


def texts_of(pair: tuple[str, str]) -> dict[str, str]:
    """The two texts by their side."""
    return dict(zip(SIDES, pair, strict=True))


@unhurried
@given(PAIRS, LANGUAGES)
@example(("a || b", "b || a"), "en")
def test_spans_lie_in_their_text_and_never_overlap(pair: tuple[str, str], language: str) -> None:
    """On each side every word is in one edit at most, and no span is empty."""
    edits = suggest(*pair, language)
    for side, text in texts_of(pair).items():
        spans = sorted(span for edit in edits for span in edit.spans(side))
        assert all(0 <= span.start < span.end <= len(text) for span in spans)
        assert all(one.end <= other.start for one, other in pairwise(spans))


@unhurried
@given(PAIRS, LANGUAGES)
def test_spans_begin_and_end_between_words(pair: tuple[str, str], language: str) -> None:
    """A span starts and ends where a word does; in scripts without spaces that may be between two characters."""
    for edit in suggest(*pair, language):
        for side, text in texts_of(pair).items():
            for span in edit.spans(side):
                assert not text[span.start].isspace()
                assert not text[span.end - 1].isspace()
                for at in (span.start, span.end):
                    around = text[max(at - 1, 0) : at + 1]
                    spaced = at in (0, len(text)) or any(map(str.isspace, around))
                    assert spaced or any(ord(character) > 0xE00 for character in text)
                    if not spaced:
                        assert unicodedata.category(text[at])[0] != "M"
                        assert "\u200d" not in around


@unhurried
@given(PAIRS, LANGUAGES)
def test_each_operation_has_its_sides(pair: tuple[str, str], language: str) -> None:
    """A deletion marks the source, an insertion the rewrite, the others both, and a split only has constituents."""
    edits = suggest(*pair, language)
    sides = {"deletion": (1, 0), "insertion": (0, 1), "substitution": (1, 1), "reorder": (1, 1), "split": (0, 0)}
    for edit in edits:
        assert (len(edit.source), len(edit.rewrite)) == sides[edit.operation]
        assert (edit.operation == "split") == any(part.parent == edit.id for part in edits)
        assert edit.parent in {"", *(other.id for other in edits if other.operation == "split")}
    assert [edit.id for edit in edits] == [str(number) for number in range(1, len(edits) + 1)]


@unhurried
@given(PAIRS, LANGUAGES)
def test_the_same_texts_have_the_same_edits(pair: tuple[str, str], language: str) -> None:
    """Nothing depends on chance or on what was suggested before."""
    assert suggest(*pair, language) == suggest(*pair, language)


@unhurried
@given(TEXTS, LANGUAGES)
def test_a_text_has_no_edits_against_itself(text: str, language: str) -> None:
    """Identical texts have no edits, nor have texts that differ in white space around words."""
    assert suggest(text, text, language) == ()
    assert suggest(text, " ".join(text.split()), language) == ()


@unhurried
@given(st.lists(st.sampled_from(["house", "tree", "old", "runs"]), max_size=8), LANGUAGES)
def test_words_of_one_text_only_are_all_marked(words: list[str], language: str) -> None:
    """A text against the empty text is one edit over all its words."""
    text = " ".join(words)
    gone, new = suggest(text, "", language), suggest("", text, language)
    assert [edit.source[0].of(text) for edit in gone] == ([text] if words else [])
    assert [edit.rewrite[0].of(text) for edit in new] == ([text] if words else [])


def covered(edits: tuple[Edit, ...], side: str, text: str) -> str:
    """The text with every edit cut out."""
    for span in sorted((span for edit in edits for span in edit.spans(side)), reverse=True):
        text = text[: span.start] + text[span.end :]
    return text


@unhurried
@given(rewritten())
def test_what_is_in_no_edit_is_the_same_in_both(pair: tuple[str, str]) -> None:
    """Cut out of both texts, the edits leave the same words in the same order, punctuation and case aside."""
    edits = suggest(*pair, "en")
    old, new = (
        "".join(word.key for word in words_of(covered(edits, side, text))) for side, text in texts_of(pair).items()
    )
    assert old == new


@pytest.mark.parametrize("word", ["a ", "house tree ", "日本の首都"])
def test_long_and_monotonous_texts_end(word: str) -> None:
    """The longest text that a sheet can hold, made of one word, is compared with half of it."""
    text = word * (32_000 // len(word))
    assert suggest(text, text[: len(text) // 2], "en")
