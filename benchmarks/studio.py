"""Fifty annotators at once on two workers: nothing fails, is lost or passes its overlap; how many saves per second.

Each annotator asks for the next item, saves three drafts and submits, over and over, without a pause to think. Then all
only save drafts, in turn with the bare view (one inserted row, nothing else) on the same server and database: rounds
that alternate share whatever else the machine does. Thirty who save once a second, as pages do, wait for a short time.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path

from benchmarks.report import Figure
from benchmarks.studio_crash import crash
from benchmarks.studio_load import Load, prepare, put_load, verify
from benchmarks.studio_server import Server, bare_server, free_port, postgres, running, studio

PEOPLE, SECONDS, ITEMS, OVERLAP = 50, 10.0, 3000, 2
AT_WORK, LONGEST_WAIT = 30, 100.0
"""People who save once a second, and the milliseconds that 95 of 100 requests may take then."""
AGAINST_BARE = 0.35
ROUNDS = 3


def run() -> Iterator[Figure]:
    """On SQLite, then on PostgreSQL."""
    for name, database in (("SQLite", _no_server), ("PostgreSQL", postgres)):
        with tempfile.TemporaryDirectory() as folder, database() as url:
            yield from _studio(name, Path(folder), url)
        with tempfile.TemporaryDirectory() as folder, database() as url:
            yield from _crash(name, Path(folder) / "home", url)


def _no_server() -> AbstractContextManager[str]:
    return nullcontext("")


def warm_up(server: Server, tokens: list[str], doing: str) -> None:
    """Let every worker import and compile what it needs before the clock runs."""
    put_load(server.port, tokens, 2, doing)


def _studio(name: str, folder: Path, url: str) -> Iterator[Figure]:
    home, port, bare_port = folder / "home", free_port(), free_port()
    tokens = prepare(home, url, PEOPLE, ITEMS, OVERLAP)
    nobody = ["bare"] * PEOPLE
    with running(studio(home, port, url)) as server, running(bare_server(folder / "bare", bare_port, url)) as bare:
        warm_up(server, tokens, "annotate")
        warm_up(bare, nobody, "bare")
        paced = put_load(port, tokens[:AT_WORK], SECONDS, "at_work")
        work = put_load(port, tokens, SECONDS, "annotate")
        rounds = [
            (put_load(bare_port, nobody, SECONDS / 2, "bare"), put_load(port, tokens, SECONDS / 2, "autosave"))
            for _ in range(ROUNDS)
        ]
    drafts = [one for _, one in rounds]
    found = verify(home, url, [save for load in (paced, work, *drafts) for save in load.saves])
    failed = [failure for load in (paced, work, *drafts) for failure in load.failures]
    ratios = sorted(one.per_second / plain.per_second for plain, one in rounds)
    slow = sorted(paced.latencies)[len(paced.latencies) * 95 // 100] * 1000
    yield Figure(f"{name}: {AT_WORK} who save once a second, 95 % under", slow, "ms", LONGEST_WAIT, detail=told(paced))
    yield Figure(f"{name}: {PEOPLE} without a pause", work.per_second, "saves/s", detail=told(work))
    for plain, one in rounds:
        yield Figure(f"{name}: a bare view", plain.per_second, "saves/s", detail=told(plain))
        yield Figure(f"{name}: all only saving", one.per_second, "saves/s", detail=told(one))
    yield Figure(f"{name}: failed requests", len(failed), "", 0, detail="; ".join(failed[:2]))
    yield Figure(f"{name}: acknowledged saves that are lost or doubled", found.lost + found.doubled, "", 0)
    yield Figure(f"{name}: leases beyond the overlap", found.beyond_overlap, "", 0)
    span = f"{ROUNDS} rounds in turn: {', '.join(f'{ratio:.2f}' for ratio in ratios)}"
    yield Figure(
        f"{name}: saves against the bare view", ratios[len(ratios) // 2], "x", AGAINST_BARE, at_least=True, detail=span
    )


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
