"""The edit editor with 60 edits on a pair of 120 words: how long each interaction takes until it is painted.

Measured by the browser itself (Event Timing): from the input to the next frame. Figures come in steps of 8 ms. Moves of
the pointer are not events of that kind; they are measured around the editor's own work plus a forced layout.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from playwright.sync_api import Page, sync_playwright

from benchmarks.page_weight import CHROMIUM, IN_PAGE, KINDS, OURS
from benchmarks.report import Figure
from benchmarks.studio_server import free_port, running, studio

WORDS, EDITS, LIMIT = 120, 60, 100
WATCH = """
window.slow = [];
new PerformanceObserver((list) => {
  for (const { name, duration } of list.getEntries()) window.slow.push([name, duration]);
}).observe({ type: "event", durationThreshold: 16, buffered: true });
"""
# Sixty edits of all kinds: overlapping ones, some with several pieces, six composites with parts.
FILL = """(count) => {
  const { editor } = document.querySelector("rubrica-edits");
  const words = (side) => editor.views[side].units;
  const [source, rewrite] = [words("source"), words("rewrite")];
  const stretch = (list, at, size) => {
    const first = at % list.length;
    return [list[first][0], list[Math.min(first + size, list.length - 1)][1]];
  };
  const made = [];
  for (let n = 0; made.length < count; n += 1) {
    const id = String(made.length + 1);
    const one = [stretch(source, n * 5, n % 4)];
    const other = [stretch(rewrite, n * 7, n % 3)];
    if (n % 6 === 5) {
      made.push({ id, operation: n % 2 ? "structure" : "split" });
      made.push({ id: String(made.length + 1), operation: "deletion", source: one, parent: id });
      made.push({ id: String(made.length + 1), operation: "insertion", rewrite: other, parent: id });
    } else {
      const kind = ["deletion", "insertion", "substitution", "reorder"][n % 4];
      const [source, rewrite] = [kind === "insertion" ? [] : one, kind === "deletion" ? [] : other];
      made.push({ id, operation: kind, source, rewrite });
    }
  }
  editor.edits.load(made, [], {});
  editor.edited(null);
  return made.length;
}"""
BOX = """([side, at]) => {
  const { editor } = document.querySelector("rubrica-edits");
  const { drawing, views } = editor;
  const [rect] = views[side].rects(...views[side].units[at], drawing.origin);
  return [drawing.origin.x + rect.left + 4, drawing.origin.y + rect.top + 8];
}"""
HOVER = """([x, y]) => {
  const texts = document.querySelector(".edit-texts");
  const start = performance.now();
  texts.dispatchEvent(new PointerEvent("pointermove", { clientX: x, clientY: y, pointerType: "mouse", bubbles: true }));
  document.body.getBoundingClientRect();
  return performance.now() - start;
}"""


def run() -> Iterator[Figure]:
    """Desktop width and a phone's."""
    with tempfile.TemporaryDirectory() as folder:
        home, port = Path(folder) / "home", free_port()
        command = [sys.executable, "-m", "benchmarks.studio_study", "pair", str(home), str(WORDS)]
        made = subprocess.run(command, env={**os.environ}, check=True, stdout=subprocess.PIPE, text=True)
        (token,) = json.loads(made.stdout)
        with running(studio(home, port)), sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
            for name, width, height in (("1280 px", 1280, 800), ("360 px", 360, 740)):
                page = browser.new_context(viewport={"width": width, "height": height}).new_page()
                sizes: list[int] = []
                page.on("response", lambda answer, sizes=sizes: _weigh(answer, sizes))
                page.add_init_script(WATCH)
                page.goto(f"http://127.0.0.1:{port}/w/{token}/work/", wait_until="networkidle")
                if width > 1000:
                    weight = sum(sizes) + page.evaluate(IN_PAGE)
                    yield Figure("our script and style, uncompressed", weight / 1000, "kB", 150)
                yield from _measure(page, name)
                page.context.close()
            browser.close()


def _weigh(answer: Any, sizes: list[int]) -> None:
    if answer.status == 200 and answer.request.resource_type in KINDS and OURS in answer.url:
        sizes.append(len(answer.body()))


def _measure(page: Page, name: str) -> Iterator[Figure]:
    page.locator("rubrica-desk[data-ready]").wait_for()
    count = page.evaluate(FILL, EDITS)
    page.wait_for_timeout(1500)
    for what, act in _interactions(page):
        page.evaluate("window.slow.length = 0")
        act()
        page.wait_for_timeout(250)
        slow = page.evaluate("window.slow")
        worst = max((duration for _, duration in slow), default=0)
        yield Figure(f"{name}, {count} edits: {what}", worst, "ms", LIMIT, detail="" if slow else "below 16")
    spots = [page.evaluate(BOX, ["source", at]) for at in range(0, 40, 3)]
    took = [float(page.evaluate(HOVER, [x, y + dy])) for x, y in spots for dy in (18, 30)]
    yield Figure(f"{name}, {count} edits: move over a mark", max(took), "ms", LIMIT)


def _interactions(page: Page) -> Iterator[tuple[str, Any]]:
    """What an annotator does, one after the other."""

    def drag() -> None:
        first, last = (page.evaluate(BOX, ["source", at]) for at in (2, 6))
        page.mouse.move(*first)
        page.mouse.down()
        page.mouse.move(*last, steps=6)
        page.mouse.up()

    def press(*keys: str) -> Any:
        return lambda: [page.keyboard.press(key) for key in keys]

    yield "select words with the mouse", drag
    yield "make an edit", press("d")
    yield "walk through the text", press(*["ArrowRight"] * 10)
    yield "select by keyboard", press(*["Shift+ArrowRight"] * 5)
    yield "make a substitution", press("s", "Escape")
    yield "open an edit from the list", lambda: page.locator(".edit.unfinished > .edit-head").nth(5).click()
    yield "answer it", press("1")
    yield "go to the next unfinished", press("Enter")
    yield "make it another kind", press("Shift+r")
    yield "remove it", lambda: page.get_by_role("button", name="Remove", exact=True).click()
    yield "undo", press("Control+z", "Control+z", "Control+z")
    yield "redo", press("Control+y")
