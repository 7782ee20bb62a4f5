"""All accounts of the studio, for administrators: invite, switch off and on, help with a lost password."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.db.models import Count
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.csrf import csrf_exempt, csrf_protect
from django.views.decorators.http import require_GET, require_POST

from rubrica.core.errors import InputError
from rubrica.store.people import accounts
from rubrica.studio.accounts import sign_up
from rubrica.studio.accounts.own import UserRequest

View = Callable[..., HttpResponse]


def administrators_only(view: View) -> View:
    """Signed in, as an administrator of the whole studio; only then is the body read, in which the form's token is."""
    protected = csrf_protect(view)

    @csrf_exempt
    @wraps(view)
    @login_required
    def guarded(request: Any, *args: Any, **kwargs: Any) -> HttpResponse:
        if not request.user.is_superuser:
            raise PermissionDenied
        return protected(request, *args, **kwargs)

    return guarded


@administrators_only
@require_GET
def everyone(request: UserRequest) -> HttpResponse:
    """The list of accounts."""
    return _page(request)


@administrators_only
@require_POST
def invite(request: UserRequest) -> HttpResponse:
    """A link with which somebody makes an account of this name."""
    name, admin = request.POST.get("name", "").strip(), request.POST.get("admin") == "yes"
    invited = accounts.Invited(name=name, by=request.user.get_username(), admin=admin)
    try:
        accounts.check(invited)
    except InputError as error:
        return _page(request, status=422, problems=error.problems, name=name, admin=admin)
    return _page(request, made=link_for(request, invited))


@administrators_only
@require_POST
def password_link(request: UserRequest) -> HttpResponse:
    """A link with which the owner of an account sets a new password."""
    user = _find(request)
    link = request.build_absolute_uri(reverse("new_password", args=[sign_up.new_password_link(user)]))
    return _page(request, made=link, made_for=user.get_username())


@administrators_only
@require_POST
def switch(request: UserRequest) -> HttpResponse:
    """Switch an account off, or on again."""
    user, actor = _find(request), request.user.get_username()
    if request.POST.get("to") == "on":
        accounts.switch_on(user, timezone.now(), actor)
        messages.success(request, _("%(name)s can sign in again.") % {"name": user.get_username()})
        return redirect("accounts")
    try:
        accounts.switch_off(user, timezone.now(), actor)
    except InputError as error:
        return _page(request, status=422, problems=error.problems)
    messages.success(request, _("%(name)s cannot sign in any more.") % {"name": user.get_username()})
    return redirect("accounts")


def _find(request: UserRequest) -> User:
    user = User.objects.filter(username=request.POST.get("account", "")).first()
    if user is None:
        raise Http404
    return user


def link_for(request: HttpRequest, invited: accounts.Invited) -> str:
    """The whole address of an invitation. It is shown in one answer and stored nowhere."""
    return request.build_absolute_uri(reverse("sign_up", args=[sign_up.invitation(invited)]))


def _page(request: UserRequest, status: int = 200, **more: Any) -> HttpResponse:
    found = User.objects.annotate(studies=Count("memberships")).order_by("username")
    return render(request, "accounts/accounts.html", {"accounts": found, **more}, status=status)
