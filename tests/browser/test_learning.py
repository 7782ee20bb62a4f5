"""Practice and qualification in a real browser: what is told after an answer, and what at the end."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from rubrica.protocols.catalog import load_shipped
from tests.browser.conftest import Studio
from tests.browser.desks import Work

STEPS = ("welcome", "consent", "profile", "guidelines", "practice", "qualification")
RIGHT = {item.fields["source"]: item for item in load_shipped("breve").protocol.practice}
"""The known answers of the protocol's own examples, by what is shown of them."""


def begin(studio: Studio, page: Page, step: str, **more: object) -> Work:
    """An annotator of whom only this step is asked, at its first page."""
    study = studio.study("breve", steps={name: name == step for name in STEPS}, **more)
    work = Work(studio, study, page)
    page.goto(work.door)
    return work


def answer(work: Work, **changes: object) -> None:
    """Answer the page as the protocol does, but for these changes, and send it."""
    work.ready()
    page = work.page
    known = RIGHT[page.locator("[data-field=source] .text-body").inner_text()].answers
    for question, value in {**known, **changes}.items():
        place = page.locator(f"[data-question={question}]:not([data-locked])")
        if place.count() == 0 or not place.is_visible():
            continue
        if isinstance(value, str) and place.locator("textarea").count():
            place.locator("textarea").fill(value)
        else:
            for part in value if isinstance(value, tuple) else (value,):
                work.choose(question, part)
    work.submit()


def test_practice_tells_what_was_like_ours_and_what_was_not(studio: Studio, page: Page) -> None:
    """Each answer is compared, a different one with ours beside it, and the reason is told."""
    work = begin(studio, page, "practice")
    page.get_by_role("link", name="Begin the practice").click()
    answer(work, needed="no")
    lesson = page.get_by_role("region", name="What we would answer")
    expect(page.get_by_role("link", name="Go on", exact=True)).to_be_focused()
    expect(lesson.locator("li.wrong")).to_have_count(1)
    expect(lesson.locator("li.wrong")).to_contain_text("You: No")
    expect(lesson.locator("li.wrong")).to_contain_text("We: Yes")
    expect(lesson.locator("li.right").first).to_contain_text("Like ours")
    expect(lesson.locator(".why")).to_contain_text("Why:")


def test_qualification_says_nothing_between_and_the_score_at_the_end(studio: Studio, page: Page) -> None:
    """Right answers qualify; the page then leads to the work."""
    work = begin(studio, page, "qualification", qualification={"items": 2, "pass_mark": 0.5, "tries": 1})
    page.get_by_role("link", name="Begin", exact=True).click()
    for number in (1, 2):
        page.wait_for_url(f"**/qualification/1/{number}/")
        answer(work)
    expect(page.get_by_role("heading", level=1)).to_have_text("You qualified")
    expect(page.get_by_role("status")).to_contain_text("100 % of your answers were like ours")
    page.get_by_role("link", name="Start").click()
    page.wait_for_url("**/work/**")


def test_a_failed_try_says_how_far_it_was_and_offers_another(studio: Studio, page: Page) -> None:
    """The score, what was needed, and how many tries are left."""
    work = begin(studio, page, "qualification", qualification={"items": 1, "pass_mark": 1.0, "tries": 2})
    page.get_by_role("link", name="Begin", exact=True).click()
    answer(work, needed="no", concern="yes")
    expect(page.get_by_role("heading", level=1)).to_have_text("Not enough this time")
    expect(page.get_by_role("status")).to_contain_text("100 % are needed")
    expect(page.get_by_text("You have one more try.")).to_be_visible()
