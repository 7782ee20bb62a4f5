"""Edits that an earlier stage hands on: laid together from several people, or fixed so that only answers differ."""

from __future__ import annotations

from collections.abc import Sequence

import attrs

from rubrica.core.answers import Answers
from rubrica.core.edits import Edit, Span
from rubrica.core.errors import Problem
from rubrica.core.protocol import Protocol, Stage

Shape = tuple[str, str, tuple[Span, ...], tuple[Span, ...], str]


def shape(edit: Edit) -> Shape:
    """What is fixed about an edit where edits are fixed: all but its answers."""
    return (edit.id, edit.operation, edit.source, edit.rewrite, edit.parent)


def settles(rules: Stage, protocol: Protocol) -> bool:
    """Whether people of this stage settle the edits that others marked."""
    free = rules.edits == "free" and rules.items_from != ""
    return protocol.edits is not None and rules.role == "adjudicator" and free


def laid_together(several: Sequence[tuple[Edit, ...]]) -> tuple[Edit, ...]:
    """The edits of several people without repetition, numbered anew; constituents follow their composite."""
    if len(several) == 1:
        return several[0]
    result: list[Edit] = []
    seen: set[object] = set()
    for edits in several:
        for edit in (edit for edit in edits if not edit.parent):
            parts = tuple(part for part in edits if part.parent == edit.id)
            own = (edit.operation, edit.source, edit.rewrite, frozenset(edit.answers.items()))
            inside = frozenset((part.operation, part.source, part.rewrite) for part in parts)
            if (own, inside) in seen:
                continue
            seen.add((own, inside))
            number = str(len(result) + 1)
            result.append(attrs.evolve(edit, id=number))
            for part in parts:
                result.append(attrs.evolve(part, id=str(len(result) + 1), parent=number))
    return tuple(result)


def with_answers_of(given: Sequence[Edit], own: Sequence[Edit]) -> tuple[Edit, ...]:
    """The given edits with somebody's own answers to the same ones."""
    known: dict[Shape, Answers] = {shape(edit): edit.answers for edit in own}
    return tuple(attrs.evolve(edit, answers=known.get(shape(edit), edit.answers)) for edit in given)


def fixed_problems(given: Sequence[Edit], said: Sequence[Edit]) -> list[Problem]:
    """Where edits are fixed: each that was added, changed or left out."""
    before, now = {edit.id: edit for edit in given}, {edit.id: edit for edit in said}
    found = [
        _problem(name, "is gone", "Put it back: the edits are fixed at this stage.")
        for name in before
        if name not in now
    ]
    for name, edit in now.items():
        if name not in before:
            found.append(_problem(name, "was added", "Remove it: the edits are fixed at this stage."))
        elif shape(edit) != shape(before[name]):
            fix = "Operation, spans and parent are fixed at this stage: put them back."
            found.append(_problem(name, "was changed", fix))
    return found


def _problem(name: str, what: str, fix: str) -> Problem:
    return Problem(what=f"edit {name} {what}", rule="fixed_edit", fix=fix, edit=name)
