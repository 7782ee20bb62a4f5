"""Running a study: pause, close, open again, give more time. Each is undone by another.

Releasing a study is launching it: see launching.py. How many judgements it asks for: see allocation/overlap.py.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import NamedTuple

from django.db import transaction
from django.db.models import Q

from rubrica.core.errors import wrong
from rubrica.store import audit, models
from rubrica.store.allocation.handing_on import hand_on
from rubrica.store.allocation.overlap import give_back

MAX_HOURS = 24 * 60
"""Sixty days, the longest lease that a study can set."""


class Move(NamedTuple):
    """A change of state: from which states, to which."""

    before: tuple[str, ...]
    after: str


MOVES: Mapping[str, Move] = {
    "pause": Move(("open",), "paused"),
    "resume": Move(("paused",), "open"),
    "close": Move(("open", "paused"), "closed"),
    "reopen": Move(("closed",), "open"),
}


def move(study: models.Study, action: str, now: datetime, *, actor: str = "", stage: str = "") -> list[str]:
    """Change the state of one stage, or of all; the ids of those that changed, none if it was done before."""
    if action not in MOVES:
        raise wrong(f"there is no action {action!r}", "action", f"Use one of {', '.join(MOVES)}.", value=action)
    before, after = MOVES[action]
    with transaction.atomic():
        stages = models.Stage.objects.select_for_update().filter(study=study, state__in=before)
        changed = [row.key for row in stages if stage in ("", row.key)]
        if changed:
            models.Stage.objects.filter(study=study, key__in=changed).update(state=after)
            audit.record(f"stage {action}", study, now, actor=actor, stages=changed)
            for taking in study.stages.unclosed().exclude(takes="").select_related("protocol_version", "study"):
                hand_on(taking, now)
    return changed


def give_time(
    study: models.Study, hours: int, now: datetime, *, actor: str = "", annotator: models.Annotator | None = None
) -> int:
    """Let no open lease end before ``hours`` from now; how many were put off. Said twice, it changes nothing more."""
    if not 1 <= hours <= MAX_HOURS:
        fix = f"Use a number from 1 to {MAX_HOURS:,}."
        raise wrong(f"leases cannot be put off by {hours} hours", "hours", fix, value=hours)
    end = now + timedelta(hours=hours)
    with transaction.atomic():
        leases = models.Assignment.objects.filter(stage__study=study, expires_at__lt=end).open()
        count = (leases.filter(annotator=annotator) if annotator else leases).update(expires_at=end)
        if count:
            who = {"annotator": annotator.pid} if annotator else {}
            audit.record("leases put off", study, now, actor=actor, count=count, hours=hours, **who)
    return count


def take_back(annotator: models.Annotator, now: datetime, *, actor: str = "", lease: str = "") -> int:
    """Return one open lease of this annotator to the pool, or all; their drafts are kept. How many there were."""
    with transaction.atomic():
        wanted = Q(annotator=annotator, pid=lease) if lease else Q(annotator=annotator)
        count = give_back(models.Assignment.objects.filter(wanted))
        if count:
            audit.record("leases taken back", annotator.study, now, actor=actor, annotator=annotator.pid, count=count)
    return count
