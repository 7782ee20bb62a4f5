"""Studies at a glance, for a list of them: a handful of queries however many there are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import NamedTuple

from django.db.models import Count, Max, Q

from rubrica.store import models
from rubrica.store.setup.launching import state_of


class Card(NamedTuple):
    """One study. ``stage`` is its first; ``done`` and ``wanted`` are judgements of plain items at all stages."""

    study: models.Study
    stage: models.Stage
    state: str
    items: int
    done: int
    wanted: int
    active_at: datetime
    annotators: int


def cards(studies: Sequence[models.Study]) -> list[Card]:
    """The cards of these studies, the one with the latest activity first."""
    pks = [study.pk for study in studies]
    plain = Q(item__planted=None)
    items = _by_study(
        models.Item.objects.filter(study__in=pks, planted=None, closed_at=None)
        .values_list("study")
        .annotate(Count("pk"))
    )
    people = _by_study(models.Annotator.objects.filter(study__in=pks).values_list("study").annotate(Count("pk")))
    done: dict[int, tuple[int, int]] = {
        stage: (count, closed)
        for stage, count, closed in models.Assignment.objects.filter(
            plain, stage__study__in=pks, state="done", annotator__excluded_at=None
        )
        .order_by()
        .values_list("stage")
        .annotate(n=Count("pk"), closed=Count("pk", filter=Q(item__closed_at__isnull=False)))
    }
    active: dict[int, datetime] = dict(
        models.Revision.objects.filter(judgement__stage__study__in=pks)
        .values_list("judgement__stage__study")
        .annotate(Max("created_at"))
        .order_by()
    )
    stages: dict[int, list[models.Stage]] = {}
    for stage in models.Stage.objects.filter(study__in=pks).select_related("protocol_version"):
        stages.setdefault(stage.study_id, []).append(stage)
    found = [
        _card(study, stages.get(study.pk, []), items, people, done, active.get(study.pk, study.created_at))
        for study in studies
        if stages.get(study.pk)
    ]
    return sorted(found, key=lambda card: card.active_at, reverse=True)


def _by_study(rows: object) -> dict[int, int]:
    return dict(rows.order_by())  # type: ignore[attr-defined]


def _card(
    study: models.Study,
    stages: Sequence[models.Stage],
    items: Mapping[int, int],
    people: Mapping[int, int],
    done: Mapping[int, tuple[int, int]],
    active_at: datetime,
) -> Card:
    counted = [done.get(stage.pk, (0, 0)) for stage in stages]
    plain = items.get(study.pk, 0)
    return Card(
        study=study,
        stage=stages[0],
        state=state_of(stages),
        items=plain,
        done=sum(count for count, _ in counted),
        wanted=sum(plain * stage.overlap + closed for stage, (_, closed) in zip(stages, counted, strict=True)),
        active_at=active_at,
        annotators=people.get(study.pk, 0),
    )
