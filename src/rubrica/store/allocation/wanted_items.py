"""Items of a stage that still want judgements, and those planted among them: the queries behind leasing."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, NamedTuple

from django.db.models import Count, OuterRef, Q, QuerySet, Subquery, Value
from django.db.models.functions import Coalesce

from rubrica.core.protocol import Stage as Step
from rubrica.store import models
from rubrica.store.allocation.overlap import counted
from rubrica.store.parts import stages_of_part
from rubrica.store.recording.prepared import Prepared

WINDOW = 120
"""How many open items are looked at: a large study is worked through in the order of its items, this many at a time."""


class OpenItem(NamedTuple):
    """A plain item with a free place, and how many places are taken."""

    pk: int
    key: str
    group: str
    taken: int


class PlantedItem(NamedTuple):
    """An item that measures the annotator; ``original`` is the key of what it repeats."""

    item: int
    key: str
    group: str
    kind: str
    original: str


def open_items(stage: models.Stage, rules: Step, person: models.Annotator, again: dict[int, int]) -> list[OpenItem]:
    """Plain items with a free place that this annotator may have: the first ones, groups whole.

    ``again`` are leases that may be had again, by the row number of the item; their items come in any case.
    """
    if rules.items_from or rules.same_people_as or again:
        rows = list(_described(_all_wanted(stage, rules, person, again), stage)[:WINDOW])
    else:
        rows = _first_ones.rows(stage.pk, stage.study_id, stage.overlap, person.pk)
    groups = {group for _, _, group, _ in rows if group}
    if len(rows) == WINDOW and (groups or again):
        wanted = _all_wanted(stage, rules, person, again)
        more = wanted.filter(Q(group__in=groups) | Q(pk__in=again)).exclude(pk__in=[row[0] for row in rows])
        rows += _described(more, stage)
    return [OpenItem(*row) for row in rows]


def _all_wanted(
    stage: models.Stage, rules: Step, person: models.Annotator, again: dict[int, int]
) -> QuerySet[models.Item]:
    wanted = _wanted(stage, plain_items(stage, rules, person), person, again.values())
    return _ready(wanted, stage, rules) if rules.items_from else wanted


def _wanted(
    stage: models.Stage, items: QuerySet[models.Item], person: models.Annotator, again: Collection[int] = ()
) -> QuerySet[models.Item]:
    """Those that have a free place, and that the annotator has not had."""
    had = models.Assignment.objects.filter(stage=stage, annotator=person).exclude(pk__in=again)
    items = items.exclude(pk__in=_with(counted(stage), stage.overlap))
    return items.exclude(pk__in=had.order_by().values("item"))


def _described(items: QuerySet[models.Item], stage: models.Stage) -> QuerySet[models.Item, tuple[int, str, str, int]]:
    places = counted(stage).filter(item=OuterRef("pk")).order_by().values("item").annotate(n=Count("pk"))
    counts = Coalesce(Subquery(places.values("n")), Value(0))
    return items.annotate(taken=counts).order_by("position").values_list("pk", "key", "group", "taken")


def _first_rows(stage: int, study: int, overlap: int, person: int) -> QuerySet[Any, Any]:
    rows = models.Stage(pk=stage, study_id=study, overlap=overlap)
    items = models.Item.objects.filter(study=study, planted=None, closed_at=None)
    return _described(_wanted(rows, items, models.Annotator(pk=person)), rows)[:WINDOW]


_first_ones = Prepared(_first_rows, int, int, int, int)


def _ready(items: QuerySet[models.Item], stage: models.Stage, rules: Step) -> QuerySet[models.Item]:
    """Those that the earlier step has finished."""
    ready = Q(pk__in=[])
    for earlier in stages_of_part(stage.study, rules.items_from):
        ready |= Q(pk__in=_with(counted(earlier).filter(state="done"), earlier.overlap))
    return items.filter(ready)


def _with(leases: QuerySet[models.Assignment], places: int) -> QuerySet[Any, Any]:
    """Items that have at least so many of these leases."""
    return leases.order_by().values("item").annotate(n=Count("pk")).filter(n__gte=places).values("item")


def plain_items(stage: models.Stage, rules: Step, person: models.Annotator) -> QuerySet[models.Item]:
    """All items of the stage that are neither planted nor closed; for its own people, those they had before."""
    items = models.Item.objects.filter(study=stage.study, planted=None, closed_at=None)
    if not rules.same_people_as:
        return items
    before = stages_of_part(stage.study, rules.same_people_as)
    done = models.Assignment.objects.filter(stage__in=before, annotator=person, state="done")
    return items.filter(pk__in=done.order_by().values("item"))


def may_come(stage: models.Stage, rules: Step, person: models.Annotator, had: Collection[int]) -> bool:
    """Whether an item that this annotator has not had may still become free, or ready."""
    plain = plain_items(stage, rules, person).exclude(pk__in=had)
    elsewhere = models.Assignment.objects.filter(stage=stage, state="open", item__in=plain)
    if elsewhere.exclude(annotator=person).exists():
        return True
    done = counted(stage).filter(state="done")
    return bool(rules.items_from) and plain.exclude(pk__in=_with(done, stage.overlap)).exists()


def planted_items(stage: models.Stage) -> list[PlantedItem]:
    """What is planted in the study and not closed."""
    return [PlantedItem(*row) for row in _planted.rows(stage.study_id)]


_planted = Prepared(
    lambda study: models.Planted.objects.filter(item__study=study, item__closed_at=None).values_list(
        "item", "item__key", "item__group", "kind", "original__key"
    ),
    int,
)
