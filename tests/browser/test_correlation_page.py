"""The page of metrics and people in a real browser, from the disk: readable at any width, light and dark."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from rubrica.report.correlation_charts import correlation_page
from tests.browser.looks import no_fault
from tests.report.made_correlations import found

LOOKS = [(1280, "light"), (390, "dark")]
PICTURE = '<svg width="600" height="80" viewBox="0 0 600 80"><circle cx="40" cy="40" r="9"></circle></svg>'


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A page of two metrics, one of them with a picture."""
    path = tmp_path_factory.mktemp("correlation") / "correlation.html"
    path.write_text(correlation_page(found(), {"good": {"rewrites-good": ("good, each rewrite", PICTURE)}}), "utf-8")
    return path.as_uri()


@pytest.mark.parametrize(("width", "scheme"), LOOKS)
def test_the_page(page: Page, address: str, width: int, scheme: str) -> None:
    """It asks for nothing else, scrolls only inside its tables, and has no fault that a scan finds."""
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.set_viewport_size({"width": width, "height": 900})
    page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
    page.goto(address)
    assert asked == [address]
    expect(page.get_by_role("heading", level=1)).to_have_text("Metrics and people")
    expect(page.get_by_role("table")).to_have_count(5)
    expect(page.get_by_role("img", name="good, each rewrite")).to_be_visible()
    page.get_by_role("navigation").get_by_role("link", name="Which metric agrees better").press("Enter")
    expect(page.locator("#metrics")).to_be_in_viewport()
    no_fault(page)
