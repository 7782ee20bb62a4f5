"""Substitutes on the work page: that none is simpler is said, never left to an Enter; a repetition is remarked on."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect
from playwright.sync_api import TimeoutError as PlaywrightTimeoutError

from tests.browser.conftest import Studio
from tests.browser.desks import Work
from tests.browser.saved import submitted
from tests.browser.sentences import long_items

At = Callable[..., Work]


@pytest.fixture
def work(at_work: At) -> Work:
    """At three words of a context."""
    return at_work("lexical_simplification", rows=long_items("lexical_simplification", 2))


def _press_enter(page: Page) -> None:
    """Enter; once more if nothing happens: on a busy machine the key was lost about once in twenty runs."""
    page.keyboard.press("Enter")
    try:
        page.get_by_role("dialog").wait_for(timeout=10_000)
    except PlaywrightTimeoutError:
        page.keyboard.press("Enter")


def test_enter_on_an_untouched_page_asks_and_stores_nothing(work: Work) -> None:
    """The question names every word; Enter again and n go back to the boxes; y, one key, stores and goes on."""
    page, here = work.page, work.page.url
    boxes = page.locator("[data-question=substitutes]").get_by_role("textbox")
    for back in ("Enter", "n", "Escape"):
        _press_enter(page)
        expect(page.get_by_role("dialog")).to_contain_text("No simpler word for reluctantly, dilapidated, and indispen")
        expect(page.get_by_role("dialog").locator("mark")).to_have_count(3)
        page.keyboard.press(back)
        expect(page.get_by_role("dialog")).to_have_count(0)
        expect(boxes.first).to_be_focused()
    assert submitted(work) == []
    boxes.first.fill("grudgingly")
    page.keyboard.press("Enter")
    expect(page.get_by_role("dialog")).to_contain_text("No simpler word for dilapidated and indispensable?")
    page.keyboard.press("y")
    page.wait_for_url(lambda url: url != here)
    said = [one.answers["substitutes"] for one in submitted(work)]
    assert sorted(said) == [[], [], ["grudgingly"]]


def test_no_simpler_word_is_a_choice(work: Work) -> None:
    """It stands beside the boxes, empties them, gives way to a word, is kept over a reload, undone, not asked for."""
    page, here = work.page, work.page.url
    first = page.locator("[data-question=substitutes]").first
    none, box = first.get_by_role("checkbox", name="No simpler word"), first.get_by_role("textbox").first
    box.fill("hard")
    none.check()
    expect(box).to_have_value("")
    box.press_sequentially("easy")
    expect(none).not_to_be_checked()
    none.check()
    work.saved()
    page.reload()
    work.ready()
    expect(none).to_be_checked()
    for other in page.get_by_role("checkbox", name="No simpler word").all():
        other.check()
    page.locator("body").click(position={"x": 2, "y": 2})
    page.keyboard.press("u")
    expect(page.get_by_role("checkbox", name="No simpler word").last).not_to_be_checked()
    page.get_by_role("checkbox", name="No simpler word").last.check()
    work.submit()
    page.wait_for_url(lambda url: url != here)
    assert [one.answers["substitutes"] for one in submitted(work)] == [[], [], []]


def test_a_repeated_substitute_is_remarked_on(work: Work) -> None:
    """The hint comes while one types, and takes no room that was not kept for it."""
    boxes = work.page.locator("[data-question=substitutes]").first.get_by_role("textbox")
    below = work.page.locator("[data-question=comment]").first
    before = below.bounding_box()
    for place, word in enumerate(("grudgingly", "Grudgingly")):
        boxes.nth(place).fill(word)
    expect(work.page.locator("[data-question=substitutes] .hints").first).to_contain_text("Twice the same? Grudgingly")
    assert below.bounding_box() == before


def test_what_is_missing_is_told_by_its_word(at_work: At) -> None:
    """Three words are asked the same, so that each link to a missing answer begins with its own."""
    work = at_work("lexical_complexity", rows=long_items("lexical_complexity", 2))
    names = work.page.locator(".item-name mark").all_inner_texts()
    work.submit()
    links = work.page.locator(".summary-problems a")
    expect(links).to_have_text([re.compile(f"^{at} {name} · .+") for at, name in enumerate(names, start=1)])


@pytest.mark.browser_context_args(java_script_enabled=False)
def test_without_script_a_blank_page_asks_as_well(page: Page, studio: Studio) -> None:
    """The form comes back with the question and a button that one key presses."""
    study = studio.study("lexical_simplification", rows=long_items("lexical_simplification", 1)[:1])
    work = Work(studio, study, page)
    page.goto(work.door + "work/")
    page.get_by_role("button", name="Submit and next").click()
    yes = page.get_by_role("button", name="Yes, submit")
    expect(page.get_by_role("alert").first).to_contain_text("No simpler word for reluctantly?")
    assert submitted(work) == []
    yes.press("Enter")
    expect(page.get_by_role("heading", name="Thank you!")).to_be_visible()
    assert [one.answers for one in submitted(work)] == [{"substitutes": []}]
