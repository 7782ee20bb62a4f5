"""Leasing work to annotators in the studio: a few groups at a time.

What must never pass the overlap is the number of open and done leases of an item at a stage. Looking for work locks
nothing; the leases themselves are written in a short transaction that locks the stage and counts the places again. If
somebody was faster, one looks again. A lease whose time is over returns to the pool; its annotator may get the item
again if nobody else took the place.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import NamedTuple

from django.db import transaction
from django.db.models import Q, QuerySet

from rubrica.store import models
from rubrica.store.allocation.lending import Choice, choose, open_leases, pages
from rubrica.store.allocation.overlap import COUNTED
from rubrica.store.database_trouble import now_or_later
from rubrica.store.options import options_of
from rubrica.store.recording.prepared import Prepared, aware
from rubrica.store.recording.prepared_rows import PreparedRows

TRIES = 3
"""How often one looks for work without a lock before looking with it."""


class Work(NamedTuple):
    """What an annotator holds, in order, and, if that is nothing, why."""

    leases: list[models.Assignment]
    reason: str = ""


def take(annotator: models.Annotator, stage: models.Stage, now: datetime) -> Work:
    """The open leases of this annotator, renewed and topped up as far as the overlap and the rules allow.

    They are topped up once half of them are used. Reasons for nothing: ``paused``, ``closed``, ``draft``,
    ``excluded``, ``not_eligible``, ``limit``, ``waiting`` (an earlier stage, or others who hold the last places),
    ``finished``.
    """
    options = options_of(stage.study)
    length = timedelta(minutes=options.lease_minutes)
    in_hand = _in_hand(annotator, stage, now + length / 2)
    if len(pages(in_hand)) > options.ahead // 2:
        _return_overdue(stage, now, by_the_way=True)
        return Work(in_hand)
    person, current = _person.first(annotator.pk), _now.first(stage.pk)
    assert person is not None
    assert current is not None
    current.study = stage.study
    if refusal := _refusal(person, current):
        return Work([], refusal)
    _return_overdue(current, now)
    for _ in range(TRIES):
        choice = choose(current, person, options)
        fresh = _lend(current, person, choice, now, length)
        if fresh is not None:
            break
    else:
        with transaction.atomic():
            current = _locked(stage)
            choice = choose(current, person, options)
            fresh = _lend(current, person, choice, now, length)
    _put_off(choice.held, now, length)
    held = choice.held + (fresh or [])
    return Work(held, "" if held else choice.reason)


def peek(annotator: models.Annotator, stage: models.Stage, now: datetime) -> str:
    """Why asking for work now would give none (see :func:`take`), else nothing. Nobody waits, nothing is leased."""
    _return_overdue(stage, now, by_the_way=True)
    if refusal := _refusal(annotator, stage):
        return refusal
    choice = choose(stage, annotator, options_of(stage.study))
    return "" if choice.held or choice.keys else choice.reason


def _refusal(person: models.Annotator, stage: models.Stage) -> str:
    """Why this person gets nothing here, whatever there is to do."""
    if person.excluded_at or person.erased_at:
        return "excluded"
    return "" if stage.state == "open" else stage.state


def _in_hand(annotator: models.Annotator, stage: models.Stage, until: datetime) -> list[models.Assignment]:
    """Open leases of somebody who may go on, if none of them ends before ``until``."""
    if _refusal(annotator, stage):
        return []
    held = open_leases.all(stage.pk, annotator.pk)
    return [] if any(lease.expires_at and lease.expires_at < until for lease in held) else held


def _stages() -> QuerySet[models.Stage]:
    """Stages without the whole text of their protocol, which is in memory already."""
    return models.Stage.objects.select_related("protocol_version").defer("protocol_version__canonical")


_person = PreparedRows(lambda person: models.Annotator.objects.filter(pk=person).order_by(), int)
_now = PreparedRows(lambda stage: _stages().filter(pk=stage).order_by(), int)


def _locked(stage: models.Stage) -> models.Stage:
    """The stage's row, ours until the transaction ends. Not its key: saving a draft refers to it and need not wait."""
    locked = _stages().select_for_update(no_key=True, of=("self",)).get(pk=stage.pk)
    locked.study = stage.study
    return locked


