"""The items of a study as researchers look at them: found, filtered, with what is done and wanted at each stage."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from django.db.models import Count, Exists, OuterRef, Q, QuerySet
from django.db.models.fields.json import KeyTextTransform

from rubrica.core.scales import storable
from rubrica.store import models
from rubrica.store.allocation.overlap import COUNTED

STATES = ("open", "closed", "planted", "flagged", "unfinished")
ORDERS = {"position": ("position", "pk"), "key": ("key",), "system": ("system", "position"), "group": ("group", "key")}


class Asked(NamedTuple):
    """What a researcher looks for; everything empty shows all items in their order."""

    text: str = ""
    system: str = ""
    state: str = ""
    order: str = "position"


class Progress(NamedTuple):
    """Judgements of one item at one stage. ``wanted`` is None for planted items, which everybody may get."""

    stage: models.Stage
    done: int
    out: int
    wanted: int | None

    @property
    def is_full(self) -> bool:
        """Whether nothing more is wanted."""
        return self.wanted is not None and self.done >= self.wanted


def find(study: models.Study, asked: Asked, fields: Sequence[str]) -> QuerySet[models.Item]:
    """The items that match, in the order asked for. The text is looked for in ids, names and the given fields."""
    items = study.items.select_related("planted", "planted__original")
    text = asked.text.strip()
    if text and storable(text):
        found = Q(key__icontains=text) | Q(system__icontains=text) | Q(group__icontains=text)
        for number, name in enumerate(fields):
            items = items.annotate(**{f"text_{number}": KeyTextTransform(name, "fields")})
            found |= Q(**{f"text_{number}__icontains": text})
        items = items.filter(found)
    elif text:
        return items.none()
    if asked.system:
        items = items.filter(system=asked.system)
    return _in_state(items, study, asked.state).order_by(*ORDERS.get(asked.order, ORDERS["position"]))


def _in_state(items: QuerySet[models.Item], study: models.Study, state: str) -> QuerySet[models.Item]:
    match state:
        case "open":
            return items.filter(closed_at=None)
        case "closed":
            return items.exclude(closed_at=None)
        case "planted":
            return items.exclude(planted=None)
        case "flagged":
            return items.filter(Exists(models.Flag.objects.filter(item=OuterRef("pk"), resolved_at=None)))
        case "unfinished":
            return items.filter(planted=None, closed_at=None).filter(_short_of_judgements(study))
        case _:
            return items


def _short_of_judgements(study: models.Study) -> Q:
    """Items that want more at some stage that is not closed."""
    short = Q(pk__in=[])
    for stage in study.stages.exclude(state="closed"):
        done = models.Assignment.objects.filter(stage=stage, state="done", annotator__excluded_at=None)
        full = done.values("item").annotate(n=Count("pk")).filter(n__gte=stage.overlap).values("item")
        short |= ~Q(pk__in=full)
    return short


def progress(items: Sequence[models.Item], stages: Sequence[models.Stage]) -> dict[int, list[Progress]]:
    """What is done and wanted of each item (by row number) at each stage, in one query."""
    counted: Counter[tuple[int, int, str]] = Counter()
    leases = models.Assignment.objects.filter(
        item__in=items, stage__in=stages, state__in=COUNTED, annotator__excluded_at=None
    )
    for item, stage, state, number in leases.values_list("item", "stage", "state").annotate(Count("pk")).order_by():
        counted[item, stage, state] = number
    return {
        item.pk: [
            Progress(
                stage,
                counted[item.pk, stage.pk, "done"],
                counted[item.pk, stage.pk, "open"],
                None if hasattr(item, "planted") else stage.overlap,
            )
            for stage in stages
        ]
        for item in items
    }


def systems(study: models.Study) -> list[str]:
    """Names of the systems whose outputs are among the items."""
    return list(study.items.exclude(system="").values_list("system", flat=True).distinct().order_by("system"))
