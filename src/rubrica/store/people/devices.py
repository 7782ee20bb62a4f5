"""The place of a crowd platform's person in a study: bound to a device, so that an id alone opens nothing.

The platform's id of a person is a plain parameter of the link, which others may know. So the first device that uses a
place gets a secret (a cookie), and only that device is let in again; in MTurk's frame, where a browser may keep no
cookie, the assignment does as well, which MTurk gives to nobody else. The person moves the place to another device with
a code that is shown once; the researcher sets it free, and whoever held it loses it.

Only digests are kept. Each holds for one place: the database does not tell that two places are used by one device.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import NamedTuple

from django.db import transaction
from django.utils.crypto import constant_time_compare, salted_hmac

from rubrica.core.errors import wrong
from rubrica.store import audit, models
from rubrica.store.allocation.eligibility import barred
from rubrica.store.database import current_home, secret_key
from rubrica.store.parts import current_stages
from rubrica.store.people import completion_code
from rubrica.store.people.identities import erased_problem, tombstones
from rubrica.store.translate import protocol_of

ASSIGNMENT = "assignmentId"
"""What MTurk calls the assignment in the link."""
CODE_HOLDS = timedelta(minutes=30)
CODE_TRIES = 5
"""So many wrong codes make it void: 32^8 codes and five guesses."""


def new_device() -> str:
    """The secret of a device that has none yet."""
    return secrets.token_urlsafe(24)


def device_digest(place: models.ExternalIdentity, device: str) -> str:
    """What is kept of a device's secret; nothing of none."""
    return _digest("device", place, device) if device else ""


def _digest(kind: str, place: models.ExternalIdentity, value: str) -> str:
    key = f"{place.annotator.pid}:{value}"
    secret = secret_key(current_home())
    return salted_hmac(f"rubrica.place.{kind}", key, secret=secret, algorithm="sha256").hexdigest()


def find(door: models.Invitation, identity: str) -> models.ExternalIdentity | None:
    """The place that this person has in the door's study; the one of this very door before any other."""
    places = models.ExternalIdentity.objects.select_related("annotator__study").filter(
        annotator__study=door.study_id, annotator__identity=identity
    )
    return places.filter(invitation=door).first() or places.order_by("pk").first()


def is_free(place: models.ExternalIdentity) -> bool:
    """Whether the place waits for its first device."""
    return not place.device


def is_theirs(place: models.ExternalIdentity, device: str, details: Mapping[str, str]) -> bool:
    """Whether whoever comes shows that the place is theirs: by the device, or by MTurk's assignment."""
    if device and place.device and constant_time_compare(place.device, device_digest(place, device)):
        return True
    before, now = place.details.get(ASSIGNMENT, ""), details.get(ASSIGNMENT, "")
    return place.invitation.kind == models.Invitation.Kind.MTURK and bool(before) and constant_time_compare(before, now)


def is_known(place: models.ExternalIdentity, door: models.Invitation, details: Mapping[str, str]) -> bool:
    """Whether coming back by this door with these details changes nothing about a place that has its device."""
    return not is_free(place) and place.invitation_id == door.pk and {**place.details, **details} == place.details


def return_to(place: models.ExternalIdentity, door: models.Invitation, device: str, details: Mapping[str, str]) -> None:
    """Let its person back to a place. The first device that comes to a free place keeps it. Inside a transaction.

    Raises InputError for any other device.
    """
    if is_free(place):
        place.device = device_digest(place, device)
    elif not is_theirs(place, device, details):
        fix = "Go on there, or move the place with a code that the menu there gives."
        raise wrong("this place is in use on another device", "other_device", fix)
    place.details, place.invitation = {**place.details, **details}, door
    place.save(update_fields=["device", "details", "invitation"])


def refuse_if_barred(study: models.Study, identity: str) -> None:
    """Tell a newcomer at the door what they would be told at the work: that they may not take part, and why."""
    stone = tombstones(study, {"": identity}).get("")
    if stone is not None:
        raise wrong(erased_problem(study, stone, "this person").what, "erased", "Nothing can be done about it.")
    stages = current_stages(study)
    reasons = [barred(stage, protocol_of(stage), {"": identity}) for stage in stages]
    if stages and all(reasons):
        raise wrong("this study is for other people", "not_eligible", "Thank you.", value=reasons[0][0].why)


def new_code(annotator: models.Annotator, now: datetime) -> str:
    """A code that moves the annotator's place to another device, once. It voids an earlier one."""
    with transaction.atomic():
        place = _locked(annotator)
        if place is None:
            raise wrong("only a place of a crowd platform is bound to a device", "place", "Use your own link there.")
        code = completion_code.new_code()
        place.code, place.code_until, place.code_tries = _digest("code", place, code), now + CODE_HOLDS, 0
        place.save(update_fields=["code", "code_until", "code_tries"])
    return code


class Moved(NamedTuple):
    """What became of a code: the place's personal link, or nothing, with how many tries are left."""

    invitation: models.Invitation | None
    tries_left: int = 0


def move(place: models.ExternalIdentity, code: str, device: str, now: datetime) -> Moved:
    """Bind the place to this device, if the code is the one that was shown and still holds."""
    said = "".join(code.split()).replace("-", "").upper()
    with transaction.atomic():
        row = _locked(place.annotator)
        if row is None or not row.code or row.code_until is None or row.code_until < now:
            return Moved(None)
        if not constant_time_compare(row.code, _digest("code", row, said)):
            row.code_tries += 1
            row.code = "" if row.code_tries >= CODE_TRIES else row.code
            row.save(update_fields=["code", "code_tries"])
            return Moved(None, CODE_TRIES - row.code_tries)
        row.device, row.code, row.code_until, row.code_tries = device_digest(row, device), "", None, 0
        row.save(update_fields=["device", "code", "code_until", "code_tries"])
        audit.record("place moved", row.annotator.study, now, actor="annotator", annotator=row.annotator.pid)
        return Moved(models.Invitation.objects.get(annotator=row.annotator_id))


def reset(annotator: models.Annotator, now: datetime, actor: str = "") -> bool:
    """Set a place free for the next device that comes with its id; False if there is none.

    The personal link is made anew: whoever used the place until now, perhaps a stranger, loses it.
    """
    with transaction.atomic():
        place = _locked(annotator)
        if place is None:
            return False
        place.device, place.code, place.code_until = "", "", None
        place.details = {name: value for name, value in place.details.items() if name != ASSIGNMENT}
        place.save(update_fields=["device", "code", "code_until", "details"])
        link = models.Invitation.objects.select_for_update().get(annotator=annotator)
        link.serial += 1
        link.save(update_fields=["serial"])
        audit.record("place reset", annotator.study, now, actor=actor, annotator=annotator.pid)
    return True


def _locked(annotator: models.Annotator) -> models.ExternalIdentity | None:
    rows = models.ExternalIdentity.objects.select_for_update(of=("self",)).select_related("annotator__study")
    return rows.filter(annotator=annotator).first()
