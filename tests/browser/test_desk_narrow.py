"""The work page on a phone: what is judged stands whole, what is touched is large enough, and nothing hides behind."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.desks import Work
from tests.browser.saved import submitted, words
from tests.browser.sentences import OF_EVERY_KIND, PROTOCOLS, long_items
from tests.length import either

At = Callable[..., Work]
TOUCHED = {"viewport": {"width": 390, "height": 844}, "has_touch": True}
ITEMS = either(2, 10)

CUT = """() => {
  const floor = document.querySelector(".desk-actions").getBoundingClientRect().top;
  const seen = ({ top, bottom, left, right }) => top >= 0 && bottom <= floor && left >= 0 && right <= innerWidth;
  const marks = (body) => [...body.querySelectorAll("mark")].flatMap((mark) => [...mark.getClientRects()]);
  return [...document.querySelectorAll(".texts .text-body")].filter((body) => {
    const range = document.createRange();
    range.selectNodeContents(body);
    return ![...range.getClientRects(), ...marks(body)].every(seen);
  }).map(({ textContent }) => textContent);
}"""
"""Texts of which some line is not in sight, between the top of the window and the actions."""

BROKEN = r"""() => [...document.querySelectorAll(".guide :is(td, th)")].flatMap((cell) => {
  const texts = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT);
  const broken = [];
  while (texts.nextNode()) {
    const text = texts.currentNode;
    for (const word of text.data.matchAll(/[\p{L}\p{N}]+/gu)) {
      const range = document.createRange();
      range.setStart(text, word.index);
      range.setEnd(text, word.index + word[0].length);
      const lines = new Set([...range.getClientRects()].filter(({ width }) => width).map(({ top }) => Math.round(top)));
      if (lines.size > 1) broken.push(word[0]);
    }
  }
  return broken;
})"""
"""Words in the tables of the guide that stand on two lines."""


@pytest.fixture
def phone(page: Page) -> Page:
    """A small window."""
    page.set_viewport_size({"width": 360, "height": 740})
    return page


def test_words_in_the_guides_tables_stay_whole(phone: Page, at_work: At) -> None:
    """A table too wide for the panel scrolls in its box instead of breaking words."""
    work = at_work("lexical_complexity", rows=words())
    work.page.get_by_role("button", name="Guide").click()
    expect(work.page.locator(".guide table").first).to_be_visible()
    assert work.page.evaluate(BROKEN) == []


def test_notes_open_by_a_finger(phone: Page, at_work: At) -> None:
    """The line that opens notes and examples is as high as everything that is touched."""
    work = at_work()
    for summary in work.page.locator(".help summary:visible").all():
        box = summary.bounding_box()
        assert box is not None
        assert box["height"] >= 44


def test_the_list_of_problems_stands_above_the_actions(phone: Page, at_work: At) -> None:
    """Each problem is one line; the list scrolls by itself, ends above the buttons, and its links lead on."""
    work = at_work()
    work.submit()
    links = work.page.locator(".summary-problems a")
    expect(links).to_have_count(6)
    listed, row = (work.page.locator(where).bounding_box() for where in (".summary-problems ul", ".actions-row"))
    assert listed is not None
    assert row is not None
    assert listed["y"] + listed["height"] <= row["y"]
    for link in links.all():
        box = link.bounding_box()
        assert box is not None
        assert box["height"] < 40, "one line"
    links.last.click()
    expect(work.page.locator("[data-question=needed] input").first).to_be_focused()


def test_a_word_in_capitals_is_no_second_answer(at_work: At) -> None:
    """What was typed first stands as it was typed."""
    work = at_work("lexical_simplification", rows=words()[:1])
    here = work.page.url
    for place, text in enumerate(("Easy", "EASY", "plain")):
        work.page.locator("[data-question=substitutes]").get_by_role("textbox").nth(place).fill(text)
    work.submit()
    work.page.wait_for_url(lambda url: url != here)
    assert submitted(work)[0].answers == {"substitutes": ["Easy", "plain"]}


@pytest.mark.browser_context_args(**TOUCHED)
@pytest.mark.parametrize("protocol", either(OF_EVERY_KIND, [name for name in PROTOCOLS if name != "salsa"]))
def test_items_are_judged_with_the_texts_in_sight(page: Page, at_work: At, protocol: str) -> None:
    """Sentences of 50 words stand whole when an item opens, the first and every later one; a strip of them, with the
    marked words, comes only once they are scrolled past, takes no room, and one tap brings them back whole."""
    work = at_work(protocol, rows=long_items(protocol, ITEMS))
    for number in range(ITEMS):
        here = page.url
        assert page.evaluate("scrollY") == 0
        assert page.evaluate(CUT) == [], f"item {number + 1} opens with texts that are cut"
        expect(page.locator(".strip-button")).to_be_hidden()
        texts = page.locator(".texts .text-body").all_inner_texts()
        marked = page.locator(".texts mark").all_inner_texts()
        _scroll_past(page)
        strip = page.locator(".strip")
        expect(strip.locator("mark")).to_have_text(marked)
        button = strip.get_by_role("button", name="Show the whole texts")
        button.tap()
        assert strip.locator(".text-body").all_inner_texts() == texts
        button.tap()
        expect(strip.locator(".text-body")).to_have_count(0)
        work.answer_all(lambda place: place.tap())
        page.locator("[data-action=submit]").tap()
        page.wait_for_url(lambda url, here=here: url != here)
        if number + 1 < ITEMS:
            work.ready()
    assert len(submitted(work)) == len(long_items(protocol, ITEMS))


def _scroll_past(page: Page) -> None:
    """Scroll until the texts are gone; the strip that comes then moves nothing."""
    page.evaluate("document.querySelector('.items').style.paddingBottom = '900px'")
    page.evaluate("scrollBy(0, document.querySelector('.texts').getBoundingClientRect().bottom - 20)")
    expect(page.locator(".strip-button")).to_be_hidden()
    before = page.evaluate("document.documentElement.scrollHeight")
    page.evaluate("scrollBy(0, 24)")
    expect(page.locator(".strip-button")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollHeight") == before


@pytest.mark.browser_context_args(**TOUCHED)
def test_what_a_question_must_not_see_is_dim_in_the_strip_too(page: Page, at_work: At) -> None:
    """The reference is dim in the strip, and in what it opens, while fluency is judged."""
    work = at_work("adequacy_fluency", rows=long_items("adequacy_fluency", 1))
    work.page.locator("[data-question=content_preservation] .option").first.tap()
    _scroll_past(page)
    expect(page.locator(".strip-line[data-field=reference]")).to_contain_class("dimmed")
    page.locator(".strip button").tap()
    expect(page.locator(".strip .text[data-field=reference]")).to_contain_class("dimmed")
