"""How often a browser must ask before one can work: each further answer costs half a second on a slow line."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page

from tests.browser.conftest import Studio
from tests.browser.desks import Work
from tests.browser.settling import Settling, marked, swap

MOST = 12
SETTLING = 2
"""What the view of an adjudicator needs besides."""


def _asked(work: Work) -> list[str]:
    work.page.wait_for_load_state("networkidle")
    assert work.errors == []
    return work.requests


@pytest.mark.parametrize("protocol", ["breve", "salsa"])
def test_a_work_page_asks_for_little(at_work: Callable[..., Work], protocol: str) -> None:
    """Opened for the first time, with or without edits to mark, a work page makes at most twelve requests."""
    asked = _asked(at_work(protocol))
    assert len(asked) <= MOST, asked


def test_settling_asks_for_little_more(studio: Studio, page: Page) -> None:
    """Who settles edits also gets what lays them over each other."""
    edits = [[swap("Numerous", "Many")], [swap("subsidy,", "financial help.")]]
    asked = _asked(Settling(studio, marked(studio, edits), page).work)
    assert len(asked) <= MOST + SETTLING, asked


def test_the_first_page_of_work_goes_by_its_own_address(at_work: Callable[..., Work]) -> None:
    """It is shown at once, without leading on; then its address is that of its lease, so that it can be kept."""
    work = at_work()
    lease = work.page.locator(".item").first.get_attribute("data-lease")
    assert work.page.url == f"{work.door}work/{lease}/"
    work.page.reload()
    assert work.page.locator(".item").first.get_attribute("data-lease") == lease
