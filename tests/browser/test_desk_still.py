"""Nothing of the work page moves under a pointer, and what a question must not see is dim by mouse as by keyboard."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.desks import Work
from tests.browser.saved import submitted
from tests.browser.sentences import OF_EVERY_KIND, PROTOCOLS, long_items
from tests.browser.test_desk import ANSWERS
from tests.length import either

At = Callable[..., Work]
RATED = [name for name in PROTOCOLS if name != "salsa"]
SIZES = [(1280, 900), (390, 844)]
IN_TURN = [(name, SIZES[place % 2]) for place, name in enumerate(OF_EVERY_KIND)]

PLACES = """() => {
  const asked = ".question:not([hidden])";
  const watched = `${asked}, ${asked} .option, .texts .text, .actions-row > :not([data-action=undo], .spring)`;
  return [...document.querySelectorAll(watched)].map((one) => {
    const { x, y } = one.getBoundingClientRect();
    return [one.id || `${one.tagName} ${one.textContent.trim()}`, Math.round(x), Math.round(y)];
  });
}"""
"""Where every question, answer, text and button is."""


class Hand:
    """A mouse that notes whether anything moved after each click."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.moved: list[Any] = []

    def press(self, place: Locator) -> None:
        """Click; everything that was there before must be where it was."""
        place.evaluate("one => one.scrollIntoView({ block: 'center' })")
        before = self.page.evaluate(PLACES)
        box = place.bounding_box()
        assert box is not None
        self.page.mouse.click(box["x"] + box["width"] / 2, box["y"] + min(12, box["height"] / 2))
        self.page.wait_for_timeout(100)
        after = self.page.evaluate(PLACES)
        self.moved += [(was, now) for was, now in zip(before, after, strict=True) if now != was]


@pytest.mark.parametrize(("protocol", "size"), either(IN_TURN, [*product(RATED, SIZES)]), ids=str)
def test_nothing_moves_while_one_clicks(page: Page, at_work: At, protocol: str, size: tuple[int, int]) -> None:
    """Answering a whole item by mouse leaves every question, answer, text and button where it was."""
    page.set_viewport_size({"width": size[0], "height": size[1]})
    work = at_work(protocol, rows=long_items(protocol, 1))
    hand = Hand(page)
    if "concern" in work.order:
        hand.press(work.page.locator("[data-question=concern] .option").nth(1))
    work.answer_all(hand.press)
    work.saved()
    assert hand.moved == []


def test_mended_problems_keep_their_place(page: Page, at_work: At) -> None:
    """After a submit that was refused, answering moves nothing either, down to the last answer."""
    page.set_viewport_size({"width": 1280, "height": 900})
    work = at_work(rows=long_items("breve", 1))
    work.submit()
    expect(page.locator(".question.wrong")).to_have_count(6)
    hand = Hand(page)
    hand.press(work.page.locator("[data-question=concern] .option").nth(1))
    work.answer_all(hand.press)
    assert hand.moved == []
    expect(page.locator(".problem:visible")).to_have_count(0)
    expect(page.locator(".summary-problems a:visible")).to_have_count(0)


def test_a_click_meant_for_what_stood_there_answers_nothing(page: Page, at_work: At) -> None:
    """Where a question opens in place, a second click at once chooses none of what came under the pointer."""
    page.set_viewport_size({"width": 1280, "height": 900})
    work = at_work()
    work.stop_clock()
    yes, accept = (work.input(*one).bounding_box() for one in (("concern", "yes"), ("acceptance", "accept")))
    assert yes is not None
    assert accept is not None
    for box in (yes, accept):
        page.mouse.click(box["x"] + 4, box["y"] + 4)
    expect(page.locator("[data-question=concern_kinds]")).to_be_visible()
    expect(page.locator(":is([data-question=concern_kinds], [data-question=acceptance]) :checked")).to_have_count(0)
    page.clock.run_for(1000)
    work.choose("acceptance", "accept")


def test_rows_shrink_while_the_keyboard_answers_and_open_for_the_mouse(page: Page, at_work: At) -> None:
    """By keyboard an answered question is one line; as soon as the mouse moves all its answers are there again."""
    work = at_work()
    page.mouse.move(5, 5)
    page.keyboard.press("3")
    other = work.page.locator("[data-question=simplification] .option").first
    expect(other).to_be_hidden()
    page.mouse.move(300, 300)
    expect(other).to_be_visible()
    first = page.url
    work.answer(ANSWERS)
    work.submit()
    page.wait_for_url(lambda url: url != first)
    assert submitted(work)[0].answers == ANSWERS


@pytest.mark.parametrize("by", ["mouse", "touch", "keyboard"])
@pytest.mark.browser_context_args(has_touch=True)
def test_the_reference_dims_when_fluency_is_next(page: Page, at_work: At, by: str) -> None:
    """Once meaning is rated, however, the reference is dim; going back to meaning brings it back."""
    work = at_work("adequacy_fluency", rows=long_items("adequacy_fluency", 1))
    reference = page.locator(".texts .text[data-field=reference]")
    expect(reference).not_to_contain_class("dimmed")
    four = page.locator("[data-question=content_preservation] .option").nth(3)
    {"mouse": four.click, "touch": four.tap, "keyboard": lambda: page.keyboard.press("4")}[by]()
    expect(reference).to_contain_class("dimmed")
    expect(page.locator(".question.focused")).to_have_attribute("data-question", "fluency")
    page.keyboard.press("5")
    expect(work.input("fluency", 5)).to_be_checked()
    page.locator("[data-question=content_preservation] legend").click()
    expect(reference).not_to_contain_class("dimmed")


@pytest.mark.browser_context_args(has_touch=True, viewport={"width": 390, "height": 844})
def test_on_a_phone_no_text_fades_for_a_question_out_of_sight(page: Page, at_work: At) -> None:
    """The reference stays as it is while only meaning is on the screen, and fades when fluency comes there."""
    at_work("adequacy_fluency", rows=long_items("adequacy_fluency", 1))
    reference = page.locator(".texts .text[data-field=reference]")
    four = page.locator("[data-question=content_preservation] .option").nth(3)
    page.evaluate("document.querySelector('[data-question=fluency]').style.marginTop = '900px'")
    four.tap()
    expect(page.locator("[data-question=content_preservation] input[value='4']")).to_be_checked()
    expect(reference).not_to_contain_class("dimmed")
    page.locator("[data-question=fluency] .option").last.scroll_into_view_if_needed()
    expect(reference).to_contain_class("dimmed")


def test_differences_stay_as_chosen_and_nothing_leads_past_an_open_item(page: Page, at_work: At) -> None:
    """Shown on one item, they are shown on the next; forward is there on what was submitted, and only there."""
    work = at_work("quality", rows=long_items("quality", 3))
    shown, forward = page.get_by_label("Show differences"), page.locator("[data-action=forward]")
    expect(forward).to_have_count(0)
    shown.check()
    for question in ("meaning", "fluency", "simplicity"):
        work.input(question, 4).check()
    work.submit()
    expect(page.get_by_text("2 of 3")).to_be_visible()
    expect(shown).to_be_checked()
    expect(forward).to_have_count(0)
    page.locator("[data-action=back]").click()
    expect(forward).to_have_count(1)
