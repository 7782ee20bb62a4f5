"""How far somebody is in a course, and at which of its exercises people stumble."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from rubrica.core.course import Course, CourseStage, Step


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
    def answered(self) -> int:
        """How many exercises were tried."""
        return sum(chapter.answered for chapter in self.chapters)

    @property
    def right(self) -> int:
        """How many of them were right at the first try."""
        return sum(chapter.right for chapter in self.chapters)

    @property
    def complete(self) -> bool:
        """Whether there is nothing left."""
        return self.at is None


def progress_of(course: Course, first: Mapping[str, bool]) -> Progress:
    """How far somebody is who has done these steps; ``first`` says by step whether the first try was right."""
    chapters, at = [], None
    for stage in course:
        tried = [first[step.id] for step in stage.exercises if step.id in first]
        chapters.append(Chapter(stage, sum(step.id in first for step in stage.steps), len(tried), sum(tried)))
        if at is None:
            ahead = (place for place, step in enumerate(stage.steps, start=1) if step.id not in first)
            at = next(((stage.id, place) for place in ahead), None)
    return Progress(chapters, at)


class StepReport(NamedTuple):
    """How an exercise went. ``first`` were right at the first try, ``agreement`` is the mean share of first tries."""

    step: Step
    people: int = 0
    first: int = 0
    agreement: float | None = None
    tries: int = 0

    @property
    def share(self) -> float | None:
        """The share of people who were right at the first try; None while nobody has tried."""
        return self.first / self.people if self.people else None


class ChapterReport(NamedTuple):
    """How the exercises of a stage went, taken together and one by one; how many people finished the stage."""

    stage: CourseStage
    steps: list[StepReport]
    finished: int

    @property
    def share(self) -> float | None:
        """The share of first tries that were right; None while there are none."""
        people = sum(report.people for report in self.steps)
        return sum(report.first for report in self.steps) / people if people else None


def hardest(chapters: Sequence[ChapterReport], count: int = 5) -> list[StepReport]:
    """The exercises with the fewest right at first try, among those at which somebody stumbled."""
    stumbled = [step for chapter in chapters for step in chapter.steps if step.first < step.people]
    return sorted(stumbled, key=lambda step: (step.share or 0.0, -step.people))[:count]
