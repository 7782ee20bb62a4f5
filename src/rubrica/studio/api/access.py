"""Who asks, and what they may reach: a personal token or the session of the pages, then the role in the study.

A header that names no valid token is refused even if there is a session: whoever sends a token means to use it.
"""

from __future__ import annotations

from typing import Any, NamedTuple, TypeVar

from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.db.models import Model, QuerySet
from django.http import Http404, HttpRequest
from django.utils import timezone
from django.utils.translation import gettext as _
from ninja import Path as PathParameter
from ninja.errors import HttpError
from ninja.security import HttpBearer
from ninja.security.session import SessionAuth
from ninja.utils import check_csrf

from rubrica.core.scales import storable
from rubrica.store import models, tokens
from rubrica.studio.access import has, role_in


class ResearcherRequest(HttpRequest):
    """A request by a researcher."""

    auth: User


class Token(HttpBearer):
    """A personal token, made on the account page."""

    def authenticate(self, request: HttpRequest, token: str) -> User | None:
        return tokens.user_of(token, timezone.now())


class Session(SessionAuth):
    """The session of the pages; whatever changes something needs the CSRF token as well."""

    def __call__(self, request: HttpRequest) -> Any:
        if "Authorization" in request.headers or not request.user.is_authenticated:
            return None
        if check_csrf(request) is not None:
            raise HttpError(403, _("The header X-CSRFToken is missing or wrong."))
        return request.user


StudyId = PathParameter[str]
"""The study in the address: it stands in the prefix of most routers, where the library does not look for it."""
Row = TypeVar("Row", bound=Model)
RESEARCHER = [Token(), Session()]


class Place(NamedTuple):
    """A study and the researcher's role in it."""

    study: models.Study
    role: str


def place(request: ResearcherRequest, pid: str, wanted: str = "viewer", *, in_trash: bool = False) -> Place:
    """The study of this id. A stranger finds nothing, a member without the role is refused."""
    found = models.Study.objects.filter(pid=checked_id(pid), deleted_at__isnull=not in_trash).first()
    role = role_in(found, request.auth) if found else ""
    if found is None or not role:
        raise Http404
    if not has(role, wanted):
        raise PermissionDenied
    return Place(found, role)


def study_of(request: ResearcherRequest, pid: str, wanted: str = "viewer") -> models.Study:
    """The study alone."""
    return place(request, pid, wanted).study


def one(rows: QuerySet[Row], pid: str) -> Row:
    """The row with this public id among those that may be seen."""
    found = rows.filter(pid=checked_id(pid)).first()
    if found is None:
        raise Http404
    return found


def checked_id(pid: str) -> str:
    """The id, if it can be one at all: a database may refuse even to compare with anything else."""
    if not (pid.isascii() and pid.isalnum()):
        raise Http404
    return pid


def checked_key(key: str) -> str:
    """A key of the protocol or the study, if it can be one."""
    if not storable(key):
        raise Http404
    return key


def actor(request: ResearcherRequest) -> str:
    """How the audit trail names the researcher."""
    return request.auth.get_username()
