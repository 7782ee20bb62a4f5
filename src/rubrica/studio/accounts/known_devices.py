"""Devices on which somebody signed in before: a signed cookie that holds a random id and which accounts they were.

It lets nobody in. It only gives the device an allowance of its own when passwords are guessed
(``store/people/signing_in.py``), so that strangers who guess cannot lock out the owner. A stolen one is worth ten
guesses in ten minutes. Names are kept as keyed hashes, because a computer may be shared.
"""

from __future__ import annotations

import secrets
from typing import NamedTuple

from django.conf import settings
from django.contrib.auth.models import AbstractBaseUser
from django.core import signing
from django.http import HttpRequest, HttpResponse

from rubrica.store.people.signing_in import account_key

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
