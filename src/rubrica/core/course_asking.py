"""What a step of a course asks for: the part of the protocol that it uses, and whether an answer can be graded."""

from __future__ import annotations

from collections.abc import Iterator

import attrs

from rubrica.core.answers import Answer
from rubrica.core.conditions import on_answers
from rubrica.core.course import ANSWER, ASK, CHOSEN, COMPOSE, FACTS, LOST, MARKING, PARTS, SELECT, TYPE, Step
from rubrica.core.course_grading import Given, Result, grade_step, questions_asked
from rubrica.core.errors import Problem, refuse
from rubrica.core.protocol import Protocol, Question, Stage
from rubrica.core.study import Item, Judgement
from rubrica.core.validation import Validator


def item_of(step: Step) -> Item:
    """The pair of a step as an item."""
    return Item(step.id, step.fields)


def step_validator(protocol: Protocol, step: Step) -> Validator:
    """The validator of an exercise that is answered with edits: only about edits, and only what the step asks.

    An exercise on selection asks no questions and has its own operations only, with the parts of composites.
    """
    assert protocol.edits is not None
    stage = protocol.stage(step.stage)
    if step.kind == SELECT:
        offered = _operations(protocol, step)
        scheme = attrs.evolve(
            protocol.edits, operations=tuple(one for one in protocol.edits.operations if one.id in offered)
        )
        return Validator(_about_edits(attrs.evolve(protocol, edits=scheme)), _free(stage, ()))
    return Validator(_about_edits(protocol), _free(stage, step.asks or stage.asks))


def _operations(protocol: Protocol, step: Step) -> set[str]:
    assert protocol.edits is not None
    own = set(step.operations())
    return own | {part for name in own for part in protocol.edits.by_id[name].constituents}


def _about_edits(protocol: Protocol) -> Protocol:
    return attrs.evolve(protocol, questions=(), rules=(), hints=())


def _free(stage: Stage, asks: tuple[str, ...] | None) -> Stage:
    return attrs.evolve(stage, asks=asks, edits="free")


def given_problems(protocol: Protocol, step: Step, given: Given) -> list[Problem]:
    """What keeps an answer from being graded: edits that are not finished, nothing chosen, or what cannot be chosen."""
    if step.kind in MARKING:
        validator = step_validator(protocol, step)
        return validator.problems(item_of(step), Judgement({}, given.edits))
    if step.kind == ANSWER:
        return list(_unanswered(protocol, step, given))
    if step.kind in (FACTS, COMPOSE):
        return _not_several(step, given)
    return _not_one(step, given.answers.get(CHOSEN))


def graded_step(protocol: Protocol, step: Step, given: Given) -> Result:
    """An answer, graded. Raises InputError if it cannot be."""
    refuse(given_problems(protocol, step, given))
    return grade_step(protocol, step, given)


def shown_questions(protocol: Protocol, step: Step, given: Given) -> list[Question]:
    """The questions of an exercise on one edit that the answers so far leave open to ask."""
    assert protocol.edits is not None
    known = {name: value for name, value in step.edit.answers.items() if name not in step.asks}
    seen = {**known, **given.answers, **protocol.edits.by_id[step.edit.operation].preset}
    asked = questions_asked(protocol, step, step.edit.operation)
    return [question for question in asked if question.when is None or on_answers(question.when)(seen)]


def _unanswered(protocol: Protocol, step: Step, given: Given) -> Iterator[Problem]:
    for question in shown_questions(protocol, step, given):
        scale, value = protocol.scale_of(question), given.answers.get(question.id)
        if value is None or not scale.test()(value):
            what = f"{question.id} has no answer" if value is None else f"{question.id} is {value!r}"
            yield Problem(
                what=what, rule="required", fix=f"Answer with {scale.expects()}.", question=question.id, value=value
            )


def _not_several(step: Step, given: Given) -> list[Problem]:
    name = LOST if step.kind == FACTS else PARTS
    chosen = given.answers.get(name, ())
    known = {fact.id for fact in step.facts} if step.kind == FACTS else {edit.id for edit in step.loose()}
    if isinstance(chosen, tuple) and chosen and set(chosen) <= known:
        return []
    fix = f"Choose one or more of {', '.join(sorted(known))}."
    return [Problem(what=f"{name} is {chosen!r}", rule="required", fix=fix, question=name, value=chosen)]


def _not_one(step: Step, chosen: Answer | None) -> list[Problem]:
    assert step.kind in (ASK, TYPE)
    fits = chosen in step.options if step.scale is None else step.scale.test()(chosen)
    if chosen is not None and fits:
        return []
    expected = ", ".join(step.options) if step.scale is None else step.scale.expects()
    return [
        Problem(
            what=f"the answer is {chosen!r}", rule="required", fix=f"Choose {expected}.", question=CHOSEN, value=chosen
        )
    ]
