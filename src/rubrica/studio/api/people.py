"""Annotators: how far each is, excluding and including, leases, erasure on request."""

from __future__ import annotations

from typing import Any

from django.db.models import QuerySet
from django.utils import timezone
from ninja import Query, Router, Schema
from pydantic import AwareDatetime, Field

from rubrica.store import models
from rubrica.store.counting import progress
from rubrica.store.people import annotators, devices, erasure
from rubrica.store.setup import running
from rubrica.studio.api.access import MANAGER, VIEWER, ResearcherRequest, StudyId, actor, one, study_of
from rubrica.studio.api.schemas import REFUSALS, Body, ChangedOut, ListOut, Paging, ReasonIn, Text
from rubrica.studio.api.setup import LeasesOut, TimeIn

router = Router(auth=VIEWER)


class AnnotatorOut(Schema):
    """An annotator and their work, planted items included. ``state`` is active, excluded or erased."""

    id: str
    name: str
    kind: str
    language: str
    state: str
    reason: str
    created_at: AwareDatetime
    last_seen: AwareDatetime | None
    done: int
    open: int
    passed_on: int
    extra: int


class ProfileOut(Schema):
    """What an annotator told about themselves, and who they are on a crowd platform: personal data."""

    answers: dict[str, Any]
    recorded_at: AwareDatetime | None
    platform: dict[str, Any]


class LeaseIn(Body):
    """Which lease; all open ones if it is empty."""

    lease: Text = ""


class LeaseOut(Schema):
    """An item that the annotator holds."""

    id: str
    item: str
    stage: str
    leased_at: AwareDatetime
    expires_at: AwareDatetime | None


class IncludedOut(Schema):
    """How many judgements lie beyond the overlap now, because others took their places meanwhile."""

    extra: int


class ErasedInOut(Schema):
    """How much gave way in a study that is joined; ``study`` is its id."""

    study: str
    judgements: int
    revisions: int
    items: int


class ErasedOut(Schema):
    """How much gave way to a tombstone, here and in joined studies. Exported files of these are deleted with it."""

    judgements: int
    revisions: int
    items: int
    elsewhere: list[ErasedInOut]


class AnnotatorFilter(Paging):
    """Which annotators."""

    name: Text = ""
    excluded: bool | None = Field(default=None, description="Only those that are excluded, or only the others.")


@router.get("", response={200: ListOut[AnnotatorOut], **REFUSALS})
def list_annotators(request: ResearcherRequest, study: StudyId, part: Query[AnnotatorFilter]) -> Any:
    """Annotators by name, with their progress."""
    here = study_of(request)
    rows = here.annotators.order_by("name", "pk")
    if part.name:
        rows = rows.filter(name=part.name)
    if part.excluded is not None:
        rows = rows.filter(excluded_at__isnull=not part.excluded)
    work, seen = progress.of_people(here), progress.seen(here)
    found = [_annotator(row, work.get(row.pk), seen.get(row.pk)) for row in part.cut(rows)]
    return {"count": rows.count(), "results": found}


@router.get("/{annotator}", response={200: AnnotatorOut, **REFUSALS})
def get_annotator(request: ResearcherRequest, study: StudyId, annotator: str) -> Any:
    """One annotator."""
    here = study_of(request)
    row = one(here.annotators.all(), annotator)
    return _annotator(row, progress.of_people(here).get(row.pk), progress.seen(here).get(row.pk))


@router.get("/{annotator}/profile", auth=MANAGER, response={200: ProfileOut, **REFUSALS})
def get_profile(request: ResearcherRequest, study: StudyId, annotator: str) -> Any:
    """The annotator's profile, for managers only."""
    row = _person(request, annotator)
    profile = models.Profile.objects.filter(annotator=row).first()
    external = models.ExternalIdentity.objects.filter(annotator=row).first()
    return ProfileOut(
        answers=profile.answers if profile else {},
        recorded_at=profile.recorded_at if profile else None,
        platform={"participant": external.participant, **external.details} if external else {},
    )


