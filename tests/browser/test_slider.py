"""Sliders in a real browser: they say nothing until touched, then what they say is saved, by mouse and by keyboard."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import expect

from tests.browser.desks import Work
from tests.browser.saved import drafts

At = Callable[..., Work]


def test_a_slider_that_nobody_touched_is_no_answer(at_work: At) -> None:
    """It stands at no number, and submitting asks for it."""
    work = at_work("split_rate")
    question = work.page.locator("[data-question=sensible]")
    expect(question.locator("output")).to_have_text("Not set")
    work.submit()
    expect(question.locator(".problem")).to_be_visible()
    assert drafts(work) == []


def test_a_slider_is_moved_by_keys_and_kept(at_work: At) -> None:
    """Arrows move it, a digit sets it, nought is an answer; after a reload it stands where it was."""
    work = at_work("split_rate")
    slider = work.page.locator("[data-question=sensible] input[type=range]")
    slider.press("End")
    slider.press("ArrowLeft")
    expect(work.page.locator("[data-question=sensible] output")).to_have_text("4")
    work.page.locator("[data-question=grammatical] input[type=range]").press("0")
    work.saved()
    assert drafts(work)[-1].answers == {"sensible": 4, "grammatical": 0}
    work.page.reload()
    work.ready()
    expect(slider).to_have_value("4")
    expect(work.page.locator("[data-question=grammatical] input[type=range]")).not_to_have_attribute("data-unset", "")


def test_a_click_on_the_track_sets_it(at_work: At) -> None:
    """The far end is the highest number."""
    work = at_work("split_rate")
    slider = work.page.locator("[data-question=sensible] input[type=range]")
    box = slider.bounding_box()
    assert box is not None
    slider.click(position={"x": box["width"] - 2, "y": 10})
    expect(work.page.locator("[data-question=sensible] output")).to_have_text("5")
    work.saved()
    assert drafts(work)[-1].answers == {"sensible": 5}
