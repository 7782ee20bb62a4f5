"""The editor on a phone: by touch, at 360 pixels, with the texts in view while an edit is answered."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Locator, expect

from tests.browser.conftest import Studio
from tests.browser.desks import Work
from tests.browser.marking import REWRITE, SOURCE, Marking, pair, span


@pytest.fixture
def hand(studio: Studio, browser: Browser) -> Iterator[Marking]:
    """The editor in a hand."""
    context = browser.new_context(
        viewport={"width": 360, "height": 740}, has_touch=True, is_mobile=True, device_scale_factor=2
    )
    work = Work(studio, studio.study("salsa", rows=pair(count=2)), context.new_page()).open()
    yield Marking(work)
    context.close()


def _tap(hand: Marking, side: str, words: str) -> None:
    hand.page.touchscreen.tap(*hand.place(side, words).start)


def _visible(hand: Marking, locator: Locator) -> bool:
    box = locator.bounding_box()
    assert box is not None
    return box["y"] >= 0 and box["y"] + 8 <= hand.page.viewport_size["height"]  # type: ignore[index]


def test_two_taps_select_and_a_button_makes_the_edit(hand: Marking) -> None:
    """A tap selects a word, another extends to it, a tap on the same word lets go; the button makes the edit."""
    _tap(hand, "source", "Numerous")
    _tap(hand, "source", "Numerous")
    expect(hand.status).to_have_text("")
    _tap(hand, "source", "which")
    _tap(hand, "source", "Monday.")
    hand.tool("Deletion").tap()
    assert hand.kept() == [
        {"id": "1", "operation": "deletion", "source": span(SOURCE, "which the ministry announced on Monday.")}
    ]


def test_both_sides_by_touch_and_the_answer(hand: Marking) -> None:
    """A substitution by taps on both texts, its question answered by a tap, submitted."""
    _tap(hand, "source", "Numerous")
    _tap(hand, "rewrite", "Many")
    hand.tool("Substitution").tap()
    hand.page.locator(".edit-questions .option").nth(1).tap()
    expect(hand.entry(0)).to_contain_text("The same information")
    (edit,) = hand.submit()
    assert (edit["source"], edit["rewrite"]) == (span(SOURCE, "Numerous"), span(REWRITE, "Many"))


def test_texts_stay_in_view_and_nothing_is_too_wide(hand: Marking) -> None:
    """While an edit is answered far down the list, its words are in view, and the page does not scroll sideways."""
    for words in ("Numerous", "farmers", "rejected", "the", "subsidy,", "which", "ministry", "announced", "Monday."):
        _tap(hand, "source", words)
        hand.tool("Deletion").tap()
    hand.expect_count(9)
    hand.entry(8).locator(".edit-head").tap()
    assert _visible(hand, hand.text("source"))
    assert _visible(hand, hand.entry(8).locator(".edit-head"))
    width = hand.page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
    assert width <= 0


def test_controls_are_large_enough_to_tap(hand: Marking) -> None:
    """Buttons of the editor are at least 32 pixels high, answers 44."""
    _tap(hand, "source", "Numerous")
    _tap(hand, "rewrite", "Many")
    hand.tool("Substitution").tap()
    for selector, least in (
        (".edit-head", 40),
        (".edit-body :is(button, select):visible", 32),
        (".edit-side .option", 44),
    ):
        heights = hand.page.locator(selector).evaluate_all("all => all.map(one => one.getBoundingClientRect().height)")
        assert heights
        assert min(heights) >= least, selector
