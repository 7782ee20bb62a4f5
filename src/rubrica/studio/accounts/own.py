"""One's own account: password, language of the interface, personal tokens for the API."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.contrib.auth import update_session_auth_hash
from django.contrib.auth.decorators import login_required
from django.contrib.auth.forms import PasswordChangeForm
from django.contrib.auth.models import User
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_POST

from rubrica.core.errors import InputError
from rubrica.store.people import accounts, tokens


class UserRequest(HttpRequest):
    """A request by somebody who is signed in."""

    user: User


@login_required
@require_GET
def account(request: UserRequest) -> HttpResponse:
    """One's own account."""
    return _page(request)


@login_required
@require_POST
def password(request: UserRequest) -> HttpResponse:
    """Change the password. This session stays, those elsewhere end."""
    form = PasswordChangeForm(request.user, request.POST)
    if not form.is_valid():
        return _page(request, status=422, form=form)
    name = request.user.get_username()
    accounts.change_password(request.user, form.cleaned_data["new_password1"], timezone.now(), name)
    update_session_auth_hash(request, request.user)
    messages.success(request, _("Your password is changed. You are signed out everywhere else."))
    return redirect("account")


@login_required
@require_POST
def make_token(request: UserRequest) -> HttpResponse:
    """Make a personal token. It is shown in this answer alone: a redirect would have to store it."""
    try:
        made = tokens.make(request.user, request.POST.get("name", ""), timezone.now())
    except InputError as error:
        return _page(request, status=422, problems=error.problems, token_name=request.POST.get("name", ""))
    return _page(request, made=made)


@login_required
@require_POST
def revoke_token(request: UserRequest, pid: str) -> HttpResponse:
    """Make a token void. Somebody else's is not there."""
    if not request.user.api_tokens.filter(pid=pid).exists():
        raise Http404
    if tokens.revoke(request.user, pid, timezone.now()):
        messages.success(request, _("The token is revoked: programs that use it are refused from now on."))
    return redirect("account")


def _page(request: UserRequest, status: int = 200, **more: Any) -> HttpResponse:
    form = more.pop("form", None) or PasswordChangeForm(request.user)
    form.fields["old_password"].widget.attrs.pop("autofocus", None)
    context = {"form": form, "tokens": tokens.valid(request.user), **more}
    return render(request, "accounts/account.html", context, status=status)
