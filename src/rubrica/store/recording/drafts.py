"""Drafts: what the annotator has so far, kept within a second of every change, and never counted.

What a draft may be is said in ``core/draft_validation.py``. Each is a revision under a key that the page made: the same
key again changes nothing. One that arrives after another device has gone on (its ``base`` is older than the newest
revision of another visit) is kept in the history and does not replace what was said since.
"""

from __future__ import annotations

from datetime import datetime

from rubrica.core.draft_validation import draft_problems
from rubrica.core.errors import refuse, wrong
from rubrica.store import models
from rubrica.store.recording import suggestions
from rubrica.store.recording.judgements import Receipt, Said, key_problems, retrying, revision_row, save_edits
from rubrica.store.translate import ask, insert, validator_of


def save_draft(said: Said, now: datetime, origin: str = models.Revision.Origin.PAGE) -> Receipt:
    """Keep what the annotator has so far. Raises InputError for what no page could send."""
    validator, item = validator_of(said.lease.stage), said.lease.item if said.judgement.edits else None
    refuse(
        key_problems(said)
        + draft_problems(validator, item.fields if item else {}, said.judgement)
        + suggestions.became_problems(validator, said.became)
    )
    return retrying([said], lambda _: _append(said, now, origin), lambda: _known(said))


_HEAD = """
SELECT id, state,
       (SELECT coalesce(max(number), 0) FROM store_revision WHERE judgement_id = store_judgement.id),
       EXISTS (SELECT 1 FROM store_revision
               WHERE judgement_id = store_judgement.id AND number > %s AND (visit <> %s OR NOT draft))
FROM store_judgement WHERE stage_id = %s AND item_id = %s AND annotator_id = %s
"""
"""The judgement, its newest revision, and whether another device has gone on since the one that the page knew.

Drafts of the same visit are no other device: the page is merely behind its own saves.
"""


def _append(said: Said, now: datetime, origin: str) -> Receipt:
    """Add a revision, inside the caller's transaction. One with a known key runs into the unique key instead."""
    place = (said.lease.stage_id, said.lease.item_id, said.lease.annotator_id)
    asked = (_HEAD, said.base, said.visit, *place)
    found = ask(*asked, lock=True)
    if not found:
        _begin(place)
        found = ask(*asked)
    head, state, newest, late = found[0]
    if state == models.Judgement.State.ERASED:
        raise wrong("this judgement was erased at the annotator's request", "erased", "Nothing more can be saved.")
    number, late = newest + 1, bool(late)
    insert(models.Revision, [revision_row(head, number, said, origin, now, draft=True, late=late)])
    save_edits({(head, number): said}, noting=bool(said.became), draft=True)
    return Receipt(said.lease.pid, number, now, superseded=late)


def _begin(place: tuple[int, int, int]) -> None:
    """Make the judgement, which is ours until the transaction ends."""
    stage, item, person = place
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
