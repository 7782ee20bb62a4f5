"""Leasing work to annotators in the studio: a few groups at a time, in one transaction that locks the stage.

What must never pass the overlap is the number of open and done leases of an item at a stage. A lease whose time is
over returns to the pool; its annotator may get the item again if nobody else took the place.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import NamedTuple

from django.db import transaction
from django.db.models import Count, OuterRef, Q, QuerySet, Subquery, Value
from django.db.models.functions import Coalesce

from rubrica.core.assignment import Want, pick, planted_due
from rubrica.core.protocol import Stage as Step
from rubrica.store import models
from rubrica.store.annotators import eligibility_problems
from rubrica.store.options import options_of
from rubrica.store.parts import stages_of_part
from rubrica.store.translate import protocol_of, rules_of

WINDOW = 2000
"""How many open items are looked at: beyond it, a large study is worked through in the order of its items."""

COUNTED = ("open", "done")
"""States of a lease that take a place."""


class Work(NamedTuple):
    """What an annotator holds, in order, and, if that is nothing, why."""

    leases: list[models.Assignment]
    reason: str = ""


def take(annotator: models.Annotator, stage: models.Stage, now: datetime) -> Work:
    """The open leases of this annotator, renewed and topped up as far as the overlap and the rules allow.

    Reasons for nothing: ``paused``, ``closed``, ``draft``, ``excluded``, ``not_eligible``, ``limit``, ``waiting``
    (an earlier stage, or others who hold the last places), ``finished``.
    """
    with transaction.atomic():
        locked = _locked(stage)
        person = models.Annotator.objects.get(pk=annotator.pk)
        if person.excluded_at or person.erased_at:
            return Work([], "excluded")
        if locked.state != "open":
            return Work([], locked.state)
        return _Lender(locked, person, now).work()


def _locked(stage: models.Stage) -> models.Stage:
    """The stage's row, ours until the transaction ends. Not its key: saving a draft refers to it and need not wait."""
    rows = models.Stage.objects.select_for_update(no_key=True, of=("self",))
    return rows.select_related("study", "protocol_version").get(pk=stage.pk)


def renew(lease: models.Assignment, now: datetime, minutes: int) -> None:
    """Put off the end of an open lease, once half of its time is over."""
    if lease.state == "open" and lease.expires_at and lease.expires_at - now < timedelta(minutes=minutes) / 2:
        models.Assignment.objects.filter(pk=lease.pk, state="open").update(expires_at=now + timedelta(minutes=minutes))


def expire(stage: models.Stage, now: datetime) -> int:
    """Return the leases whose time is over; how many they were."""
    return models.Assignment.objects.filter(stage=stage, state="open", expires_at__lt=now).update(state="returned")


def give_back(leases: QuerySet[models.Assignment]) -> int:
    """Return open leases to the pool, for instance when somebody withdraws."""
    return leases.filter(state="open").update(state="returned")


def counted(stage: models.Stage) -> QuerySet[models.Assignment]:
    """Leases that take a place at this stage: those of excluded annotators do not."""
    return models.Assignment.objects.filter(stage=stage, state__in=COUNTED, annotator__excluded_at=None)


class _OpenItem(NamedTuple):
    """A plain item with a free place."""

    pk: int
    key: str
    group: str
    taken: int


class _Planted(NamedTuple):
    """An item that measures the annotator; ``original`` is the key of what it repeats."""

    item: int
    key: str
    group: str
    kind: str
    original: str


