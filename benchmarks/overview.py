"""Pages of a study with 100,000 items and as many judgements, beside a plain count of them."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

from benchmarks.report import Figure
from rubrica.exchange.study_plan import Plan

ITEMS, OVERLAP, PEOPLE, JUDGEMENTS = 100_000, 3, 200, 100_000
CHUNK = 5_000
SECONDS = 1.0
PAGES = {
    "overview, first time": "/s/{}/",
    "overview, again": "/s/{}/",
    "list of studies": "/studies/",
    "overview, its figures": "/s/{}/live/",
    "People": "/s/{}/people/",
}
LIMITED = ("overview, first time", "overview, again", "list of studies")


def fill(home: Path) -> None:
    """A study of `breve` in which a third of what is wanted is judged: rows as the studio writes them, in bulk."""
    from rubrica.studio.settings import open_studio

    open_studio(home, "", hashed_files=False)
    from django.contrib.auth.models import User

    from rubrica.core.answers import to_json
    from rubrica.core.simulation import Simulator
    from rubrica.core.study import Item
    from rubrica.protocols.catalog import load_shipped
    from rubrica.store import models, studies
    from rubrica.store.people.invitations import invite

    start = datetime.now(UTC) - timedelta(days=3)
    loaded = load_shipped("breve")
    texts = [item.fields for item in loaded.protocol.practice]
    items = [Item(str(number), texts[number % len(texts)]) for number in range(ITEMS)]
    plan = Plan(name="large", loaded=loaded, items=items, overlap={"rate": OVERLAP})
    study = studies.create(plan, start)
    User.objects.create(username="owner", is_superuser=True)
    links = invite(study, [f"simulated-{number}" for number in range(PEOPLE)], start)
    people = [link.annotator for link in links]
    stage = study.stages.get()
    simulator = Simulator(loaded.protocol, loaded.protocol.stages[0], "bench")
    said = [simulator.judge(item) for item in items[: 10 * len(texts)]]
    places = [(place // OVERLAP, place % PEOPLE) for place in range(JUDGEMENTS)]
    rows = list(study.items.order_by("position").values_list("pk", flat=True))
    for first in range(0, JUDGEMENTS, CHUNK):
        part = places[first : first + CHUNK]
        heads = models.Judgement.objects.bulk_create(
            models.Judgement(stage=stage, item_id=rows[item], annotator=people[who], state="submitted")
            for item, who in part
        )
        revisions = models.Revision.objects.bulk_create(
            models.Revision(
                judgement=head,
                number=1,
                key=f"k{head.pk}",
                outcome=said[head.item_id % len(said)].outcome,
                answers=to_json(said[head.item_id % len(said)].answers),
                seconds=20.0 + head.pk % 90,
                origin="page",
                created_at=start + timedelta(seconds=2 * (first + place)),
            )
            for place, head in enumerate(heads)
        )
        for head, revision in zip(heads, revisions, strict=True):
            head.current = revision
        models.Judgement.objects.bulk_update(heads, ["current"])
        models.Assignment.objects.bulk_create(
            models.Assignment(
                stage=stage,
                item_id=rows[item],
                annotator=people[who],
                position=first + place,
                state="done",
                leased_at=start,
            )
            for place, (item, who) in enumerate(part)
        )


def look(home: Path) -> dict[str, list[float]]:
    """Seconds and queries of each page in a new process, and of counting the judgements."""
    from rubrica.studio.settings import open_studio

    open_studio(home, "", hashed_files=False)
    from django.db import connection
    from django.test import Client
    from django.test.utils import CaptureQueriesContext

    from rubrica.store import models

    study = models.Study.objects.get()
    client = Client(HTTP_HOST="localhost")
    from django.contrib.auth.models import User

    client.force_login(User.objects.get())
    client.get("/nothing/")
    found = {}
    begun = time.perf_counter()
    models.Judgement.objects.filter(stage__study=study).submitted().count()
    found["count"] = [time.perf_counter() - begun, 1.0]
    for name, address in PAGES.items():
        with CaptureQueriesContext(connection) as queries:
            begun = time.perf_counter()
            answer = client.get(address.format(study.pid))
            seconds = time.perf_counter() - begun
        assert answer.status_code == 200, (name, answer.status_code)
        found[name] = [seconds, float(len(queries))]
    return found


def run() -> Iterator[Figure]:
    """Seconds of each page, first asked in a process that has seen nothing."""
    os.environ.pop("DATABASE_URL", None)
    with tempfile.TemporaryDirectory() as home:
        for task in ("fill", "look"):
            out = subprocess.run(
                [sys.executable, "-m", "benchmarks.overview", task, home], check=True, capture_output=True, text=True
            ).stdout
        found = json.loads(out)
    seconds, _ = found.pop("count")
    detail = f"{ITEMS:,} items, {JUDGEMENTS:,} judgements by {PEOPLE} people"
    yield Figure("a plain count of the judgements", seconds, "s", detail=detail)
    for name, (seconds, queries) in found.items():
        yield Figure(name, seconds, "s", SECONDS if name in LIMITED else None, detail=f"{queries:.0f} queries")


if __name__ == "__main__":
    task, home = sys.argv[1:]
    if task == "fill":
        fill(Path(home))
    else:
        print(json.dumps(look(Path(home))))
