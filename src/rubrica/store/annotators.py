"""Annotators of a study: made when they are first named; who may not take part in a stage, and why."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import datetime

from rubrica.core.errors import Problem
from rubrica.core.protocol import Protocol
from rubrica.core.protocol import Stage as Step
from rubrica.store import models
from rubrica.store.parts import stages_of_part
from rubrica.store.translate import rules_of

AT_ONCE = 500
"""Names in one query: SQLite takes no more than 999 values."""
NAME = re.compile(r"[^\s/\\,][^/\\,\x00-\x1f]{0,199}")
METRIC_PREFIX = "metric:"
"""How the names of registered metrics begin, so that a person may be called Sari."""


def named(study: models.Study, names: Iterable[str], now: datetime) -> dict[str, models.Annotator]:
    """The annotators of these names, in this order; those that are not there yet are made."""
    wanted = list(dict.fromkeys(names))
    known: dict[str, models.Annotator] = {}
    for start in range(0, len(wanted), AT_ONCE):
        some = wanted[start : start + AT_ONCE]
        known |= {person.name: person for person in study.annotators.filter(name__in=some)}
    fresh = [models.Annotator(study=study, name=name, created_at=now) for name in wanted if name not in known]
    known |= {person.name: person for person in models.Annotator.objects.bulk_create(fresh)}
    return {name: known[name] for name in wanted}


def name_problems(names: Sequence[str]) -> list[Problem]:
    """Names that cannot be used, because they become file names, or that are given twice."""
    found = [
        Problem(
            what=f"{name!r} cannot be the name of an annotator",
            rule="annotator_name",
            value=name,
            fix="Use up to 200 characters without slashes, commas and line breaks.",
        )
        for name in names
        if not NAME.fullmatch(name)
    ]
    found += [
        Problem(
            what=f"{name!r} begins as the names of metrics do",
            rule="annotator_name",
            value=name,
            fix=f"Leave out {METRIC_PREFIX!r}: what a metric gives is registered with `rubrica score --register`.",
        )
        for name in names
        if name.startswith(METRIC_PREFIX)
    ]
    twice = [name for name, count in Counter(names).items() if count > 1]
    return found + [
        Problem(what=f"{name!r} is named twice", rule="annotator_name", value=name, fix="Name each once.")
        for name in twice
    ]


def eligibility_problems(stage: models.Stage, protocol: Protocol, names: Sequence[str]) -> list[Problem]:
    """People who may not take part in this stage at all."""
    rules = rules_of(stage, protocol)
    found = []
    if rules.not_authors:
        authors = set(stage.study.items.exclude(author="").values_list("author", flat=True))
        found += [
            _not_eligible(name, "wrote rewrites of this study, and raters must be other people than the writers")
            for name in names
            if name in authors
        ]
    for other in (*rules.other_people_than, *_stages_that_exclude(protocol, rules.id)):
        took_part = set(
            models.Annotator.objects.filter(assignments__stage__in=stages_of_part(stage.study, other)).values_list(
                "name", flat=True
            )
        )
        found += [
            _not_eligible(name, f"took part in the stage {other!r}, and {stage.key!r} is for other people")
            for name in names
            if name in took_part
        ]
    found += _kept_apart(stage, rules, names)
    excluded = models.Annotator.objects.filter(study=stage.study, name__in=names).exclude(excluded_at=None)
    return found + [_not_eligible(person.name, "was excluded from this study") for person in excluded]


def _kept_apart(stage: models.Stage, rules: Step, names: Sequence[str]) -> list[Problem]:
    """Where a study names its adjudicators: they do nothing else, and nobody else does what they do."""
    apart = set(stage.study.options.get("adjudicators", ()))
    if not apart:
        return []
    if rules.role == "adjudicator":
        why = f"is not among those who are to do {stage.key!r} in this study"
        return [_not_eligible(name, why) for name in names if name not in apart]
    return [_not_eligible(name, "is kept for adjudication in this study") for name in names if name in apart]


def _stages_that_exclude(protocol: Protocol, stage: str) -> list[str]:
    """Stages that must have other people than this one: who worked there cannot work here either."""
    return [other.id for other in protocol.stages if stage in other.other_people_than]


def _not_eligible(name: str, why: str) -> Problem:
    return Problem(
        what=f"{name!r} {why}", rule="eligibility", fix="Leave this annotator out, or name another.", value=name
    )
