"""Judgements: listed, looked at with their history, reviewed, commented on for their annotator."""

from __future__ import annotations

from typing import Any, Literal

from django.utils import timezone
from ninja import Query, Router, Schema, Status
from pydantic import AwareDatetime, Field

from rubrica.core.edits import to_json as edit_to_json
from rubrica.core.verdicts import of_judgement
from rubrica.store import models
from rubrica.store.adjudication import adjudication
from rubrica.store.translate import item_from, judgement_from, protocol_of
from rubrica.studio.api.access import ADJUDICATOR, VIEWER, ResearcherRequest, StudyId, actor, one, study_of
from rubrica.studio.api.schemas import REFUSALS, Body, ListOut, Paging, Text, Words

router = Router(auth=VIEWER)


class RevisionOut(Schema):
    """What was said, once. Answers are as exports have them; an edit's offsets are code points."""

    id: str
    number: int
    outcome: str
    answers: dict[str, Any]
    edits: list[dict[str, Any]]
    draft: bool
    seconds: float | None
    origin: str
    at: AwareDatetime
    erased: bool


class JudgementOut(Schema):
    """A judgement as it stands. ``current`` is what was submitted last; null before that."""

    id: str
    stage: str
    item: str
    item_key: str
    annotator: str
    annotator_name: str
    state: str
    current: RevisionOut | None
    verdicts: dict[str, bool]


class ReviewOut(Schema):
    """What a researcher thought of a judgement."""

    id: str
    revision: int
    author: str
    decision: str
    note: str
    at: AwareDatetime


class FeedbackOut(Schema):
    """A researcher's words for the annotator."""

    id: str
    revision: int
    author: str
    text: str
    at: AwareDatetime
    read_at: AwareDatetime | None


class WholeJudgementOut(JudgementOut):
    """A judgement with its history, reviews and feedback."""

    revisions: list[RevisionOut]
    reviews: list[ReviewOut]
    feedback: list[FeedbackOut]


class ReviewIn(Body):
    """A decision on a judgement. With a key of 16 letters and digits, sending it again changes nothing."""

    decision: Literal["good", "doubtful", "bad"]
    note: Words = ""
    key: str = Field(default="", pattern=r"^([0-9a-z]{16})?$")


class FeedbackIn(Body):
    """Words for the annotator. With a key of 16 letters and digits, sending it again changes nothing."""

    text: Words
    key: str = Field(default="", pattern=r"^([0-9a-z]{16})?$")


class JudgementFilter(Paging):
    """Which judgements."""

    stage: Text = ""
    annotator: Text = Field(default="", description="The name or the id of an annotator.")
    item: Text = Field(default="", description="The key or the id of an item.")
    state: Literal["submitted", "draft", "erased", "any"] = "submitted"
    outcome: Text = ""


class Sample(Schema):
    """How many judgements to look at."""

    count: int = Field(default=adjudication.SAMPLE, ge=1, le=100)


@router.get("/judgements", response={200: ListOut[JudgementOut], **REFUSALS})
def list_judgements(request: ResearcherRequest, study: StudyId, part: Query[JudgementFilter]) -> Any:
    """Judgements in the order of items and annotators."""
    rows = _rows(study_of(request)).order_by("stage__position", "item__position", "annotator__name", "pk")
    if part.state != "any":
        rows = rows.filter(state=part.state)
    if part.stage:
        rows = rows.filter(stage__key=part.stage)
    if part.annotator:
        rows = rows.filter(annotator__name=part.annotator) | rows.filter(annotator__pid=part.annotator)
    if part.item:
        rows = rows.filter(item__key=part.item) | rows.filter(item__pid=part.item)
    if part.outcome:
        rows = rows.filter(current__outcome=part.outcome)
    return {"count": rows.count(), "results": [JudgementOut(**_judgement(row)) for row in part.cut(rows)]}


@router.get("/judgements/{judgement}", response={200: WholeJudgementOut, **REFUSALS})
def get_judgement(request: ResearcherRequest, study: StudyId, judgement: str) -> Any:
    """A judgement with everything that was ever said in it and about it."""
    return _whole(one(_rows(study_of(request)), judgement))


