"""The course of an annotator, which steps are done and what was answered; and the course as a researcher sees it."""

from __future__ import annotations

from collections import defaultdict
from datetime import datetime
from typing import NamedTuple

from django.db.models import Avg, Count, Max, Q

from rubrica.core import answers as answer_values
from rubrica.core import edits as edit_values
from rubrica.core.course import ChapterReport, Course, Progress, Step, StepReport, progress_of, taught
from rubrica.core.course_grading import Result, graded_step
from rubrica.core.qualification import Exam
from rubrica.core.study import Judgement, gathered
from rubrica.store import models
from rubrica.store.course.attempts import exams, rounds_of
from rubrica.store.options import options_of
from rubrica.store.stages import current_stages
from rubrica.store.translate import protocol_of


class Answered(NamedTuple):
    """An answer that was kept and how it compares. ``repeated``: it is the same as the one before, no further try."""

    tried: models.CourseTry
    result: Result
    repeated: bool = False


def course_of(stage: models.Stage) -> Course:
    """The stages that annotators of this stage are taught."""
    return taught(protocol_of(stage).course)


def tries_of(annotator: models.Annotator) -> dict[str, list[models.CourseTry]]:
    """By step, every try in order."""
    return gathered(annotator.course_tries.order_by("number"), lambda tried: tried.step)


def progress(annotator: models.Annotator, course: Course) -> Progress:
    """How far this annotator is."""
    first = models.CourseTry.objects.filter(annotator=annotator, number=1)
    return progress_of(course, dict(first.values_list("step", "right")))


def see(annotator: models.Annotator, chapter: str, step: Step, now: datetime) -> None:
    """Note that a step without a question was read; once is enough."""
    read = {"chapter": chapter, "share": 1.0, "right": True, "at": now}
    models.CourseTry.objects.get_or_create(annotator=annotator, step=step.id, number=1, defaults=read)


def answer(
    annotator: models.Annotator, stage: models.Stage, chapter: str, step: Step, given: Judgement, now: datetime
) -> Answered:
    """Keep an answer to an exercise as a further try. Raises InputError if it cannot be graded."""
    result = graded_step(protocol_of(stage), step, given)
    said = answer_values.to_json(given.answers)
    edits = [edit_values.to_json(edit) for edit in given.edits]
    with annotator.held():
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


def given_of(tried: models.CourseTry | models.Attempt) -> Judgement:
    """What was answered, as it can be graded again."""
    return Judgement(answer_values.from_json(tried.answers), tuple(map(edit_values.from_json, tried.edits)))


class PersonReport(NamedTuple):
    """How far somebody is, and how the qualification went. ``since`` is their last answer."""

    annotator: models.Annotator
    progress: Progress
    exam: Exam | None
    since: datetime


class CourseReport(NamedTuple):
    """Both sides of it."""

    chapters: list[ChapterReport]
    people: list[PersonReport]


def course_report(study: models.Study) -> CourseReport | None:
    """How the course goes, and for whom; None if the protocol has none. Erased people are left out."""
    stages = current_stages(study)
    course = course_of(stages[0]) if stages else ()
    if not course:
        return None
    tries = models.CourseTry.objects.filter(annotator__study=study, annotator__erased_at=None).order_by()
    first: dict[int, dict[str, bool]] = defaultdict(dict)
    for person, step, right in tries.filter(number=1).values_list("annotator", "step", "right"):
        first[person][step] = right
    since = dict(tries.values_list("annotator").annotate(Max("at")))
    took_part = list(models.Annotator.objects.filter(pk__in=since).order_by("name"))
    tested = exams(took_part, stages[0], options_of(study)) if rounds_of(stages[0]) else {}
    people = [
        PersonReport(person, progress_of(course, first[person.pk]), tested.get(person.pk), since[person.pk])
        for person in took_part
    ]
    counted = tries.values_list("step").annotate(
        people=Count("pk", filter=Q(number=1)),
        first=Count("pk", filter=Q(number=1, right=True)),
        agreement=Avg("share", filter=Q(number=1)),
        tries=Count("pk"),
    )
    figures = {step: found for step, *found in counted}
    chapters = [
        ChapterReport(
            stage,
            [StepReport(step, *figures.get(step.id, ())) for step in stage.exercises],
            sum(person.progress.chapters[place].complete for person in people),
        )
        for place, stage in enumerate(course)
    ]
    return CourseReport(chapters, people)
