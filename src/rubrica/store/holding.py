"""The lease that a link's token and a lease's id name together: one query, because every save begins with it."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Any, NamedTuple, TypeVar

from django.db.models import Model, OuterRef, QuerySet, Subquery

from rubrica.store import models
from rubrica.store.invitations import parted, signed
from rubrica.store.options import Options
from rubrica.store.prepared import Prepared

Row = TypeVar("Row", bound=Model)
_LEASE = ("pk", "pid", "state", "expires_at", "annotator_id", "item_id", "stage_id")
_LINK = ("annotator__invitation__kind", "annotator__invitation__serial", "annotator__invitation__revoked_at")
_PERSON = ("annotator__erased_at", "annotator__study__deleted_at", "decision")
_STAGE = ("stage__key", "stage__part", "stage__settings", "stage__protocol_version_id", "stage__protocol_version__hash")
_OPTIONS = ("stage__study__options",)


class _Row(NamedTuple):
    id: int
    pid: str
    state: str
    expires_at: Any
    annotator: int
    item: int
    stage: int
    kind: str
    serial: int
    revoked_at: Any
    erased_at: Any
    deleted_at: Any
    decision: str | None
    key: str
    part: str
    settings: str
    version: int
    hash: str
    options: str


class Held(NamedTuple):
    """A lease with its stage, and for how many minutes leases of the study are given."""

    lease: models.Assignment
    minutes: int


def _rows(link: str, lease: str) -> QuerySet[Any, Any]:
    decided = models.Consent.objects.filter(annotator=OuterRef("annotator")).order_by("-pk")
    return (
        models.Assignment.objects.filter(pid=lease, annotator__invitation__pid=link)
        .order_by()
        .annotate(decision=Subquery(decided.values("decision")[:1]))
        .values_list(*_LEASE, *_LINK, *_PERSON, *_STAGE, *_OPTIONS)
    )


_MINUTES: int = Options().lease_minutes
_find = Prepared(_rows, str, str)


def held(token: str, lease: str) -> Held | None:
    """The lease with its stage, if the link is a good one of somebody who takes part and the lease is theirs.

    Otherwise nothing: whoever must know why asks ``invitations.follow``.
    """
    parts = parted(token)
    row = _find.row(parts.pid, lease) if parts else None
    if parts is None or row is None:
        return None
    found = _Row(*row)
    ended = found.revoked_at or found.erased_at or found.deleted_at or found.decision == "withdrawn"
    if ended or not signed(parts, found.kind, found.serial):
        return None
    version = _loaded(models.ProtocolVersion, id=found.version, hash=found.hash)
    stage = _loaded(
        models.Stage,
        id=found.stage,
        key=found.key,
        protocol_version_id=found.version,
        settings=json.loads(found.settings),
        part=found.part,
    )
    stage.protocol_version = version
    assignment = _loaded(
        models.Assignment,
        id=found.id,
        pid=found.pid,
        stage_id=found.stage,
        item_id=found.item,
        annotator_id=found.annotator,
        state=found.state,
        expires_at=_time(found.expires_at),
    )
    assignment.stage = stage
    minutes = json.loads(found.options).get("lease_minutes", _MINUTES)
    return Held(assignment, minutes)


def _loaded(model: type[Row], **values: Any) -> Row:
    """A row of which these columns, in the order of the table, are known; others are read when they are asked for."""
    return model.from_db("default", list(values), list(values.values()))


def _time(value: datetime | None) -> datetime | None:
    """SQLite keeps times in UTC without saying so."""
    return value.replace(tzinfo=UTC) if value is not None and value.tzinfo is None else value
