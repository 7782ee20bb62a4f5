"""Whether a study can be trusted so far: agreement, checks passed and failed, findings that deserve a look.

What is unusual of whom is asked of ``report.checks``, as `rubrica check` and the report do.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

import attrs

from rubrica.core.answers import NOT_APPLICABLE, Answer
from rubrica.core.pairwise import Agreement, percent_agreement
from rubrica.core.planted import check_planted
from rubrica.core.protocol import Protocol
from rubrica.core.ratings import Ratings
from rubrica.core.scales import Choice, Choices, Ordinal, Slider, YesNo
from rubrica.core.study import Item, Judgement
from rubrica.store import models
from rubrica.store.ratings import ratings_at
from rubrica.store.submitted import Entry, Picture
from rubrica.store.translate import rules_of

if TYPE_CHECKING:
    from rubrica.report.checks import Checked
    from rubrica.report.checks_findings import Finding

POINTS = 11
"""A slider with more steps than this cannot be compared answer by answer."""
MANY, SOON = 2_000, 0.02
"""With more judgements than this at a stage, its checks are done again when there are so many more of them."""


class Checks(NamedTuple):
    """Answers to items with known answers that were right, and to hidden duplicates that were the same again."""

    right: int = 0
    graded: int = 0
    same: int = 0
    compared: int = 0

    def __add__(self, other: object) -> Checks:
        assert isinstance(other, Checks)
        return Checks(*(one + two for one, two in zip(self, other, strict=True)))


class Check(NamedTuple):
    """One planted item that an annotator judged. ``expected`` is the known answer, or their own of the first time."""

    kind: str
    entry: Entry
    right: int
    graded: int
    wrong: tuple[tuple[str, Answer | None, Answer | None], ...]


@attrs.frozen
class Trust:
    """A study's figures, by row numbers. Agreement is of people who are not excluded, on plain items.

    ``fixed`` counts by stage the answers that a rule fixed, which agreement and checks leave out.
    """

    questions: Mapping[tuple[int, str], Agreement]
    with_others: Mapping[int, Agreement]
    checks: Mapping[int, list[Check]]
    checked: Mapping[int, Checked]
    findings: Mapping[int, list[tuple[int, Finding]]]
    fixed: Mapping[int, int]

    def checks_of(self, person: int) -> Checks:
        """The sum of one annotator's checks."""
        return _sum(self.checks.get(person, ()))

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


def _sum(checks: Iterable[Check]) -> Checks:
    total = Checks()
    for check in checks:
        gold = check.kind == "gold"
        total += Checks(check.right, check.graded, 0, 0) if gold else Checks(0, 0, check.right, check.graded)
    return total


def all_checks(trust: Trust, people: Iterable[int]) -> Checks:
    """The sum over these annotators."""
    return sum((trust.checks_of(person) for person in people), Checks())


@lru_cache(maxsize=4)
def trust(picture: Picture) -> Trust:
    """All figures of a study. A picture is the same object until something changes, so they are kept with it."""
    judged = {entry.stage for entry in picture.every}
    ratings = {pk: ratings_at(picture, stage) for pk, stage in picture.stages.items() if pk in judged}
    names = {person.name: pk for pk, person in picture.people.items()}
    questions, with_others = _agreement(picture, ratings, names)
    checked = {stage: _checked(_judged(picture, stage, known)) for stage, known in ratings.items()}
    findings: dict[int, list[tuple[int, Finding]]] = {}
    for stage, found in checked.items():
        for finding in found.unusual:
            findings.setdefault(names[finding.rater], []).append((stage, finding))
    fixed = {stage: sum(known.fixed_answers.values()) for stage, known in ratings.items()}
    return Trust(questions, with_others, _checks(picture), checked, findings, fixed)


@attrs.frozen
class _Judged:
    """The judgements of a stage, and what tells them from others: as much of it as checks have to know."""

    study: str
    stage: int
    excluded: frozenset[str]
    version: object
    ratings: Ratings = attrs.field(eq=False)


