"""Pages behind the links for accounts: make the account one was invited to, set a new password."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth import login
from django.contrib.auth.forms import SetPasswordForm
from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from rubrica.core.errors import InputError
from rubrica.store import models
from rubrica.store.people import accounts
from rubrica.studio.accounts import account_links, known_devices

BACKEND = "django.contrib.auth.backends.ModelBackend"


@require_http_methods(["GET", "POST"])
def sign_up(request: HttpRequest, token: str) -> HttpResponse:
    """Make the account that the link promises, and sign in."""
    invited = account_links.invited_by(token)
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
    user = account_links.may_set_password(token)
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
    known_devices.remember(request, response, user)
    return response
