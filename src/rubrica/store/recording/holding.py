"""The lease that a link's token and a lease's id name together, and the judgement on it.

One query, because every save begins with it.
"""

from __future__ import annotations

import json
from typing import Any, NamedTuple, TypeVar

from django.db.models import Exists, F, FilteredRelation, Model, OuterRef, Q, QuerySet, Subquery, Value
from django.db.models.functions import Coalesce

from rubrica.store import models
from rubrica.store.options import Options
from rubrica.store.people.invitations import parted, signed
from rubrica.store.recording.prepared import Prepared, aware
from rubrica.store.recording.quick_drafts import Head

Row = TypeVar("Row", bound=Model)
_LEASE = ("pk", "pid", "state", "expires_at", "annotator_id", "item_id", "stage_id")
_LINK = ("annotator__invitation__kind", "annotator__invitation__serial", "annotator__invitation__revoked_at")
_PERSON = ("annotator__erased_at", "annotator__study__deleted_at", "decision")
_STAGE = ("stage__key", "stage__part", "stage__settings", "stage__protocol_version_id", "stage__protocol_version__hash")
_OPTIONS = ("stage__study__options",)
_HEAD = ("head__pk", "head__state", "newest", "overtaken")


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
    head: int | None
    head_state: str
    newest: int
    overtaken: bool


class Held(NamedTuple):
    """A lease with its stage, for how many minutes leases of the study are given, and the judgement, if it is begun."""

    lease: models.Assignment
    minutes: int
    head: Head | None


def _rows(link: str, lease: str, visit: str, base: int) -> QuerySet[Any, Any]:
    of_lease = Q(item__judgements__stage=F("stage_id"), item__judgements__annotator=F("annotator_id"))
    revisions = models.Revision.objects.filter(judgement=OuterRef("head__pk"))
    newest = Subquery(revisions.order_by("-number").values("number")[:1])
    others = revisions.filter(~Q(visit=visit) | Q(draft=False), number__gt=base)
    decided = models.Consent.objects.filter(annotator=OuterRef("annotator")).order_by("-pk")
    return (
        models.Assignment.objects.filter(pid=lease, annotator__invitation__pid=link)
        .order_by()
        .annotate(
            decision=Subquery(decided.values("decision")[:1]),
            head=FilteredRelation("item__judgements", condition=of_lease),
            newest=Coalesce(newest, Value(0)),
            overtaken=Exists(others),
        )
        .values_list(*_LEASE, *_LINK, *_PERSON, *_STAGE, *_OPTIONS, *_HEAD)
    )


_MINUTES: int = Options().lease_minutes
_find = Prepared(_rows, str, str, str, int)


def held(token: str, lease: str, visit: str = "", base: int = 0) -> Held | None:
    """The lease with its stage, if the link is a good one of somebody who takes part and the lease is theirs.

    ``visit`` and ``base`` are those of the save, as in ``saving.Said``. Otherwise nothing: whoever must know why asks
    ``invitations.follow``.
    """
    parts = parted(token)
    row = _find.row(parts.pid, lease, visit, base) if parts else None
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
        expires_at=aware(found.expires_at) if found.expires_at else None,
    )
    assignment.stage = stage
    minutes = json.loads(found.options).get("lease_minutes", _MINUTES)
    head = Head(found.head, found.head_state, found.newest, bool(found.overtaken)) if found.head else None
    return Held(assignment, minutes, head)


def _loaded(model: type[Row], **values: Any) -> Row:
    """A row of which these columns, in the order of the table, are known; others are read when they are asked for."""
    return model.from_db("default", list(values), list(values.values()))
