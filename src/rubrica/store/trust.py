"""Whether a study can be trusted so far: agreement, checks passed and failed, patterns that deserve a look."""

from __future__ import annotations

import math
from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

from rubrica.core.answers import NOT_APPLICABLE, Answer
from rubrica.core.pairwise import Agreement, percent_agreement
from rubrica.core.patterns import Pattern, Work, suspicious
from rubrica.core.planted import ENOUGH_CHECKS, LOW, check_planted
from rubrica.core.protocol import Protocol
from rubrica.core.scales import Choice, Choices, Ordinal, Slider, YesNo
from rubrica.core.study import ANSWERED, Item, Judgement
from rubrica.store import models
from rubrica.store.submitted import Entry, Picture
from rubrica.store.translate import rules_of

POINTS = 11
"""A slider with more steps than this cannot be compared answer by answer."""
PEERS = 400
"""Judgements of others that patterns are compared with, taken evenly: more would not move a share or a median."""


class Checks(NamedTuple):
    """Answers to items with known answers that were right, and to hidden duplicates that were the same again."""

    right: int = 0
    graded: int = 0
    same: int = 0
    compared: int = 0

    @property
    def low(self) -> bool:
        """Whether there are enough known answers to say that too many were missed."""
        return self.graded >= ENOUGH_CHECKS and self.right / self.graded < LOW

    @property
    def unsteady(self) -> bool:
        """Whether too many hidden duplicates were answered differently the second time."""
        return self.compared >= ENOUGH_CHECKS and self.same / self.compared < LOW

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


class Trust(NamedTuple):
    """A study's figures, by row numbers. Agreement is of people who are not excluded, on plain items."""

    questions: dict[tuple[int, str], Agreement]
    with_others: dict[int, Agreement]
    checks: dict[int, list[Check]]
    patterns: dict[int, list[tuple[int, Pattern]]]

    def checks_of(self, person: int) -> Checks:
        """The sum of one annotator's checks."""
        return _sum(self.checks.get(person, ()))


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
    questions, with_others = _agreement(picture)
    return Trust(questions, with_others, _checks(picture), _patterns(picture))


def comparable(protocol: Protocol) -> list[str]:
    """Questions whose answers can be the same: scales and choices, not texts."""
    found = []
    for question in protocol.questions:
        scale = protocol.scale_of(question)
        few = isinstance(scale, Slider) and scale.steps < POINTS
        if few or isinstance(scale, Ordinal | YesNo | Choice | Choices):
            found.append(question.id)
    return found


def _agreement(picture: Picture) -> tuple[dict[tuple[int, str], Agreement], dict[int, Agreement]]:
    """By stage and question, and by person with all who judged the same items."""
    people = {pk for pk, person in picture.people.items() if person.kind == "person"}
    groups: dict[tuple[int, int], list[Entry]] = {}
    for entry in picture.counted:
        if entry.outcome == ANSWERED and entry.annotator in people and not picture.is_planted(entry.item):
            groups.setdefault((entry.stage, entry.item), []).append(entry)
    asked = {stage: comparable(protocol) for stage, protocol in picture.protocols.items()}
    answers: dict[tuple[int, str], list[list[Answer]]] = {
        (stage, question): [] for stage, questions in asked.items() for question in questions
    }
    own: dict[int, list[int]] = {}
    for (stage, _), entries in groups.items():
        for question in asked[stage]:
            given = [(entry.annotator, entry.answers[question]) for entry in entries if question in entry.answers]
            answers[stage, question].append([answer for _, answer in given])
            _count_pairs(given, own)
        for entry in entries if len(entries) > 1 else ():
            own.setdefault(entry.annotator, [0, 0, 0])[2] += 1
    return (
        {key: percent_agreement(lists) for key, lists in answers.items()},
        {person: Agreement(*counts) for person, counts in own.items()},
    )


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


def _patterns(picture: Picture) -> dict[int, list[tuple[int, Pattern]]]:
    """What was noticed, by annotator, each with its stage."""
    found: dict[int, list[tuple[int, Pattern]]] = {}
    for stage in picture.stages:
        everyone = [(entry, _work(entry)) for entry in picture.every if entry.stage == stage]
        own: dict[int, list[Work]] = {}
        for entry, work in everyone:
            own.setdefault(entry.annotator, []).append(work)
        counted = [pair for pair in everyone if picture.people[pair[0].annotator].excluded_at is None]
        for person, works in own.items():
            if picture.people[person].kind != "person":
                continue
            others = [work for entry, work in counted if entry.annotator != person]
            peers = others[:: math.ceil(len(others) / PEERS) or 1]
            found.setdefault(person, []).extend((stage, pattern) for pattern in suspicious(works, [peers]))
    return {person: patterns for person, patterns in found.items() if patterns}


def _work(entry: Entry) -> Work:
    return Work(entry.answers, entry.seconds, entry.outcome)
