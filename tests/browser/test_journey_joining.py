"""Coming in through a link for many: the open link of a study."""

from __future__ import annotations

from datetime import UTC, datetime

from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import Studio
from tests.browser.looks import no_fault


def test_an_open_link_lets_people_in_and_brings_them_back(studio: Studio, page: Page) -> None:
    """Whoever clicks "Take part" is at work under a link of their own, and the open link leads back to it."""
    from rubrica.store.people.invitations import open_door, token

    study = studio.study("adequacy_fluency", items=2)
    door = open_door(study, "open", datetime.now(UTC), cap=5)
    page.goto(f"{studio.url}/join/{token(door)}/")
    page.locator("main form button.primary").click()
    page.wait_for_url("**/w/**")
    expect(page.locator("rubrica-desk")).to_be_visible()
    page.goto(f"{studio.url}/join/{token(door)}/")
    page.wait_for_url("**/w/**")
    assert study.annotators.count() == 1


def test_a_place_of_prolific_moves_to_another_device_by_its_code(studio: Studio, page: Page, browser: Browser) -> None:
    """The first device works and comes back unasked; a phone with the same link is asked for the code, then works."""
    from rubrica.store.people.invitations import open_door, token

    study = studio.study("adequacy_fluency", items=2)
    door = open_door(study, "prolific", datetime.now(UTC), code="C0DE")
    address = f"{studio.url}/join/{token(door)}/?PROLIFIC_PID=5f1a&STUDY_ID=st&SESSION_ID=se"
    page.goto(address)
    assert not study.annotators.exists()
    page.get_by_role("button", name="Take part").click()
    expect(page.locator("rubrica-desk")).to_be_visible()
    page.goto(address)
    expect(page.locator("rubrica-desk")).to_be_visible()
    phone = browser.new_context(viewport={"width": 390, "height": 844}, java_script_enabled=False)
    try:
        other = phone.new_page()
        other.goto(address)
        expect(other.get_by_role("heading", name="This place is in use on another device")).to_be_visible()
        page.get_by_text("Menu", exact=True).click()
        page.get_by_role("link", name="Use another device").click()
        page.get_by_role("button", name="Make a code").click()
        code = page.locator(".code code").inner_text()
        other.get_by_label("Code").fill(code)
        other.get_by_role("button", name="Move the place here").click()
        other.wait_for_url("**/w/**")
        page.goto(address)
        expect(page.get_by_role("heading", name="This place is in use on another device")).to_be_visible()
        page.set_viewport_size({"width": 360, "height": 740})
        no_fault(page)
    finally:
        phone.close()
    assert study.annotators.count() == 1
