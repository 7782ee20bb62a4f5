"""Steps that whole journeys share: a researcher at the pages of a study, an annotator on the way to the work."""

from __future__ import annotations

from collections.abc import Mapping
from uuid import uuid4

from playwright.sync_api import Locator, Page, expect

from tests.browser.desks import Work

PASSWORD = "a quiet reading desk"
LONG_WAY = 150
"""The most presses of Tab that anything on a page may be away."""


def press_button(page: Page, name: str) -> None:
    """Click the button of that name."""
    page.get_by_role("button", name=name, exact=True).click()


def sign_in(page: Page, url: str) -> str:
    """A new researcher signs in through the form; gives the name."""
    from django.contrib.auth.models import User

    name = f"researcher-{uuid4().hex[:8]}"
    User.objects.create_user(name, password=PASSWORD)
    page.goto(f"{url}/sign-in/")
    page.get_by_label("Username").fill(name)
    page.get_by_label("Password").fill(PASSWORD)
    press_button(page, "Sign in")
    expect(page.get_by_role("heading", level=1)).to_have_text("Studies")
    return name


class Hand:
    """How a person moves through the pages of the way to the work: by mouse."""

    def __init__(self, page: Page) -> None:
        self.page = page

    def press(self, target: Locator) -> None:
        """Press a button, follow a link, or tick a box."""
        target.click()

    def answer(self, answers: Mapping[str, object]) -> None:
        """Answer the questions of the desk that are there to answer, in the order of the page."""
        for question in _asked(self.page):
            if question in answers:
                self.page.locator(f"[data-question={question}] input[value='{answers[question]}']").check()

    def submit(self) -> None:
        """Send the answers of the desk."""
        self.page.locator("[data-action=submit]").click()


class Keys(Hand):
    """The same with the keyboard alone: Tab, Space, Enter and the keys of the desk."""

    def press(self, target: Locator) -> None:
        """Press Tab until the focus is there, then Space on a box and Enter on anything else."""
        expect(target).to_be_visible()
        for _ in range(LONG_WAY):
            if target.evaluate("one => one === document.activeElement"):
                self.page.keyboard.press("Space" if target.get_attribute("type") == "checkbox" else "Enter")
                return
            self.page.keyboard.press("Tab")
        raise AssertionError(f"the keyboard does not reach {target}")

    def answer(self, answers: Mapping[str, object]) -> None:
        """Press the key of each answer; the desk goes to the next question by itself."""
        for _ in range(len(answers)):
            focused = self.page.locator(".question.focused")
            question = focused.get_attribute("data-question") or ""
            if question not in answers or not _unanswered(focused):
                return
            key = focused.locator(f"input[value='{answers[question]}']").get_attribute("data-key")
            self.page.keyboard.press(key or str(answers[question]))

    def submit(self) -> None:
        """Press Enter at the last answer."""
        self.page.keyboard.press("Enter")


def _asked(page: Page) -> list[str]:
    """The questions that can be answered by a choice and are not hidden or set already."""
    shown = page.locator(".question:not([hidden]):not([data-locked])")
    return [str(name) for name in shown.evaluate_all("all => all.map(one => one.dataset.question)")]


def _unanswered(question: Locator) -> bool:
    return question.locator("input:checked").count() == 0


def _leave(page: Page, here: str) -> None:
    """Wait until another page is open."""
    page.wait_for_url(lambda url: url != here)


def walk_to_work(hand: Hand, link: str, practice: Mapping[str, object]) -> int:
    """From the link to the work page: welcome, consent, profile, guidelines, practice. Gives the lessons seen."""
    page = hand.page
    page.goto(link)
    hand.press(page.get_by_role("button", name="Go on", exact=True))
    expect(page.get_by_role("heading", level=1)).to_have_text("Do you agree to take part?")
    hand.press(page.get_by_role("button", name="I agree and take part"))
    expect(page.get_by_role("heading", level=1)).to_have_text("About you")
    unsaid = page.get_by_role("checkbox", name="I would rather not say")
    for place in range(unsaid.count()):
        hand.press(unsaid.nth(place))
    hand.press(page.get_by_role("button", name="Save and go on"))
    hand.press(page.get_by_role("button", name="I have read this"))
    hand.press(page.get_by_role("link", name="Begin the practice"))
    seen = practise(hand, practice)
    hand.press(page.get_by_role("button", name="Start", exact=True))
    page.wait_for_url("**/work/**")
    return seen


def practise(hand: Hand, answers: Mapping[str, object]) -> int:
    """Answer every example, read what we would answer, and go on, until the practice is finished."""
    page = hand.page
    seen = 0
    while True:
        page.wait_for_url("**/practice/**")
        finished = page.get_by_role("heading", name="You have finished the practice")
        desk = page.locator("rubrica-desk[data-ready]")
        expect(finished.or_(desk)).to_be_visible()
        if finished.is_visible():
            return seen
        here = page.url
        hand.answer(answers)
        hand.submit()
        expect(page.get_by_role("region", name="What we would answer")).to_be_visible()
        seen += 1
        hand.press(page.get_by_role("link", name="Go on", exact=True))
        _leave(page, here)


def work_through(hand: Hand, given: list[Mapping[str, object]]) -> dict[str, Mapping[str, object]]:
    """Judge item after item with these answers, until the thanks. Gives the answers by the source that was shown."""
    page = hand.page
    judged: dict[str, Mapping[str, object]] = {}
    for answers in given:
        expect(page.locator("rubrica-desk[data-ready]")).to_be_attached()
        judged[page.locator("[data-field=source] .text-body").inner_text()] = answers
        here = page.url
        hand.answer(answers)
        hand.submit()
        _leave(page, here)
    expect(page.get_by_role("heading", level=1)).to_have_text("Thank you!")
    return judged


def withdraw_and_erase(work: Work) -> None:
    """Leave through the menu and have everything erased."""
    page = work.page
    page.get_by_text("Menu", exact=True).click()
    page.get_by_role("link", name="Withdraw", exact=True).click()
    press_button(page, "Stop and erase…")
    press_button(page, "Yes, stop and erase everything")
    expect(page.get_by_role("heading", level=1)).to_have_text("Everything is erased")


def page_ahead_is_kept(page: Page, seen: list[str]) -> None:
    """Wait until the device keeps a page of work that was not opened yet."""
    keys = "caches.open('rubrica-pages').then(async (kept) => (await kept.keys()).map(({ url }) => url))"
    for _ in range(900):
        work = [url for url in page.evaluate(keys) if "/work/" in url and "/guide/" not in url]
        if set(work) - {*seen, page.url}:
            return
        page.wait_for_timeout(100)
    raise AssertionError("no page ahead was kept")
