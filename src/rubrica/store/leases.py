"""Leasing work to annotators in the studio: a few groups at a time, in one transaction that locks the stage.

What must never pass the overlap is the number of open and done leases of an item at a stage. A lease whose time is
over returns to the pool; its annotator may get the item again if nobody else took the place.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from typing import NamedTuple

from django.db import transaction
from django.db.models import Q, QuerySet

from rubrica.core.assignment import Want, pick, planted_due
from rubrica.core.protocol import Stage as Step
from rubrica.store import models
from rubrica.store.annotators import eligibility_problems
from rubrica.store.open_items import COUNTED, PlantedItem, counted, may_come, open_items, planted_items
from rubrica.store.options import options_of
from rubrica.store.translate import protocol_of, rules_of

__all__ = ["COUNTED", "Work", "counted", "expire", "give_back", "group_of", "renew", "take"]


class Work(NamedTuple):
    """What an annotator holds, in order, and, if that is nothing, why."""

    leases: list[models.Assignment]
    reason: str = ""


def take(annotator: models.Annotator, stage: models.Stage, now: datetime) -> Work:
    """The open leases of this annotator, renewed and topped up as far as the overlap and the rules allow.

    They are topped up once half of them are used, and until then nothing is locked. Reasons for nothing: ``paused``,
    ``closed``, ``draft``, ``excluded``, ``not_eligible``, ``limit``, ``waiting`` (an earlier stage, or others who hold
    the last places), ``finished``.
    """
    options = options_of(stage.study)
    in_hand = _in_hand(annotator, stage, now + timedelta(minutes=options.lease_minutes) / 2)
    if len(_pages(in_hand)) > options.ahead // 2:
        return Work(in_hand)
    with transaction.atomic():
        locked = _locked(stage)
        person = models.Annotator.objects.get(pk=annotator.pk)
        if person.excluded_at or person.erased_at:
            return Work([], "excluded")
        if locked.state != "open":
            return Work([], locked.state)
        return _Lender(locked, person, now).work()


def _in_hand(annotator: models.Annotator, stage: models.Stage, until: datetime) -> list[models.Assignment]:
    """Open leases of somebody who may go on, if none of them ends before ``until``."""
    fine = {"stage__state": "open", "annotator__excluded_at": None, "annotator__erased_at": None}
    leases = models.Assignment.objects.filter(stage=stage, annotator=annotator, state="open", **fine)
    held = list(leases.select_related("item").order_by("position", "pk"))
    return [] if any(lease.expires_at and lease.expires_at < until for lease in held) else held


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


class _Mine(NamedTuple):
    """A lease that the annotator has or had: what choosing the next ones needs of it."""

    pk: int
    item: int
    key: str
    group: str
    state: str
    position: int


class _Lender:
    """One request for work: looks at what is there, asks the pure functions, writes the leases."""

    def __init__(self, stage: models.Stage, person: models.Annotator, now: datetime) -> None:
        self.stage, self.person, self.now = stage, person, now
        self.options = options_of(stage.study)

    def work(self) -> Work:
        expire(self.stage, self.now)
        leases = models.Assignment.objects.filter(stage=self.stage, annotator=self.person).order_by("position", "pk")
        held = list(leases.filter(state="open").select_related("item"))
        missing = self.options.ahead - len(_pages(held))
        reason = ""
        if missing > 0:
            rows = leases.values_list("pk", "item", "item__key", "item__group", "state", "position")
            fresh, reason = self._top_up([_Mine(*row) for row in rows], missing)
            held += fresh
        self._put_off(held)
        return Work(held, "" if held else reason)

    def _within_limit(self, groups: list[list[str]], mine: Sequence[_Mine]) -> list[list[str]]:
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

    def _top_up(self, mine: list[_Mine], missing: int) -> tuple[list[models.Assignment], str]:
        protocol = protocol_of(self.stage)
        rules = rules_of(self.stage, protocol)
        if eligibility_problems(self.stage, protocol, [self.person.name]):
            return [], "not_eligible"
        again = self._may_have_again(mine)
        had = [lease for lease in mine if lease.item not in again]
        planted = [] if rules.items_from else planted_items(self.stage)
        chosen = self._pick(rules, mine, again, planted, missing)
        past = _groups((lease.group, lease.key) for lease in had)
        due = self._planted_due(past, planted, more_to_come=bool(chosen)) if planted else []
        if not due and not chosen:
            return [], "waiting" if may_come(
                self.stage, rules, self.person, [lease.item for lease in had]
            ) else "finished"
        keys = [key for group in self._within_limit([*due, *chosen], mine) for key in group]
        return (self._lease(keys, mine, again), "") if keys else ([], "limit")

    def _pick(
        self, rules: Step, mine: Sequence[_Mine], again: dict[int, int], planted: list[PlantedItem], missing: int
    ) -> list[list[str]]:
        """Plain groups for this annotator. An original is not handed out once its hidden duplicate was."""
        items = open_items(self.stage, rules, self.person, again)
        had = {lease.key for lease in mine if lease.item not in again}
        late = {row.original for row in planted if row.kind == "duplicate" and row.key in had}
        return pick(
            [Want(item.key, item.group, self.stage.overlap - item.taken) for item in items],
            lambda key: key not in late,
            taken={item.key: item.taken for item in items},
            count=missing,
            seed=f"{self.stage.study.seed}:{self.stage.key}:{self.person.pid}",
            first={lease.key for lease in mine if lease.item in again},
        )

    def _may_have_again(self, mine: Sequence[_Mine]) -> dict[int, int]:
        """Leases that ended by time alone, by item: the annotator neither judged the item nor passed it on."""
        returned = {lease.item: lease.pk for lease in mine if lease.state == "returned"}
        if returned:
            judged = models.Judgement.objects.filter(
                stage=self.stage, annotator=self.person, item__in=returned, state="submitted"
            )
            for item in judged.values_list("item", flat=True):
                returned.pop(item)
        return returned

    def _planted_due(self, past: list[list[str]], planted: list[PlantedItem], *, more_to_come: bool) -> list[list[str]]:
        gold: dict[str, list[str]] = {}
        for row in planted:
            if row.kind == "gold":
                gold.setdefault(row.group or f"\0{row.key}", []).append(row.key)
        duplicates = {row.original: row.key for row in planted if row.kind == "duplicate"}
        plain = models.Item.objects.filter(study=self.stage.study, planted=None).count()
        every = max(3, min(20, math.ceil(plain / (len(gold) + 1)))) if gold else 1
        return planted_due(past, list(gold.values()), duplicates, every=every, more_to_come=more_to_come)

    def _lease(self, keys: list[str], mine: Sequence[_Mine], again: dict[int, int]) -> list[models.Assignment]:
        items = {item.key: item for item in models.Item.objects.filter(study=self.stage.study, key__in=keys)}
        old = models.Assignment.objects.in_bulk([again[item.pk] for item in items.values() if item.pk in again])
        position = max((lease.position for lease in mine), default=0)
        made, renewed = [], []
        for key in keys:
            position += 1
            lease = old.get(again.get(items[key].pk, 0))
            if lease is None:
                lease = models.Assignment(stage=self.stage, annotator=self.person)
                made.append(lease)
            else:
                renewed.append(lease)
            lease.item, lease.position, lease.state, lease.leased_at = items[key], position, "open", self.now
            lease.expires_at, lease.sheet = self._end(), None
        models.Assignment.objects.bulk_create(made)
        models.Assignment.objects.bulk_update(renewed, ["position", "state", "leased_at", "expires_at", "sheet"])
        return sorted([*made, *renewed], key=lambda lease: lease.position)


def _pages(leases: Iterable[models.Assignment]) -> list[list[str]]:
    return _groups((lease.item.group, lease.item.key) for lease in leases)


def _groups(items: Iterable[tuple[str, str]]) -> list[list[str]]:
    """Keys of one group together, in order, from pairs of group and key."""
    groups: dict[str, list[str]] = {}
    for group, key in items:
        groups.setdefault(group or f"\0{key}", []).append(key)
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
