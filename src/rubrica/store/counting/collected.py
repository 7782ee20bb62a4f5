"""A study that collects texts and has them judged, at the boundary: what waits, was handed on, was discarded."""

from __future__ import annotations

from django.db.models import Count, Q

from rubrica.core.handed_on import Collected, Sentence
from rubrica.store import models
from rubrica.store.allocation.handing_on import WRITER_OUT
from rubrica.store.allocation.overlap import full_at
from rubrica.store.people.erasure import OUTCOME as ERASED
from rubrica.store.stages import stages_of_part
from rubrica.store.translate import protocol_of


def collected(study: models.Study) -> Collected | None:
    """How far the study is; None if no stage takes what is written at another."""
    taking = study.stages.exclude(takes="").first()
    if taking is None:
        return None
    writing = list(stages_of_part(study, taking.takes).select_related("protocol_version"))
    ended = all(stage.state == models.Stage.State.CLOSED for stage in writing)
    full = set(study.items.filter(full_at(writing)).values_list("pk", flat=True))
    gone = Q(judgements__items__closed_reason__in=(WRITER_OUT, ERASED))
    texts = Count("judgements__items", distinct=True, filter=~gone)
    rows = study.items.given().unplanted().annotate(texts=texts).order_by("position")
    found = [
        Sentence(key, reason if closed else None, texts, ended or pk in full)
        for pk, key, reason, texts, closed in rows.values_list("pk", "key", "closed_reason", "texts", "closed_at")
    ]
    asked = [protocol_of(stage) for stage in writing]
    passed = {way for protocol in asked for way in protocol.all_ways_out() if protocol.passes_on(way)}
    skips = models.Judgement.objects.filter(stage__in=writing).counted().filter(current__outcome__in=passed)
    return Collected.of(found, writing[-1].overlap if writing else 0, skips.count())
