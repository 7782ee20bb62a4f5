"""A studio whose database somebody else holds, in the browser: the page comes by itself, with script and without."""

from __future__ import annotations

import sqlite3
from contextlib import closing

import pytest
from playwright.sync_api import Browser, expect

from rubrica.home.database import SQLITE_FILE
from tests.browser.conftest import Studio
from tests.browser.looks import no_fault


@pytest.mark.any_database
@pytest.mark.parametrize("script", [True, False])
def test_work_comes_by_itself_once_the_database_is_free(studio: Studio, browser: Browser, script: bool) -> None:
    """Who asks for work while somebody else writes is told so, and gets it without doing anything."""
    door = studio.door(studio.invite(studio.study(items=3)))
    context = browser.new_context(java_script_enabled=script, viewport={"width": 390, "height": 844})
    page = context.new_page()
    with closing(sqlite3.connect(studio.home / SQLITE_FILE, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        answer = page.goto(f"{door}work/")
        assert answer is not None
        assert answer.status == 503
        expect(page.get_by_role("heading", name="The studio is busy at the moment.")).to_be_visible()
        if script:
            no_fault(page)
    expect(page.locator("rubrica-desk")).to_be_visible()
    context.close()
