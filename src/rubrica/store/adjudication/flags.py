"""Flags: an annotator's mark on a broken item, and what a researcher decides about it."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.db import transaction

from rubrica.core.typed import checked_text
from rubrica.store import audit, models
from rubrica.store.setup import study_items

UNSETTLED: dict[str, Any] = {"resolved_at": None, "resolved_by": "", "resolution": ""}


def flag(lease: models.Assignment, reason: str, now: datetime) -> models.Flag:
    """Mark the item of this lease as broken. There is one flag for each person and item: a later reason replaces it.

    A flag that a researcher had settled is open again when its reason changes.
    """
    text = checked_text(reason, "the reason", question="reason")
    place = {"stage_id": lease.stage_id, "item_id": lease.item_id, "annotator_id": lease.annotator_id}
    with lease.annotator.held():
        found, made = models.Flag.objects.get_or_create(**place, defaults={"reason": text, "at": now})
        if not made and found.reason != text:
            found.update(reason=text, at=now, **UNSETTLED)
    return found


def take_back(annotator: models.Annotator, pid: str) -> bool:
    """Remove one's own flag, as long as no researcher has settled it; whether there was one."""
    removed, _ = models.Flag.objects.filter(annotator=annotator, pid=pid, resolved_at=None).delete()
    return bool(removed)


def resolve(found: models.Flag, resolution: str, now: datetime, *, actor: str, close: bool = False) -> None:
    """Settle a flag with a note that its annotator can read; ``close`` also takes the item out of the work."""
    text = checked_text(resolution, "the note", required=False, question="note")
    with transaction.atomic():
        found.update(resolved_at=now, resolved_by=actor, resolution=text)
        audit.record("flag settled", found.stage.study, now, actor=actor, item=found.item.pid, closed=close)
        if close:
            study_items.close(found.item, (text or found.reason)[: study_items.LONGEST_REASON], now, actor)


def reopen(found: models.Flag, now: datetime, *, actor: str) -> None:
    """Undo settling a flag. The item stays as it is."""
    with transaction.atomic():
        found.update(**UNSETTLED)
        audit.record("flag opened again", found.stage.study, now, actor=actor, item=found.item.pid)
