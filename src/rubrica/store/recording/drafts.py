"""Drafts: what the annotator has so far, kept within a second of every change, and never counted.

What a draft may be is said in ``core/draft_validation.py``. Each is a revision under a key that the page made: the same
key again changes nothing. One that arrives after another device has gone on (its ``base`` is older than the newest
revision of another visit) is kept in the history and does not replace what was said since.
"""

from __future__ import annotations

from datetime import datetime

from rubrica.core import answers as answer_values
from rubrica.core.draft_validation import draft_problems
from rubrica.core.errors import refuse, wrong
from rubrica.store import models
from rubrica.store.recording import suggestions
from rubrica.store.recording.judgements import Receipt, Said, key_problems, retrying, save_edits
from rubrica.store.translate import validator_of


def save_draft(said: Said, now: datetime, origin: str = models.Revision.Origin.PAGE) -> Receipt:
    """Keep what the annotator has so far. Raises InputError for what no page could send."""
    validator, item = validator_of(said.lease.stage), said.lease.item if said.judgement.edits else None
    refuse(
        key_problems(said)
        + draft_problems(validator, item.fields if item else {}, said.judgement)
        + suggestions.became_problems(validator, said.became)
    )
    return retrying([said], lambda: _append(said, now, origin), lambda: _known(said))


def _append(said: Said, now: datetime, origin: str) -> Receipt:
    """Add a revision, inside the caller's transaction. One with a known key runs into the unique key instead."""
    head = _head(said)
    since = _since(head, said.base)
    # Drafts of the same visit do not count: the page is merely behind its own saves.
    late = any(number > said.base and (visit != said.visit or not draft) for number, visit, draft in since)
    revision = models.Revision.objects.create(
        judgement_id=head,
        number=max((number for number, _, _ in since), default=0) + 1,
        key=said.key,
        outcome=said.judgement.outcome,
        answers=answer_values.to_json(said.judgement.answers),
        draft=True,
        late=late,
        visit=said.visit,
        visit_seconds=said.visit_seconds,
        origin=origin,
        created_at=now,
    )
    if said.judgement.edits:
        save_edits([(revision, said.judgement)])
    if said.became:
        suggestions.note(revision, said.lease.stage_id, said.lease.item_id, said.judgement, said.became, draft=True)
    return Receipt(said.lease.pid, revision.number, now, superseded=late)


def _head(said: Said) -> int:
    """The row number of the judgement, which is locked; made if need be."""
    lease = said.lease
    place = {"stage_id": lease.stage_id, "item_id": lease.item_id, "annotator_id": lease.annotator_id}
    rows = models.Judgement.objects.select_for_update(no_key=True).filter(**place)
    for pk, state in rows.values_list("pk", "state"):
        if state == models.Judgement.State.ERASED:
            raise wrong("this judgement was erased at the annotator's request", "erased", "Nothing more can be saved.")
        return int(pk)
    made = models.Judgement.objects.create(**place, state=models.Judgement.State.DRAFT)
    if not models.Annotator.objects.living().filter(pk=lease.annotator_id).exists():
        raise wrong("you were erased at your request", "erased", "Nothing more can be saved.")
    return made.pk


def _since(head: int, base: int) -> list[tuple[int, str, bool]]:
    """Number, visit and whether it is a draft: of the newest revision that the page knew and every later one.

    Of all of them if the page knows one that there is not.
    """
    rows = models.Revision.objects.filter(judgement=head).values_list("number", "visit", "draft")
    return list(rows.filter(number__gte=base)) or list(rows)


def _known(said: Said) -> Receipt | None:
    """The receipt of the revision that this key made before."""
    lease = said.lease
    place = {"judgement__stage": lease.stage_id, "judgement__item": lease.item_id}
    rows = models.Revision.objects.filter(**place, judgement__annotator=lease.annotator_id, key=said.key)
    found = rows.filter(origin__in=models.Revision.ONLINE).values_list("number", "created_at").first()
    return Receipt(lease.pid, *found, repeated=True) if found else None
