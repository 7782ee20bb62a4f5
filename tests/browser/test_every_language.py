"""The annotator's journey through a lexical study in every language, on a phone: nothing in English, nothing cut."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import Any

import attrs
import polib
import pytest
from playwright.sync_api import Browser, Page, expect

from rubrica.core.study import Item
from rubrica.core.texts import Text, Wordings
from rubrica.protocols.catalog import load_shipped
from rubrica.studio.languages import FOLDER, annotators_read
from tests.browser.conftest import Studio
from tests.length import either

LANGUAGES = [*load_shipped("lexical_complexity").protocol.languages[1:]]
PROTOCOLS = ("lexical_complexity", "lexical_simplification", "lexical_posthoc")
WALKS = [("ja", "lexical_complexity"), ("de", "lexical_simplification"), ("fil", "lexical_posthoc")]
"""Words without spaces, long words, long texts. What is shown without being translated is seen in any language."""
EVERY_WALK = [(code, protocol) for code in LANGUAGES for protocol in PROTOCOLS]
PHONE = {"width": 390, "height": 844}
TEXTS = """() => {
  const found = [], walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walk.nextNode()) {
    const parent = walk.currentNode.parentElement;
    if (!parent.closest("script, style, template") && parent.checkVisibility()) found.push(walk.currentNode.data);
  }
  for (const one of document.querySelectorAll("[aria-label], [placeholder], [title]"))
    if (one.checkVisibility())
      for (const name of ["aria-label", "placeholder", "title"]) found.push(one.getAttribute(name) || "");
  return [...found, document.title].map(text => text.replace(/\\s+/g, " ").trim()).filter(Boolean);
}"""
_GAP = re.compile(r"%\(\w+\)[sdg]|%%|\{\w*\}|<[^>]+>")


@cache
def english_only(code: str) -> re.Pattern[str]:
    """Whole texts of the interface in English, whatever values they hold, that this language writes differently."""
    said, meant = set(), set()
    for one in polib.pofile(str(FOLDER / f"{code}.po")):
        if any(annotators_read(place) for place, _ in one.occurrences):
            said |= {one.msgstr, *one.msgstr_plural.values()}
            meant |= {one.msgid, one.msgid_plural}
    patterns = set()
    for text in meant - said:
        if re.search(r"[A-Za-z]{2}", _GAP.sub("", text)):
            patterns.add(r".+?".join(map(re.escape, _GAP.split(text))))
        # A text with tags in it stands in several nodes.
        patterns |= {re.escape(part.strip()) for part in re.split(r"<[^>]+>", text) if part.count(" ") > 2}
    assert len(patterns) > 500
    return re.compile("|".join(sorted(patterns, key=len, reverse=True)))


def texts_in(value: Any) -> Iterator[Text]:
    """Every text of a protocol but those of practice items in other languages."""
    if isinstance(value, Text):
        yield value
    elif isinstance(value, Wordings):
        yield from texts_in(value.options)
    elif attrs.has(type(value)):
        yield from (text for part in attrs.fields(type(value)) for text in texts_in(getattr(value, part.name)))
    elif isinstance(value, dict):
        yield from (text for part in value.values() for text in texts_in(part))
    elif isinstance(value, tuple | list):
        yield from (text for part in value for text in texts_in(part))


class Journey:
    """Somebody on the way through a study, whose every page is looked at."""

    def __init__(self, page: Page, code: str, protocol: str) -> None:
        self.page, self.code, self.seen = page, code, 0
        asked = load_shipped(protocol).protocol.resolve({})
        texts = texts_in(attrs.evolve(asked, practice=()))
        self.of_protocol = {one.get("en") for one in texts if one.get("en") != one.get(code)}

    def look(self, name: str) -> None:
        """No visible text is English that has a translation, and the page is no wider than the phone."""
        expect(self.page.locator("html")).to_have_attribute("lang", self.code)
        texts = self.page.evaluate(TEXTS)
        assert len(texts) > 3
        pattern = english_only(self.code)
        wrong = [text for text in texts if pattern.fullmatch(text) or text in self.of_protocol]
        assert wrong == [], f"{name}: {self.page.url}"
        wide = self.page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
        assert wide <= 0, f"{name} is {wide} pixels too wide"
        menu = self.page.locator(".annotator-menu > summary")
        broken = menu.evaluate_all("all => all.some(one => getComputedStyle(one).whiteSpace !== 'nowrap')")
        assert not broken, f"{name}: the word for the menu may stand on two lines"
        self.seen += 1

    def go_on(self, selector: str = "main form .primary, main .actions .primary") -> None:
        """Press what leads on, and wait for another page."""
        here = self.page.url
        self.page.locator(selector).first.click()
        self.page.wait_for_url(lambda url: url != here)

    def answer(self) -> None:
        """Give some answer to all that must be answered."""
        expect(self.page.locator("rubrica-desk[data-ready]")).to_be_attached()
        while (asked := self.page.locator(".question[data-required]:not([hidden], .answered)")).count():
            question = asked.first
            name = question.get_attribute("id")
            if question.get_attribute("data-kind") == "short_answers":
                question.locator("input[type=checkbox]").check()
            else:
                question.locator(".option").first.click()
            expect(self.page.locator(f"[id='{name}']")).to_contain_class("answered")


@pytest.mark.parametrize(("code", "protocol"), either(WALKS, EVERY_WALK))
def test_the_whole_journey_is_in_the_readers_language(
    studio: Studio, browser: Browser, code: str, protocol: str
) -> None:
    """From the link to the thanks, with practice, a test, a refused submit and pages of errors."""
    asked = load_shipped(protocol).protocol
    example = asked.practice_at(asked.stages[0].id, code)[-1]
    rows = [Item("1", {**example.fields})]
    steps = dict.fromkeys(("welcome", "consent", "profile", "guidelines", "practice", "qualification"), True)
    test = {"items": 1, "pass_mark": 0}
    profile = {"asked": ["education_years", "native_speaker", "age", "country"], "own": []}
    told = {"profile": profile, "qualification": test, "completion_code": "C0DE"}
    study = studio.study(protocol, rows=rows, overlap=1, steps=steps, **told)
    study.update(title="…")
    door = studio.door(studio.invite(study))
    phone = browser.new_context(viewport=PHONE, locale=code)
    phone.set_default_timeout(20_000)
    try:
        page = phone.new_page()
        trip = Journey(page, code, protocol)
        walk(trip, door)
        for name in ("history/", "consent/", "withdraw/", "no-such-page/"):
            page.goto(door + name)
            trip.look(name)
        page.goto(f"{studio.url}/w/nobody/")
        trip.look("a link that is none")
        assert trip.seen >= 14
    finally:
        phone.close()
    assert len(studio.revisions(study)) >= 1


def walk(trip: Journey, door: str) -> None:
    """The way to the last page."""
    page = trip.page
    page.goto(door)
    trip.look("welcome")
    trip.go_on()
    trip.look("consent")
    trip.go_on()
    trip.look("profile")
    page.locator("input[name=age]").fill("five")
    page.locator("main form .primary").first.click()
    expect(page.locator("[aria-invalid=true]").first).to_be_visible()
    trip.look("a refused profile")
    for box in page.locator("input[type=checkbox]").all():
        box.check()
    trip.go_on()
    trip.look("guidelines")
    trip.go_on()
    trip.look("before the practice")
    trip.go_on()
    practise(trip)
    trip.go_on()
    qualify(trip)
    trip.go_on()
    page.wait_for_url("**/work/**")
    expect(page.locator("rubrica-desk[data-ready]")).to_be_attached()
    trip.look("work")
    page.locator("[data-action=submit]").click()
    expect(page.locator("dialog[open], .question.invalid, [aria-invalid=true], .problem:visible").first).to_be_visible()
    trip.look("work that lacks an answer")
    if page.locator("dialog[open]").count():
        page.keyboard.press("Escape")
    trip.answer()
    trip.look("answered work")
    page.locator("[data-action=submit]").click()
    page.wait_for_url("**/thanks/**")
    trip.look("thanks")


def practise(trip: Journey) -> None:
    """Every example, with its lesson; the first of them looked at."""
    page = trip.page
    while "/practice/" in page.url and page.locator("rubrica-desk").count():
        trip.answer()
        page.locator("[data-action=submit]").click()
        expect(page.locator(".compared").first).to_be_visible()
        trip.look("lesson")
        trip.go_on("a.button.primary")
    trip.look("after the practice")


def qualify(trip: Journey) -> None:
    """The test of one example, which these answers pass."""
    trip.look("before the qualification")
    trip.go_on()
    trip.answer()
    here = trip.page.url
    trip.page.locator("[data-action=submit]").click()
    trip.page.wait_for_url(lambda url: url != here)
    trip.look("after the qualification")
