"""An annotator at the work page, as the tests of the desk drive one."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from playwright.sync_api import Locator, Page, expect

if TYPE_CHECKING:
    from rubrica.store.models import Study
    from tests.browser.conftest import Studio


class Work:
    """An annotator at the work page of a study, in one tab."""

    def __init__(self, studio: Studio, study: Study, page: Page, door: str = "") -> None:
        self.studio, self.study, self.page = studio, study, page
        self.door = door or studio.door(studio.invite(study))
        self.errors: list[str] = []
        self.requests: list[str] = []
        self.order: list[str] = []
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.on("console", lambda message: self.errors.append(message.text) if message.type == "error" else None)
        page.on("request", lambda request: self.requests.append(request.url))

    def open(self, path: str = "work/") -> Work:
        """Go to the page and wait for its script."""
        self.page.goto(self.door + path)
        return self.ready()

    def ready(self) -> Work:
        """Wait until the script has taken over."""
        expect(self.page.locator("rubrica-desk[data-ready]")).to_be_attached()
        self.order = self.page.locator(".question").evaluate_all("all => all.map(one => one.dataset.question)")
        return self

    @property
    def state(self) -> Locator:
        """The line that says how it stands with saving."""
        return self.page.locator(".save-state")

    def saved(self) -> None:
        """Wait until everything is on the server."""
        expect(self.state).to_have_attribute("data-state", "saved")

    def stop_clock(self) -> None:
        """Let time stand still on the page, until `page.clock.run_for` lets it go on."""
        self.page.clock.install()
        self.page.clock.pause_at(datetime.now(UTC) + timedelta(minutes=1))

    def input(self, question: str, value: object) -> Locator:
        """The radio button or box of an answer."""
        return self.page.locator(f"[data-question={question}] input[value='{value}']")

    def choose(self, question: str, value: object) -> None:
        """Click an answer, as a person does: on its label, after opening the question if it has shrunk."""
        target = self.input(question, value)
        if not target.is_visible():
            self.page.locator(f"[data-question={question}] legend").click()
        target.check()

    def answer(self, answers: Mapping[str, object]) -> None:
        """Choose several answers."""
        for question, value in answers.items():
            self.choose(question, value)

    def answer_all(self, press: Callable[[Locator], None]) -> list[str]:
        """Answer whatever must be answered, by pressing where a person would; texts are typed. The order of it."""
        order: list[str] = []
        while (asked := self.page.locator(".question[data-required]:not([hidden], .answered)")).count():
            order.append(str(asked.first.get_attribute("id")))
            question = self.page.locator(f"[id='{order[-1]}']")
            match question.get_attribute("data-kind"):
                case "text" | "rewrite":
                    question.locator("textarea").fill("The town kept its lighthouse. It is old.")
                case "short_answers":
                    question.get_by_role("textbox").first.fill("simple")
                case "slider":
                    press(question.locator("input[type=range]"))
                case _:
                    press(question.locator(".option").first)
            expect(question).to_contain_class("answered")
        return order

    def submit(self) -> None:
        """Click the button."""
        self.page.locator("[data-action=submit]").click()
