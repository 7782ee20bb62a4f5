"""Links for annotators: signed, revocable, single-purpose.

A token is the invitation's random public id and a keyed hash (HMAC-SHA256, 128 bits of it) of that id, its kind and its
serial number. It is never stored: whoever steals the database cannot make a link without the secret key, and whoever
may see a link can be shown it again. Revoking sets a time; renewing raises the serial, so that the old token is void.
"""

from __future__ import annotations

import base64
import re
from collections.abc import Mapping, Sequence
from datetime import datetime
from itertools import count
from typing import NamedTuple

from django.db import transaction
from django.utils.crypto import constant_time_compare, salted_hmac

from rubrica.core.crowd_platforms import Visit, check_door, visit_of
from rubrica.core.errors import Problem, refuse, wrong
from rubrica.core.names import annotator_name_problems
from rubrica.exchange.study_options import Options
from rubrica.store import audit, models
from rubrica.store.people import devices
from rubrica.store.people.annotators import first_unused, named, spelling_problems
from rubrica.store.people.identities import erased_problems, identities_of, matching, of_platform, unknown
from rubrica.store.stages import current_stages, part_of
from rubrica.store.translate import joined, version_known

Kind = models.Invitation.Kind
MOST_PLACES = 1_000_000

_TOKEN = re.compile(r"([0-9a-z]{16})([A-Za-z0-9_-]{22})")
_ID = re.compile(r"[0-9a-z]{1,16}")


class Link(NamedTuple):
    """What a token leads to: nothing, something that was ``revoked``, or somebody, who may have ``withdrawn``."""

    invitation: models.Invitation | None
    revoked: bool = False
    leases: Sequence[models.Assignment] = ()
    withdrawn: bool = False


def token(invitation: models.Invitation) -> str:
    """The secret part of the link."""
    return invitation.pid + _mac(invitation.kind, invitation.pid, invitation.serial)


def _mac(kind: str, pid: str, serial: int) -> str:
    text = f"{kind}:{pid}:{serial}"
    mac = salted_hmac("rubrica.invitation", text, algorithm="sha256").digest()[:16]
    return base64.urlsafe_b64encode(mac).decode().rstrip("=")


_DECISION = ", (SELECT decision FROM store_consent WHERE annotator_id = link.annotator_id ORDER BY id DESC LIMIT 1)"
_VERSION = ", (SELECT hash FROM store_protocolversion WHERE id = stage.protocol_version_id)"
"""Not joined, as items are only where they are wanted: PostgreSQL takes longer to plan a long join than to run it."""
_LINK = """
FROM store_invitation link
JOIN store_study study ON study.id = link.study_id
LEFT JOIN store_annotator person ON person.id = link.annotator_id
"""
_LEASES = """
LEFT JOIN store_assignment lease ON lease.annotator_id = link.annotator_id AND lease.pid IN %s
LEFT JOIN store_stage stage ON stage.id = lease.stage_id
"""
_ITEMS = "LEFT JOIN store_item item ON item.id = lease.item_id\n"
_WHOSE = {"link": models.Invitation, "study": models.Study, "person": models.Annotator}
_WHAT = {"lease": models.Assignment, "stage": models.Stage}


