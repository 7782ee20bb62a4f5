"""Accounts of researchers: opened through an invitation, switched off and on again by administrators."""

from __future__ import annotations

from datetime import datetime

import attrs
from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.db import transaction

from rubrica.core.errors import Problem, refuse, wrong
from rubrica.store import audit, models
from rubrica.store.people.members import check_role


@attrs.frozen(kw_only=True)
class Invited:
    """What an invitation to make an account promises: the name, and a role in a study or the whole studio."""

    name: str
    by: str
    study: str = ""
    role: str = ""
    admin: bool = False


def check(invited: Invited) -> None:
    """Raise InputError if nobody can be invited like this: the name is impossible or taken, the role unknown."""
    problems = []
    user = User(username=invited.name)
    try:
        user.clean_fields(exclude=["password"])
    except ValidationError as error:
        fix = "Use up to 150 letters, digits and @ . + - _ without spaces."
        problems += [Problem(what=text, rule="account_name", fix=fix) for text in error.messages]
    refuse(problems)
    if User.objects.filter(username__iexact=invited.name).exists():
        fix = "Choose another name, or add the existing account as a member."
        raise wrong(f"there is an account {invited.name!r} already", "account_name", fix, value=invited.name)
    if invited.role:
        check_role(invited.role)


def still_valid(invited: Invited) -> bool:
    """Whether whoever sent the invitation may still promise this, and it was not used yet."""
    sender = User.objects.filter(username=invited.by, is_active=True).first()
    if sender is None or User.objects.filter(username__iexact=invited.name).exists():
        return False
    if sender.is_superuser:
        return not invited.study or models.Study.objects.living().filter(pid=invited.study).exists()
    roles = models.Member.objects.filter(study__pid=invited.study, study__deleted_at=None, user=sender)
    return not invited.admin and roles.filter(role=models.Member.Role.OWNER).exists()


def open_account(invited: Invited, password: str, now: datetime) -> User:
    """Make the account with its role. Raises InputError if the invitation was used or withdrawn meanwhile."""
    with transaction.atomic():
        if not still_valid(invited):
            fix = "Sign in if you have made your account, or ask for a new link."
            raise wrong("this invitation was used or is not valid any more", "invitation", fix)
        study = models.Study.objects.filter(pid=invited.study).first() if invited.study else None
        user = User(username=invited.name, is_superuser=invited.admin, is_staff=invited.admin)
        add(user, password, now, study=study, actor=invited.name, by=invited.by, role=invited.role)
        if study is not None:
            models.Member.objects.create(study=study, user=user, role=invited.role, since=now)
    return user


def add(
    user: User, password: str, now: datetime, *, study: models.Study | None = None, actor: str = "", **detail: str
) -> None:
    """Make an account of which name and password were checked before. Without an actor, whoever runs the command."""
    with transaction.atomic():
        user.set_password(password)
        user.save()
        told = {"account": user.get_username(), "admin": user.is_superuser, **detail}
        audit.record("account made", study, now, actor=actor, **told)


def switch_off(user: User, now: datetime, actor: str) -> None:
    """Nobody can sign in with the account any more, its tokens stop working; what it did stays. Can be undone."""
    with transaction.atomic():
        others = User.objects.select_for_update().filter(is_superuser=True, is_active=True).exclude(pk=user.pk)
        if user.is_superuser and not list(others):
            fix = "Make another account an administrator first."
            raise wrong(f"{user.get_username()} is the only administrator", "administrator", fix)
        if User.objects.filter(pk=user.pk, is_active=True).update(is_active=False):
            audit.record("account switched off", None, now, actor=actor, account=user.get_username())


def switch_on(user: User, now: datetime, actor: str) -> None:
    """Let the account sign in again."""
    with transaction.atomic():
        if User.objects.filter(pk=user.pk, is_active=False).update(is_active=True):
            audit.record("account switched on", None, now, actor=actor, account=user.get_username())


def change_password(user: User, password: str, now: datetime, actor: str) -> None:
    """Set a password that was checked before. Sessions elsewhere end."""
    with transaction.atomic():
        user.set_password(password)
        user.save(update_fields=["password"])
        audit.record("password changed", None, now, actor=actor, account=user.get_username())
