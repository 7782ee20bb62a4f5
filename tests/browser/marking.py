"""An annotator who marks edits, as the tests of the editor drive one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from playwright.sync_api import Locator, expect

from rubrica.core.study import Item
from tests.browser.desks import Work
from tests.browser.saved import drafts, submitted

SOURCE = "Numerous farmers rejected the subsidy, which the ministry announced on Monday."
REWRITE = "Many farmers rejected the financial help. || They were angry."

# The box of the nth occurrence of some words, counted from 0, in one of the texts.
PLACE = """([side, words, nth]) => {
  const body = document.querySelector(`.edit-text[data-side=${side}] .text-body`);
  let at = -1;
  for (let turn = 0; turn <= nth; turn += 1) at = body.textContent.indexOf(words, at + 1);
  if (at < 0) throw new Error(`${words} is not in the ${side}`);
  const walker = document.createTreeWalker(body, NodeFilter.SHOW_TEXT);
  const range = document.createRange();
  let passed = 0;
  const end = at + words.length;
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const { length } = node.data;
    if (at >= passed && at < passed + length) range.setStart(node, at - passed);
    if (end > passed && end <= passed + length) range.setEnd(node, end - passed);
    passed += length;
  }
  const boxes = [...range.getClientRects()];
  const mid = (box) => [box.left + box.width / 2, box.top + box.height / 2];
  const rtl = getComputedStyle(body).direction === "rtl";
  const [first, last] = [boxes[0], boxes.at(-1)];
  return {
    start: [rtl ? first.right - 2 : first.left + 2, mid(first)[1]],
    end: [rtl ? last.left + 2 : last.right - 2, mid(last)[1]],
    under: [mid(first)[0], first.bottom + 3],
  };
}"""


class Place(NamedTuple):
    """Where words stand: the middle of their first and last letter, and a point on the first mark under them."""

    start: tuple[float, float]
    end: tuple[float, float]
    under: tuple[float, float]


def pair(source: str = SOURCE, rewrite: str = REWRITE, count: int = 1) -> list[Item]:
    """Items with these texts."""
    return [Item(f"e{number}", {"source": source, "rewrite": rewrite}) for number in range(1, count + 1)]


class Marking:
    """An annotator at the editor."""

    def __init__(self, work: Work) -> None:
        self.work, self.page = work, work.page

    def text(self, side: str) -> Locator:
        """One of the texts."""
        return self.page.locator(f".edit-text[data-side={side}] .text-body")

    def place(self, side: str, words: str, nth: int = 0) -> Place:
        """Where these words stand on the screen, once they no longer move."""
        text = self.text(side).element_handle()
        assert text is not None
        text.wait_for_element_state("stable")
        found = self.page.evaluate(PLACE, [side, words, nth])
        return Place(tuple(found["start"]), tuple(found["end"]), tuple(found["under"]))

    def drag(self, side: str, words: str, nth: int = 0, *, add: bool = False) -> None:
        """Select words by dragging over them; ``add`` keeps what was selected before."""
        place = self.place(side, words, nth)
        if add:
            self.page.keyboard.down("Control")
        self.page.mouse.move(*place.start)
        self.page.mouse.down()
        self.page.mouse.move(*place.end, steps=3)
        self.page.mouse.up()
        if add:
            self.page.keyboard.up("Control")

    def press(self, *keys: str) -> None:
        """Press keys one after the other."""
        for key in keys:
            self.page.keyboard.press(key)

    def tool(self, name: str) -> Locator:
        """The button that makes edits of this kind."""
        return self.page.locator(".edit-tools button", has_text=name)

    @property
    def entries(self) -> Locator:
        """The edits in the list, parts included."""
        return self.page.locator(".edit-list .edit")

    def entry(self, number: int) -> Locator:
        """One of them, from 0."""
        return self.entries.nth(number)

    @property
    def status(self) -> Locator:
        """The line that says what to do next."""
        return self.page.locator(".edit-status")

    def value(self) -> list[dict[str, Any]]:
        """The edits as the page would send them."""
        return list(self.page.evaluate("document.querySelector('rubrica-edits').editor.value"))

    def kept(self) -> list[dict[str, Any]]:
        """The edits of the newest draft on the server."""
        self.work.saved()
        return stored(drafts(self.work)[-1])

    def submit(self) -> list[dict[str, Any]]:
        """Submit the page; the edits of the judgement."""
        before = self.page.url
        self.work.submit()
        self.page.wait_for_url(lambda url: url != before)
        return stored(submitted(self.work)[-1])

    def expect_open(self, number: int) -> None:
        """This one of the list is open, from 0."""
        expect(self.entry(number).locator("> .edit-head")).to_have_attribute("aria-expanded", "true")

    def expect_count(self, count: int) -> None:
        """There are so many edits in the list."""
        expect(self.entries).to_have_count(count)


def stored(revision: Any) -> list[dict[str, Any]]:
    """The edits of a revision, in their order, as an export has them."""
    from rubrica.core.edits import to_json
    from rubrica.store.translate import judgement_from

    return [to_json(edit) for edit in judgement_from(revision).edits]


def span(text: str, *words: str) -> list[Sequence[int]]:
    """The code points of the first occurrence of each of these."""
    return [[text.index(one), text.index(one) + len(one)] for one in words]
