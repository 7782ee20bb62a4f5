"""Annotators of a study: made when they are first named, and which names they cannot have.

Who may take part in a stage: see ``allocation/eligibility.py``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime

from rubrica.core.errors import Problem, refuse
from rubrica.core.names import normal
from rubrica.store import models
from rubrica.store.people.identities import erased_problems, identities_of, matching


def named(study: models.Study, names: Iterable[str], now: datetime) -> dict[str, models.Annotator]:
    """The annotators of these names, in this order; those that are not there yet are made.

    Raises InputError for whoever was erased: a name brings nobody back.
    """
    wanted = list(dict.fromkeys(names))
    known = {person.name: person for person in matching(study.annotators.all(), "name", wanted)}
    people = identities_of(study, wanted)
    refuse(erased_problems(study, people))
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
