"""Links for annotators: signed, revocable, single-purpose.

A token is the invitation's random public id and a keyed hash (HMAC-SHA256, 128 bits of it) of that id, its kind and its
serial number. It is never stored: whoever steals the database cannot make a link without the secret key, and whoever
may see a link can be shown it again. Revoking sets a time; renewing raises the serial, so that the old token is void.
"""

from __future__ import annotations

import base64
import re
from collections.abc import Mapping
from datetime import datetime
from typing import NamedTuple

from django.db import transaction
from django.utils.crypto import constant_time_compare, salted_hmac

from rubrica.core.errors import InputError, wrong
from rubrica.store import audit, models
from rubrica.store.annotators import name_problems

PLATFORMS: Mapping[str, tuple[str, ...]] = {
    "prolific": ("PROLIFIC_PID", "STUDY_ID", "SESSION_ID"),
    "mturk": ("workerId", "assignmentId", "hitId", "turkSubmitTo"),
}
"""The parameters that a platform adds to a link; the first names the person."""

_TOKEN = re.compile(r"([0-9a-z]{16})([A-Za-z0-9_-]{22})")


class Link(NamedTuple):
    """What a token leads to. Exactly one of the two is wrong with a token that leads nowhere."""

    invitation: models.Invitation | None
    revoked: bool = False


def token(invitation: models.Invitation) -> str:
    """The secret part of the link."""
    return invitation.pid + _signature(invitation)


def _signature(invitation: models.Invitation) -> str:
    text = f"{invitation.kind}:{invitation.pid}:{invitation.serial}"
    mac = salted_hmac("rubrica.invitation", text, algorithm="sha256").digest()[:16]
    return base64.urlsafe_b64encode(mac).decode().rstrip("=")


def follow(given: str) -> Link:
    """The invitation of a token, with its study and annotator; nothing for a token that was never made by us."""
    parts = _TOKEN.fullmatch(given)
    if parts is None:
        return Link(None)
    invitation = models.Invitation.objects.select_related("study", "annotator", "came_by").filter(pid=parts[1]).first()
    if invitation is None or not constant_time_compare(_signature(invitation), parts[2]):
        return Link(None)
    if invitation.revoked_at is not None or invitation.study.deleted_at is not None:
        return Link(invitation, revoked=True)
    return Link(invitation)


def invite(study: models.Study, names: list[str], now: datetime, actor: str = "") -> list[models.Invitation]:
    """Personal links for these people, one each; those who have one keep it."""
    problems = name_problems(names)
    if problems:
        raise InputError(*problems)
    with transaction.atomic():
        made = [_personal(study, name, None, now) for name in names]
        audit.record("annotators invited", study, now, actor=actor, count=len(names))
    return made


def _personal(
    study: models.Study, name: str, came_by: models.Invitation | None, now: datetime, language: str = ""
) -> models.Invitation:
    person, _ = models.Annotator.objects.get_or_create(
        study=study, name=name, defaults={"created_at": now, "language": language}
    )
    invitation, _ = models.Invitation.objects.get_or_create(
        annotator=person,
        defaults={"study": study, "kind": "personal", "came_by": came_by, "created_at": now},
    )
    return invitation


def open_door(
    study: models.Study, kind: str, now: datetime, *, cap: int | None = None, code: str = "", actor: str = ""
) -> models.Invitation:
    """A link for people unknown beforehand: ``open`` for anyone, or one for a crowd platform."""
    if kind not in ("open", *PLATFORMS):
        raise wrong(f"there is no kind of link {kind!r}", "link", "Use open, prolific or mturk.", value=kind)
    if cap is not None and cap < 1:
        raise wrong(f"a cap of {cap} lets nobody in", "link", "Use 1 or more, or none.", value=cap)
    with transaction.atomic():
        door = models.Invitation.objects.create(study=study, kind=kind, cap=cap, completion_code=code, created_at=now)
        audit.record("link made", study, now, actor=actor, kind=kind, cap=cap)
    return door


def enter(door: models.Invitation, given: Mapping[str, str], now: datetime, language: str = "") -> models.Invitation:
    """The personal link of whoever comes through this door: their own from before, or a new one.

    On a crowd platform the platform's id of the person decides who it is. Raises InputError when the platform's
    parameters are missing or the cap is reached.
    """
    wanted = PLATFORMS.get(door.kind, ())
    participant = given.get(wanted[0], "").strip()[:200] if wanted else ""
    if wanted and not participant:
        raise wrong(
            f"the link lacks {wanted[0]}", "link", "Open it from the platform's own page, which adds it.", value=""
        )
    with transaction.atomic():
        locked = models.Invitation.objects.select_for_update().select_related("study").get(pk=door.pk)
        details = {name: given[name][:500] for name in wanted if name in given}
        if participant:
            known = models.ExternalIdentity.objects.filter(invitation=locked, participant=participant).first()
            if known is not None:
                known.details = known.details | details
                known.save(update_fields=["details"])
                return models.Invitation.objects.get(annotator=known.annotator_id)
        came = locked.arrivals.count()
        if locked.cap is not None and came >= locked.cap:
            raise wrong(f"all {locked.cap} places are taken", "link_full", "Ask whoever sent you the link.", value=came)
        personal = _personal(locked.study, _next_name(locked.study), locked, now, language)
        if participant:
            assert personal.annotator is not None
            models.ExternalIdentity.objects.create(
                annotator=personal.annotator, invitation=locked, participant=participant, details=details
            )
        return personal


def _next_name(study: models.Study) -> str:
    """A pseudonym that no annotator of the study has."""
    number = study.annotators.count()
    while True:
        number += 1
        name = f"annotator-{number:03}"
        if not study.annotators.filter(name=name).exists():
            return name


def revoke(invitation: models.Invitation, now: datetime, actor: str = "") -> None:
    """Make the link lead nowhere. What was done through it stays."""
    with transaction.atomic():
        invitation.revoked_at = now
        invitation.save(update_fields=["revoked_at"])
        audit.record("link revoked", invitation.study, now, actor=actor, kind=invitation.kind)


def renew(invitation: models.Invitation, now: datetime, actor: str = "") -> None:
    """A new token for the same invitation, revoked or not; the old token is void."""
    with transaction.atomic():
        invitation.revoked_at = None
        invitation.serial += 1
        invitation.save(update_fields=["revoked_at", "serial"])
        audit.record("link renewed", invitation.study, now, actor=actor, kind=invitation.kind)