def _lend(
    stage: models.Stage, person: models.Annotator, choice: Choice, now: datetime, length: timedelta
) -> list[models.Assignment] | None:
    """Write the leases that were chosen; None if a place was taken meanwhile and one must look again."""
    if not choice.keys:
        return []
    items = {item.key: item for item in models.Item.objects.filter(study=stage.study_id, key__in=choice.keys)}
    plain = {item.pk for item in items.values() if item.key not in choice.planted}
    of_items = models.Assignment.objects.filter(stage=stage, item__in=items.values()).select_related("annotator")
    with transaction.atomic():
        state, overlap = _lock.rows(stage.pk)[0]
        known = list(of_items)
        taken = Counter(x.item_id for x in known if x.state in COUNTED and x.annotator.excluded_at is None)
        mine = {lease.item_id: lease for lease in known if lease.annotator_id == person.pk}
        overtaken = any(lease.pk not in choice.again.values() or lease.state == "open" for lease in mine.values())
        held = {pk for (pk,) in _open_pks.rows(stage.pk, person.pk)}
        full = any(taken[pk] >= overlap for pk in plain)
        if state != "open" or overtaken or full or held != {lease.pk for lease in choice.held}:
            return None
        return _write(stage, person, [items[key] for key in choice.keys], mine, choice.position, now, now + length)


_lock = Prepared(
    lambda stage: (
        models.Stage.objects.select_for_update(no_key=True).filter(pk=stage).order_by().values_list("state", "overlap")
    ),
    int,
)
_open_pks = Prepared(
    lambda stage, person: (
        models.Assignment.objects.filter(stage=stage, annotator=person, state="open").order_by().values_list("pk")
    ),
    int,
    int,
)


def _write(
    stage: models.Stage,
    person: models.Annotator,
    items: Sequence[models.Item],
    old: dict[int, models.Assignment],
    position: int,
    now: datetime,
    end: datetime,
) -> list[models.Assignment]:
    """One open lease for each of the items: a new one, or an old one anew."""
    made, renewed = [], []
    for number, item in enumerate(items, start=position + 1):
        lease = old.get(item.pk)
        if lease is None:
            lease = models.Assignment(stage=stage, annotator=person)
            made.append(lease)
        else:
            renewed.append(lease)
        lease.item, lease.position, lease.state, lease.leased_at = item, number, "open", now
        lease.expires_at, lease.sheet = end, None
    models.Assignment.objects.bulk_create(made)
    models.Assignment.objects.bulk_update(renewed, ["position", "state", "leased_at", "expires_at", "sheet"])
    return sorted([*made, *renewed], key=lambda lease: lease.position)


def _put_off(held: Sequence[models.Assignment], now: datetime, length: timedelta) -> None:
    """Renew the leases that are half over; those of a sheet have no end and need none."""
    late = [lease for lease in held if lease.expires_at and lease.expires_at - now < length / 2]
    if late:
        models.Assignment.objects.filter(pk__in=[lease.pk for lease in late], state="open").update(
            expires_at=now + length
        )
    for lease in late:
        lease.expires_at = now + length


def renew(lease: models.Assignment, now: datetime, minutes: int) -> None:
    """Put off the end of an open lease, once half of its time is over."""
    if lease.state == "open":
        _put_off([lease], now, timedelta(minutes=minutes))


def _return_overdue(stage: models.Stage, now: datetime, *, by_the_way: bool = False) -> None:
    """Return leases whose time is over, with the stage locked: a judgement that arrives just now must know.

    ``by_the_way``: only if nobody else writes just now.
    """

    def give_back_locked() -> None:
        with transaction.atomic():
            _locked(stage)
            expire(stage, now)

    soonest = _soonest.row(stage.pk)
    if soonest and soonest[0] and aware(soonest[0]) < now:
        if by_the_way:
            now_or_later(give_back_locked)
        else:
            give_back_locked()


_soonest = Prepared(
    lambda stage: (
        models.Assignment.objects.filter(stage=stage, state="open")
        .order_by("expires_at")
        .exclude(expires_at=None)
        .values_list("expires_at")[:1]
    ),
    int,
)


def _overdue(stage: models.Stage, now: datetime) -> QuerySet[models.Assignment]:
    return models.Assignment.objects.filter(stage=stage, state="open", expires_at__lt=now)


def expire(stage: models.Stage, now: datetime) -> int:
    """Return the leases whose time is over; how many they were."""
    return _overdue(stage, now).update(state="returned")


def give_back(leases: QuerySet[models.Assignment]) -> int:
    """Return open leases to the pool, for instance when somebody withdraws."""
    return leases.filter(state="open").update(state="returned")


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