@router.post("/{annotator}/exclude", auth=MANAGER, response={200: AnnotatorOut, **REFUSALS})
def exclude_annotator(request: ResearcherRequest, study: StudyId, annotator: str, data: ReasonIn) -> Any:
    """Leave their judgements out of the results, with the reason, and hand their places out again."""
    row = _person(request, annotator)
    annotators.exclude(row, data.reason, timezone.now(), actor=actor(request))
    return get_annotator(request, study, annotator)


@router.post("/{annotator}/include", auth=MANAGER, response={200: IncludedOut, **REFUSALS})
def include_annotator(request: ResearcherRequest, study: StudyId, annotator: str) -> Any:
    """Let their judgements count again."""
    row = _person(request, annotator)
    return IncludedOut(extra=annotators.include_again(row, timezone.now(), actor=actor(request)))


@router.get("/{annotator}/leases", response={200: ListOut[LeaseOut], **REFUSALS})
def list_leases(request: ResearcherRequest, study: StudyId, annotator: str, part: Query[Paging]) -> Any:
    """The items that the annotator holds now."""
    row = one(study_of(request).annotators.all(), annotator)
    rows: QuerySet[models.Assignment] = row.assignments.open().select_related("item", "stage")
    return {"count": rows.count(), "results": [_lease(lease) for lease in part.cut(rows.order_by("position", "pk"))]}


@router.post("/{annotator}/leases/take-back", auth=MANAGER, response={200: LeasesOut, **REFUSALS})
def take_back_leases(request: ResearcherRequest, study: StudyId, annotator: str, data: LeaseIn) -> Any:
    """Return one open lease, or all, to the pool. Drafts are kept."""
    row = _person(request, annotator)
    return LeasesOut(leases=running.take_back(row, timezone.now(), actor=actor(request), lease=data.lease))


@router.post("/{annotator}/time", auth=MANAGER, response={200: LeasesOut, **REFUSALS})
def give_annotator_time(request: ResearcherRequest, study: StudyId, annotator: str, data: TimeIn) -> Any:
    """Let no open lease of this annotator end before that many hours from now."""
    row = _person(request, annotator)
    leases = running.give_time(row.study, data.hours, timezone.now(), actor=actor(request), annotator=row)
    return LeasesOut(leases=leases)


@router.post("/{annotator}/erase", auth=MANAGER, response={200: ErasedOut, **REFUSALS})
def erase_annotator(request: ResearcherRequest, study: StudyId, annotator: str) -> Any:
    """Erase what the annotator said and who they are, at their request, in joined studies too. It cannot be undone."""
    row = _person(request, annotator)
    done = erasure.erase(row, timezone.now(), actor=actor(request))
    elsewhere = [ErasedInOut(**{**one._asdict(), "study": one.study.pid}) for one in done.elsewhere]
    return ErasedOut(**{**done._asdict(), "elsewhere": elsewhere})


@router.post("/{annotator}/device/reset", auth=MANAGER, response={200: ChangedOut, **REFUSALS})
def reset_device(request: ResearcherRequest, study: StudyId, annotator: str) -> Any:
    """Set the place of a crowd platform's person free for the next device; whoever holds it now loses it."""
    row = _person(request, annotator)
    return ChangedOut(changed=devices.reset(row, timezone.now(), actor(request)))


def _person(request: ResearcherRequest, annotator: str) -> models.Annotator:
    """An annotator of a study that one manages."""
    return one(study_of(request).annotators.select_related("study"), annotator)


def _annotator(row: models.Annotator, work: progress.Work | None, seen: progress.Seen | None) -> AnnotatorOut:
    counts = work or progress.Work()
    state = "erased" if row.erased_at else "excluded" if row.excluded_at else "active"
    return AnnotatorOut(
        id=row.pid,
        name=row.name,
        kind=row.kind,
        language=row.language,
        state=state,
        reason=row.reason,
        created_at=row.created_at,
        last_seen=seen.last if seen else None,
        **counts._asdict(),
    )


def _lease(row: models.Assignment) -> LeaseOut:
    return LeaseOut(
        id=row.pid, item=row.item.pid, stage=row.stage.key, leased_at=row.leased_at, expires_at=row.expires_at
    )
