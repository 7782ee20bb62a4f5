"""Annotators of a study: made when they are first named, which names they cannot have, excluded and taken back.

What an excluded annotator did is kept, but out of the results, with the reason. Who may take part in a stage: see
``allocation/eligibility.py``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime

from django.db import transaction

from rubrica.core.errors import Problem, refuse
from rubrica.core.names import normal
from rubrica.core.typed import checked_text
from rubrica.store import audit, models
from rubrica.store.allocation.handing_on import after_excluding, after_including
from rubrica.store.allocation.overlap import counted, fill_places, give_back, lock_stages
from rubrica.store.people.identities import erased_problems, identities_of, matching


def named(study: models.Study, names: Iterable[str], now: datetime) -> dict[str, models.Annotator]:
    """The annotators of these names, in this order; those that are not there yet are made.

    Whoever got a link under a pseudonym is meant by their name, too. Raises InputError for whoever was erased: a name
    brings nobody back.
    """
    wanted = list(dict.fromkeys(names))
    known = {person.name: person for person in matching(study.annotators.all(), "name", wanted)}
    people = identities_of(study, wanted)
    refuse(erased_problems(study, people))
    unknown = {people[name]: name for name in wanted if name not in known}
    for row in matching(study.annotators.living(), "identity", list(unknown)):
        if normal(row.name) != normal(unknown[row.identity]):
            known[unknown[row.identity]] = row
    fresh = [
        models.Annotator(study=study, name=name, identity=people[name], created_at=now)
        for name in wanted
        if name not in known
    ]
    known |= {person.name: person for person in models.Annotator.objects.bulk_create(fresh)}
    return {name: known[name] for name in wanted}


def first_unused(study: models.Study, names: Iterable[str]) -> str:
    """The first of these names that neither an annotator of the study nor an author of its texts has."""
    return next(unused_names(study, names))


def unused_names(study: models.Study, names: Iterable[str]) -> Iterator[str]:
    """Those of these names that neither an annotator of the study nor an author of its texts has."""
    known, wrote = study.annotators, study.items
    return (one for one in names if not (known.filter(name=one).exists() or wrote.filter(author=one).exists()))


def spelling_problems(study: models.Study, names: Sequence[str]) -> list[Problem]:
    """Names of people whom the study knows in another spelling: as somebody new they could do what they may not."""
    known = set(study.annotators.living().values_list("name", flat=True))
    spelt = {normal(name): name for name in known}
    return [
        Problem(
            what=f"{name!r} is spelt {spelt[normal(name)]!r} in this study",
            rule="annotator_name",
            value=name,
            fix="Write the name as it is there, or give another person another name.",
        )
        for name in names
        if name not in known and normal(name) in spelt
    ]


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
