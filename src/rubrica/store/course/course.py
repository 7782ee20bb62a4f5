"""The course of an annotator: which steps are done, what was answered, and where to go on."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import NamedTuple

from django.db import transaction

from rubrica.core import answers as answer_values
from rubrica.core import edits as edit_values
from rubrica.core.course import Course, CourseStage, Step, rounds, taught
from rubrica.core.course_asking import given_problems
from rubrica.core.course_grading import Given, Result, grade_step
from rubrica.core.errors import InputError
from rubrica.store import models
from rubrica.store.translate import protocol_of

Tries = dict[str, list[models.CourseTry]]
"""Tries of one person, by step, in their order."""


class Chapter(NamedTuple):
    """A stage of the course and how far somebody is in it. ``right`` exercises were right at the first try."""

    stage: CourseStage
    done: int
    answered: int
    right: int

    @property
    def complete(self) -> bool:
        """Whether every step was seen or answered."""
        return self.done >= len(self.stage.steps)


class Progress(NamedTuple):
    """How far somebody is in the course. ``at`` is the first step that is not done: its chapter and place, from 1."""

    chapters: list[Chapter]
    at: tuple[str, int] | None

    @property
    def done(self) -> int:
        """How many steps are done."""
        return sum(chapter.done for chapter in self.chapters)

    @property
    def steps(self) -> int:
        """How many there are."""
        return sum(len(chapter.stage.steps) for chapter in self.chapters)

    @property
    def complete(self) -> bool:
        """Whether there is nothing left."""
        return self.at is None


class Answered(NamedTuple):
    """An answer that was kept and how it compares. ``repeated``: it is the same as the one before, no further try."""

    tried: models.CourseTry
    result: Result
    repeated: bool = False


def course_of(stage: models.Stage) -> Course:
    """The stages that annotators of this stage are taught."""
    return taught(protocol_of(stage).course)


def rounds_of(stage: models.Stage) -> Course:
    """The rounds of the qualification that the course has."""
    return rounds(protocol_of(stage).course)


def tries_of(annotator: models.Annotator) -> Tries:
    """By step, every try in order."""
    return by_step(models.CourseTry.objects.filter(annotator=annotator).order_by("number"))


def by_step(tries: Iterable[models.CourseTry]) -> Tries:
    """Tries of one person, by step, in their order."""
    found: Tries = {}
    for tried in tries:
        found.setdefault(tried.step, []).append(tried)
    return found


def progress(annotator: models.Annotator, course: Course) -> Progress:
    """How far this annotator is."""
    return progress_from(tries_of(annotator), course)


def progress_from(tries: Tries, course: Course) -> Progress:
    """How far somebody with these tries is."""
    chapters = []
    at = None
    for stage in course:
        tried = [step for step in stage.exercises if step.id in tries]
        right = sum(tries[step.id][0].right for step in tried)
        chapters.append(Chapter(stage, sum(step.id in tries for step in stage.steps), len(tried), right))
        if at is None:
            open_ = (place for place, step in enumerate(stage.steps, start=1) if step.id not in tries)
            at = next(((stage.id, place) for place in open_), None)
    return Progress(chapters, at)


def see(annotator: models.Annotator, chapter: str, step: Step, now: datetime) -> None:
    """Note that a step without a question was read; once is enough."""
    models.CourseTry.objects.get_or_create(
        annotator=annotator,
        step=step.id,
        number=1,
        defaults={"chapter": chapter, "share": 1.0, "right": True, "at": now},
    )


def answer(
    annotator: models.Annotator, stage: models.Stage, chapter: str, step: Step, given: Given, now: datetime
) -> Answered:
    """Keep an answer to an exercise as a further try. Raises InputError if it cannot be graded."""
    protocol = protocol_of(stage)
    problems = given_problems(protocol, step, given)
    if problems:
        raise InputError(*problems)
    result = grade_step(protocol, step, given)
    said = answer_values.to_json(given.answers)
    edits = [edit_values.to_json(edit) for edit in given.edits]
    with transaction.atomic():
        models.Annotator.objects.select_for_update(no_key=True).get(pk=annotator.pk)
        last = models.CourseTry.objects.filter(annotator=annotator, step=step.id).order_by("-number").first()
        if last is not None and (last.answers, last.edits) == (said, edits):
            return Answered(last, result, repeated=True)
        tried = models.CourseTry.objects.create(
            annotator=annotator,
            chapter=chapter,
            step=step.id,
            number=last.number + 1 if last else 1,
            answers=said,
            edits=edits,
            share=result.share,
            right=result.right,
            at=now,
        )
    return Answered(tried, result)


def given_of(tried: models.CourseTry | models.Attempt) -> Given:
    """What was answered, as it can be graded again."""
    return Given(answer_values.from_json(tried.answers), tuple(map(edit_values.from_json, tried.edits)))
