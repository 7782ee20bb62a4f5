"""Work that simulated annotators did, for tests of what researchers see."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from rubrica.core.simulation import Simulator
from rubrica.core.study import Judgement
from tests.studio.conftest import NOW

if TYPE_CHECKING:
    from rubrica.store.models import Item, Study
    from rubrica.store.models import Judgement as Row

GOOD = {"simplification": 3, "meaning": 3, "fluency": 3, "concern": "no", "acceptance": "accept", "needed": "yes"}
"""A whole answer to a pair of `breve`."""


def judge(
    study: Study,
    name: str,
    items: Iterable[Item] | None = None,
    *,
    said: Judgement | None = None,
    seconds: float | None = 20.0,
    start: datetime = NOW,
    apart: timedelta = timedelta(minutes=5),
) -> list[Row]:
    """Judgements of this annotator, one after the other: the given one, or simulated ones."""
    from django.db import transaction

    from rubrica.store import models
    from rubrica.store.models import Assignment
    from rubrica.store.people.annotators import named
    from rubrica.store.recording.judgements import Said, record
    from rubrica.store.translate import item_from, protocol_of, rules_of, validator_of

    stage = study.stages.select_related("protocol_version", "study").order_by("position")[0]
    protocol = protocol_of(stage)
    person = named(study, [name], start)[name]
    simulator = Simulator(protocol, rules_of(stage, protocol), f"{name}")
    rows = list(items) if items is not None else list(study.items.filter(planted=None))
    entries = []
    for place, item in enumerate(rows):
        known = item_from(item)
        judgement = validator_of(stage).settle(known, said) if said else simulator.judge(known)
        said_at = start + place * apart
        key = f"{place}-{said_at.isoformat()}"
        entries.append(
            Said(Assignment(stage=stage, item=item, annotator=person), key, judgement, at=said_at, seconds=seconds)
        )
    with transaction.atomic():
        record(stage, entries, "page", start)
    return list(models.Judgement.objects.filter(annotator=person).order_by("pk"))


def plain_items(study: Study, count: int | None = None) -> Sequence[Item]:
    """The first plain items of the study."""
    return list(study.items.filter(planted=None)[:count])
