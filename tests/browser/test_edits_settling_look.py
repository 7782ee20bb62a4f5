"""How the view of the adjudicator looks: readable by axe-core at any width and direction, and quick when full."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from rubrica.core.study import Item
from tests.browser.conftest import Studio
from tests.browser.looks import no_fault
from tests.browser.marking import span
from tests.browser.settling import Settling, busy, gone, long_pairs, marked, new, pairs_of_real_lengths, swap
from tests.browser.test_edits_look import LOOKS
from tests.length import either, some_of

SPLIT = [{"id": "5", "operation": "split"}, gone("which", id="6", parent="5"), new("They", "7", "5")]
SEVERAL = [
    [swap("Numerous", "Many"), swap("subsidy,", "financial help.", id="2"), *SPLIT],
    [swap("Numerous", "Many"), swap("the subsidy,", "the financial help.", "less", "2"), new("They were angry.", "4")],
    [swap("Numerous", "Many"), swap("subsidy,", "financial help.", id="2"), gone("which the ministry", id="3")],
]


@pytest.fixture
def seen(studio: Studio, browser: Browser) -> Iterator[Callable[..., Settling]]:
    """Opens the view in a window of that kind."""
    opened = []

    def look(several: Any = SEVERAL, language: str = "", rows: Any = None, **window: Any) -> Settling:
        context = browser.new_context(service_workers="block", **window)
        opened.append(context)
        if language:
            context.add_cookies([{"name": "rubrica_language", "value": language, "url": studio.url}])
        return Settling(studio, marked(studio, several, rows), context.new_page())

    yield look
    for context in opened:
        context.close()


@pytest.mark.parametrize("window", some_of(LOOKS, 1, 4), ids=str)
def test_view_has_no_fault_in_any_look(seen: Callable[..., Settling], window: dict[str, Any]) -> None:
    """axe-core finds nothing, open or settled; nothing is too wide; the console stays empty."""
    dora = seen(**window)
    no_fault(dora.page)
    dora.page.locator(".laid-version button").first.click()
    dora.page.locator(".laid-difference").nth(1).locator("button").nth(1).click()
    dora.page.locator(".laid-agreed button").first.click()
    no_fault(dora.page)
    assert dora.work.errors == []


def test_versions_from_right_to_left_are_isolated(seen: Callable[..., Settling]) -> None:
    """Arabic words in a card keep their order and do not turn the page around them."""
    source, rewrite = "كان الطقس باردا جدا في الشتاء.", "كان الشتاء باردا."
    rows = [Item("r1", {"source": source, "rewrite": rewrite}, metadata={"language": "ar"})]
    dora = seen([[gone("جدا", text=source)], [gone("باردا جدا", text=source)]], rows=rows)
    words = dora.page.locator(".laid-version bdi")
    assert sorted(words.all_text_contents()) == sorted(["جدا", "باردا جدا"])
    assert words.first.evaluate("one => getComputedStyle(one).direction") == "rtl"
    dora.do("Accept", dora.version("باردا جدا"))
    assert dora.value()[0]["source"] == span(source, "باردا جدا")


def test_emoji_before_a_version_do_not_move_it(seen: Callable[..., Settling]) -> None:
    """Offsets stay code points on the way through the page: an astral character counts as one."""
    source, rewrite = "The 🐑🐑 old gates stay shut.", "Gates are shut."
    rows = [Item("x1", {"source": source, "rewrite": rewrite})]
    dora = seen([[gone("old gates", text=source)], [gone("gates stay", text=source)]], rows=rows)
    dora.do("Merge", dora.differences.first)
    assert dora.value()[0]["source"] == span(source, "old gates stay")


def test_a_lot_can_be_settled(seen: Callable[..., Settling]) -> None:
    """With 60 edits on a pair of 120 words, of which 30 differ, each version can be accepted in its turn."""
    words = [f"word{number:03}" for number in range(120)]
    source = " ".join(words)
    rows = [Item("w1", {"source": source, "rewrite": "Short."})]

    def edits(longer: bool) -> list[dict[str, Any]]:
        chosen = [" ".join(words[n : n + (2 if longer and n % 4 == 0 else 1)]) for n in range(0, 120, 2)]
        return [gone(text, id=str(number), text=source) for number, text in enumerate(chosen, start=1)]

    dora = seen([edits(False), edits(True), edits(False)], rows=rows, viewport={"width": 1280, "height": 900})
    expect(dora.differences).to_have_count(30)
    accept = "all => all.forEach((one) => one.querySelector('[data-do=accept]').click())"
    dora.page.eval_on_selector_all(".laid-difference", accept)
    dora.expect_count_line("Differences: 30 · all settled")
    assert len(dora.spans()) == 60


# What of the texts is cut off or covered, and which buttons at the foot are covered; and where each word stands.
SIGHT = """() => {
  const foot = document.querySelector(".desk-actions").getBoundingClientRect();
  const box = document.querySelector(".edit-texts");
  const cut = [...document.querySelectorAll(".edit-text .text-body")].filter((one) => {
    const { top, bottom } = one.getBoundingClientRect();
    return top < 0 || bottom > foot.top || box.scrollHeight > box.clientHeight + 1;
  }).map((one) => one.textContent.slice(0, 20));
  const seen = (one) => one.checkVisibility() && !one.closest(".pop");
  const buttons = [...document.querySelectorAll(".actions-row > :is(a, button), .actions-row summary")].filter(seen);
  const covered = buttons.filter((one) => {
    const { left, right, top, bottom } = one.getBoundingClientRect();
    const there = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
    return bottom > innerHeight || !(one.contains(there) || there?.contains(one));
  }).map((one) => one.textContent);
  return { cut, covered };
}"""
TOPS = "[...document.querySelectorAll('.edit-text .text-body')].map(one => one.getBoundingClientRect().toJSON())"
WINDOWS = [
    {"viewport": {"width": 1280, "height": 900}},
    {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True},
]


@pytest.mark.parametrize("window", WINDOWS, ids=["desk", "phone"])
def test_sentences_of_real_length_are_whole_and_nothing_is_covered(
    seen: Callable[..., Settling], window: dict[str, Any]
) -> None:
    """Of pairs as long as real ones both texts stand whole above the foot; its buttons, Undo too, can be pressed."""
    rows = [*long_pairs(either(1, 12)), *pairs_of_real_lengths()[: either(2, 25)]]
    dora = seen([lambda item, person=person: busy(item, person) for person in range(3)], rows=rows, **window)
    for number in range(len(rows)):
        assert dora.page.evaluate(SIGHT) == {"cut": [], "covered": []}, number
        before = dora.page.evaluate(TOPS)
        while dora.page.locator(".laid-version.wanting").count():
            dora.page.locator(".laid-version.wanting [data-do=accept]").first.evaluate("one => one.click()")
        dora.page.evaluate("scrollTo(0, 0)")
        assert dora.page.evaluate(SIGHT) == {"cut": [], "covered": []}, number
        assert dora.page.evaluate(TOPS) == before
        if number < len(rows) - 1:
            dora.work.submit()
            expect(dora.page.locator(".desk-progress")).to_contain_text(f"{number + 2} of")
            dora.work.ready()


def test_what_is_marked_while_settling_moves_no_word(seen: Callable[..., Settling]) -> None:
    """Neither the first bracket nor edits that share words move the texts; lines may stand closer together."""
    dora = seen([[gone("which")], []], viewport={"width": 1280, "height": 900})
    before = dora.page.evaluate(TOPS)
    dora.drag("source", "the ministry")
    dora.press("p")
    expect(dora.page.locator(".edit-marks .over:not(.proposed)")).not_to_have_count(0)
    dora.press("Enter")
    for words in ("ministry announced", "announced on"):
        dora.drag("source", words)
        dora.press("d")
    dora.expect_count(4)
    assert dora.page.evaluate(TOPS) == before


def test_texts_of_any_length_leave_the_foot_free_and_say_that_they_go_on(seen: Callable[..., Settling]) -> None:
    """Texts of 400 words do not fit; the buttons stay, and the page says that the text goes on and leads there."""
    source = " ".join(f"word{number:03}" for number in range(400))
    rows = [Item("w1", {"source": source, "rewrite": source[::-1]})]
    dora = seen([[gone("word001", text=source)], []], rows=rows, viewport={"width": 1280, "height": 900})
    assert dora.page.evaluate(SIGHT)["covered"] == []
    more = dora.page.locator(".edit-more")
    expect(more).to_have_text("The text goes on")
    for _ in range(12):
        more.evaluate("one => one.hidden || one.click()")
        dora.page.wait_for_function("!document.querySelector('.edit-texts').getAnimations().length")
    expect(more).to_be_hidden()
    assert dora.place("rewrite", source[::-1][-8:]).end[1] < 900
