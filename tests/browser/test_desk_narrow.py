"""The work page on a phone: what is touched is large enough, words stay whole, and no list hides behind the actions."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.desks import Work
from tests.browser.saved import submitted, words

At = Callable[..., Work]

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
    work = at_work("lexical_simplification", rows=words()[:3])
    here = work.page.url
    for place, text in enumerate(("Easy", "EASY", "plain")):
        work.page.locator("[data-question=substitutes]").first.locator("input").nth(place).fill(text)
    work.submit()
    work.page.wait_for_url(lambda url: url != here)
    assert submitted(work)[0].answers == {"substitutes": ["Easy", "plain"]}
