"""Signing in, slowly for those who guess, and never slowly because of others on a device that is known.

Devices on which somebody signed in before: a signed cookie that holds a random id and which accounts they were. It
lets nobody in. It only gives the device an allowance of its own when passwords are guessed
(``store/people/signing_in.py``), so that strangers who guess cannot lock out the owner. A stolen one is worth ten
guesses in ten minutes. Names are kept as keyed hashes, because a computer may be shared.
"""

from __future__ import annotations

import secrets
from typing import Any, NamedTuple

from django.conf import settings
from django.contrib.auth.forms import AuthenticationForm
from django.contrib.auth.models import AbstractBaseUser
from django.contrib.auth.views import LoginView
from django.core import signing
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.translation import gettext as _

from rubrica.store.people import signing_in
from rubrica.store.people.signing_in import account_key
from rubrica.studio.proxies import address_of, customer_of

WAIT = "wait"


class SignInForm(AuthenticationForm):
    """Name and password; refuses to look at them when there were too many failed attempts."""

    def clean(self) -> dict[str, Any]:
        name = self.cleaned_data.get("username", "")
        device = device_for(self.request, name)
        attempt = signing_in.begin(name, customer_of(address_of(self.request)), timezone.now(), device)
        if attempt is None:
            raise ValidationError(
                _("Too many failed attempts. Wait ten minutes, then try again."),
                code=WAIT,
            )
        cleaned: dict[str, Any] = super().clean()
        signing_in.succeeded(attempt)
        return cleaned


class SignIn(LoginView):
    """The page where researchers sign in."""

    template_name = "accounts/sign_in.html"
    authentication_form = SignInForm
    redirect_authenticated_user = True

    def form_valid(self, form: AuthenticationForm) -> HttpResponse:
        response = super().form_valid(form)
        remember(self.request, response, form.get_user())
        return response

    def form_invalid(self, form: AuthenticationForm) -> HttpResponse:
        response = super().form_invalid(form)
        if form.has_error("__all__", WAIT):
            response.status_code = 429
        return response


COOKIE = "rubrica_device"
SALT = "rubrica.known_device"
SECONDS = 365 * 86_400
MOST = 10
"""How many accounts a device remembers; the one that was signed in longest ago is forgotten first."""
_DIGITS = 24
"""Hexadecimal digits of an account's key that are kept: a name that happens to share them is not to be found."""


class Device(NamedTuple):
    """A device and the accounts that were signed in on it."""

    id: str
    accounts: list[str]


def device_for(request: HttpRequest | None, name: str) -> str:
    """The id of this device, if the account of this name was signed in on it before; else nothing."""
    device = _device(request) if request else None
    return device.id if device and account_key(name)[:_DIGITS] in device.accounts else ""


def remember(request: HttpRequest, response: HttpResponse, user: AbstractBaseUser) -> None:
    """Let the device be known from now on to the account that was signed in, or has shown a link of its own."""
    device = _device(request) or Device(secrets.token_hex(16), [])
    ours = account_key(user.get_username())[:_DIGITS]
    accounts = [*(other for other in device.accounts if other != ours), ours][-MOST:]
    response.set_cookie(
        COOKIE,
        signing.dumps([device.id, *accounts], salt=SALT),
        max_age=SECONDS,
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=True,
        samesite="Lax",
    )


def _device(request: HttpRequest) -> Device | None:
    try:
        ident, *accounts = signing.loads(request.COOKIES.get(COOKIE, ""), salt=SALT, max_age=SECONDS)
    except signing.BadSignature:
        return None
    return Device(ident, accounts)
