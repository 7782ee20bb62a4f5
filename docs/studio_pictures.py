"""Makes the pictures of the studio's pages again: every page with a picture in the guide, wide and on a phone.

Run it by `make pictures` when pages change, and look at what it made. It starts a real studio with a demo study in
a temporary home and photographs the pages of tests/browser/pages.py with Chromium.
"""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from playwright.sync_api import Browser, sync_playwright

if TYPE_CHECKING:
    from tests.browser.pages import World

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))
FOLDER = ROOT / "docs/images/studio"
SIZES = {"desktop": (1280, 900), "phone": (360, 740)}
PATIENCE = 180_000
"""Milliseconds for a page: the machine may be busy with other things."""

os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"


@contextmanager
def _studio(home: Path) -> Iterator[str]:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [str(Path(sys.executable).parent / "rubrica"), "serve", "--port", str(port), "--workers", "1"]
    server = subprocess.Popen(command, env={**os.environ, "RUBRICA_HOME": str(home)}, stderr=subprocess.DEVNULL)
    url = f"http://127.0.0.1:{port}"
    try:
        for _ in range(300):
            try:
                urllib.request.urlopen(f"{url}/health", timeout=2)
                break
            except OSError:
                time.sleep(0.2)
        yield url
    finally:
        server.terminate()
        server.wait(timeout=120)


def _photograph(browser: Browser, url: str, device: str, world: World) -> None:
    from tests.browser.pages import ACCOUNT, PAGES, PASSWORD

    width, height = SIZES[device]
    size = {"width": width, "height": height}
    context = browser.new_context(viewport=size, service_workers="block")  # type: ignore[arg-type]
    context.set_default_timeout(PATIENCE)
    page = context.new_page()
    page.goto(f"{url}/sign-in/")
    page.fill("input[name=username]", ACCOUNT)
    page.fill("input[name=password]", PASSWORD)
    page.click("button.primary")
    page.wait_for_url("**/studies/")
    alone = browser.new_context(viewport=size, service_workers="block").new_page()  # type: ignore[arg-type]
    alone.set_default_timeout(PATIENCE)
    for known in PAGES.values():
        if known.picture:
            camera = page if known.who == "researcher" else alone
            camera.goto(url + known.path(world))
            camera.wait_for_timeout(300)
            camera.screenshot(path=FOLDER / f"{known.picture}-{device}.png")


def main() -> None:
    """Build the world, serve it, photograph it."""
    from rubrica.studio.settings import open_studio
    from tests.browser.chromium import LAUNCH
    from tests.browser.pages import build

    FOLDER.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        open_studio(home, hashed_files=False)
        world = build(datetime.now(UTC), home)
        with _studio(home) as url, sync_playwright() as playwright:
            browser = playwright.chromium.launch(**LAUNCH)
            for device in SIZES:
                _photograph(browser, url, device, world)
            browser.close()
    print(f"{len(list(FOLDER.glob('*.png')))} pictures in {FOLDER.relative_to(ROOT)}")


if __name__ == "__main__":
    main()
