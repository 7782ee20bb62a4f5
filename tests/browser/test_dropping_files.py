"""Files are dropped onto the page: sent at once, matched and shown; one that is too large is not sent at all."""

from __future__ import annotations

import pytest
from playwright.sync_api import JSHandle, Page, expect

from tests.browser.conftest import NOW, Studio
from tests.browser.walking import press_button, sign_in

DROPPED = """([text, name, size]) => {
  const data = new DataTransfer();
  const file = new File([text], name);
  if (size) Object.defineProperty(file, "size", { value: size });
  data.items.add(file);
  return data;
}"""


@pytest.fixture
def address(studio: Studio, page: Page) -> str:
    """The page for items of a draft, opened by its owner."""
    from django.contrib.auth.models import User

    from rubrica.protocols.catalog import load_shipped
    from rubrica.store.setup.setting_up import begin
    from rubrica.store.studies import Plan, free_name

    owner = User.objects.get(username=sign_in(page, studio.url))
    draft = Plan(title="Dropped", name=free_name("dropped"), loaded=load_shipped("breve"))
    study = begin(draft, owner, NOW)
    page.goto(f"{studio.url}/s/{study.pid}/setup/items/")
    return page.url


def dropped(page: Page, text: str, name: str) -> JSHandle:
    """What the browser hands over with a file that was dropped."""
    return page.evaluate_handle(DROPPED, [text, name, 0])


def test_a_dropped_file_is_sent_and_matched(address: str, page: Page) -> None:
    """While it hovers the place shows it; dropped, its columns are shown as they are understood."""
    place = page.locator("form.drop")
    data = dropped(page, "Nr.,Texto original,Texto simplificado\n7,Hola a todos.,Hola.\n", "frases.csv")
    place.dispatch_event("dragover", {"dataTransfer": data})
    expect(place).to_contain_class("over")
    place.dispatch_event("drop", {"dataTransfer": data})
    expect(page.get_by_role("heading", name="frases.csv")).to_be_visible()
    expect(page.get_by_label("Source", exact=True)).to_have_value("Texto original")
    expect(page.get_by_role("checkbox", name="Texto simplificado")).to_be_checked()
    expect(page.get_by_label("Id", exact=True)).to_have_value("Nr.")
    press_button(page, "Use this 1 item")
    expect(page.get_by_role("heading", level=1)).to_have_text("Review of the items")


def test_a_file_that_is_too_large_is_not_sent(address: str, page: Page) -> None:
    """The page says so beside the place."""
    page.evaluate("document.querySelector('form.drop').dataset.limit = '10'")
    page.locator("form.drop").dispatch_event("drop", {"dataTransfer": dropped(page, "source,rewrite\na,b\n", "x.csv")})
    expect(page.locator(".drop-state")).to_contain_text("too large")
    assert page.url == address
