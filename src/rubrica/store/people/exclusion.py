"""Excluding an annotator: what they did is kept, but out of the results, with the reason; and taking it back."""

from __future__ import annotations

from datetime import datetime

from django.db import transaction

from rubrica.core.typed import checked_text
from rubrica.store import audit, models
from rubrica.store.allocation.handing_on import after_excluding, after_including
from rubrica.store.allocation.overlap import counted, fill_places, give_back, lock_stages


def exclude(annotator: models.Annotator, reason: str, now: datetime, *, actor: str = "") -> bool:
    """Leave the annotator's judgements out of the results and hand their places out again, first to what was extra.

    False if they were excluded before. The reason stays with the annotator, not in the audit trail.
    """
    said = checked_text(reason, "the reason")
    with transaction.atomic():
        stages = lock_stages(annotator.study_id)
        person = models.Annotator.objects.select_for_update().get(pk=annotator.pk)
        if person.excluded_at is not None:
            return False
        person.update(excluded_at=now, reason=said)
        back = give_back(person.assignments.all())
        for stage in stages:
            fill_places(stage)
        after_excluding(person, now)
        audit.record("annotator excluded", person.study, now, actor=actor, annotator=person.pid, leases=back)
    return True


def include_again(annotator: models.Annotator, now: datetime, *, actor: str = "") -> int:
    """Let the annotator's judgements count again; how many now lie beyond the overlap.

    Places that others took meanwhile are theirs: such judgements become ``extra``, kept and never lost.
    """
    with transaction.atomic():
        stages = lock_stages(annotator.study_id)
        person = models.Annotator.objects.select_for_update().get(pk=annotator.pk)
        if person.excluded_at is None:
            return 0
        beyond = 0
        for stage in stages:
            mine = person.assignments.filter(stage=stage, item__in=counted(stage).items_with(stage.overlap))
            beyond += mine.done().unplanted().update(state=models.Assignment.State.EXTRA)
        person.update(excluded_at=None, reason="")
        after_including(person, now)
        audit.record("annotator included again", person.study, now, actor=actor, annotator=person.pid, extra=beyond)
    return beyond
