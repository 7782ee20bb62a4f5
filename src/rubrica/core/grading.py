"""An answer beside a known one: for practice, qualification and planted items with a known answer.

Only what has a right answer is graded. Texts are free: many rewrites are good. A question that the annotator's own
answers hide is not graded either, because the answer that hid it is. Edits are not graded here.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from rubrica.core.answers import NOT_APPLICABLE, Answer, simpler_words, word_set
from rubrica.core.protocol import UNCOMFORTABLE, Protocol, Stage
from rubrica.core.scales import Choices, FreeText, Ordinal, RewrittenText, Scale, ShortAnswers, Slider
from rubrica.core.study import ANSWERED, Item, Judgement
from rubrica.core.target_words import forms_of
from rubrica.core.validation import Asked, Validator

RIGHT, NEAR, WRONG, FREE, MISSING = "right", "near", "wrong", "free", "missing"
"""Verdicts; near counts as right, free does not count."""

POINTS_FOR_NEAR = 5
"""An ordinal scale with fewer points has no near answers: the neighbour of 2 out of 3 is another opinion."""


class Graded(NamedTuple):
    """One question's answer beside the known one; None is no answer. Question ``""`` is about the outcomes."""

    question: str
    given: Answer | None
    expected: Answer | None
    verdict: str


class Score(NamedTuple):
    """How many of the graded answers are right or near; ``share`` is None when nothing was graded."""

    right: int
    graded: int
    share: float | None


def grade(protocol: Protocol, stage: Stage | None, item: Item, given: Judgement, known: Judgement) -> list[Graded]:
    """Every answer that can be compared, in the order of the questions.

    Outcomes come first: where they differ, or both took the same way out, they are all there is to grade. Leaving an
    item because it is uncomfortable is free: that is promised to be at no loss. Preset and dropped questions are left
    out, and so are questions without a known answer and optional ones that only one of the two answered.
    """
    if given.outcome != ANSWERED or known.outcome != ANSWERED:
        same = RIGHT if given.outcome == known.outcome else WRONG
        return [Graded("", given.outcome, known.outcome, FREE if given.outcome == UNCOMFORTABLE else same)]
    validator = Validator(protocol, stage)
    seen = {question.id for question in validator.shown(item, given.answers)}
    target = forms_of(protocol, item)
    graded = [_grade_one(asked, given, known, target) for asked in validator.plan(item).asked if asked.id in seen]
    return [entry for entry in graded if entry is not None]


def score(graded: Iterable[Graded]) -> Score:
    """The share of right and near answers among those that were graded; missing ones are graded and not right."""
    counted = [entry.verdict for entry in graded if entry.verdict != FREE]
    right = sum(worth in {RIGHT, NEAR} for worth in counted)
    return Score(right, len(counted), right / len(counted) if counted else None)


def _grade_one(asked: Asked, given: Judgement, known: Judgement, target: tuple[str, ...]) -> Graded | None:
    expected, answer = known.answers.get(asked.id), given.answers.get(asked.id)
    if expected is None or NOT_APPLICABLE in (expected, answer) or (answer is None and not asked.required):
        return None
    return Graded(asked.id, answer, expected, verdict(asked.scale, answer, expected, *target))


def verdict(scale: Scale, given: Answer | None, expected: Answer, *target: str) -> str:
    """What one answer on a scale is worth beside the known one. ``target`` is the word to be made simpler."""
    match scale:
        case FreeText() | RewrittenText():
            return FREE
        case ShortAnswers():
            return (
                RIGHT
                if given is not None
                and word_set(simpler_words(given, *target)) == word_set(simpler_words(expected, *target))
                else FREE
            )
    if given is None:
        return MISSING
    match scale:
        case Ordinal():
            return _ordinal(scale, given, expected)
        case Slider():
            return _slider(scale, given, expected)
        case Choices() if isinstance(given, tuple) and isinstance(expected, tuple):
            if set(given) == set(expected):
                return RIGHT
            return NEAR if set(given) & set(expected) else WRONG
    return RIGHT if given == expected else WRONG


def consistent(scale: Scale, first: Answer, again: Answer) -> bool:
    """Whether an answer to the same item again is the same, or near it on a scale; sets must be the same."""
    if isinstance(scale, Ordinal | Slider):
        return verdict(scale, again, first) in {RIGHT, NEAR}
    same = isinstance(first, tuple) and isinstance(again, tuple) and set(first) == set(again)
    return same or first == again


def _ordinal(scale: Ordinal, given: Answer, expected: Answer) -> str:
    """A neighbouring point is near; neighbours are next to each other on the scale, whatever their numbers."""
    values = sorted(scale.values())
    if type(given) is not int or given not in values or expected not in values:
        return WRONG
    apart = abs(values.index(given) - values.index(expected))
    if not apart:
        return RIGHT
    return NEAR if apart == 1 and len(values) >= POINTS_FOR_NEAR else WRONG


def _slider(scale: Slider, given: Answer, expected: Answer) -> str:
    """Near is within a tenth of the range, or one step if that is more; a millionth of a step is rounding."""
    if type(given) not in {int, float} or type(expected) not in {int, float}:
        return WRONG
    assert isinstance(given, int | float)
    assert isinstance(expected, int | float)
    apart, rounding = abs(given - expected), scale.step * 1e-6
    if apart <= rounding:
        return RIGHT
    return NEAR if apart <= max((scale.maximum - scale.minimum) / 10, scale.step) + rounding else WRONG