class _Lender:
    """One request for work: looks at what is there, asks the pure functions, writes the leases."""

    def __init__(self, stage: models.Stage, person: models.Annotator, now: datetime) -> None:
        self.stage, self.person, self.now = stage, person, now
        self.options = options_of(stage.study)

    def work(self) -> Work:
        expire(self.stage, self.now)
        mine = list(
            models.Assignment.objects.filter(stage=self.stage, annotator=self.person)
            .select_related("item")
            .order_by("position", "pk")
        )
        held = [lease for lease in mine if lease.state == "open"]
        missing = self.options.ahead - len(_groups(held))
        reason = ""
        if missing > 0:
            fresh, reason = self._top_up(mine, missing)
            held += fresh
        self._put_off(held)
        return Work(held, "" if held else reason)

    def _within_limit(self, groups: list[list[str]], mine: Sequence[models.Assignment]) -> list[list[str]]:
        """The first groups that do not lead beyond the limit; whoever has had nothing gets one group in any case."""
        limit = self.options.limit_per_annotator
        if limit is None:
            return groups
        had = sum(lease.state in (*COUNTED, "extra") for lease in mine)
        within: list[list[str]] = []
        for group in groups:
            if had and had + len(group) > limit:
                break
            had += len(group)
            within.append(group)
        return within

    def _put_off(self, held: Sequence[models.Assignment]) -> None:
        """Renew the leases that are half over; those of a sheet have no end and need none."""
        half = timedelta(minutes=self.options.lease_minutes) / 2
        late = [lease for lease in held if lease.expires_at and lease.expires_at - self.now < half]
        for lease in late:
            lease.expires_at = self._end()
        models.Assignment.objects.bulk_update(late, ["expires_at"])

    def _end(self) -> datetime:
        return self.now + timedelta(minutes=self.options.lease_minutes)

    def _top_up(self, mine: list[models.Assignment], missing: int) -> tuple[list[models.Assignment], str]:
        protocol = protocol_of(self.stage)
        rules = rules_of(self.stage, protocol)
        if eligibility_problems(self.stage, protocol, [self.person.name]):
            return [], "not_eligible"
        again = self._may_have_again(mine)
        had = {lease.item_id for lease in mine} - again.keys()
        planted = [] if rules.items_from else self._planted()
        open_items = self._open_items(rules)
        chosen = self._pick(open_items, had, {again[pk].item.key for pk in again}, planted, rules, missing)
        past = [[lease.item.key for lease in group] for group in _groups([x for x in mine if x.item_id in had])]
        due = self._planted_due(past, planted, more_to_come=bool(chosen)) if planted else []
        if not due and not chosen:
            return [], self._why_nothing(had, rules)
        keys = [key for group in self._within_limit([*due, *chosen], mine) for key in group]
        return (self._lease(keys, mine, again), "") if keys else ([], "limit")

    def _pick(
        self,
        open_items: list[_OpenItem],
        had: set[int],
        begun: set[str],
        planted: list[_Planted],
        rules: Step,
        missing: int,
    ) -> list[list[str]]:
        """Plain groups for this annotator. An original is not handed out once its hidden duplicate was."""
        late = {row.original for row in planted if row.kind == "duplicate" and row.item in had}
        mine_now = {item.key for item in open_items if item.pk not in had} - late
        if rules.same_people_as:
            mine_now &= self._did(rules.same_people_as)
        return pick(
            [Want(item.key, item.group, self.stage.overlap - item.taken) for item in open_items],
            mine_now.__contains__,
            taken={item.key: item.taken for item in open_items},
            count=missing,
            seed=f"{self.stage.study.seed}:{self.stage.key}:{self.person.pid}",
            first=begun,
        )

    def _may_have_again(self, mine: Sequence[models.Assignment]) -> dict[int, models.Assignment]:
        """Leases that ended by time alone: the annotator neither judged the item nor passed it on."""
        returned = {lease.item_id: lease for lease in mine if lease.state == "returned"}
        if returned:
            judged = models.Judgement.objects.filter(
                stage=self.stage, annotator=self.person, item__in=returned, state="submitted"
            )
            for item in judged.values_list("item", flat=True):
                returned.pop(item)
        return returned

    def _open_items(self, rules: Step) -> list[_OpenItem]:
        """Plain items with a free place."""
        places = counted(self.stage).filter(item=OuterRef("pk")).order_by().values("item").annotate(n=Count("pk"))
        items = (
            models.Item.objects.filter(study=self.stage.study, planted=None, closed_at=None)
            .annotate(taken=Coalesce(Subquery(places.values("n")), Value(0)))
            .filter(taken__lt=self.stage.overlap)
            .order_by("position")
        )
        if rules.items_from:
            finished = Q(pk__in=[])
            for earlier in stages_of_part(self.stage.study, rules.items_from):
                ready = counted(earlier).filter(item=OuterRef("pk"), state="done").order_by().values("item")
                done = Coalesce(Subquery(ready.annotate(n=Count("pk")).values("n")), Value(0))
                items = items.annotate(**{f"ready_{earlier.pk}": done})
                finished |= Q(**{f"ready_{earlier.pk}__gte": earlier.overlap})
            items = items.filter(finished)
        return [_OpenItem(*row) for row in items.values_list("pk", "key", "group", "taken")[:WINDOW]]

    def _did(self, stage: str) -> set[str]:
        done = models.Assignment.objects.filter(
            stage__in=stages_of_part(self.stage.study, stage), annotator=self.person, state="done"
        )
        return set(done.values_list("item__key", flat=True))

    def _planted(self) -> list[_Planted]:
        rows = models.Planted.objects.filter(item__study=self.stage.study, item__closed_at=None)
        return [_Planted(*row) for row in rows.values_list("item", "item__key", "item__group", "kind", "original__key")]

    def _planted_due(self, past: list[list[str]], planted: list[_Planted], *, more_to_come: bool) -> list[list[str]]:
        gold: dict[str, list[str]] = {}
        for row in planted:
            if row.kind == "gold":
                gold.setdefault(row.group or f"\0{row.key}", []).append(row.key)
        duplicates = {row.original: row.key for row in planted if row.kind == "duplicate"}
        plain = models.Item.objects.filter(study=self.stage.study, planted=None).count()
        every = max(3, min(20, math.ceil(plain / (len(gold) + 1)))) if gold else 1
        return planted_due(past, list(gold.values()), duplicates, every=every, more_to_come=more_to_come)

    def _why_nothing(self, had: set[int], rules: Step) -> str:
        """``waiting`` while an item that this annotator has not had may still become free, or ready."""
        plain = models.Item.objects.filter(study=self.stage.study, planted=None, closed_at=None).exclude(pk__in=had)
        if rules.same_people_as:
            plain = plain.filter(key__in=self._did(rules.same_people_as))
        elsewhere = models.Assignment.objects.filter(stage=self.stage, state="open", item__in=plain)
        if elsewhere.exclude(annotator=self.person).exists():
            return "waiting"
        if rules.items_from:
            finished = counted(self.stage).filter(item=OuterRef("pk"), state="done").order_by().values("item")
            done = Coalesce(Subquery(finished.annotate(n=Count("pk")).values("n")), Value(0))
            return "waiting" if plain.annotate(done=done).filter(done__lt=self.stage.overlap).exists() else "finished"
        return "finished"

    def _lease(
        self, keys: list[str], mine: Sequence[models.Assignment], again: dict[int, models.Assignment]
    ) -> list[models.Assignment]:
        items = {item.key: item for item in models.Item.objects.filter(study=self.stage.study, key__in=keys)}
        position = max((lease.position for lease in mine), default=0)
        made, renewed = [], []
        for key in keys:
            position += 1
            lease = again.get(items[key].pk)
            if lease is None:
                lease = models.Assignment(stage=self.stage, item=items[key], annotator=self.person)
                made.append(lease)
            else:
                renewed.append(lease)
            lease.position, lease.state, lease.leased_at = position, "open", self.now
            lease.expires_at, lease.sheet = self._end(), None
        models.Assignment.objects.bulk_create(made)
        models.Assignment.objects.bulk_update(renewed, ["position", "state", "leased_at", "expires_at", "sheet"])
        return sorted([*made, *renewed], key=lambda lease: lease.position)


def _groups(leases: Sequence[models.Assignment]) -> list[list[models.Assignment]]:
    """Leases of one group of items together, in order."""
    groups: dict[str, list[models.Assignment]] = {}
    for lease in leases:
        groups.setdefault(lease.item.group or f"\0{lease.item.key}", []).append(lease)
    return list(groups.values())


def group_of(lease: models.Assignment) -> list[models.Assignment]:
    """The leases that are shown on one page with this one: the annotator's own of the same group."""
    if not lease.item.group:
        return [lease]
    together = Q(stage=lease.stage_id, annotator=lease.annotator_id, item__group=lease.item.group)
    return list(
        models.Assignment.objects.filter(together)
        .select_related("item", "stage__study", "stage__protocol_version", "annotator")
        .order_by("position", "pk")
    )
