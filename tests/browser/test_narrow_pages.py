"""Researchers' pages on a phone: everything can be seen and reached without guessing that something scrolls."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import NOW, Studio
from tests.browser.walking import sign_in
from tests.studio.judging import judge

BEYOND = """() => [...document.querySelectorAll(".card")].flatMap((card) => {
  const edge = card.getBoundingClientRect().right - parseFloat(getComputedStyle(card).paddingRight) + 1;
  return [...card.querySelectorAll("th, td, p, dt, dd, .pill")]
    .filter((part) => part.offsetWidth && !part.closest("details:not([open])"))
    .filter((part) => part.getBoundingClientRect().right > edge)
    .map((part) => part.textContent.trim());
})"""
"""What stands in the padding of its card, or beyond."""


@pytest.fixture
def overview(studio: Studio, page: Page) -> str:
    """The overview of a study that two people have judged, on a phone, for its owner; its address."""
    from django.contrib.auth.models import User

    from rubrica.store.models import Member

    study = studio.study(items=4)
    for name in ("ana", "ben"):
        judge(study, name)
    page.set_viewport_size({"width": 360, "height": 740})
    owner = User.objects.get(username=sign_in(page, studio.url))
    Member.objects.create(study=study, user=owner, role="owner", since=NOW)
    address = f"{studio.url}/s/{study.pid}/"
    page.goto(address)
    return address


def test_every_tab_of_a_study_is_in_view(overview: str, page: Page) -> None:
    """Tabs wrap instead of hiding beyond the edge, on a phone and in a window of half a screen."""
    tabs = page.locator(".tabs a")
    assert tabs.count() == 10
    for width in (360, 700):
        page.set_viewport_size({"width": width, "height": 740})
        for tab in tabs.all():
            expect(tab).to_be_in_viewport(ratio=1)


def test_the_agreement_table_stays_inside_its_card(overview: str, page: Page) -> None:
    """Nothing on the overview reaches into the padding of its card."""
    expect(page.get_by_role("region", name="Percent agreement")).to_be_visible()
    assert page.evaluate(BEYOND) == []
    page.set_viewport_size({"width": 700, "height": 740})
    assert page.evaluate(BEYOND) == []


@pytest.mark.parametrize("width", [1280, 390])
def test_copying_a_link_moves_no_column(studio: Studio, page: Page, width: int) -> None:
    """That it is copied is said over the link, so that the table keeps still."""
    from django.contrib.auth.models import User

    from rubrica.store.models import Member
    from rubrica.store.people.invitations import invite

    study = studio.study(items=2)
    invite(study, ["Ana Ruiz", "Ben Keller"], NOW, pseudonyms=True)
    page.set_viewport_size({"width": width, "height": 900})
    owner = User.objects.get(username=sign_in(page, studio.url))
    Member.objects.create(study=study, user=owner, role="owner", since=NOW)
    page.goto(f"{studio.url}/s/{study.pid}/invite/")
    heads = page.locator(".personal-links thead th")
    widths = "heads => heads.map((head) => head.getBoundingClientRect().width)"
    before = heads.evaluate_all(widths)
    page.locator(".personal-links rubrica-copy button").first.click()
    expect(page.locator(".personal-links .copied").first).to_have_text("Copied")
    assert heads.evaluate_all(widths) == before
