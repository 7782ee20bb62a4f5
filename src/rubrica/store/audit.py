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

from rubrica.store.models import AuditEvent, Study


def record(action: str, study: Study | None, now: datetime, **detail: Any) -> None:
    """Append an entry. Call it inside the transaction of the action itself."""
    last = AuditEvent.objects.order_by("-id").values_list("hash", flat=True).first() or ""
    event = AuditEvent(
        study=study.pid if study else "", actor=_actor(), action=action, detail=detail, at=now, previous=last
    )
    event.hash = digest(event)
    event.save()


def digest(event: AuditEvent) -> str:
    """The hash of an entry, which covers the one before it."""
    content = [event.previous, event.study, event.actor, event.action, event.detail, event.at.isoformat()]
    return hashlib.sha256(json.dumps(content, sort_keys=True, ensure_ascii=False).encode()).hexdigest()


def first_break() -> int | None:
    """The id of the first entry that does not fit the chain; None if it is whole."""
    previous = ""
    for event in AuditEvent.objects.order_by("id").iterator():
        if event.previous != previous or event.hash != digest(event):
            return event.pk
        previous = event.hash
    return None


def _actor() -> str:
    try:
        return f"command line: {getpass.getuser()}"
    except (KeyError, OSError):
        return "command line"
