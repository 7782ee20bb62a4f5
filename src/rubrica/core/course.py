"""A course, and how far somebody is in it.

A course: stages of reading, looking and trying that teach a protocol, as data. A step belongs to one of the kinds
below. ``Step`` has room for what any kind needs; what a kind does not use is empty.

How far somebody is in a course, and at which of its exercises people stumble.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import attrs

from rubrica.core.answers import Answer
from rubrica.core.edits import Edit, Span
from rubrica.core.scales import Scale
from rubrica.core.texts import AnyText

TEXT, EXAMPLE, FACTS = "text", "example", "facts"
"""To read; to look at, with edits laid over the texts; facts to point at, with the words that carry each."""

SELECT, WHOLE = "select", "whole"
"""Mark the edits of some operations; annotate the whole pair."""

ANSWER, TYPE, ASK, COMPOSE = "answer", "type", "ask", "compose"
"""Answer the protocol's questions on an edit; name its type; answer the course's own question; choose the parts."""

KINDS = (TEXT, EXAMPLE, FACTS, SELECT, WHOLE, ANSWER, TYPE, ASK, COMPOSE)
MARKING = (SELECT, WHOLE)
"""Kinds that are answered with edits; the other exercises are answered by choosing."""

LOST, PARTS, CHOSEN = "lost", "parts", "chosen"
"""Under which name the answer to a kind without questions of the protocol is kept: facts, compose; type and ask."""

PASS_MARK = {SELECT: 0.8, WHOLE: 0.7}
"""From which agreement on an exercise with edits counts as right, unless it says otherwise."""

Accepted = Mapping[str, Mapping[str, tuple[Answer, ...]]]
"""By edit and question: what may be answered beside the gold answer."""


@attrs.frozen
class Fact:
    """Something that the texts tell, and the words that tell it. ``lost``: the rewrite no longer does."""

    id: str
    text: AnyText
    source: tuple[Span, ...] = ()
    rewrite: tuple[Span, ...] = ()
    main: bool = False
    lost: bool = False


@attrs.frozen
class Step:
    """One thing on the way through a stage.

    ``edits`` is the gold annotation; an exercise on one edit is on the first. ``stage`` is the stage of the protocol
    whose questions the edits answer, ``asks`` limits them. ``source`` and ``rewrite`` are words to look at. ``of`` is
    the edit type that an example is about; a bad example (``good`` is false) is something that could be taken for it.
    """

    id: str
    kind: str
    why: AnyText
    title: AnyText | None = None
    prompt: AnyText | None = None
    fields: Mapping[str, str] = attrs.field(factory=dict)
    edits: tuple[Edit, ...] = ()
    also: Accepted = attrs.field(factory=dict)
    stage: str = ""
    asks: tuple[str, ...] = ()
    of: str = ""
    good: bool = True
    options: tuple[str, ...] = ()
    scale: Scale | None = None
    answer: Answer | None = None
    accepts: tuple[Answer, ...] = ()
    source: tuple[Span, ...] = ()
    rewrite: tuple[Span, ...] = ()
    facts: tuple[Fact, ...] = ()
    pass_mark: float = 1.0

    @property
    def is_exercise(self) -> bool:
        """Whether there is something to answer."""
        return self.kind not in (TEXT, EXAMPLE, FACTS) or any(fact.lost for fact in self.facts)

    @property
    def is_text(self) -> bool:
        """Whether there is nothing but words to read."""
        return self.kind == TEXT

    @property
    def edit(self) -> Edit:
        """The edit that an exercise on one edit is about."""
        return self.edits[0]

    def top_level(self) -> tuple[Edit, ...]:
        """The gold edits without the parts of composites."""
        return tuple(edit for edit in self.edits if not edit.parent)

    def parts(self, edit_id: str) -> tuple[Edit, ...]:
        """The parts of a composite."""
        return tuple(edit for edit in self.edits if edit.parent == edit_id)

    def loose(self) -> tuple[Edit, ...]:
        """What an exercise on building a composite offers: every edit that is none, in the order of the text."""
        composites = {edit.parent for edit in self.edits if edit.parent}
        simple = [edit for edit in self.edits if edit.id not in composites]
        return tuple(sorted(simple, key=lambda edit: (_first(edit.source), _first(edit.rewrite), edit.id)))

    def operations(self) -> tuple[str, ...]:
        """The operations of the gold edits, composites first named, each once."""
        return tuple(dict.fromkeys(edit.operation for edit in self.top_level()))


def _first(spans: tuple[Span, ...]) -> int:
    return min((span.start for span in spans), default=1_000_000)


@attrs.frozen
class CourseStage:
    """A chapter. With a ``round`` it is not taught but asked: a round of the qualification."""

    id: str
    title: AnyText
    summary: AnyText
    steps: tuple[Step, ...]
    round: int = 0

    @property
    def exercises(self) -> tuple[Step, ...]:
        """The steps that ask for something."""
        return tuple(step for step in self.steps if step.is_exercise)


Course = tuple[CourseStage, ...]


def taught(course: Course) -> Course:
    """The stages to go through, in order."""
    return tuple(stage for stage in course if not stage.round)


def rounds(course: Course) -> Course:
    """The rounds of the qualification, in order."""
    return tuple(sorted((stage for stage in course if stage.round), key=lambda stage: stage.round))


def steps_of_round(sets: Course, number: int) -> tuple[Step, ...]:
    """The pairs of a round, from 1; after the last they begin again with the first."""
    return sets[(number - 1) % len(sets)].steps


def all_steps(course: Course) -> Iterator[Step]:
    """Every step of every stage."""
    return (step for stage in course for step in stage.steps)


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
