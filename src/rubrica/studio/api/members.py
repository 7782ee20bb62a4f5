"""Researchers of a study and their roles."""

from __future__ import annotations

from typing import Any, Literal

from django.http import Http404
from django.utils import timezone
from ninja import Router, Schema, Status
from pydantic import AwareDatetime, Field

from rubrica.store import models
from rubrica.store.people import accounts, members
from rubrica.studio.accounts.administration import link_for
from rubrica.studio.api.access import OWNER, VIEWER, ResearcherRequest, StudyId, actor, checked_key, study_of
from rubrica.studio.api.schemas import REFUSALS, Body, ListOut, Text

router = Router(auth=VIEWER)


class MemberOut(Schema):
    """A researcher's role in the study."""

    name: str
    role: str
    since: AwareDatetime


class RoleIn(Body):
    """A role to give."""

    role: Literal["viewer", "adjudicator", "manager"]


class OwnerIn(Body):
    """Who is to own the study: a member."""

    name: Text


class NewMemberIn(RoleIn):
    """Who is to make an account, and the role that it gets."""

    name: Text = Field(min_length=1, max_length=150)


class AccountLinkOut(Schema):
    """A link for one person, good for a few days and for one use."""

    name: str
    link: str


@router.get("/members", response={200: ListOut[MemberOut], **REFUSALS})
def list_members(request: ResearcherRequest, study: StudyId) -> Any:
    """Everybody with a role, the owner first."""
    found = [_member(row) for row in members.members_of(study_of(request))]
    return {"count": len(found), "results": found}


@router.post("/account-invitations", auth=OWNER, response={201: AccountLinkOut, **REFUSALS})
def invite_account(request: ResearcherRequest, study: StudyId, data: NewMemberIn) -> Any:
    """A link with which somebody without an account makes one that is a member of this study. It is told this once."""
    here = study_of(request)
    invited = accounts.Invited(name=data.name.strip(), by=actor(request), study=here.pid, role=data.role)
    accounts.check(invited)
    return Status(201, AccountLinkOut(name=invited.name, link=link_for(request, invited)))


@router.put("/members/{name}", auth=OWNER, response={200: MemberOut, **REFUSALS})
def set_member(request: ResearcherRequest, study: StudyId, name: str, data: RoleIn) -> Any:
    """Give an account a role in the study, a first one or another."""
    here = study_of(request)
    return _member(members.add(here, checked_key(name), data.role, timezone.now(), actor(request)))


@router.delete("/members/{name}", auth=OWNER, response={204: None, **REFUSALS})
def remove_member(request: ResearcherRequest, study: StudyId, name: str) -> Any:
    """Take a member out of the study."""
    here = study_of(request)
    member = _find(here, name)
    members.remove(here, member.user, timezone.now(), actor(request))
    return Status(204, None)


@router.post("/transfer", auth=OWNER, response={200: ListOut[MemberOut], **REFUSALS})
def transfer_study(request: ResearcherRequest, study: StudyId, data: OwnerIn) -> Any:
    """Make another member the owner; who owned it becomes a manager."""
    here = study_of(request)
    members.transfer(here, members.account(data.name), timezone.now(), actor(request))
    found = [_member(row) for row in members.members_of(here)]
    return {"count": len(found), "results": found}


def _find(study: models.Study, name: str) -> models.Member:
    member = study.members.select_related("user").filter(user__username=checked_key(name)).first()
    if member is None:
        raise Http404
    return member


def _member(row: models.Member) -> MemberOut:
    return MemberOut(name=row.user.get_username(), role=row.role, since=row.since)