def _judged(picture: Picture, stage: int, ratings: Ratings) -> _Judged:
    """While a large stage runs, checks of a moment ago will do: its version changes with every fiftieth of it."""
    number = len(ratings.every)
    every = tuple(entry.revision_pid for entry in picture.every if entry.stage == stage) if number <= MANY else ()
    version = every or int(math.log(number, 1 + SOON))
    excluded = frozenset(name for name, rater in ratings.raters.items() if rater.excluded)
    return _Judged(picture.study.pid, stage, excluded, version, ratings)


@lru_cache(maxsize=8)
def _checked(judged: _Judged) -> Checked:
    """What is computed with is loaded here and not with the studio, which would start slower."""
    from rubrica.report.checks import check

    return check(judged.ratings)


def comparable(protocol: Protocol) -> list[str]:
    """Questions whose answers can be the same: scales and choices, not texts."""
    found = []
    for question in protocol.questions:
        scale = protocol.scale_of(question)
        few = isinstance(scale, Slider) and scale.steps < POINTS
        if few or isinstance(scale, Ordinal | YesNo | Choice | Choices):
            found.append(question.id)
    return found


def _agreement(
    picture: Picture, ratings: Mapping[int, Ratings], names: Mapping[str, int]
) -> tuple[dict[tuple[int, str], Agreement], dict[int, Agreement]]:
    """By stage and question, and by person with all who judged the same items."""
    people = {person.name for person in picture.people.values() if person.kind == "person"}
    found: dict[tuple[int, str], Agreement] = {}
    own: dict[int, list[int]] = {}
    for stage, protocol in picture.protocols.items():
        shared: dict[str, set[int]] = {}
        for question in comparable(protocol):
            groups: dict[str, list[tuple[int, Answer]]] = {}
            for rating in ratings[stage].chosen_on(question) if stage in ratings else ():
                if rating.rater in people and question in rating.answers:
                    groups.setdefault(rating.unit, []).append((names[rating.rater], rating.answers[question]))
            found[stage, question] = percent_agreement([answer for _, answer in given] for given in groups.values())
            for unit, given in groups.items():
                _count_pairs(given, own)
                shared.setdefault(unit, set()).update(person for person, _ in given)
        for judges in shared.values():
            for person in judges if len(judges) > 1 else ():
                own.setdefault(person, [0, 0, 0])[2] += 1
    return found, {person: Agreement(*counts) for person, counts in own.items()}


def _count_pairs(given: list[tuple[int, Answer]], own: dict[int, list[int]]) -> None:
    """Add each annotator's pairs with the others who answered the same question of the same item."""
    for person, answer in given:
        for other, theirs in given:
            if other != person and NOT_APPLICABLE not in (answer, theirs):
                counts = own.setdefault(person, [0, 0, 0])
                counts[0] += answer == theirs
                counts[1] += 1


def _checks(picture: Picture) -> dict[int, list[Check]]:
    if not picture.gold and not picture.duplicates:
        return {}
    wanted = {entry.item for entry in picture.every if picture.is_planted(entry.item)}
    items = {row.pk: Item(row.key, row.fields) for row in models.Item.objects.filter(pk__in=wanted)}
    first = {(entry.stage, entry.annotator, entry.item): entry for entry in picture.every}
    found: dict[int, list[Check]] = {}
    for entry in picture.every:
        if entry.item in picture.gold:
            known = Judgement(picture.gold[entry.item])
            check = _check(picture, "gold", entry, items[entry.item], known)
        elif entry.item in picture.duplicates:
            original = first.get((entry.stage, entry.annotator, picture.duplicates[entry.item]))
            if original is None:
                continue
            known = Judgement(original.answers, (), original.outcome)
            check = _check(picture, "duplicate", entry, items[entry.item], known)
        else:
            continue
        if check.graded:
            found.setdefault(entry.annotator, []).append(check)
    return found


def _check(picture: Picture, kind: str, entry: Entry, item: Item, known: Judgement) -> Check:
    """One planted judgement."""
    protocol = picture.protocols[entry.stage]
    step = rules_of(picture.stages[entry.stage], protocol)
    found = check_planted(kind, protocol, step, item, Judgement(entry.answers, (), entry.outcome), known)
    missed = tuple((one.question, one.given, one.expected) for one in found.missed)
    return Check(kind, entry, found.right, found.graded, missed)
