"""What native speakers said of annotators' texts in their language: reviewed, or corrected.

Entries of the log are all there is: each says who, when and which words, nothing is overwritten, and the last one about
a text counts. Annotators read what is shipped until a corrected file has taken its place (``exchange.translations``).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from django.db import transaction

from rubrica.core.errors import refuse
from rubrica.exchange.translations import Entry, entries, languages, parts_of, problems_of
from rubrica.store import audit, models

ACTION = "translation reviewed"


class Said(NamedTuple):
    """What somebody says of a text: its words, and whether a native speaker finds them right."""

    key: str
    texts: tuple[str, ...]
    reviewed: bool


def reviewed_entries(language: str, part: str) -> list[Entry]:
    """The texts of a part with what was said of them here."""
    rows = models.AuditEvent.objects.filter(action=ACTION, detail__language=language, detail__part=part).order_by("id")
    last = {row.detail["key"]: row for row in rows}
    return [_after(one, last.get(one.key)) for one in entries(language, part)]


def counted() -> dict[tuple[str, str], tuple[int, int]]:
    """By language and part: how many texts a native speaker has reviewed, of how many."""
    said: dict[tuple[str, str], dict[str, models.AuditEvent]] = defaultdict(dict)
    for row in models.AuditEvent.objects.filter(action=ACTION).order_by("id"):
        said[row.detail["language"], row.detail["part"]][row.detail["key"]] = row
    found = {}
    for place in ((language, part) for language in languages() for part in parts_of(language)):
        texts = [_after(one, said[place].get(one.key)) for one in entries(*place)]
        found[place] = (sum(one.reviewed for one in texts), len(texts))
    return found


def _after(one: Entry, row: models.AuditEvent | None) -> Entry:
    if row is None:
        return one
    by = f"{row.actor}, {row.at:%Y-%m-%d}"
    return one._replace(texts=tuple(row.detail["texts"]), reviewed=row.detail["reviewed"], by=by)


def say(language: str, part: str, said: Sequence[Said], native: bool, now: datetime, actor: str) -> int:
    """Record what differs from before; how many texts. Only a native speaker's review counts as one."""
    before = {one.key: one for one in reviewed_entries(language, part)}
    known = [
        one._replace(texts=tuple(text.replace("\r\n", "\n").strip("\n") for text in one.texts))
        for one in said
        if one.key in before and len(one.texts) == len(before[one.key].texts)
    ]
    changed = [
        one
        for one in known
        if (one.texts, one.reviewed)
        != (tuple(text.strip("\n") for text in before[one.key].texts), before[one.key].reviewed)
    ]
    refuse(problem for one in changed for problem in problems_of(before[one.key], one.texts))
    with transaction.atomic():
        for one in changed:
            detail = {**one._asdict(), "reviewed": one.reviewed and native}
            audit.record(ACTION, None, now, actor=actor, language=language, part=part, **detail)
    return len(changed)
