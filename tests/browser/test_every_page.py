"""Every page in a real browser: it opens, axe-core finds nothing, the policy refuses nothing, nothing overflows.

`make test` opens each page once, in one look or another; `make test-all` in light and dark, from
left and from right, wide and narrow.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from playwright.sync_api import Browser, BrowserContext

from rubrica.home.database import open_home
from tests.browser.conftest import Server
from tests.browser.looks import no_fault
from tests.browser.pages import ACCOUNT, FRAGMENTS, NO_PAGE, PAGES, PASSWORD, World, address_names, build
from tests.length import LONG, either

WIDE, NARROW = (1280, 900), (360, 740)


class Look(NamedTuple):
    """How a page is looked at."""

    theme: str = "light"
    size: tuple[int, int] = WIDE
    language: str = "en"

    def __str__(self) -> str:
        return f"{self.theme}-{self.size[0]}-{self.language}"


ALL = [
    Look(theme, size, language)
    for theme in ("light", "dark")
    for size in (WIDE, NARROW)
    for language in ("en", "ar-xb")
]
VARIED = [
    Look(),
    Look("dark", NARROW),
    Look("light", WIDE, "ar-xb"),
    Look("dark", WIDE, "es"),
    Look("light", NARROW, "ar-xb"),
]
"""In `make test` each page is seen in one of these, in turn."""


@pytest.fixture(scope="session")
def world(server: Server) -> World:
    """A study at work, one being set up, and people at every step."""
    open_home(server.home, os.environ.get("DATABASE_URL", ""))
    return build(datetime.now(UTC), server.home)


@pytest.fixture(scope="session")
def signed_in(server: Server, world: World, browser: Browser) -> dict[str, Any]:
    """The cookies of a researcher."""
    context = browser.new_context()
    page = context.new_page()
    page.goto(f"{server.url}/sign-in/")
    page.fill("input[name=username]", ACCOUNT)
    page.fill("input[name=password]", PASSWORD)
    page.click("button.primary")
    page.wait_for_url("**/studies/")
    state = context.storage_state()
    context.close()
    return dict(state)


@pytest.fixture
def look_at(server: Server, browser: Browser, signed_in: dict[str, Any]) -> Iterator[Any]:
    """Opens a browser of that size, theme and language."""
    opened: list[BrowserContext] = []

    def look(look: Look, who: str) -> BrowserContext:
        context = browser.new_context(
            viewport={"width": look.size[0], "height": look.size[1]},
            color_scheme="dark" if look.theme == "dark" else "light",
            storage_state=signed_in if who == "researcher" else None,  # type: ignore[arg-type]
            service_workers="block",
        )
        context.add_cookies([{"name": "rubrica_language", "value": look.language, "url": server.url}])
        opened.append(context)
        return context

    yield look
    for context in opened:
        context.close()


def _cases() -> list[Any]:
    cases = []
    for number, name in enumerate(sorted(set(PAGES) - FRAGMENTS)):
        looks = either([VARIED[number % len(VARIED)]], ALL)
        cases += [pytest.param(name, look, id=f"{name}-{look}") for look in looks]
    return cases


@pytest.mark.parametrize(("name", "look"), _cases())
def test_page_opens_without_fault(server: Server, world: World, look_at: Any, name: str, look: Look) -> None:
    """The page answers, axe-core finds nothing, the console stays empty, and nothing is wider than the window."""
    known = PAGES[name]
    page = look_at(look, known.who).new_page()
    complaints: list[str] = []
    page.on("console", lambda message: complaints.append(message.text) if message.type == "error" else None)
    page.on("pageerror", lambda error: complaints.append(str(error)))
    outside: list[str] = []
    page.on("request", lambda sent: None if sent.url.startswith((server.url, "data:")) else outside.append(sent.url))
    answer = page.goto(server.url + known.path(world))
    assert answer is not None
    assert answer.status == 200, page.url
    assert page.locator("h1").count() == 1
    no_fault(page, "" if LONG else known.repeats)
    assert complaints == []
    assert outside == []


def test_every_address_is_known(migrated: Path) -> None:
    """A new page must be added to the table of pages, so that it is looked at."""
    seen = {name.partition("/")[0] for name in PAGES}
    assert address_names() - {"api_docs"} == (seen | NO_PAGE) - {"api_docs"}
