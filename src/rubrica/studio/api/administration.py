"""All accounts of the studio, for administrators: invited, switched off and on, helped with a lost password.

Links that open an account are made only in a session: a stolen token must not make what outlives it.
"""

from __future__ import annotations

from typing import Any

from django.contrib.auth.models import User
from django.db.models import Count
from django.http import Http404
from django.urls import reverse
from django.utils import timezone
from ninja import Query, Router, Schema, Status
from pydantic import AwareDatetime, Field

from rubrica.store.people import accounts
from rubrica.studio.accounts import sign_up
from rubrica.studio.accounts.administration import link_for
from rubrica.studio.api.access import ADMINISTRATOR, ADMINISTRATOR_IN_SESSION, ResearcherRequest, actor, checked_key
from rubrica.studio.api.members import AccountLinkOut
from rubrica.studio.api.schemas import REFUSALS, Body, ListOut, Paging, Text

router = Router(auth=ADMINISTRATOR)


class SomebodyOut(Schema):
    """An account. One that is not active cannot sign in, and its tokens do not work."""

    name: str
    administrator: bool
    active: bool
    studies: int
    since: AwareDatetime


class NewAccountIn(Body):
    """Who is to make an account, and whether it administers the studio."""

    name: Text = Field(min_length=1, max_length=150)
    administrator: bool = False


class SwitchIn(Body):
    """Whether the account can be used."""

    active: bool


@router.get("", response={200: ListOut[SomebodyOut], **REFUSALS})
def list_everyone(request: ResearcherRequest, part: Query[Paging]) -> Any:
    """Every account, by name."""
    rows = User.objects.annotate(studies=Count("memberships")).order_by("username")
    return {"count": rows.count(), "results": [_somebody(row) for row in part.cut(rows)]}


@router.post("", auth=ADMINISTRATOR_IN_SESSION, response={201: AccountLinkOut, **REFUSALS})
def invite_somebody(request: ResearcherRequest, data: NewAccountIn) -> Any:
    """A link with which somebody makes an account of this name. It is told this once."""
    invited = accounts.Invited(name=data.name.strip(), by=actor(request), admin=data.administrator)
    accounts.check(invited)
    return Status(201, AccountLinkOut(name=invited.name, link=link_for(request, invited)))


@router.patch("/{name}", response={200: SomebodyOut, **REFUSALS})
def switch_account(request: ResearcherRequest, name: str, data: SwitchIn) -> Any:
    """Switch an account off, or on again. What it did stays."""
    switch = accounts.switch_on if data.active else accounts.switch_off
    switch(_find(name), timezone.now(), actor(request))
    return _somebody(_find(name))


@router.post("/{name}/password-link", auth=ADMINISTRATOR_IN_SESSION, response={201: AccountLinkOut, **REFUSALS})
def make_password_link(request: ResearcherRequest, name: str) -> Any:
    """A link with which the owner of an account sets a new password. It is told this once."""
    user = _find(name)
    address = reverse("new_password", args=[sign_up.new_password_link(user)])
    return Status(201, AccountLinkOut(name=user.get_username(), link=request.build_absolute_uri(address)))


def _find(name: str) -> Any:
    user = User.objects.annotate(studies=Count("memberships")).filter(username=checked_key(name)).first()
    if user is None:
        raise Http404
    return user


def _somebody(row: Any) -> SomebodyOut:
    return SomebodyOut(
        name=row.get_username(),
        administrator=row.is_superuser,
        active=row.is_active,
        studies=row.studies,
        since=row.date_joined,
    )
