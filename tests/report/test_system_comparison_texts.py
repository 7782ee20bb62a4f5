"""A rewrite and what it changed, in one line."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from rubrica.report.system_comparison_page import GAP, GONE, KEPT, NEW, merged, word_count

TEXTS = st.text(alphabet="abc ., \u0301猫\n", max_size=14)


def test_what_is_gone_stands_before_what_is_new() -> None:
    """Both where they were; white space that only what is gone needs is a gap."""
    found = merged("The big dog ran home.", "The wolf ran.")
    assert found == [
        ("The ", KEPT),
        ("big dog", GONE),
        (" ", GAP),
        ("wolf", NEW),
        (" ran", KEPT),
        (" ", GAP),
        ("home", GONE),
        (".", KEPT),
    ]


def test_empty_texts() -> None:
    """Everything is new, or gone."""
    assert merged("", "a b") == [("a b", NEW)]
    assert merged("a b", "") == [("a b", GONE)]
    assert merged("", "") == []


@given(TEXTS, TEXTS)
def test_pieces_are_both_texts(source: str, rewrite: str) -> None:
    """Without what is gone they are the rewrite; without what is new, the source but for white space."""
    pieces = merged(source, rewrite)
    assert "".join(piece.text for piece in pieces if piece.kind in {KEPT, NEW}) == rewrite
    left = "".join(piece.text for piece in pieces if piece.kind != NEW)
    assert "".join(left.split()) == "".join(source.split())


def test_words_are_counted_in_every_script() -> None:
    """Signs are no words; without spaces each character is one."""
    assert word_count("Two words, (really).") == 3
    assert word_count("猫は大きい") == 5
    assert word_count(" … ") == 0
