"""Who asks, and what they may reach: a personal token or the session of the pages, then the role in the study.

All of it is decided before the body of a request is read: whoever may not do something learns nothing of what a body
should look like, and costs no more than a look at their role. So an operation says by its ``auth`` who may call it
(``VIEWER``, ``ADJUDICATOR``, ``MANAGER``, ``OWNER``, ``ADMINISTRATOR``), and finds the study in the request.

A header that names no valid token is refused even if there is a session: whoever sends a token means to use it.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
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

from rubrica.core.typed import storable
from rubrica.store import models
from rubrica.store.people import tokens
from rubrica.studio.access import has, role_in


class Place(NamedTuple):
    """A study and the researcher's role in it."""

    study: models.Study
    role: str


class ResearcherRequest(HttpRequest):
    """A request by a researcher; ``place`` is there if the operation belongs to a study."""

    auth: User
    place: Place


Admit = Callable[[HttpRequest, User], None]
"""Looks whether this researcher may do what is asked for. Raises Http404 or PermissionDenied."""


class Token(HttpBearer):
    """A personal token, made on the account page."""

    def __init__(self, admit: Admit) -> None:
        super().__init__()
        self._admit = admit

    def authenticate(self, request: HttpRequest, token: str) -> User | None:
        user = tokens.user_of(token, timezone.now())
        if user is not None:
            self._admit(request, user)
        return user


class Session(SessionAuth):
    """The session of the pages; whatever changes something needs the CSRF token as well."""

    def __init__(self, admit: Admit) -> None:
        super().__init__()
        self._admit = admit

    def __call__(self, request: HttpRequest) -> Any:
        if "Authorization" in request.headers or not request.user.is_authenticated:
            return None
        self._admit(request, request.user)
        if check_csrf(request) is not None:
            raise HttpError(403, _("The header X-CSRFToken is missing or wrong."))
        return request.user


def _anybody(request: HttpRequest, user: User) -> None:
    """Whoever has an account."""


def _administrator(request: HttpRequest, user: User) -> None:
    """Administrators of the studio."""
    if not user.is_superuser:
        raise PermissionDenied


def _member(request: Any, user: User, wanted: str, in_trash: bool = False) -> None:
    """Members of the study in the address. A stranger finds nothing, a member without the role is refused."""
    request.place = _place(request.resolver_match.kwargs["study"], user, wanted, in_trash)


def _place(pid: str, user: User, wanted: str, in_trash: bool = False) -> Place:
    found = models.Study.objects.filter(pid=checked_id(pid), deleted_at__isnull=not in_trash).first()
    role = role_in(found, user) if found else ""
    if found is None or not role:
        raise Http404
    if not has(role, wanted):
        raise PermissionDenied
    return Place(found, role)


def _either(admit: Admit) -> list[Any]:
    return [Token(admit), Session(admit)]


RESEARCHER = _either(_anybody)
VIEWER, ADJUDICATOR, MANAGER, OWNER = (_either(partial(_member, wanted=role)) for role in models.Member.Role.values)
OWNER_OF_TRASH = _either(partial(_member, wanted="owner", in_trash=True))
ADMINISTRATOR = _either(_administrator)
RESEARCHER_IN_SESSION, ADMINISTRATOR_IN_SESSION = Session(_anybody), Session(_administrator)
"""For what a stolen token must not be able to do."""

StudyId = PathParameter[str]
"""The study in the address: it stands in the prefix of most routers, where the library does not look for it."""
Row = TypeVar("Row", bound=Model)


def study_of(request: ResearcherRequest) -> models.Study:
    """The study in the address, which the researcher may see."""
    return request.place.study


def managed_study(request: ResearcherRequest, pid: str) -> models.Study:
    """Another study that the body of a request names, which the researcher must manage."""
    return _place(pid, request.auth, "manager").study


def seen_study(request: ResearcherRequest, pid: str) -> models.Study:
    """Another study that the body of a request names, which the researcher must be able to see."""
    return _place(pid, request.auth, "viewer").study


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
