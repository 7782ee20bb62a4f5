"""The links for accounts and the pages behind them: make the account one was invited to, set a new password.

Signed, never stored. An invitation names the account that it makes, so it works once: then the name is taken. A link
for a new password holds a keyed hash of the old one, so it works once too. Both end by time, and when whoever sent
them may not any more.
"""

from __future__ import annotations

from typing import Any

import attrs
from django.contrib import messages
from django.contrib.auth import login
from django.contrib.auth.forms import SetPasswordForm
from django.contrib.auth.models import User
from django.core import signing
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.crypto import constant_time_compare, salted_hmac
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from rubrica.core.errors import InputError
from rubrica.store import models
from rubrica.store.people import accounts
from rubrica.store.people.accounts import Invited, still_valid
from rubrica.studio.accounts import sign_in

INVITATION = "rubrica.account_invitation"
PASSWORD = "rubrica.new_password"  # noqa: S105 the name of a signature, not a secret
DAYS = 7
PASSWORD_DAYS = 1


def invitation(invited: Invited) -> str:
    """The secret of an invitation; good for a week."""
    return signing.dumps(attrs.asdict(invited), salt=INVITATION)


def invited_by(token: str) -> Invited | None:
    """What an invitation promises; nothing if it is not ours, too old, used or withdrawn."""
    data = _read(token, INVITATION, DAYS)
    if data is None:
        return None
    invited = Invited(**data)
    return invited if still_valid(invited) else None


def new_password_link(user: User) -> str:
    """The secret of a link to set a new password; good for a day."""
    return signing.dumps({"name": user.get_username(), "old": _mark(user)}, salt=PASSWORD)


def may_set_password(token: str) -> User | None:
    """Whose password the link sets; nothing if it is not ours, too old or used."""
    data = _read(token, PASSWORD, PASSWORD_DAYS)
    user = User.objects.filter(username=data["name"], is_active=True).first() if data else None
    return user if data and user and constant_time_compare(_mark(user), data["old"]) else None


def _read(token: str, salt: str, days: int) -> dict[str, Any] | None:
    try:
        data: dict[str, Any] = signing.loads(token, salt=salt, max_age=days * 86_400)
    except signing.BadSignature:
        return None
    return data


def _mark(user: User) -> str:
    return salted_hmac(PASSWORD, user.password, algorithm="sha256").hexdigest()[:32]


BACKEND = "django.contrib.auth.backends.ModelBackend"


@require_http_methods(["GET", "POST"])
def sign_up(request: HttpRequest, token: str) -> HttpResponse:
    """Make the account that the link promises, and sign in."""
    invited = invited_by(token)
    if invited is None:
        return render(request, "accounts/link_ended.html", status=404)
    form: SetPasswordForm[User] = SetPasswordForm(User(username=invited.name), request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            user = accounts.open_account(invited, form.cleaned_data["new_password1"], timezone.now())
        except InputError:
            return render(request, "accounts/link_ended.html", status=404)
        login(request, user, BACKEND)
        return _known(request, redirect("studies"), user)
    study = models.Study.objects.filter(pid=invited.study).first() if invited.study else None
    context = {"form": form, "invited": invited, "study": study}
    return render(request, "accounts/sign_up.html", context, status=422 if form.errors else 200)


@require_http_methods(["GET", "POST"])
def new_password(request: HttpRequest, token: str) -> HttpResponse:
    """Set a new password through a link that an administrator made."""
    user = may_set_password(token)
    if user is None:
        return render(request, "accounts/link_ended.html", status=404)
    form: SetPasswordForm[User] = SetPasswordForm(user, request.POST or None)
    if request.method == "POST" and form.is_valid():
        name = user.get_username()
        accounts.change_password(user, form.cleaned_data["new_password1"], timezone.now(), name)
        messages.success(request, _("Your password is changed. Sign in with the new one."))
        return _known(request, redirect("sign_in"), user)
    context = {"form": form, "account": user}
    return render(request, "accounts/new_password.html", context, status=422 if form.errors else 200)


def _known(request: HttpRequest, response: HttpResponse, user: User) -> HttpResponse:
    """The answer, from which on the device is known: whoever has such a link is who it was made for."""
    sign_in.remember(request, response, user)
    return response
