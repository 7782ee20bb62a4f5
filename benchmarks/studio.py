"""Fifty annotators at once on two workers: nothing fails, is lost or passes its overlap; how many saves per second.

Each annotator asks for the next item, saves three drafts and submits, over and over, without a pause to think. Then all
only save drafts, and the bare view (one inserted row, nothing else) does the same on the same server and database.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import nullcontext
from pathlib import Path

from benchmarks.report import Figure
from benchmarks.studio_crash import crash
from benchmarks.studio_load import Load, prepare, put_load, verify
from benchmarks.studio_server import Server, bare_server, free_port, postgres, running, studio

PEOPLE, SECONDS, ITEMS, OVERLAP = 50, 10.0, 3000, 2


def run() -> Iterator[Figure]:
    """On SQLite, then on PostgreSQL."""
    for name, database in (("SQLite", nullcontext("")), ("PostgreSQL", postgres())):
        with tempfile.TemporaryDirectory() as folder, database as url:
            bare = bare_saves(Path(folder), url)
            yield Figure(f"{name}: a bare view", bare.per_second, "saves/s", detail=told(bare))
            yield from _studio(name, Path(folder) / "home", url, bare)
        with tempfile.TemporaryDirectory() as folder, nullcontext("") if not url else postgres() as url:
            yield from _crash(name, Path(folder) / "home", url)


def bare_saves(folder: Path, url: str) -> Load:
    """What the bare view manages."""
    port = free_port()
    with running(bare_server(folder / "bare", port, url)) as server:
        warm_up(server, ["bare"] * PEOPLE, "bare")
        return put_load(port, ["bare"] * PEOPLE, SECONDS, "bare")


def warm_up(server: Server, tokens: list[str], doing: str) -> None:
    """Let every worker import and compile what it needs before the clock runs."""
    put_load(server.port, tokens, 2, doing)


def _studio(name: str, home: Path, url: str, bare: Load) -> Iterator[Figure]:
    tokens = prepare(home, url, PEOPLE, ITEMS, OVERLAP)
    port = free_port()
    with running(studio(home, port, url)) as server:
        warm_up(server, tokens, "annotate")
        work = put_load(port, tokens, SECONDS, "annotate")
        drafts = put_load(port, tokens, SECONDS, "autosave")
    found = verify(home, url, [*work.saves, *drafts.saves])
    failed = [*work.failures, *drafts.failures]
    yield Figure(f"{name}: {PEOPLE} at work", work.per_second, "saves/s", detail=told(work))
    yield Figure(f"{name}: all only saving", drafts.per_second, "saves/s", detail=told(drafts))
    yield Figure(f"{name}: failed requests", len(failed), "", 0, detail="; ".join(failed[:2]))
    yield Figure(f"{name}: acknowledged saves that are lost or doubled", found.lost + found.doubled, "", 0)
    yield Figure(f"{name}: leases beyond the overlap", found.beyond_overlap, "", 0)
    ratio = drafts.per_second / bare.per_second
    yield Figure(f"{name}: saves against the bare view", ratio, "x", 0.5, at_least=True)


def _crash(name: str, home: Path, url: str) -> Iterator[Figure]:
    crashed = crash(home, url, PEOPLE, before=400, in_all=1000)
    detail = f"{crashed.before} saves acknowledged before, {crashed.saves} in all"
    wrong = crashed.found.lost + crashed.found.doubled + crashed.found.beyond_overlap + len(crashed.failures)
    yield Figure(f"{name}: lost, doubled, beyond the overlap or failed after kill -9", wrong, "", 0, detail=detail)


def told(load: Load) -> str:
    """Latencies, and how much of the two cores the load generator took."""
    times = sorted(load.latencies)
    middle, worst = times[len(times) // 2], times[len(times) * 99 // 100]
    share = load.client_cpu / load.seconds / 2
    return f"median {middle * 1000:.0f} ms, 99 % under {worst * 1000:.0f} ms; load generator {share:.0%} of two cores"
