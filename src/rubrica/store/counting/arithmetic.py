"""The arithmetic of a study: items x overlap = judgements, what is done, what remains."""

from __future__ import annotations

from typing import Any, NamedTuple

from django.db.models import Count, Q

from rubrica.store import models
from rubrica.store.parts import part_of


class StageCount(NamedTuple):
    """One stage in numbers. ``wanted`` counts plain items only; planted ones come on top.

    A closed item wants no more than it has, and nothing remains of a closed stage.

    Excluded annotators take no place: what they did is listed under their name and counted nowhere else. ``done``
    can be more than ``wanted`` when judgements were imported from elsewhere.
    """

    id: str
    role: str
    items: int
    overlap: int
    wanted: int
    done: int
    out: int
    remaining: int
    annotators: dict[str, dict[str, int]]


class StudyCount(NamedTuple):
    """A study in numbers."""

    items: int
    groups: int
    gold: int
    duplicates: int
    stages: list[StageCount]


def count(study: models.Study, roles: dict[str, str]) -> StudyCount:
    """Count a study. ``roles`` gives each stage's role by the protocol's id of the step."""
    plain = study.items.filter(planted=None)
    items = plain.count()
    groups = plain.exclude(group="").values("group").distinct().count()
    planted = dict(models.Planted.objects.filter(item__study=study).values_list("kind").annotate(Count("id")))
    return StudyCount(
        items,
        groups,
        planted.get("gold", 0),
        planted.get("duplicate", 0),
        [_stage(stage, items, roles.get(part_of(stage), "")) for stage in study.stages.all()],
    )


def _stage(stage: models.Stage, items: int, role: str) -> StageCount:
    leases = stage.assignments.filter(item__planted=None, annotator__excluded_at=None)
    states: dict[str, int] = dict(leases.values_list("state").annotate(Count("id")))
    done, out = states.get("done", 0), states.get("open", 0)
    closed = stage.study.items.filter(planted=None).exclude(closed_at=None)
    wanted = (items - closed.count()) * stage.overlap + leases.filter(item__in=closed, state="done").count()
    remaining = max(0, wanted - done) if stage.state != "closed" else 0
    people = {
        row["annotator__name"]: {"done": row["done"], "open": row["open"], "passed_on": row["returned"]}
        for row in stage.assignments.values("annotator__name")
        .annotate(
            done=Count("id", filter=Q(state="done")),
            open=Count("id", filter=Q(state="open")),
            returned=Count("id", filter=Q(state="returned")),
        )
        .order_by("annotator__name")
    }
    return StageCount(stage.key, role, items, stage.overlap, wanted, done, out, remaining, people)


def beyond_overlap(study: models.Study) -> int:
    """How many judgements there are beyond the overlap of their item, from late sheets or imports."""
    leases = models.Assignment.objects.filter(
        stage__study=study, item__planted=None, state__in=("done", "extra"), annotator__excluded_at=None
    )
    full = leases.values("item", "stage__overlap", "stage").annotate(done=Count("id"))
    return sum(max(0, row["done"] - row["stage__overlap"]) for row in full)


def stage_json(stage: StageCount) -> dict[str, Any]:
    """What the command line promises of a stage, and more."""
    return {
        "id": stage.id,
        "role": stage.role,
        "overlap": stage.overlap,
        "wanted": stage.wanted,
        "done": stage.done,
        "handed_out": stage.out,
        "remaining": stage.remaining,
        "annotators": stage.annotators,
    }
