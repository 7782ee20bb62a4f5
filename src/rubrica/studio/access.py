"""Who may see a page. A stranger finds nothing (404), a member without the role is refused (403)."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.db.models import Q, QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.template import Library
from django.utils import translation
from django.views.decorators.csrf import csrf_exempt, csrf_protect

from rubrica.core.simulation import simulated_among
from rubrica.store import models
from rubrica.store.people.invitations import follow
from rubrica.studio.security import MTURK, framed_by

View = Callable[..., HttpResponse]
register = Library()


class StudyRequest(HttpRequest):
    """A request by a signed-in researcher about a study."""

    user: User
    study: models.Study
    role: str


class AnnotatorRequest(HttpRequest):
    """A request through an annotator's personal link."""

    annotator: models.Annotator
    invitation: models.Invitation
    study: models.Study
    token: str


def role_in(study: models.Study, user: Any) -> str:
    """The user's role in the study, or nothing. Administrators own every study."""
    if user.is_superuser:
        return "owner"
    member = models.Member.objects.filter(study=study, user=user).first()
    return member.role if member else ""


def has(role: str, wanted: str) -> bool:
    """Whether the role may do what ``wanted`` may."""
    order = models.Member.Role.values
    return bool(role) and order.index(role) >= order.index(wanted)


def studies_of(user: Any) -> QuerySet[models.Study]:
    """The living studies that a researcher may see."""
    living = models.Study.objects.living()
    return living if user.is_superuser else living.filter(Q(members__user=user)).distinct()


@register.filter
def simulated(study: models.Study | None) -> str:
    """Whether ``all`` annotators of a study are simulated, ``some``, or none; its pages say so beside its name."""
    return simulated_among(study.annotators.values_list("name", flat=True)) if study else ""


def study_page(wanted: str = "viewer") -> Callable[[View], View]:
    """For views of ``/s/<study>/…``: signed in, a member, with at least this role.

    The form's token is looked for after that: it stands in the body, which is not read for whoever may not send one.
    """

    def decorate(view: View) -> View:
        protected = csrf_protect(view)

        @csrf_exempt
        @wraps(view)
        @login_required
        def guarded(request: Any, study: str, *args: Any, **kwargs: Any) -> HttpResponse:
            found = models.Study.objects.living().filter(pid=study).first()
            role = role_in(found, request.user) if found else ""
            if found is None or not role:
                raise Http404
            if not has(role, wanted):
                raise PermissionDenied
            request.study, request.role = found, role
            return protected(request, *args, **kwargs)

        return guarded

    return decorate


def annotator_page(view: View) -> View:
    """For views of ``/w/<token>/…``.

    Without CSRF tokens: nobody can forge a request to an address that holds a secret they do not know, and a crowd
    platform's frame has no cookies. Whoever came by an MTurk link sees the pages in MTurk's frame, nobody else in any.
    """

    @wraps(view)
    def guarded(request: Any, token: str, *args: Any, **kwargs: Any) -> HttpResponse:
        link = follow(token)
        invitation = link.invitation
        if invitation is None or invitation.annotator is None:
            return render(request, "annotate/no_link.html", status=404)
        if link.revoked or invitation.annotator.erased_at is not None:
            return render(request, "annotate/link_ended.html", {"study": invitation.study}, status=410)
        request.token, request.invitation = token, invitation
        request.annotator, request.study = invitation.annotator, invitation.study
        if invitation.annotator.language:
            translation.activate(invitation.annotator.language)
            request.LANGUAGE_CODE = translation.get_language()
        response = view(request, *args, **kwargs)
        if invitation.came_by is not None and invitation.came_by.kind == models.Invitation.Kind.MTURK:
            framed_by(response, MTURK, f"'self' {MTURK}")
        return response

    return csrf_exempt(guarded)
