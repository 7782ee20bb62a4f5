"""A protocol: what is asked. Fields shown, questions, scales, edits, rules, ways out, verdicts, stages."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Any

import attrs

from rubrica.core.answers import Answer, Answers
from rubrica.core.conditions import Condition
from rubrica.core.course import Course
from rubrica.core.edits import Edit
from rubrica.core.scales import Scale
from rubrica.core.texts import AnyText, Text, Wordings
from rubrica.core.thresh import ThreshNames

ROLES = ("source", "rewrite", "reference", "context", "target")
"""What a field is for."""

SHOWN, HIDDEN = "shown", "hidden"
"""The options of a parameter that says whether edits are suggested."""

PLANTED = "planted"
"""Beside the parameters, says whether items are planted that measure annotators."""

UNCOMFORTABLE = "uncomfortable"
"""The way out that every protocol has: an item that an annotator would rather not judge, at no loss."""


@attrs.frozen
class Field:
    """A text of the item, shown to the annotator. ``aliases`` are column names that mean it in files."""

    id: str
    role: str
    label: AnyText
    required: bool = True
    aliases: tuple[str, ...] = ()


@attrs.frozen
class Parameter:
    """Something a study sets: one of ``options``, or a text that fills ``{id}`` in the protocol's texts."""

    id: str
    label: AnyText
    default: Text
    options: tuple[str, ...] = ()


@attrs.frozen
class Example:
    """An example of a question's answer: ``good`` ones show what is wanted, the others what is not."""

    good: bool
    shows: AnyText
    why: AnyText
    answer: Answer | None = None


@attrs.frozen
class Question:
    """One question. ``operations`` is empty for questions on the item, else the edits it is asked about."""

    id: str
    scale: str
    prompt: AnyText
    header: str = ""
    column: AnyText | None = None
    required: bool = True
    when: Condition | None = None
    notes: tuple[AnyText, ...] = ()
    examples: tuple[Example, ...] = ()
    hides: tuple[str, ...] = ()
    dims: tuple[str, ...] = ()
    operations: tuple[str, ...] = ()


@attrs.frozen
class Rule:
    """What changes when something is true of the item itself, for instance source equals rewrite.

    ``preset`` answers are given and locked, ``drop`` questions become not applicable, ``ask`` questions are
    asked only under this rule, ``reword`` gives a question another prompt.
    """

    id: str
    condition: Condition
    note: AnyText
    preset: Answers = attrs.field(factory=dict)
    drop: tuple[str, ...] = ()
    ask: tuple[str, ...] = ()
    reword: Mapping[str, AnyText] = attrs.field(factory=dict)


@attrs.frozen
class Hint:
    """A remark about a question that never blocks, for instance "a comment would help us here"."""

    id: str
    question: str
    text: AnyText
    when: Condition | None = None


@attrs.frozen
class WayOut:
    """A way to end an item without answering. ``keyword`` typed as the answer means the same.

    With ``passes_on`` the item goes to somebody else; without it, the way out is this annotator's judgement.
    """

    id: str
    label: AnyText
    meaning: AnyText | None = None
    keyword: str = ""
    passes_on: bool = False


@attrs.frozen
class Operation:
    """A kind of edit. Composite operations have constituents instead of spans; ``key`` is empty without a shortcut.

    One with neither sides nor constituents is about the pair as a whole, such as a fact that is missing altogether.
    """

    id: str
    label: AnyText
    meaning: AnyText
    key: str
    sides: tuple[str, ...] = ()
    several: bool = False
    constituents: tuple[str, ...] = ()
    preset: Answers = attrs.field(factory=dict)
    colour: str = ""

    @property
    def composite(self) -> bool:
        """Whether it is made of other edits."""
        return bool(self.constituents)

    @property
    def whole(self) -> bool:
        """Whether it is about the pair as a whole and marks no words."""
        return not self.sides and not self.constituents


