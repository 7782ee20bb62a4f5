"""Leasing work to annotators in the studio: a few groups at a time.

Looking for work locks nothing; if somebody was faster when the leases are written (``allocator.lend``), one looks
again. A lease whose time is over returns to the pool; its annotator may get the item again if the place is still free.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import nullcontext
from datetime import datetime, timedelta
from typing import NamedTuple

from django.db import transaction
from django.db.models import Q

from rubrica.core.assignment import Want, pick, within
from rubrica.exchange.study_options import Options
from rubrica.home.database_trouble import now_or_later
from rubrica.store import models
from rubrica.store.allocation.allocator import Row, Share, grouped, lend
from rubrica.store.allocation.handing_on import hand_on
from rubrica.store.allocation.overlap import give_back, lock_stage
from rubrica.store.options import options_of
from rubrica.store.translate import ask, joined, moment

TRIES = 3
"""How often one looks for work without a lock before looking with it."""


class Work(NamedTuple):
    """What an annotator holds, in order, and, if that is nothing, why."""

    leases: list[models.Assignment]
    reason: str = ""


_NOW = """
FROM store_stage stage JOIN store_protocolversion version ON version.id = stage.protocol_version_id
JOIN store_study study ON study.id = stage.study_id JOIN store_annotator person ON person.id = %s
WHERE stage.id = %s
"""
_TABLES = {
    "person": models.Annotator,
    "stage": models.Stage,
    "study": models.Study,
    "version": models.ProtocolVersion,
}


def take(annotator: models.Annotator, stage: models.Stage, now: datetime) -> Work:
    """The open leases of this annotator, renewed and topped up as far as the overlap and the rules allow.

    They are topped up once half of them are used. Reasons for nothing: ``paused``, ``closed``, ``draft``,
    ``excluded``, ``not_eligible``, ``limit``, ``waiting`` (an earlier stage, or others who hold the last places),
    ``finished``.
    """
    options = options_of(stage.study)
    length = timedelta(minutes=options.lease_minutes)
    in_hand = _in_hand(annotator, stage, now + length / 2)
    if len(_pages(in_hand)) > options.ahead // 2:
        _return_overdue(stage, now, by_the_way=True)
        return Work(in_hand)
    ((person, current, current.study, current.protocol_version),) = joined(_NOW, annotator.pk, stage.pk, **_TABLES)
    if refusal := _refusal(person, current):
        return Work([], refusal)
    _return_overdue(current, now)
    hand_on(current, now)
    for tries_left in reversed(range(TRIES + 1)):
        with nullcontext() if tries_left else transaction.atomic():
            if not tries_left:
                current.overlap = lock_stage(stage.pk).overlap
            held = _held(person, current)
            share = Share(current, person, options)
            groups, reason = _next_groups(share, options.ahead - len(_pages(held)))
            last = max((lease.position for lease in share.mine), default=0)
            keys = [key for group in groups for key in group]
            rows = [Row(key, position) for position, key in enumerate(keys, start=last + 1)]
            fresh = lend(share, rows, now, now + length)
        if fresh is not None:
            break
    _put_off(held, now, length)
    held += sorted(fresh or [], key=lambda lease: lease.position)
    return Work(held, "" if held else reason)


def peek(annotator: models.Annotator, stage: models.Stage, now: datetime) -> str:
    """Why asking for work now would give none (see :func:`take`), else nothing. Nobody waits, nothing is leased."""
    _return_overdue(stage, now, by_the_way=True)
    if refusal := _refusal(annotator, stage):
        return refusal
    options = options_of(stage.study)
    pages = len(_pages(_held(annotator, stage)))
    return "" if pages else _next_groups(Share(stage, annotator, options), options.ahead)[1]


def _refusal(person: models.Annotator, stage: models.Stage) -> str:
    """Why this person gets nothing here, whatever there is to do."""
    if person.excluded_at or person.erased_at:
        return "excluded"
    return "" if stage.state == models.Stage.State.OPEN else stage.state


def _in_hand(annotator: models.Annotator, stage: models.Stage, until: datetime) -> list[models.Assignment]:
    """Open leases of somebody who may go on, if none of them ends before ``until``."""
    if _refusal(annotator, stage):
        return []
    held = _held(annotator, stage)
    return [] if any(lease.expires_at and lease.expires_at < until for lease in held) else held


_HELD = """
FROM store_assignment lease JOIN store_item item ON item.id = lease.item_id
WHERE lease.stage_id = %s AND lease.annotator_id = %s AND lease.state = %s ORDER BY lease.position, lease.id
"""


def _held(annotator: models.Annotator, stage: models.Stage) -> list[models.Assignment]:
    """What the annotator holds at the stage, in order, with the items."""
    leases = []
    tables = {"lease": models.Assignment, "item": models.Item}
    for lease, lease.item in joined(_HELD, stage.pk, annotator.pk, models.Assignment.State.OPEN, **tables):
        leases.append(lease)
    return leases


def _pages(leases: Iterable[models.Assignment]) -> list[list[str]]:
    """The keys of the leases' items, those of one group together: each group is a page."""
    return grouped(lease.item for lease in leases)


