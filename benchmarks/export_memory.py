"""Memory of an export grows with a chunk, not with the study: peak of 4,000 and of 40,000 judgements."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

from benchmarks.report import Figure, measured
from rubrica.exchange.study_plan import Plan

SMALL, LARGE = 4_000, 40_000
FORMATS = ("jsonl", "csv", "xlsx", "parquet")


def _fill(home: Path, count: int) -> None:
    """A study with that many judgements, saved as an import would save them."""
    from django.db import transaction

    from rubrica.core.simulation import Simulator
    from rubrica.core.study import Item
    from rubrica.home.database import open_home
    from rubrica.protocols.catalog import load_shipped

    open_home(home)
    from rubrica.store import studies
    from rubrica.store.models import Annotator, Assignment
    from rubrica.store.recording.judgements import Said, record

    now = datetime(2026, 1, 1, tzinfo=UTC)
    loaded = load_shipped("breve")
    practice = loaded.protocol.practice
    items = [Item(str(number), practice[number % len(practice)].fields) for number in range(count)]
    study = studies.create(Plan(name="big", loaded=loaded, items=items), now)
    stage = study.stages.select_related("protocol_version").get()
    person = Annotator.objects.create(study=study, name="a", created_at=now)
    simulator = Simulator(loaded.protocol, loaded.protocol.stages[0], "bench")
    judged = {item.key: simulator.judge(item) for item in items[:500]}
    with transaction.atomic():
        rows = list(study.items.select_related("study"))
        said = [
            Said(Assignment(stage=stage, item=row, annotator=person), "", judged[str((int(row.key)) % 480)])
            for row in rows
        ]
        record(stage, said, "import", now)


def _peak(home: Path, form: str) -> float:
    """The most memory, in MB, that exporting takes in a process of its own."""
    return measured(["export", "big", "--format", form, "-o", home / f"out.{form}", "--home", home]).megabytes


def run() -> Iterator[Figure]:
    """How much more memory ten times the judgements take, per format."""
    os.environ.pop("DATABASE_URL", None)
    with tempfile.TemporaryDirectory() as folder:
        homes = {count: Path(folder) / str(count) for count in (SMALL, LARGE)}
        for count, home in homes.items():
            _fill(home, count)
        for form in FORMATS:
            small, large = _peak(homes[SMALL], form), _peak(homes[LARGE], form)
            detail = f"{small:.0f} MB for {SMALL:,}, {large:.0f} MB for {LARGE:,}"
            yield Figure(f"{form}, peak memory at ten times the judgements", large / small, "x", 1.25, detail=detail)
