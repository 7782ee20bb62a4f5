"""The editor on a phone: by touch, at 360 pixels, with the texts in view while an edit is answered."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Locator, expect

from tests.browser.conftest import Studio
from tests.browser.desks import Work
from tests.browser.marking import REWRITE, SOURCE, Marking, pair, span
from tests.browser.settling import long_pairs, pairs_of_real_lengths
from tests.browser.test_edits_settling_look import SIGHT


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
    expect(hand.status).to_have_text("Tap the first and the last word of a change.")
    letters = hand.page.locator(".edit-list").evaluate("one => getComputedStyle(one, '::before').content")
    assert letters == "none"
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


def test_words_stay_in_view_and_nothing_is_too_wide(hand: Marking) -> None:
    """While an edit is answered far down the list, a strip shows its words and leads back to the texts."""
    for words in ("Numerous", "farmers", "rejected", "the", "subsidy,", "which", "ministry", "announced", "Monday."):
        _tap(hand, "source", words)
        hand.tool("Deletion").tap()
    hand.expect_count(9)
    hand.entry(4).locator(".edit-head").tap()
    assert _visible(hand, hand.entry(4).locator(".edit-head"))
    hand.page.evaluate("scrollTo(0, document.body.scrollHeight)")
    strip = hand.page.locator(".edit-strip")
    expect(strip.locator("mark")).to_have_text("subsidy,")
    expect(strip).to_be_in_viewport()
    strip.tap()
    expect(strip).to_be_hidden()
    assert _visible(hand, hand.text("source"))
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


@pytest.fixture
def long_hand(studio: Studio, browser: Browser) -> Iterator[Marking]:
    """The editor in a hand, with a pair of more than a hundred words."""
    context = browser.new_context(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    work = Work(studio, studio.study("salsa", rows=long_pairs(1)), context.new_page()).open()
    yield Marking(work)
    context.close()


def test_long_texts_are_whole_and_the_page_says_that_there_is_more(long_hand: Marking) -> None:
    """Both texts are in sight when the item opens, or the page says that they go on; a tap leads there."""
    assert long_hand.page.evaluate(SIGHT) == {"cut": [], "covered": []}
    more, count = long_hand.page.locator(".edit-more"), long_hand.page.locator(".edit-side .edit-count")
    # Where the list begins above the foot there is nothing to say.
    expect(count).to_be_in_viewport()
    expect(more).to_be_hidden()
    long_hand.page.set_viewport_size({"width": 390, "height": 660})
    expect(more).to_have_text("The text goes on")
    more.tap()
    expect(more).not_to_have_text("The text goes on")
    last = long_hand.place("rewrite", long_hand.text("rewrite").inner_text().split()[-1])
    assert long_hand.page.evaluate("([x, y]) => document.elementFromPoint(x, y).className", last.end).endswith("text")
    more.evaluate("one => one.hidden || one.click()")
    expect(count).to_be_in_viewport()
    expect(more).to_be_hidden()


def test_first_and_last_word_of_a_long_text_select_what_is_between(long_hand: Marking) -> None:
    """A tap on the first word and one on the last, lines apart: the page does not move between them."""
    source = long_hand.work.page.locator(".edit-text[data-side=source] .text-body").inner_text()
    wanted = "which had been swollen by a week of uninterrupted rain, inundated the village and rendered"
    first, last = long_hand.place("source", "which"), long_hand.place("source", "rendered")
    long_hand.page.touchscreen.tap(*first.start)
    expect(long_hand.status).to_have_text("Selected: which")
    assert long_hand.place("source", "rendered") == last
    long_hand.page.touchscreen.tap(*last.start)
    expect(long_hand.status).to_have_text("Selected: which had been swollen by a … village and rendered")
    assert long_hand.page.evaluate(SIGHT)["covered"] == []
    long_hand.tool("Deletion").tap()
    assert long_hand.value()[0]["source"] == span(source, wanted)


def test_selected_words_are_not_covered_by_the_buttons(long_hand: Marking) -> None:
    """Whoever taps a word in the last line still sees it when the buttons appear."""
    rewrite = long_hand.text("rewrite").inner_text()
    word = rewrite.split()[-1]
    long_hand.page.touchscreen.tap(*long_hand.place("rewrite", word).start)
    expect(long_hand.tool("Insertion")).to_be_visible()
    _, bottom = long_hand.place("rewrite", word).end
    tools = long_hand.page.locator(".edit-hand").bounding_box()
    assert tools is not None
    assert bottom < tools["y"]


def test_hints_and_buttons_that_grow_make_no_word_smaller(studio: Studio, browser: Browser) -> None:
    """While a part of a split is made, hint and buttons lie over the page: texts that just fit stay as they were."""
    context = browser.new_context(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    work = Work(studio, studio.study("salsa", rows=pairs_of_real_lengths()[9:10]), context.new_page()).open()
    hand = Marking(work)
    fit = "document.querySelector('.edit-texts').dataset.fit"
    before = work.page.evaluate(fit)
    source, rewrite = (hand.text(side).inner_text().split() for side in ("source", "rewrite"))
    _tap(hand, "source", source[8])
    hand.tool("Sentence split").tap()
    _tap(hand, "rewrite", rewrite[-12])
    hand.tool("Insertion").tap()
    expect(work.page.locator(".edit-end")).to_be_visible()
    assert work.page.evaluate(fit) == before
    context.close()
