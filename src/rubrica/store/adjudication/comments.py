"""What annotators said that somebody should read (``core/comments.py``), and what was read already."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import NamedTuple

from django.db import transaction

from rubrica.core.comments import KINDS, checked_subjects, remarks
from rubrica.store import audit, models
from rubrica.store.counting.submitted import Entry, Picture


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
