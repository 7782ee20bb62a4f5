"""What a step of a course asks for, and an answer beside the gold answer.

What a step of a course asks for: the part of the protocol that it uses, and whether an answer can be graded.

An answer to a step of a course beside the gold answer: what is right, by how much, and what to show about it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import attrs

from rubrica.core.answers import Answer, Answers
from rubrica.core.conditions import on_answers
from rubrica.core.course import ANSWER, ASK, CHOSEN, COMPOSE, FACTS, LOST, MARKING, PARTS, SELECT, TYPE, WHOLE, Step
from rubrica.core.edit_scoring import EXACT, OVERLAP, Comparison, Pairing, compare, f_measure
from rubrica.core.edits import Edit
from rubrica.core.errors import Problem, refuse
from rubrica.core.grading import MISSING, NEAR, RIGHT, WRONG, Graded
from rubrica.core.protocol import Protocol, Question, Stage
from rubrica.core.study import Item, Judgement
from rubrica.core.validation import Validator
from rubrica.core.verdicts import edit_types


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


def given_problems(protocol: Protocol, step: Step, given: Judgement) -> list[Problem]:
    """What keeps an answer from being graded: edits that are not finished, nothing chosen, or what cannot be chosen."""
    if step.kind in MARKING:
        validator = step_validator(protocol, step)
        return validator.problems(item_of(step), Judgement({}, given.edits))
    if step.kind == ANSWER:
        return list(_unanswered(protocol, step, given))
    if step.kind in (FACTS, COMPOSE):
        return _not_several(step, given)
    return _not_one(step, given.answers.get(CHOSEN))


def graded_step(protocol: Protocol, step: Step, given: Judgement) -> Result:
    """An answer, graded. Raises InputError if it cannot be."""
    refuse(given_problems(protocol, step, given))
    return grade_step(protocol, step, given)


def shown_questions(protocol: Protocol, step: Step, given: Judgement) -> list[Question]:
    """The questions of an exercise on one edit that the answers so far leave open to ask."""
    assert protocol.edits is not None
    known = {name: value for name, value in step.edit.answers.items() if name not in step.asks}
    seen = {**known, **given.answers, **protocol.edits.by_id[step.edit.operation].preset}
    asked = questions_asked(protocol, step, step.edit.operation)
    return [question for question in asked if question.when is None or on_answers(question.when)(seen)]


def _unanswered(protocol: Protocol, step: Step, given: Judgement) -> Iterator[Problem]:
    for question in shown_questions(protocol, step, given):
        scale, value = protocol.scale_of(question), given.answers.get(question.id)
        if value is None or not scale.test()(value):
            what = f"{question.id} has no answer" if value is None else f"{question.id} is {value!r}"
            yield Problem(
                what=what, rule="required", fix=f"Answer with {scale.expects()}.", question=question.id, value=value
            )


def _not_several(step: Step, given: Judgement) -> list[Problem]:
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


ENOUGH = 0.5
"""How well an edit must fit a gold edit for its answers to be compared."""

NO_COMPARISON = Comparison((), 0, 0, 0)


class OnEdit(NamedTuple):
    """One answer about one gold edit."""

    edit: str
    graded: Graded


class Result(NamedTuple):
    """How an answer compares: ``share`` from 0 to 1, whether that is enough, and the parts it is made of."""

    share: float
    right: bool
    compared: Comparison
    answers: tuple[OnEdit, ...]

    @property
    def selection(self) -> float:
        """Agreement on the marked words; 1 where no words were to be marked."""
        return self.compared.f1


def grade_step(protocol: Protocol, step: Step, given: Judgement) -> Result:
    """The answer beside the gold. A step that asks nothing is always right."""
    if not step.is_exercise:
        return Result(1.0, True, NO_COMPARISON, ())
    if step.kind in MARKING:
        return _marking(protocol, step, given)
    if step.kind in (FACTS, COMPOSE):
        return _choosing_several(step, given)
    graded = _about_one_edit(protocol, step, given.answers) if step.kind == ANSWER else [_one(protocol, step, given)]
    share = sum(entry.graded.verdict in (RIGHT, NEAR) for entry in graded) / len(graded)
    return Result(share, share >= step.pass_mark, NO_COMPARISON, tuple(graded))


def _marking(protocol: Protocol, step: Step, given: Judgement) -> Result:
    """The F1 of what is marked; on a whole pair, the mean of it and of the share of right answers, if any are asked."""
    compared = compare(step.fields, given.edits, step.edits)
    asked = compared.pairings if step.kind == WHOLE else ()
    graded = [entry for pairing in asked for entry in on_pairing(protocol, step, pairing)]
    share = compared.f1
    if graded:
        share = (share + sum(entry.graded.verdict in (RIGHT, NEAR) for entry in graded) / len(graded)) / 2
    return Result(share, share >= step.pass_mark, compared, tuple(graded))


def on_pairing(protocol: Protocol, step: Step, pairing: Pairing) -> list[OnEdit]:
    """The answers of an edit beside those of the gold edit that it stands for, where the two fit well enough."""
    if pairing.gold is None or pairing.given is None or pairing.verdict not in (EXACT, OVERLAP):
        return []
    if pairing.f1 < ENOUGH:
        return []
    return _answers(protocol, step, pairing.gold, pairing.given.answers)


def questions_asked(protocol: Protocol, step: Step, operation: str) -> tuple[Question, ...]:
    """The protocol's questions on edits of this operation that the step asks, preset ones left out."""
    if protocol.edits is None:
        return ()
    asked = step.asks or (protocol.stage(step.stage).asks if step.stage else None)
    preset = protocol.edits.by_id[operation].preset
    return tuple(
        question
        for question in protocol.edits.questions_for(operation)
        if question.id not in preset and (asked is None or question.id in asked)
    )


