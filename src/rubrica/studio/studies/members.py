"""Members of a study: who may do what. Every member may look; the owner changes."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.contrib.auth.models import User
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_POST

from rubrica.core.errors import InputError
from rubrica.store.people import accounts
from rubrica.store.people import members as team
from rubrica.studio.access import StudyRequest, has, study_page
from rubrica.studio.accounts.administration import link_for


@study_page("viewer")
@require_GET
def members(request: StudyRequest) -> HttpResponse:
    """The team of the study."""
    return _page(request, removed=request.session.pop(f"member_removed:{request.study.pid}", None))


@study_page("owner")
@require_POST
def add(request: StudyRequest) -> HttpResponse:
    """Give an existing account a role, or another role."""
    name, role = request.POST.get("name", ""), request.POST.get("role", "")
    try:
        member = team.add(request.study, name, role, timezone.now(), request.user.get_username())
    except InputError as error:
        return _page(request, 422, add_problems=error.problems, name=name, given_role=role)
    words = _("%(name)s is now %(role)s.")
    messages.success(request, words % {"name": member.user.get_username(), "role": role_words()[member.role]})
    return redirect("members", request.study.pid)


@study_page("owner")
@require_POST
def remove(request: StudyRequest) -> HttpResponse:
    """Take a member out of the study; the next page offers to undo it."""
    user = _user(request)
    try:
        role = team.remove(request.study, user, timezone.now(), request.user.get_username())
    except InputError as error:
        return _page(request, 422, problems=error.problems)
    if role:
        back = role if role in team.GIVEN else "manager"
        request.session[f"member_removed:{request.study.pid}"] = {"name": user.get_username(), "role": back}
    if user == request.user and not request.user.is_superuser:
        return redirect("studies")
    return redirect("members", request.study.pid)


@study_page("owner")
@require_POST
def transfer(request: StudyRequest) -> HttpResponse:
    """Make another member the owner. The owner until now stays as a manager."""
    user = _user(request)
    try:
        team.transfer(request.study, user, timezone.now(), request.user.get_username())
    except InputError as error:
        return _page(request, 422, problems=error.problems)
    messages.success(request, _("%(name)s owns this study now.") % {"name": user.get_username()})
    return redirect("members", request.study.pid)


@study_page("owner")
@require_POST
def invite_account(request: StudyRequest) -> HttpResponse:
    """A link with which somebody makes an account that is a member of this study."""
    name, role = request.POST.get("name", "").strip(), request.POST.get("role", "")
    invited = accounts.Invited(name=name, by=request.user.get_username(), study=request.study.pid, role=role or "-")
    try:
        accounts.check(invited)
    except InputError as error:
        return _page(request, 422, invite_problems=error.problems, invite_name=name, invite_role=role)
    return _page(request, made=link_for(request, invited), made_for=name)


def role_words() -> dict[str, str]:
    """Roles as pages call them."""
    return {"viewer": _("viewer"), "adjudicator": _("adjudicator"), "manager": _("manager"), "owner": _("owner")}


def _user(request: StudyRequest) -> User:
    user = User.objects.filter(username=request.POST.get("name", ""), memberships__study=request.study).first()
    if user is None:
        raise Http404
    return user


def _page(request: StudyRequest, status: int = 200, **more: Any) -> HttpResponse:
    words = role_words()
    context = {
        "study": request.study,
        "role": request.role,
        "section": "setup",
        "is_owner": has(request.role, "owner"),
        "members": [(member, words[member.role]) for member in team.members_of(request.study)],
        "roles": [(role, words[role]) for role in reversed(team.GIVEN)],
        **more,
    }
    return render(request, "studies/members.html", context, status=status)
