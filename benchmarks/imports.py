"""`rubrica import` of 28,593 judgements: how many a second of processor time, and how long somebody at work waits.

New judgements, then the same file again, which changes nothing. Meanwhile somebody else writes to the same database,
as an annotator who saves does.
"""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from benchmarks.report import Figure
from rubrica.exchange.study_plan import Plan

JUDGEMENTS, OVERLAP, RATERS = 28_593, 3, 50
PER_SECOND = 5_000
LONGEST_WAIT = 1.0
"""Seconds that another save may wait for a part of the import."""


def _fill(home: Path, file: Path) -> None:
    """A study without judgements, and a file of them."""
    from datetime import UTC, datetime

    from rubrica.core.answers import to_json
    from rubrica.core.simulation import Simulator
    from rubrica.core.study import Item
    from rubrica.home.database import open_home
    from rubrica.protocols.catalog import load_shipped

    open_home(home)
    from rubrica.store import studies

    now = datetime(2026, 1, 1, tzinfo=UTC)
    loaded = load_shipped("breve")
    practice = loaded.protocol.practice
    items = [Item(str(number), practice[number % len(practice)].fields) for number in range(JUDGEMENTS // OVERLAP)]
    studies.create(Plan(name="big", loaded=loaded, items=items, overlap={"rate": OVERLAP}), now)
    simulator = Simulator(loaded.protocol, loaded.protocol.stages[0], "bench")
    with file.open("w") as out:
        for number, item in enumerate(items):
            for turn in range(OVERLAP):
                line = {
                    "study": "big",
                    "stage": "rate",
                    "item": item.key,
                    "annotator": f"person {(number + turn * 7) % RATERS}",
                    "revision": 1,
                    "outcome": "answered",
                    "answers": to_json(simulator.judge(item).answers),
                    "submitted_at": "2026-01-02T10:00:00Z",
                    "seconds": 12.5,
                }
                out.write(json.dumps(line) + "\n")


def _import(home: Path, file: Path) -> tuple[float, float]:
    """Processor seconds of the command, and the longest that another writer waited meanwhile."""
    from django.db import transaction

    from rubrica.store import models

    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    code = "from rubrica.cli.main import run; run()"
    command = [sys.executable, "-c", code, "import", "big", str(file), "--home", str(home)]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    longest = 0.0
    while process.poll() is None:
        start = time.perf_counter()
        with transaction.atomic():
            models.HealthCheck.objects.filter(at=None).delete()
        longest = max(longest, time.perf_counter() - start)
        time.sleep(0.05)
    if process.returncode:
        raise RuntimeError(f"the import ended with {process.returncode}")
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime - before.ru_utime - before.ru_stime, longest


def run() -> Iterator[Figure]:
    """Judgements a second of processor time, the start of the command included."""
    os.environ.pop("DATABASE_URL", None)
    with tempfile.TemporaryDirectory() as folder:
        home, file = Path(folder) / "home", Path(folder) / "judgements.jsonl"
        _fill(home, file)
        for name in ("new", "the same again"):
            seconds, wait = _import(home, file)
            rate = JUDGEMENTS / seconds
            detail = f"{JUDGEMENTS:,} judgements in {seconds:.1f} s"
            yield Figure(f"import, {name}", rate, "judgements/s of a core", PER_SECOND, at_least=True, detail=detail)
            yield Figure(f"import, {name}: longest wait of another save", wait, "s", LONGEST_WAIT)
