"""Targets of a study from before their places were kept with its items: which are unmarked, and placing them now.

What comes into a study today is placed at its entrance (``exchange.target_places``), and the study's settings say so
(``targets_placed``). A study from before marks only what is found without a dictionary, until somebody places the rest.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import NamedTuple

from rubrica.core.errors import refuse
from rubrica.core.protocol import Protocol
from rubrica.core.study import page_of
from rubrica.core.target_words import Target, context_field, find_targets, target_of
from rubrica.exchange.target_places import Placed, Placing, place_targets
from rubrica.store import audit, models
from rubrica.store.models.studies import ItemQuerySet
from rubrica.store.options import change, options_of
from rubrica.store.setup.study_items import COPY, take_out
from rubrica.store.stages import current_stages
from rubrica.store.translate import item_from, protocol_of

NO_PLACE = "its target word is not in its context"
"""Why an item is closed that is left out."""


class PlacedAgain(NamedTuple):
    """How many items have a place of their own now, how many were left out, and what is worth knowing."""

    placed: int
    left_out: int
    remarks: list[str]


def unmarked(study: models.Study) -> int:
    """How many items are shown without a mark, as pages and sheets show them now; 0 where targets were placed."""
    protocol = protocol_of(current_stages(study)[0])
    field = context_field(protocol)
    if not field or options_of(study).targets_placed:
        return 0
    pages: dict[tuple[str, str], list[Target]] = {}
    for item in map(item_from, _rows(study)):
        page = (item.fields.get(field, ""), page_of(item))
        pages.setdefault(page, []).append(target_of(protocol, item))
    return sum(place is None for (text, _), targets in pages.items() for place in find_targets(text, targets))


def look(study: models.Study, decided: Mapping[str, str]) -> Placed:
    """What placing would come to: the items, and a problem for each target without a place, by its row in the study."""
    return _look(study, protocol_of(current_stages(study)[0]), decided)


def place_again(study: models.Study, decided: Mapping[str, str], now: datetime, actor: str = "") -> PlacedAgain:
    """Keep the place of every target with its item, as for new items; what was judged stays.

    ``decided`` says of an item, by its row in the study, where its target begins in code points, or that it is left
    out, which closes it. Raises InputError with every target that has no place; then nothing is changed.
    """
    with study.held():
        found = _look(study, protocol_of(current_stages(study)[0]), decided)
        refuse(found.problems)
        items = {item.key: item for item in found.items}
        rows = list(_rows(study))
        moved = [row for row in rows if row.key in items and dict(items[row.key].metadata) != row.metadata]
        for row in moved:
            row.metadata = dict(items[row.key].metadata)
            models.Item.objects.filter(planted__kind=COPY, planted__original=row).update(metadata=row.metadata)
        models.Item.objects.bulk_update(moved, ["metadata"], batch_size=1000)
        out = [row.pk for row in rows if row.key not in items]
        take_out(models.Item.objects.filter(pk__in=out), NO_PLACE, now)
        change(study, targets_placed=True)
        audit.record("targets placed", study, now, actor=actor, placed=len(moved), left_out=len(out))
    return PlacedAgain(len(moved), len(out), found.remarks)


def _look(study: models.Study, protocol: Protocol, decided: Mapping[str, str]) -> Placed:
    rows = [Placing(row.position, item_from(row)) for row in _rows(study)]
    return place_targets(rows, protocol, decided)


def _rows(study: models.Study) -> ItemQuerySet:
    """The items that are handed out; a hidden duplicate goes with its original."""
    return study.items.open().exclude(planted__kind=COPY).order_by("position", "pk")
