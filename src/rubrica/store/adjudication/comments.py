"""What annotators said that somebody should read (``core/comments.py``), and what was read already."""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import datetime
from typing import NamedTuple

from django.db import transaction

from rubrica.core.comments import KINDS, remarks
from rubrica.core.errors import wrong
from rubrica.store import audit, models
from rubrica.store.counting.submitted import Entry, Picture

MOST = 1000
"""How many can be marked at once."""
_SUBJECT = re.compile(rf"({'|'.join(KINDS)}):[0-9a-z]{{16}}")


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
    wanted = _checked(subjects)
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
        count, _ = models.ReadMark.objects.filter(study=study, subject__in=_checked(subjects)).delete()
        if count:
            audit.record("notes marked as unread", study, now, actor=actor, count=count)
    return count


def _checked(subjects: Iterable[str]) -> list[str]:
    wanted = list(dict.fromkeys(subjects))
    bad = [subject for subject in wanted if not _SUBJECT.fullmatch(subject)]
    if not wanted or bad or len(wanted) > MOST:
        fix = f"Choose 1 to {MOST:,} of the notes on the page."
        raise wrong("nothing that can be marked was chosen", "subject", fix, value=bad[:1] or len(wanted))
    return wanted
