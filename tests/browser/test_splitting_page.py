"""The page on which a pasted text is split, in a real browser, wide and narrow."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Studio
from tests.browser.looks import no_fault
from tests.browser.walking import press_button, sign_in

TEXT = (
    "The observatory, which the city council founded in 1902 on a hill above the old harbour, still publishes a weekly "
    "report on the weather, although its first telescope, a gift from a ship owner in Bergen, was sold after the war "
    "to pay for a new roof and is now in a museum. "
    "Der alte Hof am Rand des Dorfes, der seit dreißig Jahren leer stand, wurde verkauft und ist nun eine Schule."
)


@pytest.mark.parametrize("width", [1280, 390])
def test_a_text_is_split_and_becomes_a_study(studio: Studio, page: Page, width: int) -> None:
    """Paste, split, open the reasons, make the study; nothing overflows and axe-core finds nothing."""
    page.set_viewport_size({"width": width, "height": 844})
    sign_in(page, studio.url)
    page.get_by_role("link", name="Split sentences").click()
    page.get_by_label("Text").fill(TEXT)
    press_button(page, "Split")
    expect(page.get_by_text("Its first telescope was a gift from a ship owner in Bergen.")).to_be_visible()
    for summary in page.locator(".split-why summary").all():
        summary.click()
    why = page.locator(".split-why li div").filter(has_text="it does not look like English").bounding_box()
    assert why is not None
    assert why["width"] > width / 2
    no_fault(page)
    press_button(page, "Make the draft")
    expect(page.get_by_role("heading", level=1)).to_have_text("Review of the items")
    expect(page.get_by_text("The observatory").first).to_be_visible()
