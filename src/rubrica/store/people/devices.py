"""The seat of a crowd platform's person in a study: bound to a device, so that an id alone opens nothing.

Pages call it their place; here a place is always one of an item's overlap (``allocation/overlap.py``).

The platform's id of a person is a plain parameter of the link, which others may know. So the first device that uses a
seat gets a secret (a cookie), and only that device is let in again; in MTurk's frame, where a browser may keep no
cookie, the assignment does as well, which MTurk gives to nobody else. The person moves the seat to another device with
a code that is shown once; the researcher sets it free, and whoever held it loses it.

Only digests are kept. Each holds for one seat: the database does not tell that two seats are used by one device.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import NamedTuple

from django.db import transaction
from django.db.models import F
from django.utils.crypto import constant_time_compare, salted_hmac

from rubrica.core import completion_code
from rubrica.core.errors import wrong
from rubrica.home.database import current_home, secret_key
from rubrica.store import audit, models
from rubrica.store.allocation.eligibility import barred
from rubrica.store.people.identities import erased_problem, tombstones
from rubrica.store.stages import current_stages
from rubrica.store.translate import protocol_of

ASSIGNMENT = "assignmentId"
"""What MTurk calls the assignment in the link."""
CODE_HOLDS = timedelta(minutes=30)
CODE_TRIES = 5
"""So many wrong codes make it void: 32^8 codes and five guesses."""


def new_device() -> str:
    """The secret of a device that has none yet."""
    return secrets.token_urlsafe(24)


def device_digest(seat: models.ExternalIdentity, device: str) -> str:
    """What is kept of a device's secret; nothing of none."""
    return _digest("device", seat, device) if device else ""


def _digest(kind: str, seat: models.ExternalIdentity, value: str) -> str:
    key = f"{seat.annotator.pid}:{value}"
    secret = secret_key(current_home())
    return salted_hmac(f"rubrica.place.{kind}", key, secret=secret, algorithm="sha256").hexdigest()


def find(door: models.Invitation, identity: str) -> models.ExternalIdentity | None:
    """The seat that this person has in the door's study; the one of this very door before any other."""
    seats = models.ExternalIdentity.objects.select_related("annotator__study").filter(
        annotator__study=door.study_id, annotator__identity=identity
    )
    return seats.filter(invitation=door).first() or seats.order_by("pk").first()


def is_theirs(seat: models.ExternalIdentity, device: str, details: Mapping[str, str]) -> bool:
    """Whether whoever comes shows that the seat is theirs: by the device, or by MTurk's assignment."""
    if device and seat.device and constant_time_compare(seat.device, device_digest(seat, device)):
        return True
    before, now = seat.details.get(ASSIGNMENT, ""), details.get(ASSIGNMENT, "")
    return seat.invitation.kind == models.Invitation.Kind.MTURK and bool(before) and constant_time_compare(before, now)


def is_known(seat: models.ExternalIdentity, door: models.Invitation, details: Mapping[str, str]) -> bool:
    """Whether coming back by this door with these details changes nothing about a seat that has its device."""
    return bool(seat.device) and seat.invitation_id == door.pk and {**seat.details, **details} == seat.details


def return_to(seat: models.ExternalIdentity, door: models.Invitation, device: str, details: Mapping[str, str]) -> None:
    """Let its person back to a seat. The first device that comes to a free seat keeps it. Inside a transaction.

    Raises InputError for any other device.
    """
    if seat.device and not is_theirs(seat, device, details):
        fix = "Go on there, or move the place with a code that the menu there gives."
        raise wrong("this place is in use on another device", "other_device", fix)
    bound = seat.device or device_digest(seat, device)
    seat.update(device=bound, details={**seat.details, **details}, invitation=door)


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
    """A code that moves the annotator's seat to another device, once. It voids an earlier one."""
    with transaction.atomic():
        seat = _locked(annotator)
        if seat is None:
            raise wrong("only a place of a crowd platform is bound to a device", "place", "Use your own link there.")
        code = completion_code.new_code()
        seat.update(code=_digest("code", seat, code), code_until=now + CODE_HOLDS, code_tries=0)
    return code


class Moved(NamedTuple):
    """What became of a code: the seat's personal link, or nothing, with how many tries are left."""

    invitation: models.Invitation | None
    tries_left: int = 0


def move(seat: models.ExternalIdentity, code: str, device: str, now: datetime) -> Moved:
    """Bind the seat to this device, if the code is the one that was shown and still holds."""
    said = "".join(code.split()).replace("-", "").upper()
    with transaction.atomic():
        row = _locked(seat.annotator)
        if row is None or not row.code or row.code_until is None or row.code_until < now:
            return Moved(None)
        if not constant_time_compare(row.code, _digest("code", row, said)):
            left = CODE_TRIES - row.code_tries - 1
            row.update(code=row.code if left > 0 else "", code_tries=row.code_tries + 1)
            return Moved(None, left)
        row.update(device=device_digest(row, device), code="", code_until=None, code_tries=0)
        audit.record("place moved", row.annotator.study, now, actor="annotator", annotator=row.annotator.pid)
        return Moved(row.annotator.invitation)


def reset(annotator: models.Annotator, now: datetime, actor: str = "") -> bool:
    """Set a seat free for the next device that comes with its id; False if there is none.

    The personal link is made anew: whoever used the seat until now, perhaps a stranger, loses it.
    """
    with transaction.atomic():
        seat = _locked(annotator)
        if seat is None:
            return False
        details = {name: value for name, value in seat.details.items() if name != ASSIGNMENT}
        seat.update(device="", code="", code_until=None, details=details)
        models.Invitation.objects.filter(annotator=annotator).update(serial=F("serial") + 1)
        audit.record("place reset", annotator.study, now, actor=actor, annotator=annotator.pid)
    return True


def _locked(annotator: models.Annotator) -> models.ExternalIdentity | None:
    rows = models.ExternalIdentity.objects.select_for_update(of=("self",)).select_related("annotator__study")
    return rows.filter(annotator=annotator).first()
