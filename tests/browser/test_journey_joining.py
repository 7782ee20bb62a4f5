"""Coming in through a link for many: the open link of a study."""

from __future__ import annotations

from datetime import UTC, datetime

from playwright.sync_api import Page, expect

from tests.browser.conftest import Studio


def test_an_open_link_lets_people_in_and_brings_them_back(studio: Studio, page: Page) -> None:
    """Whoever clicks "Take part" is at work under a link of their own, and the open link leads back to it."""
    from rubrica.store.invitations import open_door, token

    study = studio.study("adequacy_fluency", items=2)
    door = open_door(study, "open", datetime.now(UTC), cap=5)
    page.goto(f"{studio.url}/join/{token(door)}/")
    page.locator("main form button.primary").click()
    page.wait_for_url("**/w/**")
    expect(page.locator("rubrica-desk")).to_be_visible()
    page.goto(f"{studio.url}/join/{token(door)}/")
    page.wait_for_url("**/w/**")
    assert study.annotators.count() == 1
