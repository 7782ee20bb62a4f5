"""A researcher's words on one judgement. Its annotator reads them: see participation.py."""

from __future__ import annotations

from datetime import datetime

from django.db import transaction

from rubrica.core.errors import wrong
from rubrica.store import audit, keyed_rows, models
from rubrica.store.adjudication.reviewing import submitted_revision
from rubrica.store.typed_text import checked_text


def give(judgement: models.Judgement, text: str, now: datetime, *, actor: str = "", key: str = "") -> models.Feedback:
    """Tell the annotator something about this judgement. The same ``key`` again is the same words."""
    said = checked_text(text, "the feedback")
    revision = submitted_revision(judgement)
    with transaction.atomic():
        models.Judgement.objects.select_for_update(no_key=True).get(pk=judgement.pk)
        known = models.Feedback.objects.filter(pid=key).first() if key else None
        if known is not None and known.revision.judgement_id == judgement.pk:
            return known
        made = keyed_rows.create(models.Feedback, key, revision=revision, author=actor, text=said, at=now)
        audit.record("feedback given", judgement.stage.study, now, actor=actor, judgement=judgement.pid)
    return made


def take_back(feedback: models.Feedback, now: datetime, *, actor: str = "") -> None:
    """Remove words that the annotator has not read yet; after that they stand."""
    with transaction.atomic():
        locked = models.Feedback.objects.select_for_update().get(pk=feedback.pk)
        if locked.read_at is not None:
            raise wrong("the annotator has read this", "read", "Give further feedback instead.", value=feedback.pid)
        judgement = locked.revision.judgement
        audit.record("feedback taken back", judgement.stage.study, now, actor=actor, judgement=judgement.pid)
        locked.delete()
