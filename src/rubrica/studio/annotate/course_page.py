"""What the page of one step of a course shows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.safestring import SafeString
from django.utils.text import format_lazy
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from rubrica.core.conditions import on_answers, questions_in
from rubrica.core.course import ANSWER, COMPOSE, EXAMPLE, FACTS, MARKING, SELECT, TEXT, TYPE, WHOLE, Step
from rubrica.core.course_grading import questions_asked
from rubrica.core.edit_scoring import SPLIT_MARK, words_of
from rubrica.core.edits import SIDES
from rubrica.core.protocol import Protocol, Question
from rubrica.core.study import Judgement
from rubrica.core.texts import shown
from rubrica.core.validation import Validator
from rubrica.studio.annotate.course_edits import ShownEdit, ShownSide, listed, sides
from rubrica.studio.annotate.course_form import Slot
from rubrica.studio.annotate.desk_questions import ShownOption, shown_options
from rubrica.studio.guidelines import render_markdown


@dataclass(frozen=True)
class ChoiceField:
    """A question to answer by choosing one option."""

    name: str
    prompt: str
    options: tuple[ShownOption, ...]
    ordinal: bool = False
    dependent: bool = False


@dataclass(frozen=True)
class ShownFact:
    """A fact to point at."""

    id: str
    text: str
    main: bool
    words: str


@dataclass(frozen=True)
class StepPage:
    """One step, ready to draw."""

    kind: str
    title: str
    prompt: str
    html: SafeString | str = ""
    why: str = ""
    sides: tuple[ShownSide, ...] = ()
    edits: tuple[ShownEdit, ...] = ()
    fields: tuple[ChoiceField, ...] = ()
    facts: tuple[ShownFact, ...] = ()
    asks_facts: bool = False
    parts: tuple[ShownEdit, ...] = ()
    of: str = ""
    good: bool = True


def step_page_of(protocol: Protocol, language: str, step: Step) -> StepPage:
    """The page of a step before it is answered: nothing on it gives the answer away."""
    frame: dict[str, Any] = {
        "kind": step.kind,
        "title": shown(step.title, language) or _kind_name(step),
        "prompt": shown(step.prompt, language) or _prompt(protocol, language, step),
    }
    if step.kind == TEXT:
        return StepPage(**frame, html=render_markdown(shown(step.why, language), "course-", 2))
    if step.kind == EXAMPLE:
        return StepPage(**frame, **_example(protocol, language, step))
    if step.kind == FACTS:
        return StepPage(**frame, **_facts(protocol, language, step))
    if step.kind == COMPOSE:
        loose = step.loose()
        drawn = sides(protocol, language, step, loose)
        return StepPage(**frame, sides=tuple(drawn), parts=tuple(_numbered(protocol, language, step, loose)))
    edits = (step.edit, *step.parts(step.edit.id)) if step.edits and step.kind not in MARKING else ()
    told = listed(protocol, language, step, edits) if edits else []
    hidden = [_without_answers(edit) for edit in told]
    return StepPage(
        **frame,
        sides=tuple(sides(protocol, language, step, edits)),
        edits=tuple(hidden),
        fields=tuple(choice_fields(protocol, language, step)),
    )


def _without_answers(edit: ShownEdit) -> ShownEdit:
    return ShownEdit(edit.id, edit.tag, edit.operation, edit.words, part=edit.part)


def _numbered(protocol: Protocol, language: str, step: Step, loose: Sequence[Any]) -> list[ShownEdit]:
    """The simple edits to choose from, by their place in the text: their own ids would tell which are parts."""
    by_id = {edit.id: edit for edit in listed(protocol, language, step, loose)}
    return [_without_answers(by_id[edit.id]) for edit in loose]


def _example(protocol: Protocol, language: str, step: Step) -> dict[str, Any]:
    types = {kind.id: shown(kind.label, language) for kind in protocol.edits.types} if protocol.edits else {}
    return {
        "sides": tuple(sides(protocol, language, step, step.edits)),
        "edits": tuple(listed(protocol, language, step, step.edits)) if step.edits else (),
        "why": shown(step.why, language),
        "of": types.get(step.of, ""),
        "good": step.good,
    }


def _facts(protocol: Protocol, language: str, step: Step) -> dict[str, Any]:
    facts = [
        ShownFact(
            fact.id,
            shown(fact.text, language),
            fact.main,
            " … ".join(span.of(step.fields[side]) for side in SIDES[:1] for span in getattr(fact, side)),
        )
        for fact in step.facts
    ]
    return {
        "sides": tuple(sides(protocol, language, step, ())),
        "facts": tuple(facts),
        "asks_facts": step.is_exercise,
        "why": "" if step.is_exercise else shown(step.why, language),
    }


def choice_fields(protocol: Protocol, language: str, step: Step, given: Judgement | None = None) -> list[ChoiceField]:
    """What is asked by choosing: the protocol's questions, the name of a type, or the course's own question."""
    said = given.answers if given else {}
    if step.kind == ANSWER:
        asked = questions_asked(protocol, step, step.edit.operation)
        names = {question.id for question in asked}
        return [
            question_field(
                protocol,
                language,
                question,
                said.get(question.id),
                dependent=bool(names & set(questions_in(question.when))),
            )
            for question in asked
        ]
    if step.kind == TYPE:
        assert protocol.edits is not None
        kinds = {kind.id: kind for kind in protocol.edits.types}
        options = [
            ShownOption(
                name,
                shown(kinds[name].label, language),
                shown(kinds[name].meaning, language),
                said.get("chosen") == name,
            )
            for name in step.options
        ]
        return [ChoiceField("chosen", _("Which type is this edit?"), tuple(options))]
    if step.scale is not None:
        return [_ask_field(language, step, said.get("chosen"))]
    return []


def _ask_field(language: str, step: Step, value: Any) -> ChoiceField:
    assert step.scale is not None
    ordinal = any(isinstance(one, int) for one in step.scale.values())
    return ChoiceField("chosen", shown(step.prompt, language), shown_options(step.scale, value, language), ordinal)


def question_field(
    protocol: Protocol, language: str, question: Question, value: Any, name: str = "", *, dependent: bool = False
) -> ChoiceField:
    """A question of the protocol as a field of the form. ``dependent``: other answers may make it needless."""
    scale = protocol.scale_of(question)
    ordinal = any(isinstance(one, int) for one in scale.values())
    options = shown_options(scale, value, language)
    return ChoiceField(name or question.id, shown(question.prompt, language), options, ordinal, dependent)


def _kind_name(step: Step) -> str:
    if step.kind == EXAMPLE:
        return _("Example")
    return _("Facts") if step.kind == FACTS and not step.is_exercise else _("Exercise")


def _prompt(protocol: Protocol, language: str, step: Step) -> str:
    if step.kind == FACTS:
        return _("Point at a fact, or move to it with the Tab key, to see which words carry it.")
    if step.kind == WHOLE:
        return _("Mark every change between the two texts, and answer the questions about each.")
    if step.kind in (SELECT, COMPOSE):
        assert protocol.edits is not None
        names = [shown(protocol.edits.by_id[name].label, language) for name in step.operations()]
        if step.kind == COMPOSE:
            return str(format_lazy(_("Which of these edits are parts of it: {operation}?"), operation=names[0]))
        told = ngettext(
            "Mark every edit of this kind: {kinds}.", "Mark every edit of these kinds: {kinds}.", len(names)
        )
        return str(format_lazy(told, kinds=", ".join(names)))
    return ""


@dataclass(frozen=True)
class WordBox:
    """A word to tick."""

    number: int
    text: str
    ticked: bool
    split_before: bool


@dataclass(frozen=True)
class SlotPage:
    """The place of one edit in the form without script."""

    number: int
    operation: str
    parent: str
    words: tuple[tuple[str, str, tuple[WordBox, ...]], ...]
    fields: tuple[ChoiceField, ...]


def slot_pages(validator: Validator, language: str, step: Step, slots: Sequence[Slot]) -> list[SlotPage]:
    """The places of the form: words to tick on both sides, and the questions that the answers so far lead to."""
    labels = {field.id: shown(field.label, language) for field in validator.protocol.fields}
    return [
        SlotPage(
            slot.number,
            slot.operation,
            slot.parent,
            tuple((side, labels[side], _boxes(step.fields[side], getattr(slot, side))) for side in SIDES),
            tuple(_slot_fields(validator, language, slot)),
        )
        for slot in slots
    ]


def _boxes(text: str, ticked: frozenset[int]) -> tuple[WordBox, ...]:
    words = words_of(text)
    return tuple(
        WordBox(
            number,
            word.of(text),
            number in ticked,
            number > 0 and SPLIT_MARK in text[words[number - 1].end : word.start],
        )
        for number, word in enumerate(words)
    )


def _slot_fields(validator: Validator, language: str, slot: Slot) -> list[ChoiceField]:
    if not slot.operation or slot.parent or validator.edits is None:
        return []
    preset = validator.edits.scheme.by_id[slot.operation].preset
    said = dict(slot.answers or {})
    seen = {**said, **preset}
    return [
        question_field(validator.protocol, language, question, said.get(question.id), f"e{slot.number}.{question.id}")
        for question in validator.edits.questions_for(slot.operation)
        if question.id not in preset and (question.when is None or on_answers(question.when)(seen))
    ]
