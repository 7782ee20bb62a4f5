"""What statistics see of a protocol: its questions and verdicts as criteria, each with its level and its good answer.

The level follows from the scale: labelled points are ordinal, sliders are intervals, options are nominal, several
options or short answers at once are sets. Which answer is the good one is not in the protocol, where a yes may be good
or bad; for shipped protocols it is said here, after their documents.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from rubrica.core.answers import Answer
from rubrica.core.conditions import AllOf, AnswerIs, Condition
from rubrica.core.protocol import Protocol, Question
from rubrica.core.ratings import (
    CHOICE,
    CHOICES,
    INTERVAL,
    MASI,
    NOMINAL,
    OPEN,
    ORDINAL,
    SCALE,
    TEXT,
    VERDICT,
    WORDS,
    YES_NO,
    Criterion,
)
from rubrica.core.scales import Choice, Choices, Ordinal, ShortAnswers, Slider, YesNo

NEITHER = None
"""No answer is better than the others."""
_REVIEW: Mapping[str, Answer | None] = {
    "concern": "no",
    "acceptance": "accept",
    "severity": NEITHER,
    "needed": NEITHER,
    "concerning": "no",
    "needs_rewriting_one": NEITHER,
}
GOOD: Mapping[str, Mapping[str, Answer | None]] = {
    "breve": _REVIEW,
    "claro": _REVIEW,
    "lexical_complexity": {"complexity": NEITHER},
    "split_rewrite": {"flagged": "no"},
}
"""By protocol and question or verdict, where the rule below would not find it."""


def criteria_of(protocol: Protocol, lang: str = "en") -> tuple[Criterion, ...]:
    """Questions about the item, then verdicts of one judgement."""
    questions = [_of_question(protocol, question, lang) for question in protocol.questions]
    verdicts = [
        Criterion(
            verdict.id,
            _name(verdict.id),
            VERDICT,
            NOMINAL,
            ("no", "yes"),
            _good(protocol, verdict.id, "yes"),
        )
        for verdict in protocol.verdicts
        if not verdict.of_item
    ]
    return (*questions, *verdicts)


def _of_question(protocol: Protocol, question: Question, lang: str) -> Criterion:
    scale = protocol.scale_of(question)
    name = question.header or _name(question.id)
    match scale:
        case Ordinal():
            values = tuple(sorted(scale.values()))
            return Criterion(question.id, name, SCALE, ORDINAL, values, _good(protocol, question.id, values[-1]))
        case Slider():
            top = scale.at(scale.steps)
            return Criterion(
                question.id, name, SCALE, INTERVAL, tuple(scale.values()), _good(protocol, question.id, top)
            )
        case YesNo():
            return Criterion(question.id, name, YES_NO, NOMINAL, ("no", "yes"), _good(protocol, question.id, "yes"))
        case Choice():
            return Criterion(
                question.id, name, CHOICE, NOMINAL, tuple(scale.values()), _good(protocol, question.id, NEITHER)
            )
        case Choices():
            return Criterion(question.id, name, CHOICES, MASI, tuple(scale.values()))
        case ShortAnswers():
            return Criterion(question.id, name, WORDS, MASI, blank=scale.none is not None)
    return Criterion(question.id, name, TEXT, OPEN)


def _good(protocol: Protocol, name: str, usual: Answer | None) -> Answer | None:
    """The good answer: as said above, else what a verdict asks of it together with others, else the usual one."""
    said = GOOD.get(protocol.id, {})
    if name in said:
        return said[name]
    for verdict in protocol.verdicts:
        for part in _parts(verdict.when):
            if part.question == name and len(part.values) == 1:
                return part.values[0]
    return usual


def _parts(condition: Condition | None) -> Iterator[AnswerIs]:
    """The answers that a verdict needs all of; a verdict about one question says nothing about good or bad."""
    if isinstance(condition, AllOf) and len(condition.parts) > 1:
        for part in condition.parts:
            if isinstance(part, AnswerIs):
                yield part


def _name(identifier: str) -> str:
    return identifier.replace("_", " ")
