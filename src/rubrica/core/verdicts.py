"""Verdicts: a yes or no derived from one judgement, or from all judgements of an item."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from rubrica.core.answers import NOT_APPLICABLE
from rubrica.core.conditions import (
    AllOf,
    Answered,
    AnswerIncludes,
    AnswerIs,
    AnyOf,
    Case,
    Condition,
    Not,
    holds,
)
from rubrica.core.protocol import EditType, Protocol
from rubrica.core.study import ANSWERED, Item, Judgement

PERFECT = "perfect"
"""The verdict on a rewrite that makes it part of a gold standard."""


class Derived(NamedTuple):
    """A verdict's value, or None with the reason why it is undefined."""

    value: bool | None
    reason: str = ""


def of_judgement(protocol: Protocol, item: Item, judgement: Judgement) -> dict[str, bool]:
    """Every verdict that one judgement decides.

    A verdict is left out when it hangs on a question that is not applicable to the item, or that was never put
    because the item was left by a way out: that is neither a yes nor a no.
    """
    case = Case(judgement.answers, item.fields, judgement.outcome)
    decided = {verdict.id: _decide(verdict.when, case) for verdict in protocol.verdicts if not verdict.of_item}
    return {verdict: value for verdict, value in decided.items() if value is not None}


def _decide(condition: Condition | None, case: Case) -> bool | None:
    """Whether the condition holds; None if that depends on an answer that does not exist."""
    match condition:
        case AllOf(parts) | AnyOf(parts):
            settles = isinstance(condition, AnyOf)
            found = [_decide(part, case) for part in parts]
            return settles if settles in found else None if None in found else not settles
        case Not(part):
            inner = _decide(part, case)
            return None if inner is None else not inner
        case AnswerIs(question) | AnswerIncludes(question) | Answered(question):
            if case.outcome != ANSWERED or case.answers.get(question) is NOT_APPLICABLE:
                return None
    return holds(condition, case)


def of_item(protocol: Protocol, item: Item, judgements: Sequence[Judgement]) -> dict[str, Derived]:
    """Every verdict that all judgements of an item, in the order in which they came, decide together.

    Judgements that passed the item on to others do not count, nor do those that leave the verdict open.
    """
    single = [
        of_judgement(protocol, item, judgement) for judgement in judgements if not protocol.passes_on(judgement.outcome)
    ]
    result = {}
    for verdict in protocol.verdicts:
        if not verdict.of_item:
            continue
        votes = [judged[verdict.counts] for judged in single if verdict.counts in judged][: verdict.first]
        if len(votes) < verdict.at_least:
            result[verdict.id] = Derived(None, f"{len(votes)} of at least {verdict.at_least} judgements")
            continue
        needed = {"every": len(votes), "any": 1, "most": len(votes) // 2 + 1}[verdict.share]
        result[verdict.id] = Derived(sum(votes) >= needed)
    return result


def decides_perfect(protocol: Protocol) -> bool:
    """Whether a protocol's judgements decide which rewrites of a source are perfect."""
    roles = {field.role for field in protocol.fields}
    return {"source", "rewrite"} <= roles and any(one.id == PERFECT and one.of_item for one in protocol.verdicts)


def edit_types(protocol: Protocol, operation: str, answers: dict[str, object]) -> list[EditType]:
    """The types that an edit reaches, most specific first; empty while its questions are unanswered."""
    if protocol.edits is None:
        return []
    case = Case(answers, operation=operation)  # type: ignore[arg-type]
    return [kind for kind in protocol.edits.types if holds(kind.when, case)]
