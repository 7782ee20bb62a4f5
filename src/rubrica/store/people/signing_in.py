"""Guessing passwords is made slow: after ten failed attempts for a name or from an address, ten minutes of waiting.

That alone would let anybody lock a researcher out by guessing wrong on purpose. So a device on which an account was
signed in before is known (``studio/accounts/sign_in.py``), and its attempts count by themselves: whatever others
do, it has its own ten. From an unknown device the owner waits with everybody else, or uses a link from an
administrator, which makes the device known.

Attempts are rows, so that all worker processes count together. Each is written down before the password is looked at
and taken away when it was right: many guesses sent at once cannot slip through. Names and addresses are kept as keyed
hashes, for ten minutes.
"""

from __future__ import annotations

from datetime import datetime, timedelta

from django.utils.crypto import salted_hmac

from rubrica.store import models

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
