"""Picked words are gone through by keyboard, wide and narrow."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from rubrica.cli.main import main
from tests.browser.conftest import NOW, Studio
from tests.browser.looks import no_fault
from tests.browser.walking import sign_in
from tests.docs.pages import DOCS

LONG = (
    "Although the municipal archive had been closed for several decades because of persistent damp in its vaulted "
    "cellars, a determined group of retired librarians persuaded the reluctant council to finance a cautious "
    "restoration, provided that every fragile manuscript was catalogued before the first workman entered the building."
)


def _study(studio: Studio, folder: Path, name: str, owner: str) -> str:
    """A study of picked words that belongs to this researcher, and the address of its review."""
    text = (DOCS / "examples/lexical/school.txt").read_text(encoding="utf-8")
    (folder / "texts.txt").write_text(f"{LONG}\n{text}", encoding="utf-8")
    table = folder / "words.csv"
    picked = ["words", "pick", str(folder / "texts.txt"), "--lang", "en", "--contexts", "5", "--max-words", "70"]
    assert main([*picked, "--reserve", "1", "-o", str(table)]) == 0
    made = ["study", "new", name, "--protocol", "lexical_complexity", "--items", str(table)]
    assert main([*made, "--home", str(studio.home)]) == 0
    from django.contrib.auth.models import User

    from rubrica.store.models import Member, Study

    study = Study.objects.get(name=name)
    Member.objects.create(study=study, user=User.objects.get(username=owner), role="owner", since=NOW)
    return f"{studio.url}/s/{study.pid}/setup/review/"


def test_words_are_gone_through_by_keyboard(studio: Studio, page: Page, tmp_path: Path) -> None:
    """Next, replace, accept (which goes on), another context, edit, drop with a reason; the counters move."""
    address = _study(studio, tmp_path, "by-keyboard", sign_in(page, studio.url))
    page.goto(address)
    cards, counters = page.locator(".word-card"), page.locator("#word-count dd")
    page.keyboard.press("j")
    expect(cards.nth(0)).to_be_focused()
    page.keyboard.press("1")
    expect(cards.nth(0).locator(".candidates button").first).to_be_focused()
    page.keyboard.press("Enter")
    expect(counters.nth(2)).to_have_text("1")
    expect(cards.nth(0)).to_be_focused()
    page.keyboard.press("a")
    expect(cards.nth(0)).to_have_attribute("data-state", "accepted")
    expect(counters.nth(0)).to_have_text("3")
    expect(cards.nth(1)).to_be_focused()
    before = cards.nth(1).get_attribute("id")
    page.keyboard.press("r")
    expect(page.get_by_text("0 contexts in reserve")).to_be_visible()
    expect(page.locator(f"#{before}")).to_have_count(0)
    expect(cards.nth(1)).to_be_focused()
    page.keyboard.press("e")
    expect(cards.nth(1).locator("textarea")).to_be_focused()
    page.keyboard.press("Escape")
    page.keyboard.press("d")
    page.keyboard.type("a name in it")
    page.keyboard.press("Enter")
    expect(cards.nth(1)).to_have_attribute("data-state", "dropped")
    expect(counters.nth(3)).to_have_text("3")


def test_keys_need_no_focus_first(studio: Studio, page: Page, tmp_path: Path) -> None:
    """They mean the first context that waits; one that cannot be seen yet is only gone to."""
    address = _study(studio, tmp_path, "at-once", sign_in(page, studio.url))
    page.goto(address)
    cards, counters = page.locator(".word-card"), page.locator("#word-count dd")
    expect(cards.nth(0)).to_be_in_viewport()
    page.keyboard.press("a")
    expect(counters.nth(0)).to_have_text("3")
    expect(cards.nth(1)).to_be_focused()
    page.set_viewport_size({"width": 390, "height": 300})
    page.goto(address)
    expect(cards.nth(1)).not_to_be_in_viewport()
    page.keyboard.press("a")
    expect(cards.nth(1)).to_be_focused()
    expect(counters.nth(0)).to_have_text("3")


@pytest.mark.parametrize("width", [1280, 390])
def test_the_review_of_words_has_no_fault(studio: Studio, page: Page, tmp_path: Path, width: int) -> None:
    """With a drawer open and a long context; nothing overflows and axe-core finds nothing."""
    page.set_viewport_size({"width": width, "height": 844})
    address = _study(studio, tmp_path, f"looked-at-{width}", sign_in(page, studio.url))
    page.goto(address)
    page.locator(".word-card summary").first.click()
    no_fault(page)
