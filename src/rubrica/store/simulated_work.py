"""A simulated annotator of a demo study at work: leases items, takes time over each, and submits, as people do."""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from datetime import datetime, timedelta

from rubrica.core.study import Judgement
from rubrica.store import leases, models, saving
from rubrica.store.translate import protocol_of

PEOPLE = ("simulated_1", "simulated_2", "simulated_3")
Judge = Callable[[models.Assignment], Judgement]


def do_share(
    stage: models.Stage, person: models.Annotator, share: float, at: datetime, now: datetime, judge: Judge
) -> None:
    """Judge that share of the items, from ``at`` on, and give back what is held beyond it."""
    rng = random.Random(f"demo:{stage.study.name}:{stage.key}:{person.name}")
    median = math.log(100 if protocol_of(stage).edits else 30)  # seconds
    wanted, done = round(share * stage.study.items.filter(planted=None).count()), 0
    while done < wanted:
        found = leases.take(person, stage, at).leases
        if not found:
            break
        for lease in leases.group_of(found[0]):
            seconds = rng.lognormvariate(median, 0.5)
            at += timedelta(seconds=seconds + rng.expovariate(1 / 600))
            said = saving.Said(lease, f"demo-{lease.pid}", judge(lease), f"visit-{lease.pid}", round(seconds, 1))
            saving.submit([said], min(at, now))
            done += 1
    leases.give_back(models.Assignment.objects.filter(annotator=person))
