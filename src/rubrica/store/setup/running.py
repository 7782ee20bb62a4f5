"""Running a study: pause, close, open again, raise the overlap, give more time. Each is undone by another.

Releasing a study is launching it: see launching.py.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import NamedTuple

from django.db import transaction
from django.db.models import Count, Max, Q

from rubrica.core.errors import wrong
from rubrica.store import audit, models
from rubrica.store.allocation.leases import COUNTED, give_back

MAX_OVERLAP = 1000
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
    return changed


def set_overlap(stage: models.Stage, overlap: int, now: datetime, *, actor: str = "") -> int:
    """Ask for more judgements of every item, or for fewer as long as no item has more; the overlap before."""
    if not 1 <= overlap <= MAX_OVERLAP:
        fix = f"Use a number from 1 to {MAX_OVERLAP:,}."
        raise wrong(f"an overlap of {overlap} is not possible", "overlap", fix, value=overlap)
    with transaction.atomic():
        locked = models.Stage.objects.select_for_update().select_related("study").get(pk=stage.pk)
        before = locked.overlap
        most = _most_places(locked)
        if overlap < before and overlap < most:
            raise wrong(
                f"an overlap of {overlap} is fewer than some items have already",
                "overlap",
                f"Items of this stage have up to {most}: use {most} or more.",
                value=overlap,
            )
        if overlap != before:
            locked.overlap = overlap
            locked.save(update_fields=["overlap"])
            audit.record("overlap set", locked.study, now, actor=actor, stage=locked.key, before=before, after=overlap)
    return before


def _most_places(stage: models.Stage) -> int:
    """The largest number of open and done leases that a plain item has at the stage."""
    leases = models.Assignment.objects.filter(
        stage=stage, state__in=COUNTED, annotator__excluded_at=None, item__planted=None
    )
    return leases.order_by().values("item").annotate(places=Count("pk")).aggregate(most=Max("places"))["most"] or 0


def give_time(
    study: models.Study, hours: int, now: datetime, *, actor: str = "", annotator: models.Annotator | None = None
) -> int:
    """Let no open lease end before ``hours`` from now; how many were put off. Said twice, it changes nothing more."""
    if not 1 <= hours <= MAX_HOURS:
        fix = f"Use a number from 1 to {MAX_HOURS:,}."
        raise wrong(f"leases cannot be put off by {hours} hours", "hours", fix, value=hours)
    end = now + timedelta(hours=hours)
    with transaction.atomic():
        leases = models.Assignment.objects.filter(stage__study=study, state="open", expires_at__lt=end)
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
