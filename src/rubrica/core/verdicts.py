"""Verdicts: a yes or no derived from one judgement, or from all judgements of an item."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from rubrica.core.conditions import Case, holds
from rubrica.core.protocol import EditType, Protocol
from rubrica.core.study import Item, Judgement


class Derived(NamedTuple):
    """A verdict's value, or None with the reason why it is undefined."""

    value: bool | None
    reason: str = ""


def of_judgement(protocol: Protocol, item: Item, judgement: Judgement) -> dict[str, bool]:
    """Every verdict that one judgement decides."""
    case = Case(judgement.answers, item.fields, judgement.outcome)
    return {verdict.id: holds(verdict.when, case) for verdict in protocol.verdicts if not verdict.of_item}


def of_item(protocol: Protocol, item: Item, judgements: Sequence[Judgement]) -> dict[str, Derived]:
    """Every verdict that all judgements of an item decide together; items passed on to others do not count."""
    single = [
        of_judgement(protocol, item, judgement) for judgement in judgements if not protocol.passes_on(judgement.outcome)
    ]
    result = {}
    for verdict in protocol.verdicts:
        if not verdict.of_item:
            continue
        if len(single) < verdict.at_least:
            result[verdict.id] = Derived(None, f"{len(single)} of at least {verdict.at_least} judgements")
            continue
        yes = sum(judged[verdict.counts] for judged in single)
        needed = {"every": len(single), "any": 1, "most": len(single) // 2 + 1}[verdict.share]
        result[verdict.id] = Derived(yes >= needed)
    return result


def edit_types(protocol: Protocol, operation: str, answers: dict[str, object]) -> list[EditType]:
    """The types that an edit reaches, most specific first; empty while its questions are unanswered."""
    if protocol.edits is None:
        return []
    case = Case(answers, operation=operation)  # type: ignore[arg-type]
    return [kind for kind in protocol.edits.types if holds(kind.when, case)]
