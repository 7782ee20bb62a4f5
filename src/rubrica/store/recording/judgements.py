"""Saving judgements: append-only revisions. A repetition changes nothing, a correction is a new revision."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import NamedTuple

from django.db.models import Max

from rubrica.core import answers as answer_values
from rubrica.core.errors import InputError
from rubrica.core.protocol import Protocol
from rubrica.core.study import Judgement
from rubrica.store import models
from rubrica.store.allocation.overlap import Arrived, lock_stage, place_judgements
from rubrica.store.people.identities import Stone, erased_problem
from rubrica.store.translate import says

CHUNK = 500


class Said(NamedTuple):
    """A judgement to save. ``number`` and ``at`` are kept from an import; otherwise they follow from the save."""

    item: models.Item
    annotator: models.Annotator
    judgement: Judgement
    at: datetime | None = None
    number: int | None = None
    seconds: float | None = None


class Saved(NamedTuple):
    """How many judgements are new, corrected, the same as before."""

    judgements: int
    revisions: int
    unchanged: int

    def __add__(self, other: object) -> Saved:
        assert isinstance(other, Saved)
        return Saved(*(one + two for one, two in zip(self, other, strict=True)))


def save(stage: models.Stage, protocol: Protocol, said: Sequence[Said], origin: str, now: datetime) -> Saved:
    """Save judgements of one stage. Must run inside a transaction; the judgements must be valid and settled.

    Raises InputError if one is by somebody who was erased: whatever way it came, it does not come back.
    """
    total = Saved(0, 0, 0)
    stage.overlap = lock_stage(stage.pk).overlap
    _refuse_erased(stage, {one.annotator.pk for one in said})
    for start in range(0, len(said), CHUNK):
        total += _save_chunk(stage, protocol, said[start : start + CHUNK], origin, now)
    if said and stage.frozen_at is None:
        stage.frozen_at = now
        stage.save(update_fields=["frozen_at"])
    return total


def _refuse_erased(stage: models.Stage, people: set[int]) -> None:
    """Look at the annotators as they are now, and let none be erased before this transaction ends."""
    wanted = sorted(people)
    for start in range(0, len(wanted), CHUNK):
        rows = models.Annotator.objects.select_for_update(no_key=True, of=("self",)).select_related("study")
        for person in rows.filter(pk__in=wanted[start : start + CHUNK]).order_by("pk"):
            if person.erased_at is not None:
                raise InputError(erased_problem(stage.study, Stone(person.study, person.erased_at), "one of them"))


def _save_chunk(stage: models.Stage, protocol: Protocol, said: Sequence[Said], origin: str, now: datetime) -> Saved:
    heads = {
        (head.item_id, head.annotator_id): head
        for head in models.Judgement.objects.filter(
            stage=stage, item__in={one.item.pk for one in said}, annotator__in={one.annotator.pk for one in said}
        )
        .select_for_update(of=("self",))
        .select_related("current")
        .prefetch_related("current__edits")
    }
    known = _known_revisions(heads.values()) if origin == "import" else {}
    fresh: list[models.Judgement] = []
    changed: list[tuple[models.Judgement, Said]] = []
    unchanged = 0
    for one in said:
        head = heads.get((one.item.pk, one.annotator.pk))
        if head is None:
            head = models.Judgement(stage=stage, item=one.item, annotator=one.annotator, state="submitted")
            fresh.append(head)
        elif any(
            revision is not None and says(revision, one.judgement)
            for revision in (head.current, known.get((head.pk, one.number or 0)))
        ):
            unchanged += 1
            continue
        changed.append((head, one))
    models.Judgement.objects.bulk_create(fresh)
    _append_revisions(changed, origin, now)
    arrived = [
        Arrived(
            one.item.pk,
            one.annotator.pk,
            protocol.passes_on(one.judgement.outcome),
            one.at or one.item.study.created_at,
        )
        for _, one in changed
    ]
    place_judgements(stage, arrived)
    return Saved(len(fresh), len(changed) - len(fresh), unchanged)


def _known_revisions(heads: Iterable[models.Judgement]) -> dict[tuple[int, int], models.Revision]:
    """Every submitted revision by judgement and number: an import may bring a whole history again."""
    rows = models.Revision.objects.filter(judgement__in=[head.pk for head in heads], draft=False)
    return {(row.judgement_id, row.number): row for row in rows.prefetch_related("edits")}


def _append_revisions(changed: Sequence[tuple[models.Judgement, Said]], origin: str, now: datetime) -> None:
    revisions = []
    numbered = models.Revision.objects.filter(judgement__in=[head.pk for head, _ in changed])
    last = dict(numbered.values_list("judgement").annotate(Max("number")))
    for head, one in changed:
        last[head.pk] = max(last.get(head.pk, 0) + 1, one.number or 0)
        revisions.append(
            models.Revision(
                judgement=head,
                number=last[head.pk],
                outcome=one.judgement.outcome,
                answers=answer_values.to_json(one.judgement.answers),
                seconds=one.seconds,
                origin=origin,
                created_at=one.at or now,
            )
        )
    models.Revision.objects.bulk_create(revisions)
    for (head, _), revision in zip(changed, revisions, strict=True):
        head.current, head.state = revision, "submitted"
    models.Judgement.objects.bulk_update([head for head, _ in changed], ["current", "state"])
    save_edits([(revision, one.judgement) for revision, (_, one) in zip(revisions, changed, strict=True)])


def save_edits(pairs: Sequence[tuple[models.Revision, Judgement]]) -> None:
    """Write the edits of new revisions as rows."""
    rows: dict[tuple[int, str], models.Edit] = {}
    for revision, judgement in pairs:
        for position, edit in enumerate(judgement.edits):
            rows[revision.pk, edit.id] = models.Edit(
                revision=revision,
                position=position,
                key=edit.id,
                operation=edit.operation,
                source_spans=[[span.start, span.end] for span in edit.source],
                rewrite_spans=[[span.start, span.end] for span in edit.rewrite],
                answers=answer_values.to_json(edit.answers),
            )
    models.Edit.objects.bulk_create(rows.values())
    parts = []
    for revision, judgement in pairs:
        for edit in judgement.edits:
            if edit.parent:
                row = rows[revision.pk, edit.id]
                row.parent = rows[revision.pk, edit.parent]
                parts.append(row)
    models.Edit.objects.bulk_update(parts, ["parent"])
