"""The work page on a slow connection: first paint, weight of our own script and style, layout shift.

The connection is the "Fast 3G" of Chrome's developer tools (now called "Slow 4G"): 1.44 Mbit/s down, 675 kbit/s up,
562.5 ms before each answer. The cache is empty.
"""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from playwright.sync_api import Page, Response, sync_playwright

from benchmarks.report import Figure
from benchmarks.studio_load import prepare
from benchmarks.studio_server import free_port, running, studio

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-headless-shell")
FAST_3G = {"offline": False, "latency": 562.5, "downloadThroughput": 180_000, "uploadThroughput": 84_375}
OURS, KINDS = "/static/rubrica/", ("script", "stylesheet")
WATCH = """
window.shifts = 0;
new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.shifts += entry.value;
}).observe({ type: "layout-shift", buffered: true });
"""
PAINT = "performance.getEntriesByName('first-contentful-paint')[0].startTime"
IN_PAGE = """
new TextEncoder().encode([...document.querySelectorAll("style")].map((style) => style.textContent).join("")).length
"""
"""Bytes of style that stand in the page itself."""
MOST_REQUESTS, LATEST_PAINT = 12, 1.3


def run() -> Iterator[Figure]:
    """Desktop and phone width; the weight is the same."""
    with tempfile.TemporaryDirectory() as folder:
        home, port = Path(folder) / "home", free_port()
        token = prepare(home, "", 1, 20, 1)[0]
        address = f"http://127.0.0.1:{port}/w/{token}/work/"
        with running(studio(home, port)), sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
            for name, width, height in (("1280 px", 1280, 800), ("360 px", 360, 740)):
                context = browser.new_context(viewport={"width": width, "height": height})
                yield from _visit(context.new_page(), name, address)
                context.close()
            browser.close()


def _visit(page: Page, name: str, address: str) -> Iterator[Figure]:
    answers: list[Response] = []
    page.on("response", lambda answer: answers.append(answer))  # noqa: PLW0108 Playwright marks the function
    page.add_init_script(WATCH)
    connection = page.context.new_cdp_session(page)
    connection.send("Network.enable")
    connection.send("Network.emulateNetworkConditions", FAST_3G)
    page.goto(address, wait_until="networkidle")
    page.wait_for_timeout(1000)
    page.locator("rubrica-desk").wait_for()
    paint, shifts = float(page.evaluate(PAINT)), float(page.evaluate("window.shifts"))
    sizes = [_size(answer) for answer in answers if answer.status == 200]
    ours = sum(size for size, kind, path in sizes if kind in KINDS and OURS in path) + page.evaluate(IN_PAGE)
    theirs = sum(size for size, kind, path in sizes if kind in KINDS and OURS not in path)
    yield Figure(f"{name}: first contentful paint", paint / 1000, "s", LATEST_PAINT)
    yield Figure(f"{name}: requests", len(answers), "", MOST_REQUESTS)
    detail = f"other people's {theirs / 1000:.1f} kB; everything {sum(size for size, *_ in sizes) / 1000:.1f} kB"
    yield Figure(f"{name}: our script and style, uncompressed", ours / 1000, "kB", 150, detail=detail)
    yield Figure(f"{name}: layout shift while loading", shifts, "", 0)


def _size(answer: Any) -> tuple[int, str, str]:
    return len(answer.body()), answer.request.resource_type, answer.url
