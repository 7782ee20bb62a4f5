"""A simulated annotator of a demo study at work: leases items, takes time over each, and submits, as people do."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterable
from datetime import datetime, timedelta
from typing import NamedTuple

from rubrica.core.study import Judgement
from rubrica.store import models
from rubrica.store.allocation import leases
from rubrica.store.recording import saving

PEOPLE = ("simulated_1", "simulated_2", "simulated_3")
Judge = Callable[[models.Assignment], Judgement]


class Pace(NamedTuple):
    """How long things take, in seconds: the median judgement, and the mean pause after a page."""

    median: float
    pause: float = 600


def do_share(
    stage: models.Stage,
    person: models.Annotator,
    share: float,
    at: datetime,
    now: datetime,
    judge: Judge,
    pace: Pace,
) -> None:
    """Judge that share of the items, from ``at`` on, and give back what is held beyond it.

    Planted items come on top, as they fall due; whoever does everything gets all of theirs.
    """
    rng = random.Random(f"demo:{stage.study.name}:{stage.key}:{person.name}")
    plain = set(stage.study.items.unplanted().values_list("pk", flat=True))
    wanted, done = round(share * len(plain)), 0
    while done < wanted or share == 1:
        found = leases.take(person, stage, at).leases
        if not found:
            break
        for page in _pages(found):
            if done >= wanted and share < 1:
                break
            said = []
            for lease in page:
                lease.stage, lease.annotator = stage, person
                seconds = round(rng.lognormvariate(math.log(pace.median), 0.4), 1)
                said.append(saving.Said(lease, f"demo-{lease.pid}", judge(lease), f"visit-{lease.pid}", seconds))
            at += timedelta(seconds=sum(one.visit_seconds for one in said) + rng.expovariate(1 / pace.pause))
            saving.submit(said, min(at, now))
            done += sum(lease.item_id in plain for lease in page)
    leases.give_back(models.Assignment.objects.filter(annotator=person))


def _pages(held: Iterable[models.Assignment]) -> list[list[models.Assignment]]:
    """The leases in their order, those of one group together, as pages show them."""
    pages: dict[str, list[models.Assignment]] = {}
    for lease in held:
        pages.setdefault(lease.item.group or f"\0{lease.pk}", []).append(lease)
    return list(pages.values())
