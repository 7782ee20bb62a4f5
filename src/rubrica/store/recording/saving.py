"""Saving what an annotator does on a page: drafts as they type, then the submitted judgement.

Every save is a new revision under a key that the page made: the same key again changes nothing, so a retried or
doubled request is one revision, and so is submitting again what was submitted last. A draft that arrives after another
device has gone on (its ``base`` is older than the newest revision of another visit) is kept in the history and does not
replace what was said since.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Any, NamedTuple, TypeVar

from django.db import IntegrityError, transaction
from django.db.models import Exists, Max, OuterRef, Q, QuerySet, Subquery, Value
from django.db.models.functions import Coalesce

from rubrica.core import answers as answer_values
from rubrica.core.errors import InputError, wrong
from rubrica.core.study import Judgement
from rubrica.store import models
from rubrica.store.allocation.overlap import Arrived, OvertakenError, place_judgements
from rubrica.store.recording import saving_edits, suggestions
from rubrica.store.recording.judgements import save_edits
from rubrica.store.recording.prepared import Prepared, PreparedInsert, PreparedUpdate, aware
from rubrica.store.recording.prepared_rows import PreparedRows
from rubrica.store.recording.said import Receipt, RefusedError, Said, draft_problems, key_problems
from rubrica.store.translate import item_from, protocol_of, says, validator_of

__all__ = ["Receipt", "RefusedError", "Said", "save_draft", "submit"]

TRIES = 5
Kept = TypeVar("Kept")


def save_draft(said: Said, now: datetime, origin: str = "page") -> Receipt:
    """Keep what the annotator has so far. Gaps and unfinished texts are fine; what no page could send is refused."""
    problems = draft_problems(said)
    if problems:
        raise InputError(*problems)
    return _in_turn([said], lambda _: _append(said, now, origin, draft=True), lambda: _known(said))


def submit(said: Sequence[Said], now: datetime, origin: str = "page") -> list[Receipt]:
    """Submit the judgements of one page, all or none. Raises RefusedError with every problem."""
    settled, refused = [], {}
    for one in said:
        validator, item = validator_of(one.lease.stage), item_from(one.lease.item)
        judgement = validator.settle(item, validator.tidy(item, one.judgement))
        problems = key_problems(one) + validator.problems(item, judgement)
        problems += saving_edits.submit_problems(validator, one.lease, judgement)
        problems += suggestions.became_problems(one.lease.stage, one.became)
        if problems:
            refused[one.lease.pid] = problems
        settled.append(one._replace(judgement=judgement))
    if refused:
        raise RefusedError(refused)
    alone = len(settled) == 1
    return _in_turn(settled, lambda locked: [_submit(one, now, origin, quick=alone and not locked) for one in settled])


def _in_turn(
    said: Sequence[Said], save: Callable[[bool], Kept], known: Callable[[], Kept | None] = lambda: None
) -> Kept:
    """Save in a transaction, and again if another save was faster, unless this one is known already.

    On PostgreSQL a query that waits for a lock does not see what was added meanwhile. So the second try first locks
    out every other save, then looks; ``save`` is told.
    """
    for tries_left in reversed(range(TRIES)):
        try:
            with transaction.atomic():
                locked = tries_left < TRIES - 1
                if locked:
                    _lock_heads(said)
                return save(locked)
        except (IntegrityError, OvertakenError):
            repeated = known()
            if repeated is not None:
                return repeated
            if not tries_left:
                raise
    raise AssertionError("the loop returns or raises")


def _lock_heads(said: Sequence[Said]) -> None:
    """Hold the judgements, and their stage before them as a submit does, against drafts on the short way too."""
    for one in said:
        lease = one.lease
        _lock_stage.first(lease.stage_id)
        place = {"stage": lease.stage_id, "item": lease.item_id, "annotator": lease.annotator_id}
        list(models.Judgement.objects.select_for_update().filter(**place).order_by().values_list("pk"))


def _submit(said: Said, now: datetime, origin: str, *, quick: bool) -> Receipt:
    """Add the judgement and end the lease. ``quick``: without waiting for the stage, whose lock all people share.

    An open lease has its place and keeps it, so places need not be counted.
    """
    lease = said.lease
    stage = None if quick and lease.stage.frozen_at is not None else _lock_stage.first(lease.stage_id)
    receipt = _append(said, now, origin, draft=False)
    if receipt.repeated:
        return receipt
    passed_on = protocol_of(lease.stage).passes_on(said.judgement.outcome)
    arrived = Arrived(lease.item_id, lease.annotator_id, passed_on, now)
    (lease.state,) = place_judgements(stage or lease.stage, [arrived], locked=stage is not None).values()
    if stage and stage.frozen_at is None:
        stage.frozen_at = now
        stage.save(update_fields=["frozen_at"])
    return receipt


_lock_stage = PreparedRows(
    lambda stage: models.Stage.objects.select_for_update(no_key=True).filter(pk=stage).order_by(), int
)


def _append(said: Said, now: datetime, origin: str, *, draft: bool) -> Receipt:
    """Add a revision and move the head. Inside the caller's transaction.

    A repeated submit is looked for; a repeated draft, of which there are many more, runs into the unique key.
    """
    lease = said.lease
    head = _head(said)
    if head.state == "erased":
        raise wrong("this judgement was erased at the annotator's request", "erased", "Nothing more can be saved.")
    repeated = None if draft else _known(said)
    if repeated is not None:
        return repeated
    if not draft and head.state == "submitted":
        same = _said_already(head.id, said.judgement)
        if same is not None:
            models.Revision.objects.filter(judgement=head.id, draft=True, number__gt=same.number).update(late=True)
            return Receipt(lease.pid, same.number, same.created_at, repeated=True)
    number, late = head.newest + 1, draft and bool(head.overtaken)
    revision = _add_revision.run(
        judgement_id=head.id,
        number=number,
        key=said.key,
        outcome=said.judgement.outcome,
        answers=answer_values.to_json(said.judgement.answers),
        draft=draft,
        late=late,
        visit=said.visit,
        visit_seconds=said.visit_seconds,
        seconds=None if draft else _time_on_task(head.id, said),
        origin=origin,
        created_at=now,
    )
    if said.judgement.edits:
        save_edits([(models.Revision.objects.get(pk=revision), said.judgement)])
    suggestions.note(revision, lease, said.judgement, said.became, draft=draft)
    if not draft:
        _move_head.run(head.id, revision, "submitted")
    return Receipt(lease.pid, number, now, superseded=late)


def _known(said: Said) -> Receipt | None:
    """The receipt of the revision that this key made before."""
    lease = said.lease
    found = _find_known.row(lease.stage_id, lease.item_id, lease.annotator_id, said.key)
    return Receipt(lease.pid, found[0], aware(found[1]), repeated=True) if found else None


def _revisions(stage: int, item: int, annotator: int, key: str) -> QuerySet[Any, Any]:
    place = {"judgement__stage": stage, "judgement__item": item, "judgement__annotator": annotator}
    rows = models.Revision.objects.filter(**place, key=key, origin__in=("page", "api"))
    return rows.order_by().values_list("number", "created_at")


_find_known = Prepared(_revisions, int, int, int, str)


def _said_already(head: int, judgement: Judgement) -> models.Revision | None:
    """The submitted revision, if it says the same: submitting it again, from another tab, is no correction."""
    current = models.Judgement.objects.select_related("current").get(pk=head).current
    if current is not None and says(current, judgement):
        return current
    return None


class _Head(NamedTuple):
    """The judgement's row, and what a save must know of its revisions.

    ``newest`` is the number of the newest. ``overtaken``: since ``base``, another visit saved something, or something
    was submitted. Drafts of the same visit do not count: the page is merely behind its own saves.
    """

    id: int
    state: str
    newest: int
    overtaken: bool


def _heads(stage: int, item: int, annotator: int, visit: str, base: int) -> QuerySet[Any, Any]:
    revisions = models.Revision.objects.filter(judgement=OuterRef("pk"))
    others = revisions.filter(~Q(visit=visit) | Q(draft=False), number__gt=base)
    return (
        models.Judgement.objects.select_for_update(no_key=True)
        .filter(stage=stage, item=item, annotator=annotator)
        .annotate(
            newest=Coalesce(Subquery(revisions.order_by("-number").values("number")[:1]), Value(0)),
            overtaken=Exists(others),
        )
        .values_list(*_Head._fields)
    )


_find_head = Prepared(_heads, int, int, int, str, int)
_add_head = PreparedInsert(models.Judgement)
_erased_at = Prepared(lambda pk: models.Annotator.objects.filter(pk=pk).order_by().values_list("erased_at"), int)
_add_revision = PreparedInsert(models.Revision)
_move_head = PreparedUpdate(models.Judgement, "current", "state", kinds=(int, str))


def _head(said: Said) -> _Head:
    """The judgement's row, locked, made if need be. Its ``newest`` may be behind: then the save is tried again."""
    lease = said.lease
    place = (lease.stage_id, lease.item_id, lease.annotator_id)
    row = _find_head.row(*place, said.visit, said.base)
    if row is not None:
        return _Head(*row)
    made = _add_head.run(**dict(zip(("stage_id", "item_id", "annotator_id"), place, strict=True)), state="draft")
    person = _erased_at.row(lease.annotator_id)
    if person is None or person[0] is not None:
        raise wrong("you were erased at your request", "erased", "Nothing more can be saved.")
    return _Head(made, "draft", 0, overtaken=False)


_measured = Prepared(
    lambda head: (
        models.Revision.objects.filter(judgement=head)
        .exclude(visit="")
        .order_by()
        .values_list("visit")
        .annotate(Max("visit_seconds"))
    ),
    int,
)


def _time_on_task(head: int, said: Said) -> float | None:
    """Active seconds over all visits, each counted once with its largest figure; None if no page measured any."""
    longest: dict[str, float] = dict(_measured.rows(head))
    if said.visit:
        longest[said.visit] = max(longest.get(said.visit, 0.0), said.visit_seconds)
    return sum(longest.values()) if longest else None
