"""Links for accounts: to make one that was promised, and to set a new password. Signed, never stored.

An invitation names the account that it makes, so it works once: then the name is taken. A link for a new password holds
a keyed hash of the old one, so it works once too. Both end by time, and when whoever sent them may not any more.
"""

from __future__ import annotations

from typing import Any

import attrs
from django.contrib.auth.models import User
from django.core import signing
from django.utils.crypto import constant_time_compare, salted_hmac

from rubrica.store.people.accounts import Invited, still_valid

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


def new_password(user: User) -> str:
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
