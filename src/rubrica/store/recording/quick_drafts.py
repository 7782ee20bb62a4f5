"""The short way of a draft into the database: of ten saves, nine are the next draft of a judgement that is there.

The judgement was looked at without a lock. The draft is one inserted row: if the judgement is not as it was seen, the
number of the revision is taken and nothing is written. Whatever is not plain (the first save of a judgement, another
device, the same key again, an erasure) is left to ``saving``, which locks first.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any, NamedTuple

from django.db import IntegrityError, connection

from rubrica.core import answers as answer_values
from rubrica.store import models
from rubrica.store.recording.prepared import PreparedInsert, executed
from rubrica.store.recording.said import Receipt, Said, draft_problems
from rubrica.store.sqlite.base import in_turn


class Head(NamedTuple):
    """A judgement as it was seen. ``overtaken``: since the page's ``base``, another visit saved something."""

    id: int
    state: str
    newest: int
    overtaken: bool


def save_next_draft(said: Said, head: Head, now: datetime) -> Receipt | None:
    """The receipt of a draft that was kept; None if that must be tried the long way."""
    if head.state == "erased" or head.overtaken or said.judgement.edits or said.became or draft_problems(said):
        return None
    number = head.newest + 1
    row = {
        "judgement_id": head.id,
        "number": number,
        "key": said.key,
        "outcome": said.judgement.outcome,
        "answers": answer_values.to_json(said.judgement.answers),
        "draft": True,
        "visit": said.visit,
        "visit_seconds": said.visit_seconds,
        "origin": "page",
        "created_at": now,
    }
    try:
        with in_turn(), executed(_sql_of(row), (head.id, *_revision.parameters(row))) as cursor:
            kept = cursor.fetchone()
    except IntegrityError:
        return None
    return Receipt(said.lease.pid, number, now) if kept else None


_revision = PreparedInsert(models.Revision)
_written: dict[str, str] = {}


def _sql_of(row: dict[str, Any]) -> str:
    """The insertion of a revision, turned from one of values into one of a selection: none for an erased judgement.

    The ORM has no words for that. On PostgreSQL an erasure under way is waited for.
    """
    found = _written.get(connection.vendor)
    if found is None:
        into, _, values = _revision.statement(row).partition(" VALUES (")
        values, _, number = values.rpartition(") RETURNING ")
        lock = "FOR KEY SHARE" if connection.features.has_select_for_update else ""
        found = (
            f'WITH seen AS (SELECT id FROM "{models.Judgement._meta.db_table}" '  # noqa: S608 our own names
            f"WHERE id = %s AND state <> 'erased' {lock}) {into} SELECT {values} FROM seen RETURNING {number}"
        )
        _written[connection.vendor] = found
    return found
