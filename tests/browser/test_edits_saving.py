"""Edits keep what the work page promises: nothing lost without network, in two tabs, on two devices, over reloads."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import Browser, expect

from tests.browser.desks import Work
from tests.browser.marking import REWRITE, SOURCE, Marking, pair, span, stored
from tests.browser.saved import drafts, submitted

At = Callable[..., Work]

GONE = {"id": "1", "operation": "deletion", "source": span(SOURCE, "on Monday.")}


def _at_work(at_work: At) -> Marking:
    return Marking(at_work("salsa", rows=pair(count=3)))


def _marked(marking: Marking) -> Marking:
    marking.drag("source", "on Monday.")
    marking.press("d")
    return marking


def test_edits_are_saved_within_a_second(at_work: At) -> None:
    """An edit is sent within a second of the page's own clock, and the page says so."""
    marking = _at_work(at_work)
    marking.work.stop_clock()
    _marked(marking)
    marking.page.clock.run_for(1000)
    expect(marking.work.state).to_contain_text("Saved")
    assert stored(drafts(marking.work)[-1]) == [GONE]


def test_offline_edits_wait_and_survive_a_reload(at_work: At) -> None:
    """Without network edits are kept on the device, over a reload too, and sent when it is back."""
    marking = _marked(_at_work(at_work))
    marking.work.saved()
    page = marking.page
    page.wait_for_function(
        "caches.open('rubrica-pages').then(async (pages) => (await pages.keys()).length >= 3)", timeout=20_000
    )
    page.context.set_offline(True)
    marking.drag("rewrite", "Many")
    marking.press("i")
    expect(marking.work.state).to_have_text("Offline: one answer waiting")
    page.reload()
    marking.work.ready()
    marking.expect_count(2)
    page.context.set_offline(False)
    assert [edit["operation"] for edit in marking.kept()] == ["deletion", "insertion"]


def test_offline_submit_carries_the_edits(at_work: At) -> None:
    """A submit without network arrives later with all its edits."""
    marking = _marked(_at_work(at_work))
    marking.work.saved()
    page = marking.page
    page.wait_for_function(
        "caches.open('rubrica-pages').then(async (pages) => (await pages.keys()).length >= 3)", timeout=20_000
    )
    first = page.url
    page.context.set_offline(True)
    marking.work.submit()
    page.wait_for_url(lambda url: url != first)
    marking.work.ready()
    assert submitted(marking.work) == []
    page.context.set_offline(False)
    marking.work.saved()
    assert [edit["source"] for edit in stored(submitted(marking.work)[0])] == [GONE["source"]]


def test_second_tab_shows_the_edits_of_the_first(at_work: At) -> None:
    """Two tabs of one item show the same edits."""
    marking = _marked(_at_work(at_work))
    other = Work(marking.work.studio, marking.work.study, marking.page.context.new_page(), marking.work.door)
    other.page.goto(marking.page.url)
    other.ready()
    beside = Marking(other)
    beside.expect_count(1)
    marking.page.bring_to_front()
    marking.drag("rewrite", "Many")
    marking.press("i")
    beside.expect_count(2)
    assert beside.value() == marking.value()


def test_other_device_goes_on_with_the_edits(at_work: At, browser: Browser) -> None:
    """Another device has the edits of the draft; its own change is not overwritten by the first one's."""
    marking = _marked(_at_work(at_work))
    marking.work.saved()
    phone = Work(marking.work.studio, marking.work.study, browser.new_context().new_page(), marking.work.door)
    phone.page.goto(marking.page.url)
    phone.ready()
    hand = Marking(phone)
    hand.drag("rewrite", "Many")
    hand.press("i")
    phone.saved()
    marking.drag("source", "Numerous")
    marking.press("d")
    expect(marking.page.locator("[data-notice=elsewhere]")).to_be_visible()
    marking.page.locator("[data-notice=elsewhere] button").click()
    marking.work.ready()
    marking.expect_count(2)
    assert marking.value()[1]["rewrite"] == span(REWRITE, "Many")
    phone.page.context.close()


def test_submitted_edits_can_be_opened_and_corrected(at_work: At) -> None:
    """Back on a submitted page its edits stand there; submitting it anew is a new revision, and only if it differs."""
    marking = _marked(_at_work(at_work))
    first = marking.page.url
    marking.submit()
    marking.page.goto(first)
    marking.work.ready()
    marking.expect_count(1)
    marking.drag("source", "Numerous")
    marking.press("d")
    marking.submit()
    marking.page.goto(first)
    marking.work.ready()
    marking.submit()
    assert [len(stored(one)) for one in submitted(marking.work)] == [1, 2]