def _next_groups(share: Share, count: int) -> tuple[list[list[str]], str]:
    """The groups to lease next: at most so many plain ones, and the planted ones that are due; or why there is none."""
    if count <= 0:
        return [], ""
    if share.is_barred():
        return [], "not_eligible"
    free = share.first_free()
    chosen = pick(
        [Want(item.key, item.group, share.stage.overlap - item.taken) for item in free],
        taken={item.key: item.taken for item in free},
        count=count,
        seed=f"{share.stage.study.seed}:{share.stage.key}:{share.person.pid}",
        first={lease.key for lease in share.mine if lease.item in share.again},
    )
    groups = [*share.planted_due(more_to_come=bool(chosen)), *chosen]
    if not groups:
        return [], share.why_nothing()
    chosen = within(groups, share.room, newcomer=share.is_new)
    return chosen, "" if chosen else "limit"


def _put_off(held: Sequence[models.Assignment], now: datetime, length: timedelta) -> None:
    """Renew the leases that are half over; those of a sheet have no end and need none."""
    late = [lease for lease in held if lease.expires_at and lease.expires_at - now < length / 2]
    if late:
        models.Assignment.objects.filter(pk__in=[lease.pk for lease in late]).open().update(expires_at=now + length)
    for lease in late:
        lease.expires_at = now + length


def renew(lease: models.Assignment, now: datetime) -> None:
    """Put off the end of an open lease, once half of its time is over."""
    if lease.state == models.Assignment.State.OPEN:
        usual = Options.model_fields["lease_minutes"].default
        _put_off([lease], now, timedelta(minutes=lease.stage.study.options.get("lease_minutes", usual)))


def _return_overdue(stage: models.Stage, now: datetime, *, by_the_way: bool = False) -> None:
    """Return leases whose time is over, with the stage locked: a judgement that arrives just now must know.

    ``by_the_way``: only if nobody else writes just now.
    """

    def give_back_locked() -> None:
        with transaction.atomic():
            lock_stage(stage.pk)
            expire(stage, now)

    if _overdue(stage, now):
        if by_the_way:
            now_or_later(give_back_locked)
        else:
            give_back_locked()


def _overdue(stage: models.Stage, now: datetime) -> list[int]:
    asked = "SELECT id FROM store_assignment WHERE stage_id = %s AND state = %s AND expires_at < %s"
    return [pk for (pk,) in ask(asked, stage.pk, models.Assignment.State.OPEN, moment(now))]


def expire(stage: models.Stage, now: datetime) -> int:
    """Return the leases whose time is over; how many they were."""
    return give_back(models.Assignment.objects.filter(pk__in=_overdue(stage, now)))


_NEXT = """
SELECT lease.pid FROM store_assignment lease JOIN store_stage stage ON stage.id = lease.stage_id
WHERE lease.annotator_id = %s AND lease.state = %s AND stage.state = %s
  AND (lease.expires_at IS NULL OR lease.expires_at > %s)
ORDER BY lease.position, lease.id LIMIT 1
"""


def next_held(annotator: models.Annotator, now: datetime) -> str:
    """The public id of the lease that is due next, of those that the annotator holds at open stages; empty if none."""
    asked = (models.Assignment.State.OPEN, models.Stage.State.OPEN, moment(now))
    found = ask(_NEXT, annotator.pk, *asked)
    return found[0][0] if found else ""


def group_of(lease: models.Assignment) -> list[models.Assignment]:
    """The leases that are shown on one page with this one: the annotator's own of the same group."""
    if not lease.item.group:
        return [lease]
    together = Q(stage=lease.stage_id, annotator=lease.annotator_id, item__group=lease.item.group)
    rows = models.Assignment.objects.filter(together).order_by("position", "pk")
    return list(rows.select_related("item", "stage__study", "stage__protocol_version", "annotator"))
