"""A real studio in its own process and a real browser for the tests of pages."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple
from uuid import uuid4

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from rubrica.home.database import open_home
from tests.browser.chromium import LAUNCH
from tests.browser.desks import Work
from tests.making import pairs

if TYPE_CHECKING:
    from rubrica.store.models import Invitation, Revision, Study

# Playwright runs a loop of its own in this thread, which Django takes for an asynchronous program.
os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"

# What a page should show may take long on a busy machine; waiting costs nothing when it is there.
expect.set_options(timeout=30_000)

NOW = datetime(2026, 11, 16, 9, 0, tzinfo=UTC)


class Server(NamedTuple):
    """A running studio: where it listens, and its home."""

    url: str
    home: Path


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory, migrated: Path) -> Iterator[Server]:
    """The studio as `rubrica serve` runs it, on a free port, with a home of its own."""
    home = tmp_path_factory.mktemp("studio") / "home"
    shutil.copytree(migrated, home)
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [str(Path(sys.executable).parent / "rubrica"), "serve", "--port", str(port), "--workers", "1"]
    log = (home / "serve.log").open("w")
    process = subprocess.Popen(command, env={**os.environ, "RUBRICA_HOME": str(home)}, stdout=log, stderr=log)
    url = f"http://127.0.0.1:{port}"
    try:
        _wait(url, process, home / "serve.log")
        yield Server(url, home)
    finally:
        process.terminate()
        process.wait(timeout=90)
        log.close()


def _wait(url: str, process: subprocess.Popen[Any], log: Path) -> None:
    for _ in range(600):
        if process.poll() is not None:
            break
        try:
            urllib.request.urlopen(f"{url}/health", timeout=2)
        except OSError:
            time.sleep(0.2)
        else:
            return
    raise RuntimeError(f"the studio did not start: {log.read_text()}")


class Studio:
    """The running studio as tests use it: makes studies and links in its database, and looks into it."""

    def __init__(self, server: Server) -> None:
        self.url, self.home = server.url, server.home

    def study(
        self, protocol: str = "breve", items: int = 6, overlap: int | Mapping[str, int] = 2, **more: Any
    ) -> Study:
        """A running study without steps before the work; ``rows`` are its items, other names are options.

        ``overlap`` is that of all stages, or by stage.
        """
        from rubrica.exchange.study_options import STEPS, checked
        from rubrica.protocols.catalog import load_shipped
        from rubrica.store import studies

        loaded = load_shipped(protocol)
        rows = more.pop("rows", None) or pairs(items)
        every = overlap if isinstance(overlap, int) else 1
        overlaps = {stage.id: every for stage in loaded.protocol.stages}
        overlaps |= {} if isinstance(overlap, int) else overlap
        name = f"{protocol}-{uuid4().hex[:8]}"
        study = studies.create(studies.Plan(name=name, loaded=loaded, items=rows, overlap=overlaps), NOW)
        study.update(options=checked({"steps": dict.fromkeys(STEPS, False), **more}).stored())
        return study

    def invite(self, study: Study, name: str = "ana") -> Invitation:
        """A personal link."""
        from rubrica.store.people.invitations import invite

        return invite(study, [name], NOW)[0]

    def door(self, invitation: Invitation) -> str:
        """The whole address of an annotator's pages, ending in a slash."""
        from rubrica.store.people.invitations import token

        return f"{self.url}/w/{token(invitation)}/"

    def revisions(self, study: Study) -> list[Revision]:
        """Everything that was saved in the study, in order."""
        from rubrica.store.models import Revision

        return list(Revision.objects.filter(judgement__stage__study=study).order_by("pk"))


@pytest.fixture
def studio(server: Server) -> Studio:
    """The studio, with this process looking into the same database."""
    open_home(server.home, os.environ.get("DATABASE_URL", ""))
    return Studio(server)


@pytest.fixture
def at_work(studio: Studio, page: Page) -> Callable[..., Work]:
    """Opens the work page of a new study: ``at_work("breve", items=3, …options)``."""

    def open_page(protocol: str = "breve", **more: Any) -> Work:
        return Work(studio, studio.study(protocol, **more), page).open()

    return open_page


@pytest.fixture
def context(context: BrowserContext) -> BrowserContext:
    """A context that is patient, as `expect` is."""
    context.set_default_timeout(90_000)
    return context


@pytest.fixture(scope="session")
def browser_type_launch_args() -> dict[str, Any]:
    """The browser of this machine."""
    return LAUNCH
