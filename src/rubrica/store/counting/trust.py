"""Whether a study can be trusted so far: agreement, checks passed and failed, findings that deserve a look.

Nothing is computed here. ``report.agreement_percent`` and ``report.checks`` are asked with the ratings of each stage,
as `rubrica agree`, `rubrica check` and the report ask them; this keeps the answers for the pages that show them.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

import attrs

from rubrica.core.ratings import GOLD
from rubrica.store.counting.submitted import Picture
from rubrica.store.ratings import ratings_at

if TYPE_CHECKING:
    from rubrica.report.agreement_percent import Percent, Percents
    from rubrica.report.checks import Checked
    from rubrica.report.checks_findings import Finding
    from rubrica.report.checks_planted import PlantedCheck

MANY, SOON = 2_000, 0.02
"""With more judgements than this at a stage, its figures are computed again when there are so many more of them."""


class Checks(NamedTuple):
    """Answers to items with known answers that were right, and to hidden duplicates that were the same again."""

    right: int = 0
    graded: int = 0
    same: int = 0
    compared: int = 0

    def __add__(self, other: object) -> Checks:
        assert isinstance(other, Checks)
        return Checks(*(one + two for one, two in zip(self, other, strict=True)))


@attrs.frozen
class Trust:
    """A study's figures, by row numbers. Agreement is of annotators who are not excluded, on plain items.

    ``with_others`` is each annotator's agreement with the others, all questions together; ``planted`` are their
    judgements of planted items, by stage. ``fixed`` counts answers that a rule fixed, which all figures leave out.
    """

    questions: Mapping[tuple[int, str], Percent]
    with_others: Mapping[int, Percent]
    planted: Mapping[int, list[tuple[int, PlantedCheck]]]
    checked: Mapping[int, Checked]
    findings: Mapping[int, list[tuple[int, Finding]]]
    fixed: int

    def checks_of(self, person: int) -> Checks:
        """The sum of one annotator's checks."""
        total = Checks()
        for _, check in self.planted.get(person, ()):
            counts = check.right, len(check.every)
            total += Checks(*counts, 0, 0) if check.rating.planted == GOLD else Checks(0, 0, *counts)
        return total

    def found(self, person: int, check: str) -> bool:
        """Whether something unusual was found of an annotator at this check."""
        return any(finding.check == check for _, finding in self.findings.get(person, ()))

    def untold(self, name: str) -> list[tuple[int, str]]:
        """By stage, why it cannot be told of the annotator of this name whether anything is unusual."""
        return [
            (stage, one.reason)
            for stage, checked in self.checked.items()
            if name not in checked.clear
            for one in checked.untold
            if name in one.raters
        ]


def all_checks(trust: Trust, people: Iterable[int]) -> Checks:
    """The sum over these annotators."""
    return sum((trust.checks_of(person) for person in people), Checks())


@lru_cache(maxsize=4)
def trust(picture: Picture) -> Trust:
    """All figures of a study. A picture is the same object until something changes, so they are kept with it."""
    judged = dict.fromkeys(pk for pk in picture.stages if any(entry.stage == pk for entry in picture.every))
    stages = {pk: _figures(_judged(picture, pk)) for pk in judged}
    people = {person.name: pk for pk, person in picture.people.items()}
    with_others: dict[int, Percent] = {}
    planted: dict[int, list[tuple[int, PlantedCheck]]] = {}
    findings: dict[int, list[tuple[int, Finding]]] = {}
    for stage, found in stages.items():
        # Of a large stage a name may be gone again: erased since its figures were computed.
        for name, percent in found.agreement.raters.items():
            if pk := people.get(name):
                with_others[pk] = with_others[pk] + percent if pk in with_others else percent
        for check in found.checked.planted:
            if pk := people.get(check.rating.rater):
                planted.setdefault(pk, []).append((stage, check))
        for finding in found.checked.unusual:
            if pk := people.get(finding.rater):
                findings.setdefault(pk, []).append((stage, finding))
    return Trust(
        {(stage, name): one for stage, found in stages.items() for name, one in found.agreement.questions.items()},
        with_others,
        planted,
        {stage: found.checked for stage, found in stages.items()},
        findings,
        sum(found.fixed for found in stages.values()),
    )


class StageFigures(NamedTuple):
    """The figures of one stage, by the names of questions and raters."""

    agreement: Percents
    checked: Checked
    fixed: int


@attrs.frozen
class _Judged:
    """What was judged at a stage, and what tells it from what was judged there at another time."""

    study: str
    stage: int
    out: frozenset[int]
    version: object
    picture: Picture = attrs.field(eq=False)


def _judged(picture: Picture, stage: int) -> _Judged:
    """While a large stage runs, figures of a moment ago will do: its version changes with every fiftieth of it."""
    every = [entry.revision_pid for entry in picture.every if entry.stage == stage]
    version = tuple(every) if len(every) <= MANY else int(math.log(len(every), 1 + SOON))
    out = frozenset(pk for pk, person in picture.people.items() if person.excluded_at or person.erased_at)
    return _Judged(picture.study.pid, stage, out, version, picture)


@lru_cache(maxsize=8)
def _figures(judged: _Judged) -> StageFigures:
    """What is computed with is loaded here and not with the studio, which would start slower."""
    from rubrica.report.agreement_percent import percent_agreement
    from rubrica.report.checks import check

    ratings = ratings_at(judged.picture, judged.picture.stages[judged.stage])
    return StageFigures(percent_agreement(ratings), check(ratings), sum(ratings.fixed_answers.values()))
