"""One's own account and personal tokens."""

from __future__ import annotations

from typing import Any

from django.http import Http404
from django.utils import timezone
from ninja import Router, Schema, Status
from pydantic import AwareDatetime

from rubrica.store import models
from rubrica.store.people import tokens
from rubrica.studio.access import studies_of
from rubrica.studio.api.access import RESEARCHER, RESEARCHER_IN_SESSION, ResearcherRequest, checked_id
from rubrica.studio.api.schemas import REFUSALS, Body, ListOut, Text

router = Router(auth=RESEARCHER)


class AccountOut(Schema):
    """Who asks."""

    name: str
    administrator: bool
    studies: int


class TokenIn(Body):
    """What the token is for."""

    name: Text


class TokenOut(Schema):
    """A token, without its secret."""

    id: str
    name: str
    created_at: AwareDatetime
    used_at: AwareDatetime | None


class NewTokenOut(TokenOut):
    """A new token. The secret is told this once."""

    token: str


@router.get("/me", response={200: AccountOut, **REFUSALS})
def me(request: ResearcherRequest) -> Any:
    """Who the token or the session belongs to."""
    user = request.auth
    return AccountOut(name=user.get_username(), administrator=user.is_superuser, studies=studies_of(user).count())


@router.get("/tokens", response={200: ListOut[TokenOut], **REFUSALS})
def list_tokens(request: ResearcherRequest) -> Any:
    """One's tokens that work."""
    found = [_token(row) for row in tokens.valid(request.auth)]
    return {"count": len(found), "results": found}


@router.post("/tokens", auth=RESEARCHER_IN_SESSION, response={201: NewTokenOut, **REFUSALS})
def make_token(request: ResearcherRequest, data: TokenIn) -> Any:
    """Make a token. Only with a session: a stolen token must not make others that outlive it."""
    made = tokens.make(request.auth, data.name, timezone.now())
    return Status(201, NewTokenOut(**_token(made.row).dict(), token=made.token))


@router.delete("/tokens/{token}", response={204: None, **REFUSALS})
def revoke_token(request: ResearcherRequest, token: str) -> Any:
    """Make a token void, for good."""
    if not tokens.revoke(request.auth, checked_id(token), timezone.now()):
        raise Http404
    return Status(204, None)


def _token(row: models.ApiToken) -> TokenOut:
    return TokenOut(id=row.pid, name=row.name, created_at=row.created_at, used_at=row.used_at)
