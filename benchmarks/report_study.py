"""The full report of a study with 50,000 judgements: how long it takes and the most memory that it needs."""

from __future__ import annotations

import os
import random
import tempfile
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

from benchmarks.report import Figure, measured
from rubrica.core.study import Item
from rubrica.exchange.study_plan import Plan

SYSTEMS = ("north", "south", "east", "west")
SOURCES, RATERS, OVERLAP = 2_500, 50, 5
JUDGEMENTS = SOURCES * len(SYSTEMS) * OVERLAP
SECONDS, MEGABYTES = 60, 1024


def _fill(home: Path) -> None:
    """A study of four systems on the same sources, five judgements an item, by fifty people."""
    from django.db import transaction

    from rubrica.core.simulation import Simulator
    from rubrica.home.database import open_home
    from rubrica.protocols.catalog import load_shipped

    open_home(home)
    from rubrica.store import studies
    from rubrica.store.models import Annotator, Assignment
    from rubrica.store.recording.judgements import Said, record

    now = datetime(2026, 1, 1, tzinfo=UTC)
    loaded = load_shipped("breve")
    practice = loaded.protocol.practice
    items = [_item(source, system, practice) for source in range(SOURCES) for system in SYSTEMS]
    study = studies.create(Plan(name="big", loaded=loaded, items=items), now)
    stage = study.stages.select_related("protocol_version").get()
    people = [
        Annotator.objects.create(study=study, name=f"person {number}", created_at=now) for number in range(RATERS)
    ]
    rng = random.Random(5)
    simulators = [Simulator(loaded.protocol, loaded.protocol.stages[0], f"bench {number}") for number in range(RATERS)]
    by_key = {item.key: item for item in items}
    rows = list(study.items.select_related("study"))
    for start in range(0, len(rows), 1000):
        with transaction.atomic():
            said = [
                Said(
                    Assignment(stage=stage, item=row, annotator=people[who]), "", simulators[who].judge(by_key[row.key])
                )
                for row in rows[start : start + 1000]
                for who in rng.sample(range(RATERS), OVERLAP)
            ]
            record(stage, said, "import", now + timedelta(minutes=start))


def _item(source: int, system: str, practice: tuple[Item, ...]) -> Item:
    """One of the practice items, told from the others by a number."""
    fields = practice[source % len(practice)].fields
    return Item(
        f"{source}-{system}",
        {"source": f"{fields['source']} ({source})", "rewrite": f"{fields['rewrite']} ({source}, {system})"},
        system,
    )


def run() -> Iterator[Figure]:
    """Time and memory of `rubrica report`, charts included."""
    os.environ.pop("DATABASE_URL", None)
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        _fill(home)
        made = measured(["report", "big", "-o", home / "report", "--home", home])
        size = sum(path.stat().st_size for path in (home / "report").rglob("*") if path.is_file()) / 2**20
        detail = f"{JUDGEMENTS:,} judgements of {SOURCES * len(SYSTEMS):,} items by {RATERS} people"
        yield Figure("report, time", made.seconds, "s", SECONDS, detail=detail)
        yield Figure("report, peak memory", made.megabytes, "MB", MEGABYTES)
        yield Figure("report, size of the folder", size, "MB")
