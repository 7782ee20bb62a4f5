"""The comparison by metrics in a real browser, from the disk: sorting, filters, keyboard, phone, dark, no script."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Locator, Page, expect

from rubrica.report.system_comparison import Choices, write_comparison
from tests.browser.looks import no_fault
from tests.length import some_of
from tests.report.made_scores import HOSTILE, blocks, scores

NOW = datetime(2026, 11, 16, 9, 0, tzinfo=UTC)
LOOKS = [(width, scheme) for width in (1280, 390) for scheme in ("light", "dark")]


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A page with 60 sentences of three systems, without charts."""
    folder = tmp_path_factory.mktemp("comparison") / "c"
    write_comparison(folder, scores(), blocks(60), NOW, Choices(charts=False, language="en", ends=3))
    return (folder / "report.html").as_uri()


@pytest.fixture
def opened(page: Page, address: str) -> Iterator[Page]:
    """The page, which asks for nothing but itself and makes no error."""
    asked: list[str] = []
    wrong: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on("console", lambda line: wrong.append(line.text) if line.type == "error" else None)
    page.on("dialog", lambda dialog: wrong.append(dialog.message))
    page.goto(address)
    yield page
    assert [url.partition("#")[0] for url in asked] == [address]
    assert wrong == []


def cards(page: Page) -> Locator:
    """The sentences that are shown."""
    return page.locator(".card")


def numbers(page: Page, most: int = 5) -> list[int]:
    """The numbers of the first sentences that are shown."""
    ids = page.locator(".card h3").evaluate_all("all => all.map((one) => one.id)")
    return [int(found.removeprefix("sentence-")) for found in ids[:most]]


def choose(page: Page, **options: str) -> None:
    """Choose in each of these controls an option by its words."""
    for name, words in options.items():
        page.locator(f"select[name={name}]").select_option(label=words)


def test_sentences_come_fifty_at_a_time(opened: Page) -> None:
    """The button brings more, and the focus goes to the first of them."""
    expect(opened.get_by_role("status")).to_have_text("60 of 60 sentences, the first 50 shown.")
    expect(cards(opened)).to_have_count(50)
    opened.get_by_role("button", name="Show 10 more").press("Enter")
    expect(cards(opened)).to_have_count(60)
    expect(cards(opened).nth(50)).to_be_focused()
    expect(opened.get_by_role("status")).to_have_text("60 of 60 sentences.")
    expect(opened.locator("[data-more]")).to_be_hidden()


def test_texts_are_shown_as_they_are(opened: Page) -> None:
    """Markup is text, Arabic runs from the right, differences are marked, references are folded."""
    second = cards(opened).nth(1)
    assert second.locator(".source").text_content() == HOSTILE
    assert cards(opened).nth(2).locator(".source").evaluate("one => getComputedStyle(one).direction") == "rtl"
    first = cards(opened).first
    split = first.locator(".rewrite").nth(2)
    expect(split.locator("del")).to_have_text("and it")
    expect(split.locator("ins")).to_have_text(". It")
    for tag, line in (("ins", "underline"), ("del", "line-through")):
        style = split.locator(tag).evaluate("one => getComputedStyle(one).textDecorationLine")
        assert style == line
    expect(first.get_by_text("Another one.")).to_be_hidden()
    first.get_by_text("2 references").click()
    expect(first.get_by_text("Another one.")).to_be_visible()
    expect(cards(opened).nth(4).get_by_text("not rewritten")).to_be_visible()


def test_sorting_by_a_figure_and_by_a_difference(opened: Page) -> None:
    """Best and worst follow what is better; undefined comes last. SARI of cut is 37 (n − 1) mod 97."""
    choose(opened, figure="SARI", system="cut")
    assert numbers(opened, 2) == [56, 35]
    choose(opened, direction="worst first")
    assert numbers(opened, 2) == [1, 22]
    opened.locator("[data-more]").click()
    assert numbers(opened, 60)[-1] == 6
    choose(opened, figure="FKGL", direction="best first", system="split")
    first, last = (_figures(opened, place, 2)["FKGL"].split()[0] for place in (0, 49))
    assert float(first) < float(last)
    choose(opened, figure="Compression")
    expect(opened.locator("select[name=direction] option").first).to_have_text("highest first")
    # By the difference between two systems: copy has 50 everywhere, so cut is most ahead where it has 95.
    choose(opened, figure="SARI", system="cut", against="copy", direction="cut most ahead first")
    assert numbers(opened, 1) == [56]
    assert re.match(r"95\.00\s*best", _figures(opened, 0)["SARI"])
    assert re.match(r"50\.00\s*worst", _figures(opened, 0, 0)["SARI"])
    choose(opened, direction="cut most behind first")
    assert numbers(opened, 1) == [1]


def _figures(page: Page, place: int, system: int = 1) -> dict[str, str]:
    """Figures of a system on a card, with the word beside them."""
    pairs = cards(page).nth(place).locator(".rewrite").nth(system).locator(".figures div")
    script = "all => all.map((one) => [...one.children].map((part) => part.innerText))"
    found: list[list[str]] = pairs.evaluate_all(script)
    return dict(found)


