"""Handing on: what people wrote at one stage becomes the items of another stage of the same study (design/042).

A sentence's texts go to the raters when it is settled, so that nothing is paid for that is discarded later; or as they
come in, if the study says so. A sentence that enough writers flagged is closed here, at the boundary: its other texts
reach nobody. What decides is :func:`rubrica.core.handed_on.settle`. Called after each save of a writer, when a stage is
closed or opened again, its overlap is changed or somebody is excluded, and before raters are given work; said twice, it
changes nothing more.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from itertools import count

from django.db import transaction
from django.db.models import Max, Q, QuerySet

from rubrica.core.eligibility import writes
from rubrica.core.handed_on import DISCARD, FLAGGED, MOST_KEY, WAIT, Said, settle, text_item
from rubrica.core.study import ANSWERED, gathered
from rubrica.exchange.study_options import AS_THEY_COME
from rubrica.store import audit, models
from rubrica.store.allocation.overlap import full_at, give_back, lock_stage
from rubrica.store.options import options_of
from rubrica.store.stages import part_of, stages_of_part
from rubrica.store.translate import item_from, item_row, judgement_from, protocol_of, rules_of

CHUNK = 500
"""How many sentences are looked at together."""
WRITER_OUT = "its writer is excluded"
"""Why a text is closed whose writer was excluded."""


def after_writing(stage: models.Stage, items: Collection[int], now: datetime) -> None:
    """Hand on what these items (row numbers) have, after something was said about them where people write."""
    protocol = protocol_of(stage)
    if writes(rules_of(stage, protocol), protocol):
        for taking in takers(stage):
            hand_on(taking, now, items)


def takers(stage: models.Stage) -> QuerySet[models.Stage]:
    """The stages, not closed, that take what is written at this one."""
    related = models.Stage.objects.select_related("protocol_version", "study")
    return related.filter(study=stage.study_id, takes=part_of(stage)).unclosed()


def hand_on(stage: models.Stage, now: datetime, items: Collection[int] | None = None) -> int:
    """Make items of the texts that are ready for this stage, of these items only if any are named; how many.

    A stage that takes nothing is left alone. Sentences that are to be discarded are closed.
    """
    if not stage.takes:
        return 0
    writing = list(stages_of_part(stage.study, stage.takes).select_related("protocol_version", "study"))
    ready = _ready(stage, writing, items)
    if not writing or not ready.exists():
        return 0
    with transaction.atomic():
        lock_stage(stage.pk)
        rows = list(ready.order_by("position"))
        parts = (rows[start : start + CHUNK] for start in range(0, len(rows), CHUNK))
        return sum(_hand_on(stage, writing, part, now) for part in parts)


def ended(writing: Sequence[models.Stage]) -> bool:
    """Whether nobody will write any more."""
    return all(stage.state == models.Stage.State.CLOSED for stage in writing)


def _heads(writing: Sequence[models.Stage]) -> QuerySet[models.Judgement]:
    """What was said at these stages; excluded people aside."""
    return models.Judgement.objects.filter(stage__in=writing).counted().exclude(current=None)


def _ready(
    stage: models.Stage, writing: Sequence[models.Stage], items: Collection[int] | None
) -> QuerySet[models.Item]:
    """Sentences that may be settled: flagged by somebody, or with a text that was not handed on, and full or ended.

    Of these items only, if any are named: a save looks at its own and not at the whole study.
    """
    given = models.Item.objects.filter(study=stage.study_id).given().unplanted().open()
    heads = _heads(writing)
    if items is not None:
        given, heads = given.filter(pk__in=items), heads.filter(item__in=items)
    ways = [way.id for one in writing for way in protocol_of(one).ways_out if not way.passes_on]
    flagged = Q(pk__in=heads.filter(current__outcome__in=ways).order_by().values("item"))
    fresh = Q(pk__in=heads.filter(items=None, current__outcome=ANSWERED).order_by().values("item"))
    if options_of(stage.study).hand_on == AS_THEY_COME:
        return given.filter(flagged | fresh)
    if items is None:
        # What was handed on before is looked at again when something is said about it, and not by every rater.
        texts = models.Item.objects.filter(study=stage.study_id).exclude(written=None)
        flagged &= ~Q(pk__in=texts.order_by().values("written__item"))
    if not ended(writing):
        fresh &= full_at(writing, items)
    return given.filter(flagged | fresh)


def _hand_on(stage: models.Stage, writing: Sequence[models.Stage], rows: Sequence[models.Item], now: datetime) -> int:
    after, protocols = protocol_of(stage), {one.pk: protocol_of(one) for one in writing}
    places, over = writing[-1].overlap, ended(writing)
    at_once = options_of(stage.study).hand_on == AS_THEY_COME
    heads = _heads(writing).filter(item__in=rows).select_related("current", "annotator").prefetch_related("items")
    said = gathered(heads.order_by("current__created_at", "pk"), lambda head: head.item_id)
    pks = [row.pk for row in rows]
    settled = set(models.Item.objects.filter(full_at(writing, pks), pk__in=pks).values_list("pk", flat=True))
    keys, numbers = _taken(stage, rows, said)
    last = models.Item.objects.filter(study=stage.study_id).aggregate(last=Max("position"))["last"] or 0
    positions = count(last + 1)
    made: list[models.Item] = []
    discarded = 0
    for row in rows:
        here, item = said.get(row.pk, []), item_from(row)
        asked = protocols[here[-1].stage_id] if here else after
        judged = [judgement_from(head.current) for head in here if head.current]
        found = settle(asked, item, judged, places, ended=over or row.pk in settled)
        if found.state == DISCARD:
            discarded += _discard(row, f"{FLAGGED}{found.flagged} of {found.said}", now)
            continue
        if found.state == WAIT and not at_once:
            continue
        for head, judgement in zip(here, judged, strict=True):
            if head.items.all():
                continue
            person = head.annotator
            for text in Said(person.name, protocols[head.stage_id], judgement).texts:
                numbers[row.pk] += 1
                new = text_item(item, asked, after, numbers[row.pk], person.name, text, keys)
                keys.add(new.key)
                text_row = item_row(stage.study, new, next(positions), {person.name: person.identity})
                text_row.written = head
                made.append(text_row)
    models.Item.objects.bulk_create(made)
    if made or discarded:
        audit.record("texts handed on", stage.study, now, stage=stage.key, texts=len(made), discarded=discarded)
    return len(made)


def _taken(
    stage: models.Stage, rows: Sequence[models.Item], said: Mapping[int, Sequence[object]]
) -> tuple[set[str], Counter[int]]:
    """Keys of the study that texts of these items might get, and how many texts of each there are."""
    there = models.Item.objects.filter(written__item__in=rows).order_by().values_list("written__item", flat=True)
    numbers = Counter(there)
    most = {row.key: numbers[row.pk] + len(said.get(row.pk, ())) for row in rows}
    begun = [f"{key[:MOST_KEY]}-{n}" for key, count in most.items() for n in range(1, count + 1)]
    wanted = [key + more for key in begun for more in ("", "+")]
    taken = models.Item.objects.filter(study=stage.study_id, key__in=wanted).values_list("key", flat=True)
    return set(taken), numbers


def _discard(row: models.Item, reason: str, now: datetime) -> int:
    """Close a sentence with what belongs to it, and take it back from pages; whether it was open."""
    items = models.Item.objects.with_belongings([row.pk])
    give_back(models.Assignment.objects.filter(item__in=items).on_pages())
    return int(items.open().update(closed_at=now, closed_reason=reason) > 0)


def after_excluding(person: models.Annotator, now: datetime) -> None:
    """Take the texts of somebody who was excluded from those who judge; what their flags decided is decided anew."""
    items = person.study.items
    decided = items.given().closed().filter(closed_reason__startswith=FLAGGED, judgements__annotator=person)
    again = models.Item.objects.with_belongings(list(decided.values_list("pk", flat=True)))
    again.filter(closed_reason__startswith=FLAGGED).update(closed_at=None, closed_reason="")
    texts = items.filter(written__annotator=person)
    give_back(models.Assignment.objects.filter(item__in=texts).on_pages())
    texts.open().update(closed_at=now, closed_reason=WRITER_OUT)
    hand_on_all(person.study, now)


def after_including(person: models.Annotator, now: datetime) -> None:
    """Give the texts of somebody who is included again to those who judge."""
    texts = person.study.items.filter(written__annotator=person, closed_reason=WRITER_OUT)
    texts.update(closed_at=None, closed_reason="")
    hand_on_all(person.study, now)


def hand_on_all(study: models.Study, now: datetime) -> None:
    """Hand on at every stage of the study that is not closed."""
    for taking in study.stages.unclosed().exclude(takes="").select_related("protocol_version", "study"):
        hand_on(taking, now)
