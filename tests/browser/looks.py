"""How pages are looked at: a part of the looks in `make test`, all of them in `make test-all`."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TypeVar

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

One = TypeVar("One")
WHOLE = os.environ.get("RUBRICA_MATRIX") == "all"


def some_of(every: Sequence[One], *places: int) -> Sequence[One]:
    """Those at these places; all of them in `make test-all`."""
    return every if WHOLE else [every[place] for place in places]


def no_fault(page: Page, but: str = "") -> None:
    """axe-core finds nothing (outside of what ``but`` selects), and nothing is wider than the window."""
    found = Axe().run(page, {"exclude": [[but]]} if but else None)
    assert found.violations_count == 0, found.generate_report()
    width = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
    assert width <= 0, f"{width} pixels too wide"
