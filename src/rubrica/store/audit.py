"""Writing down who did what: a chain in which every entry holds the hash of the one before.

SHA-256 over canonical JSON: anybody can recompute the chain with nothing but this file's recipe, and a row that was
altered or removed breaks it from there on.
"""

from __future__ import annotations

import getpass
import hashlib
import json
from datetime import datetime
from typing import Any

from django.db import transaction

from rubrica.home.database import one_by_one
from rubrica.store.models import AuditEvent, Study

CHAIN_LOCK = 7_270_119
"""An arbitrary number for PostgreSQL's advisory lock, apart from those of database.py."""


def record(action: str, study: Study | None, now: datetime, *, actor: str = "", **detail: Any) -> None:
    """Append an entry. Call it inside the transaction of the action itself.

    ``actor`` is the researcher's name in the studio; without it, whoever runs the command.
    """
    with transaction.atomic(savepoint=False):
        one_by_one(CHAIN_LOCK)  # two entries at once would follow the same one
        last = AuditEvent.objects.order_by("-id").values_list("hash", flat=True).first() or ""
        place, who = study.pid if study else "", actor or _actor()
        event = AuditEvent(study=place, actor=who, action=action, detail=detail, at=now, previous=last)
        event.hash = digest(event)
        event.save()


def digest(event: AuditEvent) -> str:
    """The hash of an entry, which covers the one before it."""
    content = [event.previous, event.study, event.actor, event.action, event.detail, event.at.isoformat()]
    return hashlib.sha256(json.dumps(content, sort_keys=True, ensure_ascii=False).encode()).hexdigest()


def _actor() -> str:
    try:
        return f"command line: {getpass.getuser()}"
    except (KeyError, OSError):
        return "command line"
