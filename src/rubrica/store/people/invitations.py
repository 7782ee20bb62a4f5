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
from itertools import count
from typing import NamedTuple

from django.db import transaction
from django.utils.crypto import constant_time_compare, salted_hmac

from rubrica.core.annotator_names import name_problems
from rubrica.core.crowd_platforms import PLATFORMS, Visit, visit_of
from rubrica.core.errors import refuse, wrong
from rubrica.store import audit, models
from rubrica.store.people import devices
from rubrica.store.people.annotators import first_unused, named, spelling_problems
from rubrica.store.people.identities import matching, of_platform, unknown
from rubrica.store.translate import joined

Kind = models.Invitation.Kind
MOST_PLACES = 1_000_000

_TOKEN = re.compile(r"([0-9a-z]{16})([A-Za-z0-9_-]{22})")


class Link(NamedTuple):
    """What a token leads to. Exactly one of the two is wrong with a token that leads nowhere."""

    invitation: models.Invitation | None
    revoked: bool = False


def token(invitation: models.Invitation) -> str:
    """The secret part of the link."""
    return invitation.pid + _mac(invitation.kind, invitation.pid, invitation.serial)


class Parts(NamedTuple):
    """A token in its parts."""

    pid: str
    signature: str


def parted(given: str) -> Parts | None:
    """The parts of what may be a token; nothing if it cannot be one."""
    parts = _TOKEN.fullmatch(given)
    return Parts(parts[1], parts[2]) if parts else None


def signed(parts: Parts, kind: str, serial: int) -> bool:
    """Whether we made this token for an invitation of that kind and serial number."""
    return constant_time_compare(_mac(kind, parts.pid, serial), parts.signature)


def _mac(kind: str, pid: str, serial: int) -> str:
    text = f"{kind}:{pid}:{serial}"
    mac = salted_hmac("rubrica.invitation", text, algorithm="sha256").digest()[:16]
    return base64.urlsafe_b64encode(mac).decode().rstrip("=")


_LINK = """
FROM store_invitation link
JOIN store_study study ON study.id = link.study_id
LEFT JOIN store_annotator person ON person.id = link.annotator_id
LEFT JOIN store_invitation door ON door.id = link.came_by_id
WHERE link.pid = %s
"""


def follow(given: str) -> Link:
    """The invitation of a token, with its study and annotator; nothing for a token that was never made by us."""
    parts = parted(given)
    if parts is None:
        return Link(None)
    tables = {"link": models.Invitation, "study": models.Study, "person": models.Annotator, "door": models.Invitation}
    for link, study, person, door in joined(_LINK, parts.pid, **tables):
        if not signed(parts, link.kind, link.serial):
            break
        link.study, link.annotator, link.came_by = study, person, door
        if person is not None:
            person.study = study
        return Link(link, revoked=link.revoked_at is not None or study.deleted_at is not None)
    return Link(None)


def invite(study: models.Study, names: list[str], now: datetime, actor: str = "") -> list[models.Invitation]:
    """Personal links for these people, one each; those who have one keep it."""
    with transaction.atomic():
        models.Study.objects.select_for_update(no_key=True).get(pk=study.pk)
        refuse(name_problems(names) or spelling_problems(study, names))
        people = named(study, names, now)
        invitations = models.Invitation.objects.all()
        links = {link.annotator_id: link for link in matching(invitations, "annotator", list(people.values()))}
        fresh = [person for person in people.values() if person.pk not in links]
        made = models.Invitation.objects.bulk_create(
            models.Invitation(study=study, kind=Kind.PERSONAL, annotator=person, created_at=now) for person in fresh
        )
        links |= {link.annotator_id: link for link in made}
        audit.record("annotators invited", study, now, actor=actor, count=len(names))
    return [links[person.pk] for person in people.values()]


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


def enter(
    door: models.Invitation, given: Mapping[str, str], now: datetime, language: str = "", device: str = ""
) -> models.Invitation:
    """The personal link of whoever comes through this door: their own from before, or a new one.

    On a crowd platform the platform's id of the person decides who it is, and the secret of the ``device`` whether it
    is they (``devices``); without one, as in a script, the place stays free for the first device. Raises InputError
    when the platform's parameters are missing, the cap is reached, the place is bound to another device, or the
    person may not take part.
    """
    found = arriving(door, given)
    with transaction.atomic():
        # One at a time for the whole study: pseudonyms are counted, and two doors must not give the same.
        study = models.Study.objects.select_for_update(no_key=True).get(pk=door.study_id)
        locked = models.Invitation.objects.get(pk=door.pk)
        if locked.revoked_at is not None or study.deleted_at is not None:
            raise wrong("this link was withdrawn", "link_ended", "Ask whoever sent you the link.")
        place = devices.find(locked, found.identity) if found.identity else None
        if place is not None:
            devices.return_to(place, locked, device, found.visit.details)
            return link_of(place.annotator)
        if found.identity:
            devices.refuse_if_barred(study, found.identity)
        came = locked.arrivals.count()
        if locked.cap is not None and came >= locked.cap:
            raise wrong(f"all {locked.cap} places are taken", "link_full", "Ask whoever sent you the link.", value=came)
        return _newcomer(locked, found, now, language, device)


def link_of(annotator: models.Annotator) -> models.Invitation:
    """The personal link of somebody who came through a door."""
    return models.Invitation.objects.get(annotator=annotator)


class Arriving(NamedTuple):
    """Who comes through a door, and who that is in all studies; through an open link nobody is known."""

    visit: Visit
    identity: str = ""


def arriving(door: models.Invitation, given: Mapping[str, str]) -> Arriving:
    """Who the parameters of the link name. Raises InputError if they name nobody."""
    visit = visit_of(door.kind, given)
    return Arriving(visit, of_platform(door.kind, visit.participant) if visit.participant else "")


def _newcomer(door: models.Invitation, found: Arriving, now: datetime, language: str, device: str) -> models.Invitation:
    """A new annotator under a pseudonym, with a link of their own."""
    person = models.Annotator.objects.create(
        study=door.study,
        name=first_unused(
            door.study, (f"annotator-{number:03}" for number in count(door.study.annotators.count() + 1))
        ),
        identity=found.identity or unknown(),
        created_at=now,
        language=language,
    )
    personal = models.Invitation.objects.create(
        study=door.study, kind=Kind.PERSONAL, annotator=person, came_by=door, created_at=now
    )
    if found.identity:
        place = models.ExternalIdentity(
            annotator=person, invitation=door, participant=found.visit.participant, details=dict(found.visit.details)
        )
        place.device = devices.device_digest(place, device)
        place.save()
    return personal


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


def change_cap(door: models.Invitation, cap: int | None, now: datetime, actor: str) -> None:
    """Let more or fewer people through a door. Who has come stays."""
    with transaction.atomic():
        locked = models.Invitation.objects.select_for_update().get(pk=door.pk)
        if locked.cap != cap:
            locked.cap = cap
            locked.save(update_fields=["cap"])
            audit.record("cap changed", door.study, now, actor=actor, kind=door.kind, cap=cap)