def follow(given: str, leases: Sequence[str] = (), *, items: bool = False) -> Link:
    """The invitation of a token, with its study and annotator; nothing for a token that was never made by us.

    With ``leases`` (public ids) also those of them that are this annotator's, with all that saving needs, the ``items``
    if they are asked for: every save begins with them.
    """
    parts = _TOKEN.fullmatch(given)
    if parts is None:
        return Link(None)
    pid, signature = parts.groups()
    wanted = [pid for pid in leases if _ID.fullmatch(pid)]
    if wanted:
        statement = f"{_VERSION}{_DECISION}{_LINK}{_LEASES}{_ITEMS if items else ''}WHERE link.pid = %s"
        tables = _WHOSE | _WHAT | ({"item": models.Item} if items else {})
        rows = list(joined(statement, wanted, pid, **tables))
    else:
        rows = list(joined(f"{_DECISION}{_LINK}WHERE link.pid = %s", pid, **_WHOSE))
    if not rows or not constant_time_compare(_mac(rows[0][0].kind, pid, rows[0][0].serial), signature):
        return Link(None)
    link, study, person, *_, decision = rows[0]
    link.study, link.annotator = study, person
    if person is not None:
        person.study = study
    found = []
    for _, _, _, lease, stage, *item, version, _ in rows if wanted else ():
        if lease is not None:
            lease.stage, lease.annotator = stage, person
            stage.protocol_version, stage.study = version_known(stage.protocol_version_id, version), study
            if items:
                (lease.item,) = item
            found.append(lease)
    revoked = link.revoked_at is not None or study.deleted_at is not None
    return Link(link, revoked, found, decision == models.Consent.Decision.WITHDRAWN)


def invite(
    study: models.Study, names: list[str], now: datetime, actor: str = "", *, step: str = "", pseudonyms: bool = False
) -> list[models.Invitation]:
    """Personal links for these people, one each, for this step of the study or for all; those who have one keep it.

    With ``pseudonyms`` newcomers are called A1, A2, … wherever data leave the studio, and the name stays a note.
    """
    refuse(_step_problems(study, step))
    with study.held():
        refuse(annotator_name_problems(names) or spelling_problems(study, names))
        people = _under_pseudonyms(study, names, now) if pseudonyms else named(study, names, now)
        invitations = models.Invitation.objects.all()
        links = {link.annotator_id: link for link in matching(invitations, "annotator", list(people.values()))}
        made = models.Invitation.objects.bulk_create(
            models.Invitation(
                study=study,
                kind=Kind.PERSONAL,
                annotator=person,
                created_at=now,
                step=step,
                note="" if name == person.name else name,
            )
            for name, person in people.items()
            if person.pk not in links
        )
        links |= {link.annotator_id: link for link in made}
        audit.record("annotators invited", study, now, actor=actor, count=len(names))
    return [links[person.pk] for person in people.values()]


def _under_pseudonyms(study: models.Study, names: Sequence[str], now: datetime) -> dict[str, models.Annotator]:
    """These people by name: those whom the study knows, under a pseudonym or not, and new ones.

    Who somebody is follows from the name, not from the pseudonym: rules about people hold as if it were not there.
    """
    identities = identities_of(study, names)
    refuse(erased_problems(study, identities))
    here = matching(study.annotators.living(), "identity", list(identities.values()))
    known = {person.identity: person for person in here}
    fresh = [name for name in names if identities[name] not in known]
    taken = {*study.annotators.values_list("name", flat=True), *study.items.values_list("author", flat=True).distinct()}
    numbered = (f"A{number}" for number in count(study.annotators.count() + 1))
    free = (name for name in numbered if name not in taken)
    made = models.Annotator.objects.bulk_create(
        models.Annotator(study=study, name=next(free), identity=identities[name], created_at=now) for name in fresh
    )
    known |= {person.identity: person for person in made}
    return {name: known[identities[name]] for name in names}


def steps_for(study: models.Study) -> list[models.Stage]:
    """The stages that a link may be for: where one takes what is written at another, people do one or the other."""
    stages = current_stages(study)
    return stages if any(stage.takes for stage in stages) else []


def _step_problems(study: models.Study, step: str) -> list[Problem]:
    steps = [part_of(stage) for stage in steps_for(study)] if step else []
    if not step or step in steps:
        return []
    fix = f"Use one of {', '.join(steps)}, or none." if steps else "Leave it out: every link of this study is for all."
    return [Problem(what=f"there is no stage {step!r} for a link", rule="step", fix=fix, value=step)]


