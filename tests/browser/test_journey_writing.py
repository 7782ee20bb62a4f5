"""A writing study on a phone: rewrites, a refusal with its reason, hints, ways out, and the network gone in between."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from rubrica.core.study import Item
from tests.browser.conftest import Studio
from tests.browser.desks import Work
from tests.browser.saved import submitted
from tests.browser.walking import page_ahead_is_kept

SENTENCES = [
    Item(f"s{number}", {"source": f"Gate {number}, which the old keeper painted, stays shut until the snow melts."})
    for number in range(1, 6)
]


@pytest.fixture
def phone(browser: Browser) -> Iterator[Page]:
    """A narrow screen that is touched."""
    context = browser.new_context(viewport={"width": 360, "height": 740}, has_touch=True, is_mobile=True)
    yield context.new_page()
    context.close()


def test_writing_on_a_phone(studio: Studio, phone: Page) -> None:
    """All five sentences end as the writer chose, each once, though the network was gone for two of them."""
    work = Work(studio, studio.study("split_rewrite", rows=SENTENCES), phone).open()
    seen = [phone.url]
    _refused_then_written(work)
    seen.append(_moved_on(work, seen[-1]))
    _leave(work, "Too simple to split")
    seen.append(_moved_on(work, seen[-1]))
    _without_network(work, seen)
    _write(work, "Gate five stays shut. The snow must melt first.")
    work.submit()
    expect(phone.get_by_role("heading", level=1)).to_have_text("Thank you!")
    outcomes = sorted(one.outcome for one in submitted(work))
    assert outcomes == ["answered", "answered", "answered", "too_simple", "uncomfortable"]
    assert {one.answers["rewrite"] for one in submitted(work) if one.outcome == "answered"} == {
        "The old keeper painted the gate. The gate stays shut.",
        "The gate stays shut. Nobody was online.",
        "Gate five stays shut. The snow must melt first.",
    }
    assert len({one.judgement_id for one in submitted(work)}) == 5
    assert [error for error in work.errors if "Failed to load resource" not in error] == []


def _refused_then_written(work: Work) -> None:
    """One sentence is refused with the reason and the ways out; with two, and whatever the hints say, it is taken."""
    page = work.page
    _write(work, "The gate stays shut.")
    work.submit()
    problem = page.get_by_role("alert").filter(has_text="Write at least 2 sentences").first
    expect(problem).to_be_visible()
    expect(problem).to_contain_text("choose another way to end this item")
    for name in ("Too simple to split", "Too problematic to split", "Skip (too hard for me)"):
        expect(page.get_by_role("button", name=name)).to_be_visible()
    page.keyboard.press("Escape")
    assert submitted(work) == []
    _write(work, "The old keeper painted the gate. The gate stays shut.")
    hints = page.locator("[data-question=rewrite] .hints")
    expect(hints).to_contain_text("2 sentences")
    expect(hints).to_contain_text("snow")
    work.submit()


def _without_network(work: Work, seen: list[str]) -> None:
    """Two sentences are finished without network; both are delivered when it returns."""
    page = work.page
    page_ahead_is_kept(page, seen)
    page.context.set_offline(True)
    _write(work, "The gate stays shut. Nobody was online.")
    work.submit()
    seen.append(_moved_on(work, seen[-1]))
    expect(work.state).to_contain_text("Offline: one answer waiting")
    _leave(work, "I would rather not judge this one")
    expect(page.get_by_text("Offline:").first).to_be_visible()
    page.context.set_offline(False)
    seen.append(_moved_on(work, seen[-1]))
    for _ in range(900):
        if len(submitted(work)) == 4:
            return
        page.wait_for_timeout(100)
    raise AssertionError("what was finished without network did not arrive")


def _write(work: Work, text: str) -> None:
    work.page.locator("[data-question=rewrite]").get_by_role("textbox").fill(text)


def _leave(work: Work, way: str) -> None:
    """End the item in another way than by answering."""
    work.page.get_by_text("Skip…", exact=True).tap()
    work.page.get_by_role("button", name=way).tap()


def _moved_on(work: Work, last: str) -> str:
    """Wait for a fresh page of work; gives its address."""
    page = work.page
    page.wait_for_url(lambda url: url != last)
    expect(page.locator("[data-question=rewrite]").get_by_role("textbox")).to_have_value("")
    work.ready()
    return page.url
