"""Erasure on request: answers and identity give way to a tombstone that keeps counts honest (design/001).

Assignments stay, so that a study still shows that an item had three judgements, one of them withdrawn. Payments keep
amount and stage under the tombstone's name. Nothing else ever removes what somebody said, and nothing undoes this.
"""

from __future__ import annotations

from datetime import datetime
from typing import NamedTuple

from django.db import transaction
from django.db.models import CharField, F, QuerySet, Value
from django.db.models.functions import Cast, Concat

from rubrica.store import audit, job_files, models
from rubrica.store.consents import latest
from rubrica.store.database import home_from
from rubrica.store.leases import give_back
from rubrica.store.translate import protocol_of, text_digest

OUTCOME = "erased"
"""The outcome of a revision whose answers are gone."""

TEXT = "[erased]"
"""Stands where the annotator's own text stood."""


class Erased(NamedTuple):
    """How much gave way: judgements, revisions, and items that the annotator had written."""

    judgements: int
    revisions: int
    items: int


def erase(annotator: models.Annotator, now: datetime, *, actor: str = "annotator") -> Erased:
    """Erase an annotator, in one transaction; exported files of the study go too. Erasing again changes nothing.

    ``actor`` is the researcher who does it on request; the audit says that it happened and not who was erased.
    """
    with transaction.atomic():
        study = models.Study.objects.select_for_update(no_key=True).get(pk=annotator.study_id)
        person = models.Annotator.objects.select_for_update().get(pk=annotator.pk)
        if person.erased_at is not None:
            return Erased(0, 0, 0)
        last = latest(person)
        models.Consent.objects.create(
            annotator=person, text=last.text if last else None, decision="withdrawn", erasure=True, at=now
        )
        give_back(models.Assignment.objects.filter(annotator=person))
        judgements, revisions = _erase_answers(person, now)
        _erase_words(person)
        _erase_person(person)
        name = _tombstone(study)
        items = _erase_texts(study, person.name, name, now)
        person.name, person.language, person.reason, person.erased_at = name, "", "", now
        person.save()
        audit.record("annotator erased", study, now, actor=actor)
    job_files.forget_study(study, home_from(None))
    annotator.refresh_from_db()
    return Erased(judgements, revisions, items)


def _erase_answers(person: models.Annotator, now: datetime) -> tuple[int, int]:
    """Empty every revision. Its key goes too: of a sheet it is a digest of the answers, of a page it names a device.

    What the annotator said in a file of another tool is deleted with it.
    """
    heads = models.Judgement.objects.filter(annotator=person)
    list(heads.select_for_update().values_list("pk"))  # a save under way ends first, and none begins meanwhile
    revisions = models.Revision.objects.filter(judgement__annotator=person)
    models.Edit.objects.filter(revision__judgement__annotator=person).delete()
    models.SuggestionFate.objects.filter(revision__judgement__annotator=person).delete()
    models.ImportedEntry.objects.filter(annotator=person).delete()
    number = Cast(F("number"), CharField())
    emptied = revisions.update(
        answers={},
        outcome=OUTCOME,
        key=Concat(Value("erased-"), number),
        seconds=None,
        visit="",
        visit_seconds=0,
        erased_at=now,
    )
    return heads.update(state="erased"), emptied


def _erase_words(person: models.Annotator) -> None:
    """What the annotator wrote about items, and what was written about the annotator's work."""
    models.Flag.objects.filter(annotator=person).update(reason=TEXT, resolution="")
    about = models.Revision.objects.filter(judgement__annotator=person)
    models.Feedback.objects.filter(revision__in=about).update(text="")
    models.Review.objects.filter(revision__in=about).update(note="")


def _erase_person(person: models.Annotator) -> None:
    """What tells who it is and how they did before the work."""
    models.Profile.objects.filter(annotator=person).delete()
    models.ExternalIdentity.objects.filter(annotator=person).delete()
    models.Attempt.objects.filter(annotator=person).delete()
    models.CourseTry.objects.filter(annotator=person).delete()
    models.StepDone.objects.filter(annotator=person).delete()


def _tombstone(study: models.Study) -> str:
    """A name that no annotator of the study has."""
    number = study.annotators.exclude(erased_at=None).count()
    while True:
        number += 1
        name = f"erased-{number}"
        if not study.annotators.filter(name=name).exists():
            return name


def _erase_texts(study: models.Study, name: str, tombstone: str, now: datetime) -> int:
    """Items that the annotator wrote: the texts are their answers. Ratings by others stay, as counts.

    What metrics made of the texts goes with them.
    """
    written = _rewritten_fields(study)
    items: QuerySet[models.Item] = models.Item.objects.filter(study=study, author=name)
    changed = []
    for item in items:
        item.fields = {field: TEXT if field in written else text for field, text in item.fields.items()}
        item.digest = text_digest(item.fields)
        item.author = tombstone
        if item.closed_at is None:
            item.closed_at, item.closed_reason = now, OUTCOME
        changed.append(item)
    models.MetricScore.objects.filter(item__in=items).delete()
    models.Item.objects.bulk_update(changed, ["fields", "digest", "author", "closed_at", "closed_reason"], 500)
    return len(changed)


def _rewritten_fields(study: models.Study) -> set[str]:
    """Names of the fields that hold a rewrite, in any stage of the study."""
    return {
        field.id
        for stage in study.stages.select_related("protocol_version")
        for field in protocol_of(stage).fields
        if field.role == "rewrite"
    }
