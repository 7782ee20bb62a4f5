"""Guessing passwords is made slow: after ten failed attempts for a name or from an address, ten minutes of waiting.

Attempts are rows, so that all worker processes count together. Each is written down before the password is looked at
and taken away when it was right: many guesses sent at once cannot slip through. Names and addresses are kept as keyed
hashes, for ten minutes.
"""

from __future__ import annotations

from datetime import datetime, timedelta

from django.db.models import Q
from django.utils.crypto import salted_hmac

from rubrica.store import models

LIMIT = 10
WINDOW = timedelta(minutes=10)


def begin(name: str, address: str, now: datetime) -> models.LoginFailure | None:
    """Count an attempt as failed until it succeeds; nothing if the name or the address must wait."""
    models.LoginFailure.objects.filter(at__lt=now - WINDOW).delete()
    who, where = _hashed("name", name.casefold()), _hashed("address", address)
    attempt = models.LoginFailure.objects.create(name=who, address=where, at=now)
    earlier = models.LoginFailure.objects.filter(Q(name=who) | Q(address=where), pk__lt=attempt.pk)
    same_name = sum(found == who for found in earlier.values_list("name", flat=True))
    same_place = sum(found == where for found in earlier.values_list("address", flat=True))
    if max(same_name, same_place) >= LIMIT:
        attempt.delete()
        return None
    return attempt


def succeeded(attempt: models.LoginFailure) -> None:
    """The password was right: forget this attempt and the failed ones of this name from this address."""
    models.LoginFailure.objects.filter(name=attempt.name, address=attempt.address).delete()


def _hashed(kind: str, value: str) -> str:
    return salted_hmac(f"rubrica.sign_in.{kind}", value, algorithm="sha256").hexdigest()
