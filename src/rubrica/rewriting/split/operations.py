"""What a rule proposes, and a sentence's words dealt out to several by the proposals that are kept."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import attrs

from rubrica.rewriting.split.tree import PLURAL, Tree, listed
from rubrica.rewriting.split.wording import Item, lowered, written

THINGS = listed(
    "house building bridge album film song book company station school river town city village game series single "
    "episode novel church castle ship vessel road line railway park district museum program programme show system "
    "event season match club organisation organization college university hospital theatre theater airport highway "
    "route street tower court festival tournament league award magazine newspaper journal channel network band "
    "county municipality region province island lake mountain mine factory mill library temple abbey cemetery stadium "
    "arena harbour harbor canal engine car aircraft locomotive train plant species genus family language dialect "
    "agreement treaty act law clause contract project study report plan service software version device method "
    "article story play opera record track video movie painting statue monument commission committee council "
    "institute academy department agency foundation association society union party ministry regiment division"
)
"""Nouns that *it* can stand for, and no person is."""

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


def named_once(tree: Tree, plans: Sequence[Plan], texts: Sequence[str]) -> None:
    """A longer name that the sentence before began with becomes *it* or *they*, where nothing else can be meant."""
    before = ""
    for index, plan in enumerate(plans):
        at = next((place for place, item in enumerate(plan.items[:2]) if not _opens(item)), 0)
        name = plan.items[at] if plan.items else 0
        if isinstance(name, str) and index and len(name.split()) > 2:
            again = before if before.lower() == name.lower() else ""
            if again or texts[index - 1].lower().startswith(name.lower() + " "):
                before = name
                said = _pronoun(tree, name, plans[index - 1])
                plan.items[at] = said or name
                continue
        before = name if isinstance(name, str) else ""


def _opens(item: Item) -> bool:
    return isinstance(item, str) and (item.endswith(",") or item in {"But", "So"})


def _pronoun(tree: Tree, name: str, before: Plan) -> str:
    """The pronoun for a name after a sentence that it is the subject of; empty where one might mistake it."""
    words = name.lower().partition(" of ")[0].replace("''", "").replace('"', "").split()
    if words[0] in {"these", "this", "any", "each"}:
        return ""
    others = [item for item in before.items if isinstance(item, int) and tree.low(item) not in words]
    quoted = "''" in name or '"' in name
    plural = not quoted and any(tree.low(at) == words[-1] and tree.tag(at) in PLURAL for at in range(len(tree)))
    if plural:
        return "" if any(tree.tag(at) in PLURAL or tree.low(at) == "they" for at in others) else "they"
    return "it" if words[-1] in THINGS and not any(tree.low(at) == "it" for at in others) else ""


def _places(items: Iterable[Item]) -> set[int]:
    return {item for item in items if isinstance(item, int)}
