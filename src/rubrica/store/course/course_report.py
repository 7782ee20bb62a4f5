"""The course as a researcher sees it: who is how far, and at which exercises people stumble."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import NamedTuple

from rubrica.core.course import CourseStage, Step
from rubrica.store import models
from rubrica.store.course.course import Progress, by_step, course_of, progress_from, rounds_of
from rubrica.store.course.exam import CourseExam, exams
from rubrica.store.options import options_of
from rubrica.store.parts import current_stages


class StepReport(NamedTuple):
    """How an exercise went. ``first`` were right at the first try, ``agreement`` is the mean share of first tries."""

    step: Step
    people: int
    first: int
    agreement: float | None
    tries: int

    @property
    def share(self) -> float | None:
        """The share of people who were right at the first try; None while nobody has tried."""
        return self.first / self.people if self.people else None


class ChapterReport(NamedTuple):
    """How the exercises of a stage went, taken together and one by one."""

    stage: CourseStage
    steps: list[StepReport]
    finished: int

    @property
    def share(self) -> float | None:
        """The share of first tries that were right; None while there are none."""
        people = sum(report.people for report in self.steps)
        return sum(report.first for report in self.steps) / people if people else None


class PersonReport(NamedTuple):
    """How far somebody is, and how it went. ``since`` is their last answer."""

    annotator: models.Annotator
    progress: Progress
    exam: CourseExam | None
    since: datetime

    @property
    def answered(self) -> int:
        """How many exercises they have tried."""
        return sum(chapter.answered for chapter in self.progress.chapters)

    @property
    def right(self) -> int:
        """How many of them were right at the first try."""
        return sum(chapter.right for chapter in self.progress.chapters)


class CourseReport(NamedTuple):
    """Both sides of it."""

    chapters: list[ChapterReport]
    people: list[PersonReport]

    def hardest(self, count: int = 5, at_least: int = 1) -> list[StepReport]:
        """The exercises with the fewest right at first try, among those that enough people have tried."""
        tried = [step for chapter in self.chapters for step in chapter.steps if step.people >= at_least]
        stumbled = [step for step in tried if step.first < step.people]
        return sorted(stumbled, key=lambda step: (step.share or 0.0, -step.people))[:count]


def course_report(study: models.Study) -> CourseReport | None:
    """The report of a study; None if its protocol has no course. Erased people are left out."""
    stages = current_stages(study)
    course = course_of(stages[0]) if stages else ()
    if not course:
        return None
    options = options_of(study)
    tries = list(models.CourseTry.objects.filter(annotator__study=study, annotator__erased_at=None).order_by("pk"))
    theirs: dict[int, list[models.CourseTry]] = {}
    for tried in tries:
        theirs.setdefault(tried.annotator_id, []).append(tried)
    people = list(models.Annotator.objects.filter(pk__in=theirs).order_by("name"))
    tested = exams(people, stages[0], options) if rounds_of(stages[0]) else {}
    reports = [
        PersonReport(
            person,
            progress_from(by_step(theirs[person.pk]), course),
            tested.get(person.pk),
            max(tried.at for tried in theirs[person.pk]),
        )
        for person in people
    ]
    return CourseReport([_chapter(stage, tries, reports) for stage in course], reports)


def _chapter(stage: CourseStage, tries: Iterable[models.CourseTry], people: Iterable[PersonReport]) -> ChapterReport:
    tried = by_step(tries)
    finished = sum(
        chapter.complete for person in people for chapter in person.progress.chapters if chapter.stage.id == stage.id
    )
    return ChapterReport(stage, [_step(step, tried.get(step.id, [])) for step in stage.exercises], finished)


def _step(step: Step, tries: list[models.CourseTry]) -> StepReport:
    first = [tried for tried in tries if tried.number == 1]
    agreement = sum(tried.share for tried in first) / len(first) if first else None
    return StepReport(step, len(first), sum(tried.right for tried in first), agreement, len(tries))
