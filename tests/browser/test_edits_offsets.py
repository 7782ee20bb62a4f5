"""Offsets of edits are code points, whatever the text is made of, and whichever way it is read."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.browser.desks import Work
from tests.browser.marking import Marking, pair, span

At = Callable[..., Work]

# Emoji with a skin tone and joined ones, an astral letter, e with two combining marks, a flag of two code points.
EMOJI = "\U0001f44d\U0001f3fd Both 👩‍🌾 farmers \U0001d52fead the se\u0301\u0323coled 🇪🇸 text."
PLAIN = "They 😀 read it."
ARABIC = "كتب المزارعون رسالة طويلة إلى Ministry of Health في يوم الاثنين."
SHORT = "كتب المزارعون رسالة."


def test_word_after_astral_characters(at_work: At) -> None:
    """The stored span cut out of the text is the word that was selected, whichever it is."""
    marking = Marking(at_work("salsa", rows=pair(EMOJI, PLAIN)))
    words = ["👩‍🌾", "farmers", "\U0001d52fead", "se\u0301\u0323coled", "text."]
    for word in words:
        marking.drag("source", word)
        marking.press("d")
    assert [edit["source"] for edit in marking.kept()] == [span(EMOJI, word) for word in words]


def test_offsets_survive_a_reload(at_work: At) -> None:
    """What came as code points is drawn where it was marked, and sent as the same code points again."""
    marking = Marking(at_work("salsa", rows=pair(EMOJI, PLAIN)))
    marking.drag("source", "farmers")
    marking.drag("rewrite", "read it.")
    marking.press("s")
    before = marking.kept()
    marking.page.reload()
    marking.work.ready()
    expect(marking.entry(0)).to_contain_text("farmers → read it.")
    assert marking.value() == before


def test_characters_are_those_that_a_reader_sees(at_work: At) -> None:
    """By character, a letter with its combining marks and a joined emoji are one step."""
    marking = Marking(at_work("salsa", rows=pair(EMOJI, PLAIN)))
    marking.text("source").focus()
    # From the farmer, one character further is the space after it.
    marking.press(
        "Home", "ArrowRight", "ArrowRight", "Alt+Shift+ArrowRight", "Alt+Shift+ArrowRight", "Alt+Shift+ArrowRight", "d"
    )
    (edit,) = marking.value()
    assert edit["source"] == span(EMOJI, "👩‍🌾 f")


def test_right_to_left_text_by_mouse_and_arrows(at_work: At) -> None:
    """In Arabic the left arrow goes on; words are selected where they stand, in either direction."""
    marking = Marking(at_work("salsa", rows=pair(ARABIC, SHORT)))
    marking.text("source").focus()
    marking.press("Home", "ArrowLeft", "Shift+ArrowLeft", "Shift+ArrowLeft", "d")
    marking.drag("source", "Ministry")
    marking.press("d")
    marking.drag("source", "في يوم")
    marking.press("d")
    assert [edit["source"] for edit in marking.kept()] == [
        span(ARABIC, "المزارعون رسالة"),
        span(ARABIC, "Ministry"),
        span(ARABIC, "في يوم"),
    ]


def test_marks_do_not_change_the_order_of_words(at_work: At) -> None:
    """Where each word of a text of mixed direction stands, line by line, is the same with marks and without."""
    marking = Marking(at_work("salsa", rows=pair(ARABIC, SHORT)))
    words = ARABIC.split()
    before = [marking.place("source", word).start[0] for word in words]
    marking.drag("source", "Ministry of")
    marking.press("d")
    marking.drag("source", "of Health في")
    marking.press("d", "Escape")
    assert [marking.place("source", word).start[0] for word in words] == pytest.approx(before, abs=0.5)
