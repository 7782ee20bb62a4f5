"""Links for annotators: personal ones, open ones, those of crowd platforms."""

from __future__ import annotations

from typing import Any, Literal

from django.db.models import Count
from django.utils import timezone
from ninja import Query, Router, Schema, Status
from pydantic import AwareDatetime, Field

from rubrica.core import completion_code
from rubrica.core.errors import wrong
from rubrica.store import models
from rubrica.store.people import invitations
from rubrica.studio.api.access import MANAGER, VIEWER, ResearcherRequest, StudyId, actor, one, study_of
from rubrica.studio.api.schemas import REFUSALS, Body, ListOut, Paging, Text

MOST = 1000
Kind = Literal["personal", "open", "prolific", "mturk"]
router = Router(auth=VIEWER)


class InvitationOut(Schema):
    """A link. ``arrivals`` are the people who came through a link for many."""

    id: str
    kind: str
    link: str
    step: str = Field(description="The only stage that it is for, or nothing.")
    annotator: str
    cap: int | None
    arrivals: int
    completion_code: str
    created_at: AwareDatetime
    revoked_at: AwareDatetime | None


class InvitationsIn(Body):
    """Links to make: ``names`` for personal ones, otherwise one link for many, with a cap or without.

    The completion code is Prolific's; without one, a new one is made. ``step`` is the only stage that they are for, in
    a study in which some write and others judge what they wrote.
    """

    kind: Kind
    names: list[Text] = Field(default=[], max_length=MOST)
    cap: int | None = Field(default=None, ge=1, le=invitations.MOST_PLACES)
    completion_code: Text = Field(default="", max_length=100)
    step: Text = Field(default="", max_length=100)


class CapIn(Body):
    """How many people may come; null for no limit."""

    cap: int | None = Field(ge=1, le=invitations.MOST_PLACES)


class InvitationFilter(Paging):
    """Which links."""

    kind: Kind | None = None


@router.get("", auth=MANAGER, response={200: ListOut[InvitationOut], **REFUSALS})
def list_invitations(request: ResearcherRequest, study: StudyId, part: Query[InvitationFilter]) -> Any:
    """Every link of the study, the oldest first. Links are secrets, so only managers see them."""
    rows = _rows(study_of(request))
    if part.kind:
        rows = rows.filter(kind=part.kind)
    return {"count": rows.count(), "results": [_invitation(row, request) for row in part.cut(rows)]}


@router.post("", auth=MANAGER, response={201: ListOut[InvitationOut], **REFUSALS})
def make_invitations(request: ResearcherRequest, study: StudyId, data: InvitationsIn) -> Any:
    """Make personal links, one for each name (who has one keeps it), or one link for many."""
    here, now, who = study_of(request), timezone.now(), actor(request)
    if (data.kind == "personal") != bool(data.names):
        fix = "Name the people of personal links; the others are for people unknown beforehand."
        raise wrong(f"{len(data.names)} names for a link of the kind {data.kind}", "link", fix, value=data.names)
    if data.kind == "personal":
        made = invitations.invite(here, data.names, now, who, step=data.step)
    else:
        code = completion_code.of_door(data.kind, data.completion_code)
        made = [invitations.open_door(here, data.kind, now, cap=data.cap, code=code, actor=who, step=data.step)]
    rows = _rows(here).filter(pk__in=[invitation.pk for invitation in made])
    return Status(201, {"count": len(made), "results": [_invitation(row, request) for row in rows]})


@router.put("/{invitation}/cap", auth=MANAGER, response={200: InvitationOut, **REFUSALS})
def change_cap(request: ResearcherRequest, study: StudyId, invitation: str, data: CapIn) -> Any:
    """Let more or fewer people through a link for many. Who has come stays."""
    here = study_of(request)
    found = one(_rows(here).exclude(kind=models.Invitation.Kind.PERSONAL), invitation)
    invitations.change_cap(found, data.cap, timezone.now(), actor(request))
    return _invitation(one(_rows(here), invitation), request)


@router.post("/{invitation}/revoke", auth=MANAGER, response={200: InvitationOut, **REFUSALS})
def revoke_invitation(request: ResearcherRequest, study: StudyId, invitation: str) -> Any:
    """Make a link lead nowhere; `renew` undoes it with another link. What was done through it stays."""
    found = one(_rows(study_of(request)), invitation)
    if found.revoked_at is None:
        invitations.revoke(found, timezone.now(), actor(request))
    return _invitation(found, request)


@router.post("/{invitation}/renew", auth=MANAGER, response={200: InvitationOut, **REFUSALS})
def renew_invitation(request: ResearcherRequest, study: StudyId, invitation: str) -> Any:
    """Make the link anew; the old one is void."""
    found = one(_rows(study_of(request)), invitation)
    invitations.renew(found, timezone.now(), actor(request))
    return _invitation(found, request)


def _rows(study: models.Study) -> Any:
    return study.invitations.select_related("annotator", "study").annotate(came=Count("arrivals")).order_by("pk")


def _invitation(row: Any, request: ResearcherRequest) -> InvitationOut:
    path = "w" if row.kind == models.Invitation.Kind.PERSONAL else "join"
    return InvitationOut(
        id=row.pid,
        kind=row.kind,
        step=row.step,
        link=request.build_absolute_uri(f"/{path}/{invitations.token(row)}/"),
        annotator=row.annotator.name if row.annotator else "",
        cap=row.cap,
        arrivals=row.came,
        completion_code=row.completion_code,
        created_at=row.created_at,
        revoked_at=row.revoked_at,
    )
