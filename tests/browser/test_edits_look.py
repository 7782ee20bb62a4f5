"""How the editor looks: no overlaps, nothing told by colour alone, readable by axe-core, at any width and direction."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.conftest import Studio
from tests.browser.desks import Work
from tests.browser.looks import no_fault
from tests.browser.marking import Marking, pair
from tests.length import some_of

At = Callable[..., Work]

LOOKS: list[dict[str, Any]] = [
    {"viewport": {"width": 1280, "height": 900}},
    {"viewport": {"width": 360, "height": 740}, "color_scheme": "dark"},
    {"viewport": {"width": 1280, "height": 900}, "color_scheme": "dark", "language": "ar-xb"},
    # 200 % of a window of 1280 is as wide as one of 640.
    {"viewport": {"width": 640, "height": 450}, "language": "es"},
    {"viewport": {"width": 360, "height": 740}, "language": "ar-xb"},
]
MARKS = """() => [...document.querySelectorAll('.edit-marks .mark:not(.over)')].map((one) => {
  const { left, right, top, bottom } = one.getBoundingClientRect();
  return { left, right, top, bottom, kind: one.getAttribute('class') };
})"""
WORDS = """() => ['source', 'rewrite'].flatMap((side) => {
  const { views, drawing } = document.querySelector('rubrica-edits').editor;
  const { x, y } = drawing.origin;
  return views[side].units.flatMap((unit) => views[side].rects(...unit, { x, y }).map((one) => ({
    left: one.left + x, right: one.right + x, top: one.top + y + 5, bottom: one.bottom + y - 4 })));
})"""


@pytest.fixture
def seen(studio: Studio, browser: Browser) -> Iterator[Callable[..., Marking]]:
    """Opens the editor in a window of that kind."""
    opened = []

    def look(language: str = "", rows: Any = None, **window: Any) -> Marking:
        context = browser.new_context(service_workers="block", **window)
        opened.append(context)
        if language:
            context.add_cookies([{"name": "rubrica_language", "value": language, "url": studio.url}])
        study = studio.study("salsa", rows=rows or pair())
        return Marking(Work(studio, study, context.new_page()).open())

    yield look
    for context in opened:
        context.close()


def _mark_a_lot(marking: Marking) -> None:
    """Overlapping edits of every kind and a composite, the last one open."""
    for words in ("Numerous farmers rejected", "farmers rejected the", "Numerous"):
        marking.drag("source", words)
        marking.press("d")
    marking.drag("rewrite", "financial")
    marking.press("i", "Escape")
    for letter, words in (("s", "subsidy,"), ("r", "ministry")):
        marking.drag("source", words)
        marking.drag("rewrite", "help.")
        marking.press(letter, "Escape")
    marking.press("p")
    marking.drag("source", "which")
    marking.press("d")
    marking.drag("rewrite", "They")
    marking.press("i")


@pytest.mark.parametrize("window", some_of(LOOKS, 2, 3), ids=str)
def test_editor_has_no_fault_in_any_look(seen: Callable[..., Marking], window: dict[str, Any]) -> None:
    """axe-core finds nothing, empty or full, with an edit open; nothing is too wide; the console stays empty."""
    marking = seen(**window)
    no_fault(marking.page)
    _mark_a_lot(marking)
    no_fault(marking.page)
    marking.page.locator(".edit-head").nth(5).click()
    no_fault(marking.page)
    assert marking.work.errors == []


def _overlap(one: dict[str, float], other: dict[str, float]) -> bool:
    return (
        one["left"] < other["right"] - 1
        and other["left"] < one["right"] - 1
        and one["top"] < other["bottom"] - 1
        and other["top"] < one["bottom"] - 1
    )


def test_marks_overlap_neither_each_other_nor_words(seen: Callable[..., Marking]) -> None:
    """Stacked marks have lanes of their own, between the lines."""
    marking = seen(viewport={"width": 700, "height": 900})
    _mark_a_lot(marking)
    marking.press("Escape", "Escape")
    marks, words = marking.page.evaluate(MARKS), marking.page.evaluate(WORDS)
    assert len(marks) >= 9
    pairs = [(one, other) for index, one in enumerate(marks) for other in marks[index + 1 :]]
    assert [pair for pair in pairs if _overlap(*pair)] == []
    assert [(mark, word) for mark in marks for word in words if _overlap(mark, word)] == []


def test_words_stand_still_however_many_edits_share_them(seen: Callable[..., Marking]) -> None:
    """Three edits on the same words, and brackets over them: lines come closer together, and no word moves."""
    marking = seen(viewport={"width": 1280, "height": 900})
    before = marking.page.evaluate(WORDS)
    _mark_a_lot(marking)
    assert marking.page.evaluate(WORDS) == before


def test_every_operation_has_a_letter_and_a_line_of_its_own(seen: Callable[..., Marking]) -> None:
    """Without colours the marks can still be told apart."""
    marking = seen(viewport={"width": 1280, "height": 900})
    _mark_a_lot(marking)
    letters = marking.page.locator(".edit-marks .letter").all_text_contents()
    assert set(letters) == {"D", "I", "S", "R", "P"}
    kinds = {mark["kind"].split()[2] for mark in marking.page.evaluate(MARKS)}
    assert kinds == {"double", "solid", "wavy", "dotted"}


def test_connection_of_the_edit_in_focus_crosses_no_word(seen: Callable[..., Marking]) -> None:
    """Only the open edit is connected, along the gaps between lines and the margin."""
    marking = seen(viewport={"width": 700, "height": 900})
    marking.drag("source", "Monday.")
    marking.drag("rewrite", "angry.")
    marking.press("s")
    points = marking.page.evaluate("""() => {
      const link = document.querySelector('.edit-marks .link');
      const { x, y } = document.querySelector('.edit-marks').getBoundingClientRect();
      const all = [];
      for (let at = 0; at < link.getTotalLength(); at += 2) {
        const point = link.getPointAtLength(at);
        all.push([point.x + x, point.y + y]);
      }
      return all;
    }""")
    words = marking.page.evaluate(WORDS)
    inside = [
        point
        for point in points
        for word in words
        if word["left"] + 1 < point[0] < word["right"] - 1 and word["top"] < point[1] < word["bottom"]
    ]
    assert len(points) > 50
    assert inside == []
    marking.press("Escape", "Escape")
    expect(marking.page.locator(".edit-marks .link")).to_have_count(0)


def test_pointer_over_a_mark_shows_partner_and_answers(seen: Callable[..., Marking]) -> None:
    """Hovering lights the words on both sides and the entry, and says what was answered."""
    marking = seen(viewport={"width": 1280, "height": 900})
    marking.drag("source", "Numerous")
    marking.drag("rewrite", "Many")
    marking.press("s", "2", "Escape", "Escape")
    marking.page.mouse.move(*marking.place("source", "Numerous").under)
    expect(marking.page.locator(".edit-hover")).to_have_text("S1 Substitution “Numerous → Many” · The same information")
    expect(marking.page.locator(".edit-marks .tint")).to_have_count(2)
    expect(marking.entry(0)).to_contain_class("look-3 lit")


def test_question_mark_lists_the_keys_of_the_editor(seen: Callable[..., Marking]) -> None:
    """The list has the letters of the operations and says what arrows do; keys that mean something else are gone."""
    marking = seen(viewport={"width": 1280, "height": 900})
    marking.press("?")
    dialog = marking.page.locator("dialog.keys")
    for text in ("Deletion: Words of the original", "go by word", "Remove the edit"):
        expect(dialog).to_contain_text(text)
    expect(dialog).not_to_contain_text("Show or hide differences")
    marking.press("Escape")
    marking.page.locator("[data-action=keys]").click()
    marking.page.locator("[data-action=shortcuts]").uncheck()
    marking.press("Escape")
    marking.drag("source", "Numerous")
    marking.press("d")
    marking.expect_count(0)
    marking.tool("Deletion").click()
    marking.expect_count(1)


def test_what_happens_is_said_to_a_screen_reader(seen: Callable[..., Marking]) -> None:
    """The caret reads words and the edits at them; making and removing are announced."""
    marking = seen(viewport={"width": 1280, "height": 900})
    said = marking.page.locator("p[role=status].visually-hidden")
    marking.text("source").focus()
    marking.press("ArrowRight")
    expect(said).to_have_text("farmers")
    marking.press("d")
    expect(said).to_have_text("Made: D1 Deletion “farmers”")
    marking.press("ArrowRight", "ArrowLeft")
    expect(said).to_have_text("farmers, in Deletion")
    marking.press("Enter")
    marking.press("Delete")
    expect(said).to_have_text("Removed: D1 Deletion “farmers”")