def test_filters_narrow_and_show_all_widens(opened: Page) -> None:
    """By length, by sentences in the rewrite, by text, by copies, by difference; each says how many are left."""
    status = opened.get_by_role("status")
    opened.get_by_label("to", exact=True).fill("9")
    expect(status).to_have_text("2 of 60 sentences.")
    opened.get_by_label("to", exact=True).fill("")
    opened.get_by_label("from", exact=True).fill("30")
    expect(status).to_have_text("19 of 60 sentences.")
    opened.get_by_role("button", name="Show all").click()
    expect(status).to_contain_text("60 of 60")
    opened.locator("select[name=splits]").select_option("3")
    expect(cards(opened).first.locator(".rewrite").nth(2).locator(".tag")).to_have_text(re.compile("[34] sentences"))
    opened.locator("select[name=whose]").select_option(label="cut")
    expect(status).to_have_text("None of 60 sentences is like this. Loosen a filter, or show all.")
    opened.get_by_role("button", name="Show all").click()
    opened.locator("select[name=whose]").select_option(label="split")
    opened.get_by_label("only exact copies").check()
    expect(status).to_have_text("2 of 60 sentences.")
    assert numbers(opened) == [2, 3]
    opened.get_by_role("button", name="Show all").click()
    opened.get_by_label("Text", exact=True).fill("BADGER number 11 ")
    expect(status).to_have_text("1 of 60 sentences.")
    opened.get_by_role("button", name="Show all").click()
    opened.get_by_label("only where systems differ").check()
    expect(status).to_contain_text("60 of 60")


def test_what_cards_show_is_chosen(opened: Page) -> None:
    """Systems, figures, and how differences are marked."""
    opened.get_by_text("What cards show").click()
    first = cards(opened).first
    assert list(_figures(opened, 0)) == ["SARI", "FKGL", "Compression"]
    opened.get_by_role("group", name="Figures").get_by_label("SARI, add").check()
    assert list(_figures(opened, 0)) == ["SARI", "SARI, add", "FKGL", "Compression"]
    opened.get_by_label("new words only").check()
    expect(first.locator("del").first).to_be_hidden()
    assert first.locator(".rewrite").nth(2).locator(".text").inner_text().endswith("old mill. It sleeps until noon.")
    opened.get_by_role("group", name="Systems").get_by_label("copy").uncheck()
    expect(first.locator(".rewrite")).to_have_count(2)
    expect(first.locator(".rewrite h4").first).to_have_text("cut")


def test_a_sentence_of_the_lists_is_shown_with_all_systems(opened: Page) -> None:
    """The link leads to its card, by keyboard; showing all brings the others back."""
    opened.locator("#ends a[data-sentence='56']").first.press("Enter")
    expect(cards(opened)).to_have_count(1)
    expect(cards(opened).first).to_be_focused()
    assert numbers(opened) == [56]
    opened.get_by_role("button", name="Show all").click()
    expect(opened.get_by_role("status")).to_contain_text("60 of 60")


def test_the_keyboard_alone_is_enough(opened: Page) -> None:
    """From the head of the form through every control in the order of reading."""
    opened.locator("select[name=figure]").focus()
    opened.keyboard.press("End")
    opened.keyboard.press("Tab")
    expect(opened.locator("select[name=system]")).to_be_focused()
    opened.keyboard.press("Tab")
    opened.keyboard.press("Tab")
    expect(opened.locator("select[name=direction]")).to_be_focused()
    opened.keyboard.press("Tab")
    opened.keyboard.type("heron")
    expect(opened.get_by_role("status")).to_contain_text("12 of 60")
    for name in ("from", "to", "whose", "splits", "copies"):
        opened.keyboard.press("Tab")
        expect(opened.locator(f"[name={name}]")).to_be_focused()
    opened.keyboard.press("Space")
    expect(opened.get_by_role("status")).to_contain_text("12 of 60")


@pytest.mark.parametrize(("width", "scheme"), some_of(LOOKS, 0, 3))
def test_nothing_is_wrong_with_the_look(browser: Browser, address: str, width: int, scheme: Any) -> None:
    """axe-core finds no fault, nothing is too wide, systems stand side by side or, on a phone, one below the other."""
    context = browser.new_context(viewport={"width": width, "height": 844}, color_scheme=scheme)
    page = context.new_page()
    page.goto(address)
    page.get_by_text("What cards show").click()
    page.get_by_label("Text", exact=True).fill("heron number 5")
    expect(cards(page)).to_have_count(3)
    no_fault(page)
    tops = (
        page.locator(".card")
        .first.locator(".rewrite")
        .evaluate_all("all => all.map((one) => Math.round(one.getBoundingClientRect().top))")
    )
    assert len(set(tops)) == (1 if width > 1000 else 3)
    context.close()


def test_without_a_script_the_lists_are_there(browser: Browser, address: str) -> None:
    """The form does not show; what needs it is said; both ends of each figure can be read."""
    context: BrowserContext = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(address)
    expect(page.locator("rubrica-sentences")).to_be_hidden()
    expect(page.get_by_text("Looking through all sentences needs JavaScript.")).to_be_visible()
    expect(page.locator("#ends ins").first).to_be_visible()
    context.close()