@router.get("/annotators/{annotator}/sample", response={200: ListOut[JudgementOut], **REFUSALS})
def sample(request: ResearcherRequest, study: StudyId, annotator: str, given: Query[Sample]) -> Any:
    """Judgements of one annotator to look at: the same for everybody who looks."""
    person = one(study_of(request).annotators.select_related("study"), annotator)
    found = adjudication.sample(person, given.count)
    return {"count": len(found), "results": [JudgementOut(**_judgement(row)) for row in found]}


@router.post("/judgements/{judgement}/review", auth=ADJUDICATOR, response={200: WholeJudgementOut, **REFUSALS})
def review_judgement(request: ResearcherRequest, study: StudyId, judgement: str, data: ReviewIn) -> Any:
    """Record what one thinks of a judgement."""
    row = one(_rows(study_of(request)), judgement)
    adjudication.review(row, data.decision, data.note, timezone.now(), actor=actor(request), key=data.key)
    return _whole(row)


@router.post("/judgements/{judgement}/feedback", auth=ADJUDICATOR, response={200: WholeJudgementOut, **REFUSALS})
def give_feedback(request: ResearcherRequest, study: StudyId, judgement: str, data: FeedbackIn) -> Any:
    """Tell the annotator something about this judgement."""
    row = one(_rows(study_of(request)), judgement)
    adjudication.give_feedback(row, data.text, timezone.now(), actor=actor(request), key=data.key)
    return _whole(row)


@router.delete("/judgements/{judgement}/feedback/{words}", auth=ADJUDICATOR, response={204: None, **REFUSALS})
def take_back_feedback(request: ResearcherRequest, study: StudyId, judgement: str, words: str) -> Any:
    """Take words back that the annotator has not read yet."""
    row = one(_rows(study_of(request)), judgement)
    given = models.Feedback.objects.filter(revision__judgement=row).select_related("revision__judgement__stage__study")
    adjudication.take_back_feedback(one(given, words), timezone.now(), actor=actor(request))
    return Status(204, None)


def _rows(study: models.Study) -> Any:
    return (
        models.Judgement.objects.filter(stage__study=study)
        .select_related("stage__protocol_version", "stage__study", "item", "annotator", "current")
        .prefetch_related("current__edits")
    )


def _judgement(row: models.Judgement) -> dict[str, Any]:
    current = row.current
    said = judgement_from(current) if current is not None and row.state != models.Judgement.State.ERASED else None
    return {
        "id": row.pid,
        "stage": row.stage.key,
        "item": row.item.pid,
        "item_key": row.item.key,
        "annotator": row.annotator.pid,
        "annotator_name": row.annotator.name,
        "state": row.state,
        "current": _revision(current) if current else None,
        "verdicts": of_judgement(protocol_of(row.stage), item_from(row.item), said) if said else {},
    }


def _revision(row: models.Revision) -> RevisionOut:
    return RevisionOut(
        id=row.pid,
        number=row.number,
        outcome=row.outcome,
        answers=row.answers,
        edits=[edit_to_json(edit) for edit in judgement_from(row).edits],
        draft=row.draft,
        seconds=row.seconds,
        origin=row.origin,
        at=row.created_at,
        erased=row.erased_at is not None,
    )


def _whole(row: models.Judgement) -> WholeJudgementOut:
    revisions = list(row.revisions.prefetch_related("edits", "reviews", "feedback").order_by("number"))
    return WholeJudgementOut(
        **_judgement(row),
        revisions=[_revision(revision) for revision in revisions],
        reviews=[
            ReviewOut(
                id=found.pid,
                revision=revision.number,
                author=found.author,
                decision=found.decision,
                note=found.note,
                at=found.at,
            )
            for revision in revisions
            for found in revision.reviews.all()
        ],
        feedback=[
            FeedbackOut(
                id=found.pid,
                revision=revision.number,
                author=found.author,
                text=found.text,
                at=found.at,
                read_at=found.read_at,
            )
            for revision in revisions
            for found in revision.feedback.all()
        ],
    )