@attrs.frozen
class EditType:
    """What an edit turns out to be once its questions are answered."""

    id: str
    label: AnyText
    meaning: AnyText
    family: str
    side: str
    when: Condition
    added: bool = False


@attrs.frozen
class EditScheme:
    """Everything about edits: operations, their questions, the types that follow, how selection snaps."""

    operations: tuple[Operation, ...]
    questions: tuple[Question, ...]
    types: tuple[EditType, ...] = ()
    families: Mapping[str, AnyText] = attrs.field(factory=dict)
    snap: str = "words"

    @cached_property
    def by_id(self) -> dict[str, Operation]:
        """Operations by id."""
        return {operation.id: operation for operation in self.operations}

    def questions_for(self, operation: str) -> tuple[Question, ...]:
        """The question tree of one operation."""
        return tuple(question for question in self.questions if operation in question.operations)


@attrs.frozen
class Verdict:
    """A yes or no derived from one judgement (``when``), or from all judgements of an item.

    ``share`` is ``every``, ``any`` or ``most`` (more than half) of the judgements with verdict ``counts``; with
    ``share_by`` the study sets it by that parameter. Undefined with fewer than ``at_least`` judgements. With ``first``
    only so many decide, those that came first; further ones serve other ends.
    """

    id: str
    label: AnyText
    when: Condition | None = None
    counts: str = ""
    share: str = "every"
    at_least: int = 1
    share_by: str = ""
    first: int | None = None

    @property
    def of_item(self) -> bool:
        """Whether it needs all judgements of an item."""
        return bool(self.counts)


@attrs.frozen
class Stage:
    """A step of a study. ``asks`` limits the questions (None: all); ``edits`` is free, fixed or none.

    With ``suggest``, edits are proposed to whoever marks them; with ``suggest_by`` the study says so by that parameter.
    """

    id: str
    label: AnyText
    role: str
    overlap: int
    overlap_comparing: int | None = None
    asks: tuple[str, ...] | None = None
    edits: str = "free"
    suggest: bool = False
    suggest_by: str = ""
    items_from: str = ""
    other_people_than: tuple[str, ...] = ()
    same_people_as: str = ""
    not_authors: bool = False
    requires: AnyText | None = None

    def usual_overlap(self, *, comparing: bool) -> int:
        """How many judgements an item gets if nobody says otherwise; ``comparing`` if items are of several systems."""
        return self.overlap_comparing if comparing and self.overlap_comparing else self.overlap


@attrs.frozen
class PracticeItem:
    """An item with the right answer and why it is right. ``language``: for texts in it only; empty: for any other."""

    id: str
    fields: Mapping[str, str]
    explanation: AnyText
    outcome: str = "answered"
    answers: Answers = attrs.field(factory=dict)
    edits: tuple[Edit, ...] = ()
    stage: str = ""
    language: str = ""


