"""What a rule proposes, and a sentence's words dealt out to several by the proposals that are kept."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import attrs

from rubrica.rewriting.split.tree import Tree
from rubrica.rewriting.split.wording import Item, lowered, written

PATTERNS = {
    "rc": "relative clause",
    "conj": "conjunction",
    "part": "participle",
    "prep": "prepositional phrase",
    "adv": "adverbial",
    "appos": "apposition",
    "inf": "infinitive",
}
"""The seven patterns of the paper's Table 1 and their names."""


@attrs.frozen
class Operation:
    """Words that leave a sentence (``take``) and become sentences of their own (``new``), before it or after it."""

    pattern: str
    rule: str
    cue: tuple[int, ...]
    take: frozenset[int]
    new: tuple[tuple[Item, ...], ...]
    parent: Operation | None = None
    """The operation that made the clause in which this one works."""
    before: bool = False
    opening: str = ""
    """What the rest of the sentence begins with: *However,*."""
    closing: tuple[Item, ...] = ()

    def as_json(self, tree: Tree) -> dict[str, object]:
        """For a line of ``--jsonl``: spans are places in the source, from 0, the end excluded."""
        return {
            "pattern": self.pattern,
            "rule": self.rule,
            "cue": tree.said(self.cue),
            "cue_span": list(tree.chars(self.cue)),
            "span": list(tree.chars(self.take)),
        }


@attrs.define
class Plan:
    """A sentence to be: its items, and the operations that made or shortened it."""

    items: list[Item]
    touched: list[Operation]
    start: int = 0
    """Where its words stood in the source: what was made later goes where it belongs."""


def carried_out(tree: Tree, operations: Sequence[Operation]) -> list[Plan]:
    """The plans that operations make of a sentence, outer ones first; one whose words are elsewhere does nothing."""
    last = len(tree) - 1
    whole = [place for place in range(len(tree)) if not (place == last and tree.low(place) in {".", "!", "?"})]
    plans = [Plan(list(whole), [])]
    for operation in operations:
        host = next((plan for plan in plans if operation.take <= _places(plan.items)), None)
        if host is None:
            continue
        rest = [item for item in host.items if item not in operation.take]
        if operation.opening and rest:
            first = rest[0]
            if isinstance(first, int):
                rest[0] = lowered(tree, first, tree.words[first].text) if first == 0 else first
            rest = [operation.opening, *rest]
        host.items = rest
        host.touched.append(operation)
        start = min(operation.take)
        made = [Plan(list(items), [operation], start) for items in operation.new]
        place = plans.index(host) + (0 if operation.before else 1)
        while not operation.before and place < len(plans) and host.start < plans[place].start < start:
            place += 1
        plans[place:place] = made
    return plans


def texts_of(tree: Tree, plans: Iterable[Plan], *, apart: bool) -> list[str]:
    """The sentences of plans."""
    return [written(tree, plan.items, apart=apart) for plan in plans]


def _places(items: Iterable[Item]) -> set[int]:
    return {item for item in items if isinstance(item, int)}
