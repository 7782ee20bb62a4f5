"""Personal tokens for the API.

A token is ``rub_`` and 256 random bits, so a plain SHA-256 is kept of it: there is nothing to guess, and a slow hash
for passwords would cost every request. It is found by its digest through a unique index, which tells a prober nothing
about tokens that are close.
"""

from __future__ import annotations

import hashlib
import secrets
from datetime import datetime, timedelta
from typing import NamedTuple

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Q, QuerySet

from rubrica.core.errors import wrong
from rubrica.core.typed import storable
from rubrica.home.database_trouble import now_or_later
from rubrica.store import audit, models

PREFIX = "rub_"
MOST = 50
"""How many tokens one account can have at a time."""
_FRESH = timedelta(minutes=1)
"""How exact "last used" is: a busy script does not write at every request."""


class Made(NamedTuple):
    """A new token, to be shown once, and its row."""

    token: str
    row: models.ApiToken


def make(user: User, name: str, now: datetime) -> Made:
    """A token for this account. Raises InputError if the name is empty, too long, or there are too many."""
    name = name.strip()
    if not name or len(name) > 100 or not storable(name):
        fix = "Say what it is for in 1 to 100 characters, for instance the name of a script."
        raise wrong("the name of the token cannot be used", "token_name", fix, value=name[:200])
    token = PREFIX + secrets.token_urlsafe(32)
    with transaction.atomic():
        if valid(user).filter(name=name).exists():
            fix = "Choose another name, or revoke the old one first."
            raise wrong(f"there is a token {name!r} already", "token_name", fix, value=name)
        if valid(user).count() >= MOST:
            raise wrong(f"there are {MOST} tokens already", "tokens", "Revoke one that is not used.", value=MOST)
        row = models.ApiToken.objects.create(user=user, name=name, digest=_digest(token), created_at=now)
        audit.record("token made", None, now, actor=user.get_username(), token=row.pid)
    return Made(token, row)


def user_of(token: str, now: datetime | None = None) -> User | None:
    """Whose token this is; nobody if it is unknown, revoked, or the account is not active.

    With ``now`` the use is written down, at most once a minute.
    """
    digest = _digest(token)
    row = models.ApiToken.objects.select_related("user").filter(digest=digest, revoked_at=None).first()
    if row is None or not row.user.is_active:
        return None
    if now is not None and (row.used_at is None or now - row.used_at >= _FRESH):
        stale = Q(used_at=None) | Q(used_at__lt=now)
        used = models.ApiToken.objects.filter(stale, pk=row.pk)
        now_or_later(lambda: used.update(used_at=now))
    return row.user


def valid(user: User) -> QuerySet[models.ApiToken]:
    """The tokens of this account that work, the newest first."""
    return models.ApiToken.objects.filter(user=user, revoked_at=None).order_by("-created_at", "-pk")


def revoke(user: User, pid: str, now: datetime) -> bool:
    """Make one of the account's tokens void, for good. Whether there was such a token."""
    with transaction.atomic():
        gone = valid(user).filter(pid=pid).update(revoked_at=now)
        if gone:
            audit.record("token revoked", None, now, actor=user.get_username(), token=pid)
    return bool(gone)


def _digest(token: str) -> str:
    return hashlib.sha256(token.encode(errors="replace")).hexdigest()
