"""What somebody should read: flags on items, comments, concerns, skips."""

from __future__ import annotations

from typing import Any, Literal

from django.core.exceptions import PermissionDenied
from django.utils import timezone
from ninja import Query, Router, Schema
from pydantic import AwareDatetime, Field

from rubrica.core.comments import KINDS, MOST
from rubrica.store import models
from rubrica.store.adjudication import flags
from rubrica.store.counting.submitted import picture
from rubrica.studio.access import has
from rubrica.studio.api.access import ADJUDICATOR, VIEWER, ResearcherRequest, StudyId, actor, one, study_of
from rubrica.studio.api.schemas import REFUSALS, Body, ListOut, Paging, Text, Words

router = Router(auth=VIEWER)


class ItemFlagOut(Schema):
    """An annotator's mark on a broken item, and what was decided."""

    id: str
    stage: str
    item: str
    item_key: str
    annotator: str
    annotator_name: str
    reason: str
    at: AwareDatetime
    resolved_at: AwareDatetime | None
    resolved_by: str
    resolution: str


class FlagFilter(Paging):
    """Which flags."""

    resolved: bool | None = Field(default=None, description="Only those that are settled, or only the others.")


class ResolutionIn(Body):
    """What was decided, for the annotator to read; ``close`` also takes the item out of the work."""

    resolution: Words = ""
    close: bool = False


class NoteOut(Schema):
    """One thing to read: a concern with its kinds, a comment, or that somebody would rather not judge an item."""

    subject: str
    kind: str
    judgement: str
    annotator: str
    question: str
    said: list[str]
    at: AwareDatetime
    read: bool


class NoteFilter(Paging):
    """Which notes."""

    kind: Literal["concern", "comment", "skip"] | None = None
    read: bool | None = Field(default=None, description="Only those that were read, or only the others.")


class SubjectsIn(Body):
    """Notes, by their subjects."""

    subjects: list[Text] = Field(min_length=1, max_length=MOST)


class MarkedOut(Schema):
    """How many were marked."""

    marked: int


@router.get("/flags", response={200: ListOut[ItemFlagOut], **REFUSALS})
def list_flags(request: ResearcherRequest, study: StudyId, part: Query[FlagFilter]) -> Any:
    """Flags, the newest first."""
    rows = _flags(study_of(request)).order_by("-at", "-pk")
    if part.resolved is not None:
        rows = rows.filter(resolved_at__isnull=not part.resolved)
    return {"count": rows.count(), "results": [_flag(row) for row in part.cut(rows)]}


@router.post("/flags/{flag}/resolve", auth=ADJUDICATOR, response={200: ItemFlagOut, **REFUSALS})
def resolve_flag(request: ResearcherRequest, study: StudyId, flag: str, data: ResolutionIn) -> Any:
    """Settle a flag. Closing the item with it needs a manager."""
    here = request.place
    if data.close and not has(here.role, "manager"):
        raise PermissionDenied
    row = one(_flags(here.study), flag)
    flags.resolve(row, data.resolution, timezone.now(), actor=actor(request), close=data.close)
    return _flag(row)


@router.post("/flags/{flag}/reopen", auth=ADJUDICATOR, response={200: ItemFlagOut, **REFUSALS})
def reopen_flag(request: ResearcherRequest, study: StudyId, flag: str) -> Any:
    """Undo settling a flag. The item stays as it is."""
    row = one(_flags(study_of(request)), flag)
    flags.reopen(row, timezone.now(), actor=actor(request))
    return _flag(row)


@router.get("/notes", response={200: ListOut[NoteOut], **REFUSALS})
def list_notes(request: ResearcherRequest, study: StudyId, part: Query[NoteFilter]) -> Any:
    """Comments, concerns and skips, the newest first."""
    here = picture(study_of(request))
    found = flags.notes(here, kinds=[part.kind] if part.kind else KINDS)
    if part.read is not None:
        found = [note for note in found if note.read is part.read]
    shown = found[part.offset : part.offset + part.limit]
    return {
        "count": len(found),
        "results": [
            NoteOut(
                subject=note.subject,
                kind=note.kind,
                judgement=note.entry.pid,
                annotator=here.people[note.entry.annotator].name,
                question=note.question,
                said=list(note.said),
                at=note.entry.at,
                read=note.read,
            )
            for note in shown
        ],
    }


@router.post("/notes/read", auth=ADJUDICATOR, response={200: MarkedOut, **REFUSALS})
def mark_notes_read(request: ResearcherRequest, study: StudyId, data: SubjectsIn) -> Any:
    """Mark notes as read."""
    here = study_of(request)
    return MarkedOut(marked=flags.mark_read(here, data.subjects, timezone.now(), actor=actor(request)))


@router.post("/notes/unread", auth=ADJUDICATOR, response={200: MarkedOut, **REFUSALS})
def mark_notes_unread(request: ResearcherRequest, study: StudyId, data: SubjectsIn) -> Any:
    """Undo it."""
    here = study_of(request)
    return MarkedOut(marked=flags.mark_unread(here, data.subjects, timezone.now(), actor=actor(request)))


def _flags(study: models.Study) -> Any:
    return models.Flag.objects.filter(stage__study=study).select_related("stage__study", "item__study", "annotator")


def _flag(row: models.Flag) -> ItemFlagOut:
    return ItemFlagOut(
        id=row.pid,
        stage=row.stage.key,
        item=row.item.pid,
        item_key=row.item.key,
        annotator=row.annotator.pid,
        annotator_name=row.annotator.name,
        reason=row.reason,
        at=row.at,
        resolved_at=row.resolved_at,
        resolved_by=row.resolved_by,
        resolution=row.resolution,
    )
