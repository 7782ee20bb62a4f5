"""A server that is killed in the middle of people's work and started again, as a power cut would have it."""

from __future__ import annotations

import threading
import time
from pathlib import Path
from typing import NamedTuple

from benchmarks.studio_load import Found, Link, Save, annotate, prepare, verify, work_of
from benchmarks.studio_server import free_port, studio


class Crash(NamedTuple):
    """How many saves were acknowledged before the crash and in all, what failed for good, what is in the database."""

    before: int
    saves: int
    failures: list[str]
    found: Found


def crash(home: Path, url: str, people: int, *, before: int, in_all: int, patience: float = 240) -> Crash:
    """Kill every process after ``before`` acknowledged saves, start again, and go on until there are ``in_all``."""
    port = free_port()
    tokens = prepare(home, url, people, 12 * people, 2)
    end = time.monotonic() + patience
    links = [Link(port, token, patient=lambda: time.monotonic() < end) for token in tokens]
    saves: list[Save] = []
    servers = [studio(home, port, url)]
    servers[0].wait()
    work = threading.Thread(
        target=work_of, args=(links, annotate, lambda: len(saves) < in_all and time.monotonic() < end, saves)
    )
    work.start()
    try:
        while len(saves) < before and time.monotonic() < end:
            time.sleep(0.01)
        servers[-1].kill()
        acknowledged = len(saves)
        servers.append(studio(home, port, url))
        servers[-1].wait()
        work.join(patience)
    finally:
        if servers[-1].process.poll() is None:
            servers[-1].stop()
    failures = [failure for link in links for failure in link.failures]
    return Crash(acknowledged, len(saves), failures, verify(home, url, saves))