@attrs.frozen
class Protocol:
    """A published way to judge, ready to run. ``hash`` is over the canonical form of all of it."""

    id: str
    version: str
    hash: str
    title: AnyText
    summary: AnyText
    document: str
    family: str
    fallback: str
    languages: tuple[str, ...]
    fields: tuple[Field, ...]
    scales: Mapping[str, Scale]
    questions: tuple[Question, ...]
    stages: tuple[Stage, ...]
    audience: AnyText
    guidelines: Text
    partly_translated: tuple[str, ...] = ()
    unreviewed: tuple[str, ...] = ()
    parameters: tuple[Parameter, ...] = ()
    rules: tuple[Rule, ...] = ()
    hints: tuple[Hint, ...] = ()
    ways_out: tuple[WayOut, ...] = ()
    verdicts: tuple[Verdict, ...] = ()
    edits: EditScheme | None = None
    practice: tuple[PracticeItem, ...] = ()
    thresh: ThreshNames | None = None
    course: Course = ()
    group_by: str = ""
    one_sheet_at_a_time: bool = False
    duplicates: float = 0.0

    @cached_property
    def questions_by_id(self) -> dict[str, Question]:
        """Every question, those about edits included."""
        about_edits = self.edits.questions if self.edits else ()
        return {question.id: question for question in (*self.questions, *about_edits)}

    def practice_at(self, stage: str, language: str = "") -> list[PracticeItem]:
        """The practice items of a stage: those in this language if there are any, else those for all languages."""
        items = [item for item in self.practice if item.stage in ("", stage)]
        own = [item for item in items if language and item.language == language]
        return own or [item for item in items if not item.language]

    @property
    def rewrites(self) -> list[str]:
        """Names of the fields that hold a rewrite."""
        return [field.id for field in self.fields if field.role == "rewrite"]

    def target_of(self, fields: Mapping[str, str]) -> str:
        """The word that is to be made simpler, of the texts of an item, without blanks around it; empty if none is."""
        return next((fields.get(field.id, "") for field in self.fields if field.role == "target"), "").strip()

    def scale_of(self, question: Question) -> Scale:
        """The scale on which a question is answered."""
        return self.scales[question.scale]

    def stage(self, stage_id: str) -> Stage:
        """The stage with this id; KeyError if there is none."""
        for stage in self.stages:
            if stage.id == stage_id:
                return stage
        raise KeyError(stage_id)

    def all_ways_out(self) -> tuple[str, ...]:
        """Ids of every way to end an item without answering."""
        return (*(way.id for way in self.ways_out), UNCOMFORTABLE)

    def passes_on(self, outcome: str) -> bool:
        """Whether an item goes to somebody else after this outcome, so that it says nothing about the item."""
        return outcome == UNCOMFORTABLE or any(way.id == outcome and way.passes_on for way in self.ways_out)

    def settings(self, given: Mapping[str, str]) -> dict[str, Text]:
        """Parameter values: those given, else the defaults."""
        return {
            parameter.id: Text({self.fallback: given[parameter.id]}, self.fallback)
            if parameter.id in given
            else parameter.default
            for parameter in self.parameters
        }

    def by_default(self, given: Mapping[str, str] | None = None) -> Protocol:
        """The protocol as an annotator sees it in a study that plants what the protocol plants by itself."""
        return self.resolve({**(given or {}), **({PLANTED: "yes"} if self.duplicates else {})})

    def resolve(self, given: Mapping[str, str]) -> Protocol:
        """The protocol as an annotator sees it: wordings chosen, names filled in, tests told of if any are planted.

        Whether they are is said by ``given`` beside the parameters, by the name PLANTED.
        """
        values = self.settings(given)
        resolved: Protocol = _resolve(self, values, bool(given.get(PLANTED)))
        verdicts = tuple(
            attrs.evolve(verdict, share=values[verdict.share_by].get(self.fallback)) if verdict.share_by else verdict
            for verdict in resolved.verdicts
        )
        stages = tuple(
            attrs.evolve(stage, suggest=values[stage.suggest_by].get(self.fallback) == SHOWN)
            if stage.suggest_by
            else stage
            for stage in resolved.stages
        )
        return attrs.evolve(resolved, parameters=self.parameters, verdicts=verdicts, stages=stages)


def _resolve(value: Any, settings: Mapping[str, Text], planted: bool) -> Any:
    """Walk through frozen objects, tuples and mappings, settling every text on the way."""
    if isinstance(value, Wordings):
        chosen = settings[value.parameter]
        return value.choose(chosen.get(chosen.fallback)).about_tests(planted).fill(settings)
    if isinstance(value, Text):
        return value.about_tests(planted).fill(settings)
    if isinstance(value, tuple):
        return tuple(_resolve(part, settings, planted) for part in value)
    if isinstance(value, Mapping):
        return {key: _resolve(part, settings, planted) for key, part in value.items()}
    if attrs.has(type(value)):
        names = [attribute.name for attribute in attrs.fields(type(value))]
        return attrs.evolve(value, **{name: _resolve(getattr(value, name), settings, planted) for name in names})
    return value
