"""What annotators point out: marks on broken items, and comments that somebody should read (``core/comments.py``).

What a researcher decides about a mark, and which comments were read already, is here too.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Any, NamedTuple

from django.db import transaction

from rubrica.core.comments import KINDS, checked_subjects, remarks
from rubrica.core.typed import checked_text
from rubrica.store import audit, models
from rubrica.store.counting.submitted import Entry, Picture
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
    removed, _ = models.Flag.objects.filter(annotator=annotator, pid=pid).open().delete()
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


class Note(NamedTuple):
    """One thing to read: its kind, the judgement it stands in, the words or the kinds of concern."""

    kind: str
    entry: Entry
    question: str
    said: tuple[str, ...]
    read: bool = False

    @property
    def subject(self) -> str:
        """How it is named where it is marked as read."""
        return f"{self.kind}:{self.entry.revision_pid}"


def notes(picture: Picture, *, kinds: Iterable[str] = KINDS) -> list[Note]:
    """Everything to read in a study, the newest first; of excluded annotators too: what they noticed may be true."""
    wanted = set(kinds)
    read = set(models.ReadMark.objects.filter(study=picture.study).values_list("subject", flat=True))
    found = []
    for entry in picture.every:
        for kind, question, said in remarks(picture.protocols[entry.stage], entry.outcome, entry.answers):
            note = Note(kind, entry, question, said)
            if kind in wanted:
                found.append(note._replace(read=note.subject in read))
    return sorted(found, key=lambda note: (note.entry.at, note.entry.judgement), reverse=True)


def mark_read(study: models.Study, subjects: Iterable[str], now: datetime, *, actor: str) -> int:
    """Note that these were read; how many were not before."""
    wanted = checked_subjects(subjects)
    with transaction.atomic():
        known = set(models.ReadMark.objects.filter(study=study, subject__in=wanted).values_list("subject", flat=True))
        fresh = [subject for subject in wanted if subject not in known]
        models.ReadMark.objects.bulk_create(
            [models.ReadMark(study=study, subject=subject, reader=actor, at=now) for subject in fresh],
            ignore_conflicts=True,
        )
        if fresh:
            audit.record("notes marked as read", study, now, actor=actor, count=len(fresh))
    return len(fresh)


def mark_unread(study: models.Study, subjects: Iterable[str], now: datetime, *, actor: str) -> int:
    """Undo it."""
    with transaction.atomic():
        count, _ = models.ReadMark.objects.filter(study=study, subject__in=checked_subjects(subjects)).delete()
        if count:
            audit.record("notes marked as unread", study, now, actor=actor, count=count)
    return count
