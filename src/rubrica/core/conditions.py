"""Conditions: branching as data. On answers (`when`), on the item (`if`), on an edit's operation.

There is no expression language: a condition is one test, or `all`, `any`, `not` of others.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Mapping
from typing import Any

import attrs

from rubrica.core.answers import NOT_APPLICABLE, Answer, Answers


@attrs.frozen
class Case:
    """What a condition is asked about."""

    answers: Answers
    fields: Mapping[str, str] = attrs.field(factory=dict)
    outcome: str = "answered"
    operation: str = ""


@attrs.frozen
class AnswerIs:
    """The question was answered with one of these values."""

    question: str
    values: tuple[Answer, ...]


@attrs.frozen
class AnswerIncludes:
    """The multiple choice includes at least one of these options."""

    question: str
    options: tuple[str, ...]


@attrs.frozen
class Answered:
    """The question has an answer; *not applicable* is none."""

    question: str


@attrs.frozen
class FieldsSame:
    """Two texts of the item read the same: equal but for white space at the ends, its amount, and Unicode form."""

    field: str
    other: str


@attrs.frozen
class FieldIs:
    """A text of the item is one of these."""

    field: str
    values: tuple[str, ...]


@attrs.frozen
class OutcomeIs:
    """How the judgement ended: ``answered``, or one of the ways out."""

    outcomes: tuple[str, ...]


@attrs.frozen
class OperationIs:
    """The edit's operation is one of these."""

    operations: tuple[str, ...]


@attrs.frozen
class AllOf:
    """Every one of these holds."""

    parts: tuple[Condition, ...]


@attrs.frozen
class AnyOf:
    """At least one of these holds."""

    parts: tuple[Condition, ...]


@attrs.frozen
class Not:
    """This does not hold."""

    part: Condition


Condition = AnswerIs | AnswerIncludes | Answered | FieldsSame | FieldIs | OutcomeIs | OperationIs | AllOf | AnyOf | Not


def reads_the_same(one: str, other: str) -> bool:
    """Whether a reader would call the two texts identical."""
    if one == other:
        return True
    words, others = one.split(), other.split()
    if words == others:
        return True
    if len(words) != len(others):
        return False
    return all(map(_same_word, words, others))


def _same_word(one: str, other: str) -> bool:
    return one == other or unicodedata.normalize("NFC", one) == unicodedata.normalize("NFC", other)


def holds(condition: Condition | None, case: Case) -> bool:
    """Whether the condition is true of the case; no condition always holds."""
    return condition is None or on_case(condition)(case)


def on_case(condition: Condition) -> Callable[[Case], bool]:
    """The condition as a function of a case, compiled for use again and again."""
    match condition:
        case AllOf(parts):
            tests = [on_case(part) for part in parts]
            return lambda case: all(test(case) for test in tests)
        case AnyOf(parts):
            tests = [on_case(part) for part in parts]
            return lambda case: any(test(case) for test in tests)
        case Not(part):
            negated = on_case(part)
            return lambda case: not negated(case)
        case FieldsSame(field, other):
            return lambda case: reads_the_same(case.fields.get(field, ""), case.fields.get(other, ""))
        case FieldIs(field, values):
            return lambda case: case.fields.get(field) in values
        case OutcomeIs(outcomes):
            return lambda case: case.outcome in outcomes
        case OperationIs(operations):
            return lambda case: case.operation in operations
        case _:
            test = on_answers(condition)
            return lambda case: test(case.answers)


def on_answers(condition: Condition) -> Callable[[Answers], bool]:
    """The condition as a function of the answers alone, compiled for speed.

    Tests that need an item, an outcome or an operation are refused: the loader keeps them out of ``when``.
    """
    match condition:
        case AnswerIs(question, values):
            if len(values) == 1:
                only = values[0]
                return lambda answers: answers.get(question) == only
            return lambda answers: answers.get(question) in values
        case AnswerIncludes(question, options):
            return lambda answers: any(option in options for option in _as_tuple(answers.get(question)))
        case Answered(question):
            return lambda answers: answers.get(question, NOT_APPLICABLE) is not NOT_APPLICABLE
        case AllOf(parts):
            return _every([on_answers(part) for part in parts])
        case AnyOf(parts):
            return _either([on_answers(part) for part in parts])
        case Not(part):
            negated = on_answers(part)
            return lambda answers: not negated(answers)
    raise TypeError(f"{type(condition).__name__} does not depend on answers alone")


def _every(tests: list[Callable[[Answers], bool]]) -> Callable[[Answers], bool]:
    """A plain loop: twice as fast as all() over a generator, and it runs for every question of every judgement."""

    def every(answers: Answers) -> bool:
        for test in tests:  # noqa: SIM110
            if not test(answers):
                return False
        return True

    return every


def _either(tests: list[Callable[[Answers], bool]]) -> Callable[[Answers], bool]:
    def either(answers: Answers) -> bool:
        for test in tests:  # noqa: SIM110
            if test(answers):
                return True
        return False

    return either


def _as_tuple(value: Any) -> tuple[str, ...]:
    return value if isinstance(value, tuple) else ()


def parts_of(condition: Condition | None) -> list[Condition]:
    """The single tests that a condition is made of."""
    match condition:
        case None:
            return []
        case AllOf(parts) | AnyOf(parts):
            return [test for part in parts for test in parts_of(part)]
        case Not(part):
            return parts_of(part)
    return [condition]


def questions_in(condition: Condition | None) -> list[str]:
    """Ids of the questions that a condition asks about, in order of mention."""
    return [test.question for test in parts_of(condition) if isinstance(test, AnswerIs | AnswerIncludes | Answered)]
