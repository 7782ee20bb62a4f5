"""What annotators said that somebody should read: comments, concerns, skips; and what was read already.

Data-driven: a comment is an answer to an optional free-text question, a concern is a yes to the question ``concern``,
with its kinds in ``concern_kinds``, as the protocols of the concise and plain language family name them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import datetime
from typing import NamedTuple

from django.db import transaction

from rubrica.core.answers import Answer
from rubrica.core.errors import wrong
from rubrica.core.protocol import UNCOMFORTABLE, Protocol
from rubrica.core.scales import FreeText
from rubrica.store import audit, models
from rubrica.store.counting.submitted import Entry, Picture

CONCERN, CONCERN_KINDS = "concern", "concern_kinds"
KINDS = ("concern", "comment", "skip")
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
        for note in _notes(picture.protocols[entry.stage], entry):
            if note.kind in wanted:
                found.append(note._replace(read=note.subject in read))
    return sorted(found, key=lambda note: (note.entry.at, note.entry.judgement), reverse=True)


def _notes(protocol: Protocol, entry: Entry) -> list[Note]:
    found = []
    if entry.outcome == UNCOMFORTABLE:
        found.append(Note("skip", entry, "", ()))
    if entry.answers.get(CONCERN) == "yes":
        found.append(Note("concern", entry, CONCERN, _texts(entry.answers.get(CONCERN_KINDS))))
    for question in comment_questions(protocol):
        said = entry.answers.get(question)
        if isinstance(said, str) and said.strip():
            found.append(Note("comment", entry, question, (said,)))
    return found


def _texts(answer: Answer | None) -> tuple[str, ...]:
    return answer if isinstance(answer, tuple) else ()


def comment_questions(protocol: Protocol) -> list[str]:
    """Ids of the questions that take remarks: optional and of free text."""
    return [
        question.id
        for question in protocol.questions
        if not question.required and isinstance(protocol.scale_of(question), FreeText)
    ]


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
