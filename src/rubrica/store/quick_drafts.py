"""The short way of a draft into the database: of ten saves, nine are the next draft of a judgement that is there.

The judgement was looked at without a lock. It is written only if it still stands as it was seen, in one statement on
PostgreSQL and in one short transaction on SQLite, where nobody else can write meanwhile. Whatever is not plain (the
first save of a judgement, another device, the same key again, an erasure) is left to ``saving``, which locks first.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any, NamedTuple

from django.db import IntegrityError, connection, transaction

from rubrica.core import answers as answer_values
from rubrica.store import models
from rubrica.store.prepared import PreparedInsert, PreparedUpdate, executed
from rubrica.store.saving import Receipt, Said, draft_problems


class Head(NamedTuple):
    """A judgement as it was seen. ``overtaken``: since the page's ``base``, another visit saved something."""

    id: int
    state: str
    last_number: int
    overtaken: bool


def save_next_draft(said: Said, head: Head, now: datetime) -> Receipt | None:
    """The receipt of a draft that was kept; None if that must be tried the long way."""
    if head.state == "erased" or head.overtaken or said.judgement.edits or draft_problems(said):
        return None
    number = head.last_number + 1
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
        kept = (_in_one_statement if connection.vendor == "postgresql" else _in_one_transaction)(head, row)
    except IntegrityError:
        return None
    return Receipt(said.lease.pid, number, now) if kept else None


def _in_one_statement(head: Head, row: dict[str, Any]) -> bool:
    parameters = (head.id, head.last_number, *_revision.parameters(row), row["number"], head.id)
    with executed(_sql_of(row), parameters) as cursor:
        return bool(cursor.rowcount)


def _in_one_transaction(head: Head, row: dict[str, Any]) -> bool:
    with transaction.atomic():
        with executed(_sql_of(row), (*_revision.parameters(row), head.id, head.last_number)) as cursor:
            added = cursor.fetchone()
        if added is not None:
            _move_head.run(head.id, added[0], row["number"])
        return added is not None


_revision = PreparedInsert(models.Revision)
_move_head = PreparedUpdate(models.Judgement, "pending", "last_number")
_TABLE = f'"{models.Judgement._meta.db_table}"'
_SEEN = f"{_TABLE} WHERE id = %s AND last_number = %s AND state <> 'erased'"
_written: dict[str, str] = {}


def _sql_of(row: dict[str, Any]) -> str:
    """The insertion of a revision, turned from one of values into one of a selection: there is no row if none is seen.

    The ORM has no words for that, nor for writing two tables at once.
    """
    found = _written.get(connection.vendor)
    if found is None:
        into, _, values = _revision.statement(row).partition(" VALUES (")
        values, _, number = values.rpartition(") RETURNING ")
        if connection.vendor == "postgresql":
            found = (
                f"WITH seen AS (SELECT id FROM {_SEEN} FOR NO KEY UPDATE), "  # noqa: S608 names of ours alone
                f"added AS ({into} SELECT {values} FROM seen RETURNING {number}) "
                f"UPDATE {_TABLE} SET pending_id = added.id, last_number = %s FROM added WHERE {_TABLE}.id = %s"
            )
        else:
            found = f"{into} SELECT {values} FROM {_SEEN} RETURNING {number}"  # noqa: S608 names of ours alone
        _written[connection.vendor] = found
    return found
