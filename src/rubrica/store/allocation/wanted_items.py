"""Items of a stage that still want judgements, for whom they are free, and those planted among them.

The rules of which item may be handed out, each written once as a query. Pages look at the first ones, sheets at all.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple

from django.db.models import Count, OuterRef, Q, QuerySet, Subquery, Value
from django.db.models.functions import Coalesce

from rubrica.core.protocol import Stage as Step
from rubrica.store import models
from rubrica.store.allocation.eligibility import own_items
from rubrica.store.allocation.overlap import counted, full_at
from rubrica.store.stages import stages_of_part
from rubrica.store.translate import ask

WINDOW = 120
"""How many open items are looked at: a large study is worked through in the order of its items, this many at a time."""


class WantedItem(NamedTuple):
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


def lacking(stage: models.Stage) -> QuerySet[models.Item]:
    """Items that lack judgements: neither planted nor closed, and with a free place."""
    return _plain(stage).exclude(pk__in=counted(stage).items_with(stage.overlap))


def wanted(stage: models.Stage, rules: Step) -> QuerySet[models.Item]:
    """Those of them that can be handed out now: the earlier step, if the stage follows one, has finished them."""
    if not rules.items_from:
        return lacking(stage)
    return lacking(stage).filter(full_at(stages_of_part(stage.study, rules.items_from)))


def free_for(
    person: models.Annotator, stage: models.Stage, rules: Step, again: Collection[int] = ()
) -> QuerySet[models.Item]:
    """Those of them that this annotator may have: not had before, except by leases that may be had ``again``."""
    had = models.Assignment.objects.filter(stage=stage, annotator=person).exclude(pk__in=again)
    return _for(person, wanted(stage, rules), stage, rules).exclude(pk__in=had.order_by().values("item"))


def _plain(stage: models.Stage) -> QuerySet[models.Item]:
    return models.Item.objects.of_stage(stage).unplanted().open()


def _for(
    person: models.Annotator, items: QuerySet[models.Item], stage: models.Stage, rules: Step
) -> QuerySet[models.Item]:
    """Nobody judges their own; and where the stage has the people of another, they get what they had there."""
    items = items.exclude(own_items(stage.study, person.identity))
    if not rules.same_people_as:
        return items
    before = stages_of_part(stage.study, rules.same_people_as)
    did = models.Assignment.objects.filter(stage__in=before, annotator=person).done()
    return items.filter(pk__in=did.order_by().values("item"))


def described(items: QuerySet[models.Item], stage: models.Stage, most: int | None = None) -> list[WantedItem]:
    """These items with the places that are taken, in the order of the study; the first ones, if ``most`` is given."""
    places = counted(stage).filter(item=OuterRef("pk")).order_by().values("item").annotate(n=Count("pk"))
    taken = Coalesce(Subquery(places.values("n")), Value(0))
    rows = items.annotate(taken=taken).order_by("position").values_list("pk", "key", "group", "taken")
    return [WantedItem(*row) for row in rows[:most]]


def first_free(person: models.Annotator, stage: models.Stage, rules: Step, again: dict[int, int]) -> list[WantedItem]:
    """What is free for this annotator: the first items, groups whole.

    ``again`` are leases that may be had again, by the row number of the item; their items come in any case.
    """
    free = free_for(person, stage, rules, again.values())
    rows = described(free, stage, WINDOW)
    groups = {row.group for row in rows if row.group}
    if len(rows) == WINDOW and (groups or again):
        more = free.filter(Q(group__in=groups) | Q(pk__in=again)).exclude(pk__in=[row.pk for row in rows])
        rows += described(more, stage)
    return rows


def may_come(person: models.Annotator, stage: models.Stage, rules: Step, had: Collection[int]) -> bool:
    """Whether an item that this annotator has not had may still become free, or ready."""
    plain = _for(person, _plain(stage), stage, rules).exclude(pk__in=had)
    elsewhere = models.Assignment.objects.filter(stage=stage, item__in=plain).open()
    if elsewhere.exclude(annotator=person).exists():
        return True
    return bool(rules.items_from or stage.takes) and _some_wait(stage, plain)


def _some_wait(stage: models.Stage, plain: QuerySet[models.Item]) -> bool:
    """Whether an earlier step, or the writers, have not finished what this stage will want."""
    if stage.takes and stages_of_part(stage.study, stage.takes).unclosed().exists():
        return True
    return plain.exclude(pk__in=counted(stage).done().items_with(stage.overlap)).exists()


def planted_items(stage: models.Stage, rules: Step) -> list[PlantedItem]:
    """What is planted in the study and not closed; nothing where a stage takes what an earlier one has finished."""
    if rules.items_from or stage.takes:
        return []
    return [PlantedItem(*row) for row in ask(_PLANTED, stage.study_id)]


_PLANTED = """
SELECT item.id, item.key, item."group", planted.kind, original.key
FROM store_planted planted JOIN store_item item ON item.id = planted.item_id
LEFT JOIN store_item original ON original.id = planted.original_id
WHERE item.study_id = %s AND item.closed_at IS NULL ORDER BY planted.id
"""
