"""Erasure on request: answers and identity give way to a tombstone that keeps counts honest (design/001).

Assignments stay, so that a study still shows that an item had three judgements, one of them withdrawn. Payments keep
amount and stage under the tombstone's name. Nothing else ever removes what somebody said, and nothing undoes this: the
tombstone keeps the identity, by which ``identities.tombstones`` knows the person at every entrance.
"""

from __future__ import annotations

from datetime import datetime
from itertools import count
from typing import Any, NamedTuple

from django.db import transaction
from django.db.models import CharField, F, QuerySet, Value
from django.db.models.functions import Cast, Concat

from rubrica.home.database import current_home
from rubrica.store import audit, models
from rubrica.store.allocation.eligibility import forget_member
from rubrica.store.allocation.overlap import give_back
from rubrica.store.jobs import jobs
from rubrica.store.people.annotators import first_unused
from rubrica.store.people.consents import withdraw
from rubrica.store.people.identities import NAME, circle, of_name
from rubrica.store.translate import protocol_of, text_digest

OUTCOME = "erased"
"""The outcome of a revision whose answers are gone."""

TEXT = "[erased]"
"""Stands where the annotator's own text stood."""


class ErasedIn(NamedTuple):
    """How much gave way in a study that is joined."""

    study: models.Study
    judgements: int
    revisions: int
    items: int


class Erased(NamedTuple):
    """How much gave way: judgements, revisions, and items that the annotator had written; then in joined studies."""

    judgements: int
    revisions: int
    items: int
    elsewhere: tuple[ErasedIn, ...] = ()


def erase(annotator: models.Annotator, now: datetime, *, actor: str = "annotator") -> Erased:
    """Erase a person from this study and those joined with it, in one transaction; exported files of these go too.

    Erasing again changes nothing. ``actor`` is the researcher who does it on request; the audit says in each study
    that it happened, and not who was erased.
    """
    with transaction.atomic():
        joined = models.Study.objects.select_for_update(no_key=True).filter(pk__in=circle(annotator.study))
        studies = list(joined.order_by("pk"))
        person = models.Annotator.objects.select_for_update().get(pk=annotator.pk)
        if person.erased_at is not None:
            return Erased(0, 0, 0)
        found = [_found_in(study, person) for study in studies]
        rows = [row.pk for one in found for row in one.rows]
        list(models.Annotator.objects.select_for_update().filter(pk__in=rows).order_by("pk").values_list("pk"))
        touched = [_erase_in(one, person.study, now, actor) for one in found if one.rows or one.items.exists()]
    for one in touched:
        jobs.forget_study(one.study, current_home())
    here = next(one for one in touched if one.study.pk == annotator.study_id)
    annotator.refresh_from_db()
    return Erased(*here[1:], elsewhere=tuple(one for one in touched if one is not here))


def erase_author(study: models.Study, author: str, now: datetime) -> int:
    """Erase the texts of an author who was erased in a study that is being joined; how many. In a transaction."""
    return _erase_texts(study, study.items.filter(author=author), _tombstone(study), now)


def joined_places(annotator: models.Annotator) -> list[models.Study]:
    """The other studies in which erasing this person would erase something."""
    studies = models.Study.objects.filter(pk__in=circle(annotator.study)).exclude(pk=annotator.study_id)
    return [
        study
        for study in studies.order_by("name")
        if (found := _found_in(study, annotator)).rows or found.items.exists()
    ]


class _Found(NamedTuple):
    """What there is of a person in a study: annotators, and items that they wrote."""

    study: models.Study
    rows: list[models.Annotator]
    items: QuerySet[models.Item]


def _found_in(study: models.Study, person: models.Annotator) -> _Found:
    """What a study has of this person.

    A name in two spellings is two people where one study has both; then only the same spelling is the same person.
    """
    if not person.identity:
        own = [person] if study.pk == person.study_id else []
        return _Found(study, own, study.items.none())
    alike = models.Annotator.objects.filter(identity=person.identity).living().order_by("pk")
    rows, items = alike.filter(study=study), study.items.filter(author_identity=person.identity)
    by_name = person.identity.startswith(NAME)
    if by_name and (rows.count() > 1 or alike.filter(study=person.study_id).count() > 1):
        rows, items = rows.filter(name=person.name), items.filter(author=person.name)
    return _Found(study, list(rows), items)


def _erase_in(found: _Found, asked_in: models.Study, now: datetime, actor: str) -> ErasedIn:
    """Erase the person from one study."""
    study, judgements, revisions = found.study, 0, 0
    name = _tombstone(study)
    items = _erase_texts(study, found.items, name, now)
    for number, row in enumerate(found.rows):
        forget_member(study, row.identity)
        emptied = _erase_row(row, _tombstone(study) if number else name, now)
        judgements, revisions = judgements + emptied[0], revisions + emptied[1]
    joined = {} if study.pk == asked_in.pk else {"joined_with": asked_in.pid}
    audit.record("annotator erased", study, now, actor=actor, **joined)
    return ErasedIn(study, judgements, revisions, items)


def _erase_row(row: models.Annotator, tombstone: str, now: datetime) -> tuple[int, int]:
    """What one annotator left, and who it was: how many judgements and revisions were emptied."""
    withdraw(row, now, erasure=True)
    give_back(row.assignments.all())
    emptied = _erase_answers(row, now)
    _erase_words(row)
    for known in (models.Profile, models.ExternalIdentity, models.Attempt, models.CourseTry, models.StepDone):
        known._default_manager.filter(annotator=row).delete()
    models.Invitation.objects.filter(annotator=row).update(note="")
    row.update(former=of_name(row.name), name=tombstone, language="", reason="", erased_at=now)
    return emptied


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
    key = Concat(Value("erased-"), Cast(F("number"), CharField()))
    nothing: dict[str, Any] = {"answers": {}, "outcome": OUTCOME, "seconds": None, "visit": "", "visit_seconds": 0}
    emptied = revisions.update(**nothing, key=key, erased_at=now)
    return heads.update(state=models.Judgement.State.ERASED), emptied


def _erase_words(person: models.Annotator) -> None:
    """What the annotator wrote about items, and what was written about the annotator's work."""
    models.Flag.objects.filter(annotator=person).update(reason=TEXT, resolution="")
    about = models.Revision.objects.filter(judgement__annotator=person)
    models.Feedback.objects.filter(revision__in=about).update(text="")
    models.Review.objects.filter(revision__in=about).update(note="")


def _tombstone(study: models.Study) -> str:
    return first_unused(study, (f"erased-{number}" for number in count(study.annotators.erased().count() + 1)))


def _erase_texts(study: models.Study, items: QuerySet[models.Item], tombstone: str, now: datetime) -> int:
    """Items that the annotator wrote: the texts are their answers. Ratings by others stay, as counts.

    What metrics made of the texts goes with them.
    """
    stages = study.stages.select_related("protocol_version")
    written = {field for stage in stages for field in protocol_of(stage).rewrites}
    changed = []
    for item in items:
        item.fields = {field: TEXT if field in written else text for field, text in item.fields.items()}
        item.digest = text_digest(item.fields)
        item.author, item.author_identity = tombstone, ""
        if item.closed_at is None:
            item.closed_at, item.closed_reason = now, OUTCOME
        changed.append(item)
    models.MetricScore.objects.filter(item__in=items).delete()
    columns = ["fields", "digest", "author", "author_identity", "closed_at", "closed_reason"]
    models.Item.objects.bulk_update(changed, columns, 500)
    return len(changed)
