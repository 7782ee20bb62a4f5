"""Offsets in UTF-16 code units and in code points."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from rubrica.core.edits import Span
from rubrica.exchange.thresh.offsets import CODEPOINTS, UTF16, differ, from_unit, splits_a_character, to_unit

TEXT = "a🥖b👩‍🍳"
"""Code points: a 🥖 b 👩 ZWJ 🍳 (6). UTF-16: a at 0, 🥖 at 1-2, b at 3, 👩 at 4-5, ZWJ at 6, 🍳 at 7-8 (9)."""


def test_emoji_are_two_units() -> None:
    """b is the third character and the fourth unit; the end of the text is 6 and 9."""
    assert from_unit(TEXT, Span(3, 9), UTF16) == Span(2, 6)
    assert to_unit(TEXT, Span(2, 6), UTF16) == Span(3, 9)
    assert from_unit(TEXT, Span(3, 9), CODEPOINTS) == Span(3, 9)


def test_offsets_outside_keep_their_distance() -> None:
    """Four beyond the end stays four beyond the end, and what is below 0 stays."""
    assert from_unit(TEXT, Span(-2, 13), UTF16) == Span(-2, 10)
    assert to_unit(TEXT, Span(-2, 10), UTF16) == Span(-2, 13)


def test_inside_a_character() -> None:
    """An offset between the two halves of an emoji is told, and moves to its start."""
    assert splits_a_character(TEXT, Span(2, 3), UTF16)
    assert from_unit(TEXT, Span(2, 3), UTF16) == Span(1, 2)
    assert not splits_a_character("plain", Span(2, 99), UTF16)


@given(st.text(), st.integers(-5, 60), st.integers(-5, 60))
def test_there_and_back(text: str, start: int, end: int) -> None:
    """Code points to units and back is the same, in any text and outside of it."""
    span = Span(start, end)
    assert from_unit(text, to_unit(text, span, UTF16), UTF16) == span
    assert differ(text) == (len(text.encode("utf-16-le", "surrogatepass")) // 2 != len(text))
