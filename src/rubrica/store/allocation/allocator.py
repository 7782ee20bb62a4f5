"""Who may have what: the rules that hold for pages and sheets alike, and the leases that are written by them.

A :class:`Share` is one annotator at one stage: what they have had, what they may have again, what is planted for them,
how much more the limit allows. Which item is free is asked of ``wanted_items``, who may take part at all of
``eligibility``. Pages take a few groups at a time (``leases``), sheets are dealt all at once (``sheets``); both write
with :func:`lend`, which locks the stage and counts the places again.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import datetime
from functools import cached_property
from typing import NamedTuple

from django.db import transaction

from rubrica.core.assignment import owed, planted_due
from rubrica.core.study import Grouped, pages
from rubrica.exchange.study_options import Options
from rubrica.store import models
from rubrica.store.allocation.eligibility import barred, restricts
from rubrica.store.allocation.overlap import AT_ONCE, counted, lock_stage
from rubrica.store.allocation.wanted_items import PlantedItem, WantedItem, first_free, may_come, planted_items
from rubrica.store.translate import ask, joined, protocol_of, rules_of

State = models.Assignment.State


class Had(NamedTuple):
    """A lease that the annotator has or had: what choosing the next ones needs of it."""

    pk: int
    item: int
    key: str
    group: str
    state: str
    position: int
    sheet: int | None


def grouped(items: Iterable[Grouped]) -> list[list[str]]:
    """The keys of items, page by page."""
    return [[item.key for item in page] for page in pages(items)]


_MINE = """
SELECT lease.id, item.id, item.key, item."group", lease.state, lease.position, lease.sheet_id
FROM store_assignment lease JOIN store_item item ON item.id = lease.item_id
WHERE lease.stage_id = %s AND lease.annotator_id = %s
ORDER BY lease.leased_at, lease.sheet_id, lease.position, lease.id
"""


class Share:
    """What one annotator has had at a stage, and what the rules still allow them."""

    def __init__(self, stage: models.Stage, person: models.Annotator, options: Options) -> None:
        self.stage, self.person, self.options = stage, person, options
        self.protocol = protocol_of(stage)
        self.rules = rules_of(stage, self.protocol)
        self.mine = [Had(*row) for row in ask(_MINE, stage.pk, person.pk)]
        self.again = may_have_again(stage, person, self.mine)
        self.had = [lease for lease in self.mine if lease.item not in self.again]

    def is_barred(self) -> bool:
        """Whether they may not take part in this stage at all."""
        me = {self.person.name: self.person.identity}
        return restricts(self.stage, self.rules, self.protocol) and bool(barred(self.stage, self.protocol, me))

    @property
    def room(self) -> int | None:
        """How many more items the limit allows; None without a limit. What was passed on does not count."""
        limit = self.options.limit_per_annotator
        held = sum(lease.state != State.RETURNED for lease in self.mine)
        return None if limit is None else max(0, limit - held)

    @property
    def is_new(self) -> bool:
        """Whether they have nothing that the limit counts: then one group is given in any case, however large."""
        return all(lease.state == State.RETURNED for lease in self.mine)

    @cached_property
    def planted(self) -> list[PlantedItem]:
        """What measures annotators at this stage."""
        return planted_items(self.stage, self.rules)

    @cached_property
    def duplicates(self) -> dict[str, str]:
        """The hidden duplicate of each item that has one, by key."""
        return {row.original: row.key for row in self.planted if row.kind == models.Planted.Kind.DUPLICATE}

    @cached_property
    def gold(self) -> list[list[str]]:
        """Groups of items with known answers."""
        return grouped(row for row in self.planted if row.kind == models.Planted.Kind.GOLD)

    @cached_property
    def past(self) -> list[list[str]]:
        """The groups that they have had, in order."""
        return grouped(self.had)

    @cached_property
    def seen(self) -> set[str]:
        """The items that they have had, by key."""
        return {lease.key for lease in self.had}

    def may_have(self, key: str) -> bool:
        """Whether an item that is free can still come: an original does not, once its hidden duplicate did."""
        return self.duplicates.get(key) not in self.seen

    def planted_due(self, *, more_to_come: bool) -> list[list[str]]:
        """Planted groups that should come next on pages: see ``core.assignment.planted_due``."""
        if not self.planted:
            return []
        plain = models.Item.objects.filter(study=self.stage.study_id).unplanted().count()
        every = max(3, min(20, math.ceil(plain / (len(self.gold) + 1)))) if self.gold else 1
        return planted_due(self.past, self.gold, self.duplicates, every=every, more_to_come=more_to_come)

    def owed(self, *, more_to_come: bool) -> list[list[str]]:
        """Hidden duplicates of whole groups that they have had and that have not come again, in the order of these.

        Other work must stand between: that of the last group waits, unless more is to come with it.
        """
        last = len(self.past) - 1
        return [twin for place, twin in owed(self.past, self.duplicates).items() if more_to_come or place < last]

    def first_free(self) -> list[WantedItem]:
        """The first items that are free for them, groups whole."""
        return [item for item in first_free(self.person, self.stage, self.rules, self.again) if self.may_have(item.key)]

    def why_nothing(self) -> str:
        """``waiting`` while something may still come, else ``finished``."""
        waits = may_come(self.person, self.stage, self.rules, [lease.item for lease in self.had])
        return "waiting" if waits else "finished"


def may_have_again(stage: models.Stage, person: models.Annotator, mine: Iterable[Had]) -> dict[int, int]:
    """Leases by item that ended by time alone: the annotator neither judged the item nor passed it on."""
    returned = {lease.item: lease.pk for lease in mine if lease.state == State.RETURNED}
    if returned:
        judged = models.Judgement.objects.filter(stage=stage, annotator=person, item__in=returned).submitted()
        for item in judged.values_list("item", flat=True):
            returned.pop(item)
    return returned


class Row(NamedTuple):
    """An item to lease, by key, and where it stands among the annotator's: on a page, or on a sheet."""

    key: str
    position: int
    sheet: models.Sheet | None = None


