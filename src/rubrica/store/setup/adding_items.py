"""Items that join a running study: all of them or none, handed out from then on; and items taken out of the work."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

import attrs
from django.db import transaction
from django.db.models import Max, Q, QuerySet

from rubrica.core.errors import InputError, Problem, wrong
from rubrica.core.scales import storable
from rubrica.core.study import Item
from rubrica.store import audit, models
from rubrica.store.allocation.leases import give_back
from rubrica.store.people.joining import author_identities
from rubrica.store.studies import CHUNK
from rubrica.store.translate import item_row

LONGEST_REASON = 500


def add(study: models.Study, items: Sequence[Item], now: datetime, actor: str) -> int:
    """Append items under new keys; how many. Raises InputError with every key that the study has already."""
    if not items:
        raise wrong("there are no items to add", "items", "Use a file with at least one row.")
    with transaction.atomic():
        models.Study.objects.select_for_update().get(pk=study.pk)
        problems = key_problems(study, [item.key for item in items])
        if problems:
            raise InputError(*problems)
        last = study.items.aggregate(last=Max("position"))["last"] or 0
        authors = author_identities(study, items, now, actor)
        rows = [item_row(study, item, last + number, authors) for number, item in enumerate(items, start=1)]
        models.Item.objects.bulk_create(rows, batch_size=CHUNK)
        audit.record("items added", study, now, actor=actor, items=len(items))
    return len(items)


def key_problems(study: models.Study, keys: Sequence[str]) -> list[Problem]:
    """Ids of items that the study has already, or that stand twice among these."""
    taken = set(study.items.values_list("key", flat=True))
    found = []
    for number, key in enumerate(keys, start=1):
        if key in taken:
            what = f"item {number}: the id {key!r} is in the study already"
            fix = "Give the new item another id; one that is in the study cannot be changed."
            found.append(Problem(what=what, rule="duplicate_id", fix=fix, value=key))
        taken.add(key)
    return found


def with_fresh_keys(study: models.Study, items: Sequence[Item]) -> list[Item]:
    """The same items under numbers that are free: for a file without ids, whose rows are merely counted."""
    taken = set(study.items.values_list("key", flat=True))
    fresh, number = [], study.items.count()
    for item in items:
        number += 1
        while str(number) in taken:
            number += 1
        fresh.append(attrs.evolve(item, key=str(number)))
    return fresh


def take_back(study: models.Study, after: int, count: int, now: datetime, actor: str) -> int:
    """Remove this many items after a position again, as long as nobody was given one of them; how many."""
    with transaction.atomic():
        models.Study.objects.select_for_update().get(pk=study.pk)
        added = study.items.filter(position__gt=after, position__lte=after + count, planted=None)
        if models.Assignment.objects.filter(item__in=added).exists():
            fix = "Close those that should not be judged; what was said about them stays."
            raise wrong("some of these items have been handed out", "handed_out", fix)
        count = added.count()
        if count:
            added.delete()
            audit.record("items taken back", study, now, actor=actor, items=count)
    return count


def close(item: models.Item, reason: str, now: datetime, actor: str) -> bool:
    """Hand the item and its hidden duplicate out no more, and take them back from those who hold them on a page.

    What was said about them stays. Sheets cannot be taken back. False if it was closed already.
    """
    reason = reason.strip()
    if not reason or len(reason) > LONGEST_REASON or not storable(reason):
        fix = f"Say why in 1 to {LONGEST_REASON} characters: others will wonder."
        raise wrong("an item is closed for a reason", "reason", fix, value=reason[:200])
    with transaction.atomic():
        closed = _with_copies(item).filter(closed_at=None).update(closed_at=now, closed_reason=reason)
        if closed:
            give_back(models.Assignment.objects.filter(item__in=_with_copies(item), sheet=None))
            audit.record("item closed", item.study, now, actor=actor, item=item.key)
    return bool(closed)


def reopen(item: models.Item, now: datetime, actor: str) -> bool:
    """Hand the item, and its hidden duplicate, out again. False if it was open."""
    with transaction.atomic():
        opened = _with_copies(item).exclude(closed_at=None).update(closed_at=None, closed_reason="")
        if opened:
            audit.record("item reopened", item.study, now, actor=actor, item=item.key)
    return bool(opened)


def _with_copies(item: models.Item) -> QuerySet[models.Item]:
    """The item and its hidden duplicates."""
    copies = models.Planted.objects.filter(original=item).values("item")
    return models.Item.objects.filter(Q(pk=item.pk) | Q(pk__in=copies))
