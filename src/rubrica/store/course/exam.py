"""The qualification of a protocol with a course: whole pairs in rounds, scored by agreement with the gold edits.

Everybody does every round, because each teaches something; the last round and those after it decide. A further try, if
the study allows more tries than there are rounds, begins with the pairs of the first round again.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import NamedTuple

from django.db import transaction

from rubrica.core import edits as edit_values
from rubrica.core.course import Course, Step, all_steps
from rubrica.core.course_asking import given_problems
from rubrica.core.course_grading import Given, Result, grade_step
from rubrica.core.errors import InputError
from rubrica.core.study import ANSWERED
from rubrica.store import models
from rubrica.store.course.attempts import Round
from rubrica.store.course.course import rounds_of
from rubrica.store.options import Options
from rubrica.store.translate import protocol_of

WHOLE_SHARE = 100
"""A pair's agreement is kept in percent: right of so many."""


class CourseExam(NamedTuple):
    """Where an annotator stands in the rounds of the course."""

    sets: Course
    rounds: list[Round]
    tries: int
    pass_mark: float

    @property
    def complete(self) -> int:
        """How many rounds are done."""
        return sum(tried.complete for tried in self.rounds)

    def passes(self, tried: Round) -> bool:
        """Whether this round is enough; an earlier one than the last of the course is not asked to be."""
        return tried.complete and tried.number >= len(self.sets) and (tried.share or 0.0) >= self.pass_mark

    @property
    def passed(self) -> bool:
        """Whether any of the rounds that decide was enough."""
        return any(map(self.passes, self.rounds))

    @property
    def failed(self) -> bool:
        """Whether every try is used up without passing."""
        return not self.passed and self.complete >= self.most

    @property
    def most(self) -> int:
        """How many rounds there may be: all of the course, and more if the study allows more tries."""
        return max(self.tries, len(self.sets))

    @property
    def open_round(self) -> int:
        """The number of the round that is under way, or that would begin now."""
        return self.complete + 1

    def pairs(self, number: int) -> tuple[Step, ...]:
        """The pairs of a round."""
        return self.sets[(number - 1) % len(self.sets)].steps


def course_exam(annotator: models.Annotator, stage: models.Stage, options: Options) -> CourseExam:
    """Where the annotator stands; what was done at another stage of the study counts, because it is the same course."""
    return exams([annotator], stage, options)[annotator.pk]


def exams(people: Iterable[models.Annotator], stage: models.Stage, options: Options) -> dict[int, CourseExam]:
    """The same of several annotators at once, by row number."""
    sets = rounds_of(stage)
    listed = [person.pk for person in people]
    names = [step.id for step in all_steps(sets)]
    rows = models.Attempt.objects.filter(annotator__in=listed, kind=models.Attempt.Kind.QUALIFICATION, item__in=names)
    by_person: dict[int, dict[int, list[models.Attempt]]] = {pk: {} for pk in listed}
    for attempt in rows.order_by("round", "pk"):
        by_person[attempt.annotator_id].setdefault(attempt.round, []).append(attempt)
    return {pk: _exam(sets, by_round, options) for pk, by_round in by_person.items()}


def _exam(sets: Course, by_round: dict[int, list[models.Attempt]], options: Options) -> CourseExam:
    found = [Round.of(number, len(sets[(number - 1) % len(sets)].steps), said) for number, said in by_round.items()]
    return CourseExam(sets, found, options.qualification.tries, options.qualification.pass_mark)


def answered_pairs(annotator: models.Annotator, number: int) -> dict[str, models.Attempt]:
    """What was answered in a round, by pair."""
    rows = models.Attempt.objects.filter(annotator=annotator, kind=models.Attempt.Kind.QUALIFICATION, round=number)
    return {attempt.item: attempt for attempt in rows}


def answer_pair(
    annotator: models.Annotator, stage: models.Stage, number: int, step: Step, given: Given, now: datetime
) -> Result:
    """Keep the annotation of a pair in this round: the first counts. Raises InputError if it is not finished."""
    protocol = protocol_of(stage)
    problems = given_problems(protocol, step, given)
    if problems:
        raise InputError(*problems)
    result = grade_step(protocol, step, given)
    with transaction.atomic():
        models.Annotator.objects.select_for_update(no_key=True).get(pk=annotator.pk)
        if step.id not in answered_pairs(annotator, number):
            models.Attempt.objects.create(
                annotator=annotator,
                stage=stage,
                kind=models.Attempt.Kind.QUALIFICATION,
                round=number,
                item=step.id,
                outcome=ANSWERED,
                edits=[edit_values.to_json(edit) for edit in given.edits],
                right=round(result.share * WHOLE_SHARE),
                graded=WHOLE_SHARE,
                at=now,
            )
    return result