def open_door(
    study: models.Study,
    kind: str,
    now: datetime,
    *,
    cap: int | None = None,
    code: str = "",
    actor: str = "",
    step: str = "",
) -> models.Invitation:
    """A link for people unknown beforehand: ``open`` for anyone, or one for a crowd platform.

    It may be for one ``step`` of the study; whoever comes by it does that and nothing else.
    """
    refuse(_step_problems(study, step))
    check_door(kind, cap)
    with transaction.atomic():
        door = models.Invitation.objects.create(
            study=study, kind=kind, cap=cap, completion_code=code, created_at=now, step=step
        )
        audit.record("link made", study, now, actor=actor, kind=kind, cap=cap)
    return door


def enter(
    door: models.Invitation, given: Mapping[str, str], now: datetime, language: str = "", device: str = ""
) -> models.Invitation:
    """The personal link of whoever comes through this door: their own from before, or a new one.

    On a crowd platform the platform's id of the person decides who it is, and the secret of the ``device`` whether it
    is they (``devices``); without one, as in a script, the seat stays free for the first device. Raises InputError
    when the platform's parameters are missing, the cap is reached, the seat is bound to another device, or the
    person may not take part.
    """
    found = arriving(door, given)
    # One at a time for the whole study: pseudonyms are counted, and two doors must not give the same.
    with door.study.held() as study:
        locked = models.Invitation.objects.get(pk=door.pk)
        if locked.revoked_at is not None or study.deleted_at is not None:
            raise wrong("this link was withdrawn", "link_ended", "Ask whoever sent you the link.")
        seat = devices.find(locked, found.identity) if found.identity else None
        if seat is not None:
            devices.return_to(seat, locked, device, found.visit.details)
            return seat.annotator.invitation
        if found.identity:
            devices.refuse_if_barred(study, found.identity)
        came = locked.arrivals.count()
        if locked.cap is not None and came >= locked.cap:
            raise wrong(f"all {locked.cap} places are taken", "link_full", "Ask whoever sent you the link.", value=came)
        return _newcomer(locked, found, now, language, device)


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
    numbered = (f"annotator-{number:03}" for number in count(door.study.annotators.count() + 1))
    person = models.Annotator.objects.create(
        study=door.study,
        name=first_unused(door.study, numbered),
        identity=found.identity or unknown(),
        created_at=now,
        language=language,
    )
    personal = models.Invitation.objects.create(
        study=door.study, kind=Kind.PERSONAL, annotator=person, came_by=door, created_at=now, step=door.step
    )
    if found.identity:
        seat = models.ExternalIdentity(
            annotator=person, invitation=door, participant=found.visit.participant, details=dict(found.visit.details)
        )
        seat.device = devices.device_digest(seat, device)
        seat.save()
    return personal


def completion_code_for(invitation: models.Invitation, options: Options) -> str:
    """The code that the annotator of this personal link is shown at the end: of the door they came by last, else of
    the link itself, else of the study."""
    seat = models.ExternalIdentity.objects.select_related("invitation").filter(annotator=invitation.annotator).first()
    door = seat.invitation if seat else invitation.came_by
    return (door.completion_code if door else "") or invitation.completion_code or options.completion_code


def revoke(invitation: models.Invitation, now: datetime, actor: str = "") -> None:
    """Make the link lead nowhere. What was done through it stays."""
    with transaction.atomic():
        invitation.update(revoked_at=now)
        audit.record("link revoked", invitation.study, now, actor=actor, kind=invitation.kind)


def renew(invitation: models.Invitation, now: datetime, actor: str = "") -> None:
    """A new token for the same invitation, revoked or not; the old token is void."""
    with transaction.atomic():
        invitation.update(revoked_at=None, serial=invitation.serial + 1)
        audit.record("link renewed", invitation.study, now, actor=actor, kind=invitation.kind)


def change_cap(door: models.Invitation, cap: int | None, now: datetime, actor: str) -> None:
    """Let more or fewer people through a door. Who has come stays."""
    with door.held() as locked:
        if locked.cap != cap:
            locked.update(cap=cap)
            audit.record("cap changed", door.study, now, actor=actor, kind=door.kind, cap=cap)
