"""How pages are looked at."""

from __future__ import annotations

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page


def no_fault(page: Page, but: str = "") -> None:
    """axe-core finds nothing (outside of what ``but`` selects), and nothing is wider than the window."""
    found = Axe().run(page, {"exclude": [[but]]} if but else None)
    assert found.violations_count == 0, found.generate_report()
    width = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
    assert width <= 0, f"{width} pixels too wide"