def _about_one_edit(protocol: Protocol, step: Step, answers: Answers) -> list[OnEdit]:
    """Answers to the questions that an exercise asks; those that it does not ask are known to both."""
    known = {name: value for name, value in step.edit.answers.items() if name not in step.asks}
    return _answers(protocol, step, step.edit, {**known, **answers})


def _answers(protocol: Protocol, step: Step, gold: Edit, given: Answers) -> list[OnEdit]:
    """Question by question. One that the given answers hide is left out: the answer that hid it is graded already.

    Texts are left out too: many are right.
    """
    assert protocol.edits is not None
    preset = protocol.edits.by_id[gold.operation].preset
    seen = {**given, **preset}
    accepted = step.also.get(gold.id, {})
    found = []
    for question in questions_asked(protocol, step, gold.operation):
        expected = gold.answers.get(question.id)
        if (
            expected is None
            or not protocol.scale_of(question).values()
            or (question.when is not None and not on_answers(question.when)(seen))
        ):
            continue
        value = given.get(question.id)
        found.append(
            OnEdit(gold.id, Graded(question.id, value, expected, _verdict(value, expected, accepted.get(question.id))))
        )
    return found


def _verdict(given: Answer | None, expected: Answer, accepted: Sequence[Answer] | None) -> str:
    if given is None:
        return MISSING
    if type(given) is type(expected) and given == expected:
        return RIGHT
    return NEAR if given in (accepted or ()) else WRONG


def _one(protocol: Protocol, step: Step, given: Judgement) -> OnEdit:
    """The answer to the course's own question, or the name of an edit's type."""
    value = given.answers.get(CHOSEN)
    expected = step.answer if step.kind == ASK else gold_type(protocol, step)
    assert expected is not None
    return OnEdit(
        step.edits[0].id if step.edits else "", Graded("", value, expected, _verdict(value, expected, step.accepts))
    )


def gold_answer(protocol: Protocol, step: Step) -> Judgement:
    """What somebody would answer who answers as the gold does."""
    match step.kind:
        case "select":
            return Judgement({}, tuple(attrs.evolve(edit, answers={}) for edit in step.edits))
        case "whole":
            return Judgement({}, step.edits)
        case "answer":
            return Judgement({name: step.edit.answers[name] for name in step.asks})
        case "type":
            return Judgement({CHOSEN: gold_type(protocol, step)})
        case "ask":
            assert step.answer is not None
            return Judgement({CHOSEN: step.answer})
        case "facts":
            return Judgement({LOST: tuple(gold_several(step))})
    return Judgement({PARTS: tuple(gold_several(step))})


def gold_type(protocol: Protocol, step: Step) -> str:
    """The type to name in an exercise: the one it says, else the edit's own type."""
    assert step.kind == TYPE
    if step.answer is not None:
        return str(step.answer)
    return next(kind for kind in types_of(protocol, step.edit) if kind not in added_types(protocol))


def types_of(protocol: Protocol, edit: Edit) -> list[str]:
    """The types that an edit with these answers has."""
    assert protocol.edits is not None
    answers: Mapping[str, object] = {**edit.answers, **protocol.edits.by_id[edit.operation].preset}
    return [kind.id for kind in edit_types(protocol, edit.operation, dict(answers))]


def added_types(protocol: Protocol) -> frozenset[str]:
    """The types that are counted on top of an edit's own."""
    return frozenset(kind.id for kind in protocol.edits.types if kind.added) if protocol.edits else frozenset()


def _choosing_several(step: Step, given: Judgement) -> Result:
    """Facts that are lost, or parts of a composite: right if the set is the same, else the F1 of the two sets."""
    name = LOST if step.kind == FACTS else PARTS
    chosen = given.answers.get(name, ())
    said = set(chosen) if isinstance(chosen, tuple) else set()
    expected = tuple(gold_several(step))
    share = f_measure(len(said & set(expected)), len(said), len(expected))
    verdict = RIGHT if share == 1 else WRONG
    answered = Graded(name, tuple(sorted(said)), expected, verdict)
    return Result(share, share >= step.pass_mark, NO_COMPARISON, (OnEdit("", answered),))


def gold_several(step: Step) -> list[str]:
    """The ids that are right in an exercise on choosing several things."""
    if step.kind == FACTS:
        return [fact.id for fact in step.facts if fact.lost]
    return [edit.id for edit in step.parts(step.edit.id)]
