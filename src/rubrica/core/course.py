"""A course: stages of reading, looking and trying that teach a protocol, as data.

A step belongs to one of the kinds below. ``Step`` has room for what any kind needs; what a kind does not use is empty.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

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
