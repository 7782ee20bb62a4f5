"""Answers to steps of a course as forms send them: choices, and edits marked word by word where there is no script."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from rubrica.core.answers import Answer
from rubrica.core.course import ANSWER, CHOSEN, COMPOSE, FACTS, LOST, PARTS, Step
from rubrica.core.course_grading import questions_asked
from rubrica.core.edit_scoring import SPLIT_MARK, touched, words_of
from rubrica.core.edits import Edit, Span
from rubrica.core.protocol import Protocol
from rubrica.core.study import Judgement
from rubrica.core.validation import Validator

MOST_SLOTS = 40
FIRST_SLOTS = 3


def chosen(post: Any, protocol: Protocol, step: Step) -> Judgement:
    """What was chosen in an exercise without marking; whatever cannot be chosen is left out."""
    if step.kind == FACTS:
        return Judgement({LOST: tuple(post.getlist(LOST))})
    if step.kind == COMPOSE:
        offered = {str(number): edit.id for number, edit in enumerate(step.loose(), start=1)}
        return Judgement({PARTS: tuple(offered[value] for value in post.getlist(PARTS) if value in offered)})
    if step.kind == ANSWER:
        values = {
            question.id: _one(post.get(question.id, ""), protocol.scale_of(question).values())
            for question in questions_asked(protocol, step, step.edit.operation)
        }
        return Judgement({name: value for name, value in values.items() if value is not None})
    value = _one(post.get(CHOSEN, ""), step.scale.values() if step.scale else step.options)
    return Judgement({} if value is None else {CHOSEN: value})


def _one(text: str, values: Any) -> Answer | None:
    return next((value for value in values if str(value) == text), None)


@dataclass(frozen=True)
class Slot:
    """A place for one edit in the form: the operation, the words ticked on each side, the composite it belongs to."""

    number: int
    operation: str = ""
    source: frozenset[int] = frozenset()
    rewrite: frozenset[int] = frozenset()
    parent: str = ""
    answers: Mapping[str, Answer] | None = None

    @property
    def empty(self) -> bool:
        """Whether nothing was entered."""
        return not (self.operation or self.source or self.rewrite)


def read_slots(post: Any, validator: Validator) -> list[Slot]:
    """The places of a form that was sent."""
    asked = post.get("slots", "")
    count = min(int(asked), MOST_SLOTS) if re.fullmatch(r"[0-9]{1,3}", asked) else FIRST_SLOTS
    return [_slot(post, number, validator) for number in range(1, count + 1)]


def _slot(post: Any, number: int, validator: Validator) -> Slot:
    assert validator.edits is not None
    operation = post.get(f"e{number}.operation", "")
    known = operation if operation in validator.edits.scheme.by_id else ""
    answers = {
        question.id: _one(post.get(f"e{number}.{question.id}", ""), validator.protocol.scale_of(question).values())
        for question in (validator.edits.questions_for(known) if known else [])
    }
    parent = post.get(f"e{number}.parent", "")
    return Slot(
        number,
        known,
        _ticked(post, f"e{number}.source"),
        _ticked(post, f"e{number}.rewrite"),
        parent if parent.isdecimal() and parent != str(number) else "",
        {name: value for name, value in answers.items() if value is not None},
    )


def _ticked(post: Any, name: str) -> frozenset[int]:
    return frozenset(int(one) for one in post.getlist(name) if one.isdecimal() and len(one) < 6)


def edits_of(slots: list[Slot], step: Step) -> tuple[Edit, ...]:
    """The edits that were entered; neighbouring words become one span. Places left empty are none."""
    kept = {str(slot.number) for slot in slots if not slot.empty}
    return tuple(
        Edit(
            str(slot.number),
            slot.operation,
            _spans(step.fields.get("source", ""), slot.source),
            _spans(step.fields.get("rewrite", ""), slot.rewrite),
            {} if slot.parent in kept else dict(slot.answers or {}),
            slot.parent if slot.parent in kept else "",
        )
        for slot in slots
        if not slot.empty
    )


def _spans(text: str, numbers: frozenset[int]) -> tuple[Span, ...]:
    words = words_of(text)
    spans: list[Span] = []
    last = -2
    for number in sorted(number for number in numbers if number < len(words)):
        word = words[number]
        joins = number == last + 1 and SPLIT_MARK not in text[words[last].end : word.start]
        if joins:
            spans[-1] = Span(spans[-1].start, word.end)
        else:
            spans.append(word)
        last = number
    return tuple(spans)


def slots_from(edits: tuple[Edit, ...], step: Step) -> list[Slot]:
    """The places of a form for edits that are there, and one more."""
    numbers = {edit.id: number for number, edit in enumerate(edits, start=1)}
    slots = [
        Slot(
            numbers[edit.id],
            edit.operation,
            touched(step.fields.get("source", ""), edit.source),
            touched(step.fields.get("rewrite", ""), edit.rewrite),
            str(numbers.get(edit.parent, "")),
            edit.answers,
        )
        for edit in edits
    ]
    return slots + [Slot(len(slots) + number) for number in range(1, max(2, FIRST_SLOTS + 1 - len(slots)))]
