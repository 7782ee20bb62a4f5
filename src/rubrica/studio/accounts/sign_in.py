"""Signing in, slowly for those who guess, and never slowly because of others on a device that is known.

After ten failed attempts for a name or from an address, ten minutes of waiting. That alone would let anybody lock a
researcher out by guessing wrong on purpose. So a device on which an account was signed in before is known, and its
attempts count by themselves: whatever others do, it has its own ten. From an unknown device the owner waits with
everybody else, or uses a link from an administrator, which makes the device known.

Attempts are rows, so that all worker processes count together. Each is written down before the password is looked at
and taken away when it was right: many guesses sent at once cannot slip through. Names and addresses are kept as keyed
hashes, for ten minutes.

Devices on which somebody signed in before: a signed cookie that holds a random id and which accounts they were. It
lets nobody in. A stolen one is worth ten guesses in ten minutes. Names are kept as keyed hashes, because a computer may
be shared.
"""

from __future__ import annotations

import secrets
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from django.conf import settings
from django.contrib.auth.forms import AuthenticationForm
from django.contrib.auth.models import AbstractBaseUser
from django.contrib.auth.views import LoginView
from django.core import signing
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext as _

from rubrica.store import models
from rubrica.studio.proxies import address_of, customer_of

WAIT = "wait"


class SignInForm(AuthenticationForm):
    """Name and password; refuses to look at them when there were too many failed attempts."""

    def clean(self) -> dict[str, Any]:
        name = self.cleaned_data.get("username", "")
        device = device_for(self.request, name)
        attempt = begin(name, customer_of(address_of(self.request)), timezone.now(), device)
        if attempt is None:
            raise ValidationError(
                _("Too many failed attempts. Wait ten minutes, then try again."),
                code=WAIT,
            )
        cleaned: dict[str, Any] = super().clean()
        succeeded(attempt)
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


LIMIT = 10
WINDOW = timedelta(minutes=10)


def begin(name: str, address: str, now: datetime, device: str = "") -> models.LoginFailure | None:
    """Count an attempt as failed until it succeeds; nothing if the name or the address must wait.

    ``device`` is the id of a device on which this account was signed in before. ``address`` is where the attempt comes
    from, one for all that a customer of a provider has; one that nobody knows is empty, and not counted.
    """
    models.LoginFailure.objects.filter(at__lt=now - WINDOW).delete()
    if device:
        who = where = _hashed("device", f"{device} {account_key(name)}")
    else:
        who, where = account_key(name), _hashed("address", address) if address else ""
    attempt = models.LoginFailure.objects.create(name=who, address=where, at=now)
    earlier = models.LoginFailure.objects.filter(pk__lt=attempt.pk)
    same_place = earlier.filter(address=where).count() if where else 0
    if max(same_place, earlier.filter(name=who).count()) >= LIMIT:
        attempt.delete()
        return None
    return attempt


def succeeded(attempt: models.LoginFailure) -> None:
    """The password was right: forget this attempt and the failed ones of this name from this address."""
    models.LoginFailure.objects.filter(name=attempt.name, address=attempt.address).delete()


def account_key(name: str) -> str:
    """What stands for the name of an account where the name itself is not kept."""
    return _hashed("name", name.casefold())


def _hashed(kind: str, value: str) -> str:
    return salted_hmac(f"rubrica.sign_in.{kind}", value, algorithm="sha256").hexdigest()
