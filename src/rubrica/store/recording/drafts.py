"""Drafts: what the annotator has so far, kept within a second of every change, and never counted.

What a draft may be is said in ``core/draft_validation.py``. Each is a revision under a key that the page made: the same
key again changes nothing. One that arrives after another device has gone on (its ``base`` is older than the newest
revision of another visit) is kept in the history and does not replace what was said since.
"""

from __future__ import annotations

from contextlib import suppress
from datetime import datetime
from typing import NamedTuple

from django.db import IntegrityError

from rubrica.core.draft_validation import draft_problems
from rubrica.core.errors import refuse, wrong
from rubrica.core.study import Receipt, save_key_problems
from rubrica.exchange.suggestions import told_problems
from rubrica.home.sqlite.base import in_turn
from rubrica.store import models
from rubrica.store.recording.judgements import Said, retrying, revision_row, save_edits
from rubrica.store.translate import ask, holding, insert, insert_found, validator_of


def save_draft(said: Said, now: datetime, origin: str = models.Revision.Origin.PAGE) -> Receipt:
    """Keep what the annotator has so far. Raises InputError for what no page could send."""
    validator, item = validator_of(said.lease.stage), said.lease.item if said.judgement.edits else None
    refuse(
        save_key_problems(said.key)
        + draft_problems(validator, item.fields if item else {}, said.judgement)
        + told_problems(validator, said.suggested)
    )
    if said.base and not said.judgement.edits and not said.suggested.became:
        # A further draft is one row, and so one statement, which needs no transaction around it.
        with suppress(IntegrityError), in_turn():
            if added := _add(said, now, origin):
                return added.receipt(said, now)
    return retrying([said], lambda _: _append(said, now, origin), lambda: _known(said))


class _Added(NamedTuple):
    """The judgement, the number of its new revision, and whether that came late."""

    head: int
    number: int
    late: bool

    def receipt(self, said: Said, now: datetime) -> Receipt:
        """What the page is told."""
        return Receipt(said.lease.pid, self.number, now, superseded=bool(self.late))


_NEXT = """
id, newest + 1, CASE WHEN newest > %s THEN EXISTS (
    SELECT 1 FROM store_revision WHERE judgement_id = head.id AND number > %s AND (visit <> %s OR NOT draft)
) ELSE FALSE END
FROM (
    SELECT id, (SELECT coalesce(max(number), 0) FROM store_revision WHERE judgement_id = store_judgement.id) AS newest
    FROM store_judgement WHERE stage_id = %s AND item_id = %s AND annotator_id = %s AND state <> %s{holding}
) head
"""
"""The judgement, the number of its next revision, and whether another device has gone on since the one that the page
knew. Drafts of the same visit are no other device: the page is merely behind its own saves."""


def _add(said: Said, now: datetime, origin: str) -> _Added | None:
    """Add a revision to a judgement that is there and not erased. One with a known key runs into the unique key."""
    row = revision_row(said, origin, now, draft=True)
    asked = (said.base, said.base, said.visit, *_place(said), models.Judgement.State.ERASED)
    query = _NEXT.format(holding=holding())
    found = insert_found(models.Revision, row, "judgement_id, number, late", query, *asked)
    return _Added(*found[0]) if found else None


def _append(said: Said, now: datetime, origin: str) -> Receipt:
    """Add a revision, inside the caller's transaction, and its judgement if there is none."""
    added = _add(said, now, origin)
    if added is None:
        _begin(said)
        added = _add(said, now, origin)
    if added is None:
        raise wrong("this judgement was erased at the annotator's request", "erased", "Nothing more can be saved.")
    save_edits({(added.head, added.number): said}, noting=bool(said.suggested.became), draft=True)
    return added.receipt(said, now)


def _place(said: Said) -> tuple[int, int, int]:
    return said.lease.stage_id, said.lease.item_id, said.lease.annotator_id


def _begin(said: Said) -> None:
    """Make the judgement, if there is none, which is ours until the transaction ends."""
    stage, item, person = _place(said)
    if ask("SELECT 1 FROM store_judgement WHERE stage_id = %s AND item_id = %s AND annotator_id = %s", *_place(said)):
        return
    row = {"stage_id": stage, "item_id": item, "annotator_id": person, "state": models.Judgement.State.DRAFT}
    insert(models.Judgement, [row])
    if ask("SELECT erased_at FROM store_annotator WHERE id = %s", person) != [(None,)]:
        raise wrong("you were erased at your request", "erased", "Nothing more can be saved.")


def _known(said: Said) -> Receipt | None:
    """The receipt of the revision that this key made before."""
    lease = said.lease
    place = {"judgement__stage": lease.stage_id, "judgement__item": lease.item_id}
    rows = models.Revision.objects.filter(**place, judgement__annotator=lease.annotator_id, key=said.key)
    found = rows.filter(origin__in=models.Revision.ONLINE).values_list("number", "created_at").first()
    return Receipt(lease.pid, *found, repeated=True) if found else None