def lend(
    share: Share, rows: Sequence[Row], now: datetime, end: datetime | None = None
) -> list[models.Assignment] | None:
    """Write open leases of these items, in this order; None if somebody was faster and one must look again.

    With the stage locked it is asked again whether it is open, what this annotator has, and how many places are taken.
    """
    if not rows:
        return []
    with transaction.atomic():
        stage = lock_stage(share.stage.pk)
        mine = [Had(*row) for row in ask(_MINE, stage.pk, share.person.pk)]
        if stage.state != models.Stage.State.OPEN or mine != share.mine:
            return None
        leases: list[models.Assignment] = []
        for start in range(0, len(rows), AT_ONCE):
            some = rows[start : start + AT_ONCE]
            items = _free_items(share, stage, [row.key for row in some])
            if items is None:
                transaction.set_rollback(True)
                return None
            there = [lease.pk for lease in mine if lease.key in items]
            known = models.Assignment.objects.filter(pk__in=there) if there else ()
            old = {lease.item_id: lease for lease in known}
            leases += _write(share, [(row, items[row.key]) for row in some], old, now, end)
    return leases


def _free_items(share: Share, stage: models.Stage, keys: Sequence[str]) -> dict[str, models.Item] | None:
    """These items, by key; None if a place is taken by now. Planted ones have no overlap."""
    rows = joined("FROM store_item item WHERE study_id = %s AND key IN %s", stage.study_id, keys, item=models.Item)
    items = {item.key: item for (item,) in rows}
    planted = {row.item for row in share.planted}
    plain = {item.pk for item in items.values()} - planted
    taken = Counter(counted(stage).filter(item__in=plain).order_by().values_list("item", flat=True))
    return None if any(taken[item] >= stage.overlap for item in plain) else items


def _write(
    share: Share,
    rows: Sequence[tuple[Row, models.Item]],
    old: dict[int, models.Assignment],
    now: datetime,
    end: datetime | None,
) -> list[models.Assignment]:
    """One open lease for each of the items: a new one, or an old one anew.

    A row that once stood on a sheet keeps its place there: the file may still come back.
    """
    leases = []
    for row, item in rows:
        lease = old.get(item.pk) or models.Assignment(stage=share.stage, annotator=share.person)
        lease.item, lease.state, lease.leased_at, lease.expires_at = item, State.OPEN, now, end
        if lease.sheet_id is None:
            lease.sheet, lease.position = row.sheet, row.position
        leases.append(lease)
    models.Assignment.objects.bulk_create([lease for lease in leases if lease.item_id not in old])
    if old:
        renewed = [lease for lease in leases if lease.item_id in old]
        models.Assignment.objects.bulk_update(renewed, ["position", "state", "leased_at", "expires_at", "sheet"])
    return leases
