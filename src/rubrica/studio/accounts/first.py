"""The first account of a new studio: made through a link that `rubrica serve` prints, while there is no account."""

from __future__ import annotations

from django.contrib.auth.models import User
from django.core import signing

SALT = "rubrica.first_account"
HOURS = 24


def needed() -> bool:
    """Whether nobody can sign in yet."""
    return not User.objects.filter(is_active=True).exists()


def token() -> str:
    """The secret of the link; good for a day."""
    return signing.dumps("first", salt=SALT)


def is_valid(given: str) -> bool:
    """Whether the link is ours, not too old, and still needed."""
    try:
        return signing.loads(given, salt=SALT, max_age=HOURS * 3600) == "first" and needed()
    except signing.BadSignature:
        return False
