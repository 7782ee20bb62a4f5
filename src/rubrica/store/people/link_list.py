"""Links as a researcher looks at them: when each was first and last used, how many came through a door, its cap."""

from __future__ import annotations

import re
import secrets
from collections.abc import Collection
from datetime import datetime
from typing import Any, NamedTuple

from django.db import transaction
from django.db.models import Max, Min

from rubrica.core.errors import wrong
from rubrica.core.scales import storable
from rubrica.store import audit, models

CODE = re.compile(r"[A-Za-z0-9_-]{1,100}")
_CODE_LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"
MOST = 1_000_000


class Use(NamedTuple):
    """When an annotator was first and last seen; None if never."""

    first: datetime | None = None
    last: datetime | None = None


def uses(study: models.Study, people: Collection[int] | None = None) -> dict[int, Use]:
    """First and last sign of life of each annotator, by row number: steps, consent, practice, leases, saves.

    ``people``, at most a few hundred, are the only ones who are looked at.
    """
    tables = (models.StepDone, models.Consent, models.Attempt, models.CourseTry)
    signs: list[tuple[Any, str, str]] = [
        (table._default_manager.filter(annotator__study=study), "annotator", "at") for table in tables
    ]
    signs.append((models.Assignment.objects.filter(annotator__study=study), "annotator", "leased_at"))
    saves = models.Revision.objects.filter(judgement__annotator__study=study, origin__in=models.Revision.ONLINE)
    signs.append((saves, "judgement__annotator", "created_at"))
    found: dict[int, Use] = {}
    for rows, person, moment in signs:
        rows = rows if people is None else rows.filter(**{f"{person}__in": people})
        for who, first, last in rows.order_by().values_list(person).annotate(Min(moment), Max(moment)):
            known = found.get(who, Use(first, last))
            found[who] = Use(min(filter(None, (known.first, first))), max(filter(None, (known.last, last))))
    return found


def new_code() -> str:
    """A completion code that nobody can guess: eight letters and digits."""
    return "".join(secrets.choice(_CODE_LETTERS) for _ in range(8))


def checked_code(given: str) -> str:
    """A completion code that was typed, or a new one if nothing was."""
    code = given.strip()
    if code and not CODE.fullmatch(code):
        fix = "Use 1 to 100 letters, digits, hyphens and underscores, as the platform shows it."
        raise wrong("this cannot be a completion code", "completion_code", fix, value=code[:200])
    return code or new_code()


def cap_from(text: str) -> int | None:
    """A cap as it was typed; nothing means no cap. Raises InputError for what is no number of people."""
    text = text.strip()
    if not text:
        return None
    if not storable(text) or not text.isdecimal() or not 1 <= int(text[:9]) <= MOST or len(text) > 9:
        fix = f"Use a whole number from 1 to {MOST:,}, or leave it empty for no limit."
        raise wrong(f"{text[:40]!r} is no number of people", "cap", fix, value=text[:40])
    return int(text)


def change_cap(door: models.Invitation, cap: int | None, now: datetime, actor: str) -> None:
    """Let more or fewer people through a door. Who has come stays."""
    with transaction.atomic():
        locked = models.Invitation.objects.select_for_update().get(pk=door.pk)
        if locked.cap != cap:
            locked.cap = cap
            locked.save(update_fields=["cap"])
            audit.record("cap changed", door.study, now, actor=actor, kind=door.kind, cap=cap)
