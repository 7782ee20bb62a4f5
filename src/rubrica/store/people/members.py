"""Researchers of a study: added, given another role, removed; a study always keeps an owner.

One change of a team at a time, with the study held, so that two cannot remove the last owner together.
"""

from __future__ import annotations

from datetime import datetime

from django.contrib.auth.models import User

from rubrica.core.errors import wrong
from rubrica.core.text_helpers import did_you_mean
from rubrica.store import audit, models

Role = models.Member.Role
GIVEN = Role.values[:-1]
"""Roles that can be given; the owner's is transferred."""


def members_of(study: models.Study) -> list[models.Member]:
    """The members with their accounts: by role, the owner first, then by name."""
    rank = {role: -number for number, role in enumerate(Role.values)}
    found = study.members.select_related("user")
    return sorted(found, key=lambda member: (rank[member.role], member.user.get_username()))


def add(study: models.Study, name: str, role: str, now: datetime, actor: str) -> models.Member:
    """Give an existing account a role. Adding a member again gives the new role; the owner's stays."""
    check_role(role)
    with study.held():
        user = account(name)
        member = models.Member.objects.filter(study=study, user=user).first()
        if member is not None and member.role == Role.OWNER:
            fix = "Transfer the study to somebody else first."
            raise wrong(f"{user.get_username()} owns this study", "owner", fix, value=user.get_username())
        if member is not None and member.role == role:
            return member
        member, made = models.Member.objects.update_or_create(
            study=study, user=user, defaults={"role": role}, create_defaults={"role": role, "since": now}
        )
        action = "member added" if made else "role changed"
        audit.record(action, study, now, actor=actor, member=user.get_username(), role=role)
    return member


def remove(study: models.Study, user: User, now: datetime, actor: str) -> str:
    """Take a member out; the role they had, nothing if they were none. The last owner stays."""
    with study.held():
        member = models.Member.objects.filter(study=study, user=user).first()
        if member is None:
            return ""
        if member.role == Role.OWNER and study.members.filter(role=Role.OWNER).count() == 1:
            fix = "A study always has an owner: transfer it to somebody else first."
            raise wrong(f"{user.get_username()} is the only owner", "owner", fix, value=user.get_username())
        member.delete()
        audit.record("member removed", study, now, actor=actor, member=user.get_username(), role=member.role)
    return member.role


def transfer(study: models.Study, to: User, now: datetime, actor: str) -> None:
    """Make another member the owner; who owned the study until now becomes a manager."""
    with study.held():
        member = models.Member.objects.filter(study=study, user=to).first()
        if member is None or not to.is_active:
            fix = "Add them as a member first, with an account that is active."
            raise wrong(f"{to.get_username()} cannot own this study", "owner", fix, value=to.get_username())
        if member.role == Role.OWNER:
            return
        study.members.filter(role=Role.OWNER).update(role=Role.MANAGER)
        member.update(role=Role.OWNER)
        audit.record("study transferred", study, now, actor=actor, member=to.get_username())


def account(name: str) -> User:
    """The active account of this name. Raises InputError if there is none; only whole names are told."""
    user = User.objects.filter(username=name.strip(), is_active=True).first()
    if user is None:
        fix = "Check the spelling, or send an invitation to make an account."
        raise wrong(f"there is no account {name.strip()[:150]!r}", "account", fix, value=name[:200])
    return user


def check_role(role: str) -> None:
    """Raise InputError if this is no role that can be given."""
    if role not in GIVEN:
        fix = did_you_mean(role, GIVEN, f"Use one of {', '.join(GIVEN)}.")
        raise wrong(f"there is no role {role[:50]!r} to give", "role", fix, value=role[:50])
