"""Sheets by page in a browser: dealt, fetched, and several filled ones dropped at once, one of them spoilt."""

from __future__ import annotations

import os
import zipfile
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import NOW, Studio
from tests.browser.walking import press_button, sign_in
from tests.making import fill, type_into


@pytest.fixture
def address(studio: Studio, page: Page) -> str:
    """The page of a running study, opened by its owner."""
    from django.contrib.auth.models import User

    from rubrica.store.models import Member

    owner = User.objects.get(username=sign_in(page, studio.url))
    study = studio.study("breve", items=6, overlap=3)
    Member.objects.create(study=study, user=owner, role="owner", since=NOW)
    page.goto(f"{studio.url}/s/{study.pid}/sheets/")
    return page.url


def picture(page: Page, name: str) -> None:
    """Pictures to look at, where somebody wants them."""
    if folder := os.environ.get("RUBRICA_PICTURES"):
        for device, width, height in (("desktop", 1280, 900), ("phone", 390, 844)):
            page.set_viewport_size({"width": width, "height": height})
            page.screenshot(path=f"{folder}/{name}-{device}.png", full_page=True)
        page.set_viewport_size({"width": 1280, "height": 900})


def dealt(page: Page, place: Path) -> list[Path]:
    """Deal to three people and fetch the archive."""
    page.get_by_label("Who", exact=True).fill("ana, ben\neva")
    press_button(page, "Deal items and make the sheets")
    with page.expect_download() as started:
        page.get_by_role("link", name="Download them").click()
    with zipfile.ZipFile(started.value.path()) as archive:
        archive.extractall(place)
        return sorted(place / name for name in archive.namelist())


def test_filled_sheets_are_dropped_together_and_told_one_by_one(address: str, page: Page, tmp_path: Path) -> None:
    """Each file has its outcome, problems stand by cell, and the table says what was read."""
    picture(page, "empty")
    files = dealt(page, tmp_path)
    assert [file.name.rpartition("-rate-")[2] for file in files] == ["ana-01.xlsx", "ben-01.xlsx", "eva-01.xlsx"]
    for file in files:
        fill(file)
    type_into(files[1], "Source", ["Another sentence."])
    expect(page.get_by_role("button", name="Read the sheets")).to_have_count(0)  # choosing them is enough
    for some in (files[:2], files[2:]):  # what comes while others are read waits for its turn
        page.get_by_label("Drop filled sheets here").set_input_files(some)
    expect(page.locator(".sheet-outcome")).to_have_count(3)
    expect(page.locator(".drop-state")).to_contain_text("Done.")
    expect(page.locator(".sheet-outcome").nth(1)).to_contain_text("Judgements A2")
    expect(page.locator(".sheet-outcome").nth(2)).to_contain_text("6 new")
    expect(page.get_by_role("row", name="eva")).to_contain_text("6")
    expect(page.locator("#handed")).to_contain_text("Download 1 open sheet (zip)")
    picture(page, "read")


def test_without_script_the_form_sends_all_files(address: str, page: Page, tmp_path: Path, browser: Browser) -> None:
    """The button is there, and the page comes back with what was found in each."""
    files = dealt(page, tmp_path)
    fill(files[0])
    plain = browser.new_context(java_script_enabled=False, storage_state=page.context.storage_state())
    try:
        other = plain.new_page()
        other.goto(address)
        other.get_by_label("Drop filled sheets here").set_input_files(files[:2])
        press_button(other, "Read the sheets")
        expect(other.locator(".sheet-outcome").first).to_contain_text("6 new")
        expect(other.locator(".sheet-outcome").nth(1)).to_contain_text("6 rows are still open")
    finally:
        plain.close()
