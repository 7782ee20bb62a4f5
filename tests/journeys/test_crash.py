"""The server is killed in the middle of people's work, then started again: every acknowledged answer is there."""

from __future__ import annotations

import os
import threading
import time
from pathlib import Path

from benchmarks.studio_load import Link, Save, annotate, free_port, prepare, studio, verify, work_of

PEOPLE, BEFORE, IN_ALL, PATIENCE = 10, 60, 160, 240


def test_a_killed_server_loses_nothing(home: Path) -> None:
    """Ten people save and submit while all processes are killed; afterwards each save is there exactly once."""
    url = os.environ.get("DATABASE_URL", "")
    port = free_port()
    tokens = prepare(home, url, PEOPLE, 120, 2)
    end = time.monotonic() + PATIENCE
    links = [Link(port, token, patient=lambda: time.monotonic() < end) for token in tokens]
    saves: list[Save] = []
    servers = [studio(home, port, url)]
    servers[0].wait()
    work = threading.Thread(
        target=work_of,
        args=(links, annotate, lambda: len(saves) < IN_ALL and time.monotonic() < end, saves),
    )
    work.start()
    try:
        while len(saves) < BEFORE and time.monotonic() < end:
            time.sleep(0.01)
        servers[-1].kill()
        acknowledged = len(saves)
        servers.append(studio(home, port, url))
        servers[-1].wait()
        work.join(PATIENCE)
        assert not work.is_alive()
    finally:
        if servers[-1].process.poll() is None:
            servers[-1].stop()
    assert BEFORE <= acknowledged < len(saves)
    assert [failure for link in links for failure in link.failures] == []
    assert len(saves) >= IN_ALL
    found = verify(home, url, saves)
    assert (found.lost, found.doubled, found.beyond_overlap) == (0, 0, 0)
    # Whatever was in flight when the server died was sent again with its key: nothing is there that nobody sent.
    assert found.revisions == len(saves)
