"""The items of a study as researchers look at them: found, filtered, with what is done and wanted at each stage."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from django.db.models import Exists, OuterRef, Q, QuerySet
from django.db.models.fields.json import KeyTextTransform

from rubrica.core.scales import storable
from rubrica.store import models
from rubrica.store.counting.progress import unfinished
from rubrica.store.models.studies import ItemQuerySet

STATES = ("open", "closed", "planted", "flagged", "unfinished")
ORDERS = {"position": ("position", "pk"), "key": ("key",), "system": ("system", "position"), "group": ("group", "key")}


class Asked(NamedTuple):
    """What a researcher looks for; everything empty shows all items in their order."""

    text: str = ""
    system: str = ""
    state: str = ""
    order: str = "position"


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


def _in_state(items: ItemQuerySet, study: models.Study, state: str) -> ItemQuerySet:
    match state:
        case "open":
            return items.open()
        case "closed":
            return items.closed()
        case "planted":
            return items.planted()
        case "flagged":
            return items.filter(Exists(models.Flag.objects.filter(item=OuterRef("pk"), resolved_at=None)))
        case "unfinished":
            return items.filter(pk__in=unfinished(study).values("pk"))
        case _:
            return items


def systems(study: models.Study) -> list[str]:
    """Names of the systems whose outputs are among the items."""
    return list(study.items.exclude(system="").values_list("system", flat=True).distinct().order_by("system"))
