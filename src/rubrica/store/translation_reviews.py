"""What native speakers said of annotators' texts in their language: reviewed, or corrected.

Entries of the log are all there is: each says who, when and which words, nothing is overwritten, and the last one about
a text counts. Annotators read what is shipped until a corrected file has taken its place (``exchange.translations``).
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from django.db import transaction

from rubrica.exchange.translations import Entry, Said, changes, entries, languages, parts_of
from rubrica.store import audit, models

ACTION = "translation reviewed"


Log = dict[tuple[str, str, str], models.AuditEvent]


def _log(**about: str) -> Log:
    """What was said last, by language, part and key of the text."""
    rows = models.AuditEvent.objects.filter(action=ACTION, **about).order_by("id")
    return {(row.detail["language"], row.detail["part"], row.detail["key"]): row for row in rows}


def reviewed_entries(language: str, part: str) -> list[Entry]:
    """The texts of a part with what was said of them here."""
    return _entries(language, part, _log(detail__language=language, detail__part=part))


def counted() -> dict[tuple[str, str], tuple[int, int]]:
    """By language and part: how many texts a native speaker has reviewed, of how many."""
    log = _log()
    texts = {(code, part): _entries(code, part, log) for code in languages() for part in parts_of(code)}
    return {place: (sum(one.reviewed for one in found), len(found)) for place, found in texts.items()}


def _entries(language: str, part: str, log: Log) -> list[Entry]:
    return [_after(one, log.get((language, part, one.key))) for one in entries(language, part)]


def _after(one: Entry, row: models.AuditEvent | None) -> Entry:
    if row is None:
        return one
    by = f"{row.actor}, {row.at:%Y-%m-%d}"
    return one._replace(texts=tuple(row.detail["texts"]), reviewed=row.detail["reviewed"], by=by)


def say(language: str, part: str, said: Sequence[Said], native: bool, now: datetime, actor: str) -> int:
    """Record what differs from before; how many texts. Only a native speaker's review counts as one."""
    changed = changes(reviewed_entries(language, part), said)
    with transaction.atomic():
        for one in changed:
            detail = {**one._asdict(), "reviewed": one.reviewed and native}
            audit.record(ACTION, None, now, actor=actor, language=language, part=part, **detail)
    return len(changed)
