"""Items that one study takes from another: what people wrote there, or its items as they are.

Texts go under the names of the other protocol: the same name, else the same role.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import attrs

from rubrica.core.errors import Problem, wrong
from rubrica.core.protocol import Protocol
from rubrica.core.scales import RewrittenText
from rubrica.core.study import ANSWERED, Item, Judgement
from rubrica.core.verdicts import of_item

DISCARDED = "discarded"
"""The verdict on an item whose texts are not handed on."""
MOST_KEY = 190


class HandedOn(NamedTuple):
    """``people`` is how many wrote the items, ``discarded`` how many items of the other study were left out because
    enough people had flagged them, ``without`` how many have no text."""

    items: list[Item]
    people: int = 0
    discarded: int = 0
    without: int = 0


class Said(NamedTuple):
    """What one person said about an item, and what they were asked."""

    name: str
    protocol: Protocol
    judgement: Judgement

    @property
    def texts(self) -> list[str]:
        """The texts they wrote."""
        answers = self.judgement.answers if self.judgement.outcome == ANSWERED else {}
        written = [answers.get(question) for question in written_questions(self.protocol)]
        return [text for text in written if isinstance(text, str) and text.strip()]


class Written(NamedTuple):
    """An item with what was said about it, in the order in which it came."""

    item: Item
    said: Sequence[Said]


def written_questions(protocol: Protocol) -> list[str]:
    """Ids of the questions that ask for a rewrite."""
    return [question.id for question in protocol.questions if isinstance(protocol.scale_of(question), RewrittenText)]


def as_they_are(items: Iterable[Item], before: Protocol, after: Protocol) -> HandedOn:
    """The same items for another protocol."""
    return HandedOn([attrs.evolve(item, fields=_fields(item, before, after)) for item in items])


def texts_written(rows: Iterable[Written], before: Protocol, after: Protocol) -> HandedOn:
    """One item for each text, under a number that does not tell who wrote it.

    ``before`` is the protocol of items that nobody said anything about. Raises InputError if the protocol ``after`` has
    no field for a rewrite.
    """
    target = next((field.id for field in after.fields if field.role == "rewrite"), None)
    if target is None:
        fix = "Use a protocol that judges rewrites."
        raise wrong(f"{after.id} has no field for what people wrote", "items_from", fix, value=after.id)
    items: dict[str, Item] = {}
    people: set[str] = set()
    discarded = without = 0
    for item, said in rows:
        asked = said[0].protocol if said else before
        if said and _is_discarded(asked, item, [one.judgement for one in said]):
            discarded += 1
            continue
        texts = [(one.name, text) for one in said for text in one.texts]
        without += not texts
        for number, (name, text) in enumerate(texts, start=1):
            key = f"{item.key[:MOST_KEY]}-{number}"
            while key in items:
                key = f"{key}+"
            fields = {**_fields(item, asked, after), target: text}
            items[key] = Item(key, fields, "", name, "", {**item.metadata, "source_item": item.key})
            people.add(name)
    return HandedOn(list(items.values()), len(people), discarded, without)


def missing_fields(items: Sequence[Item], protocol: Protocol, source: str) -> list[Problem]:
    """Fields that the protocol requires and items of that study have nothing for."""
    return [
        Problem(
            what=f"the items of {source!r} have nothing for the field {field.id!r} of {protocol.id}",
            rule="items_from",
            fix="Use a protocol for such texts, or a file of items.",
            value=field.id,
        )
        for field in protocol.fields
        if field.required and not all(item.fields.get(field.id) for item in items)
    ]


def _fields(item: Item, before: Protocol, after: Protocol) -> dict[str, str]:
    role = {field.role: item.fields[field.id] for field in before.fields if item.fields.get(field.id)}
    given = {field.id: item.fields.get(field.id) or role.get(field.role, "") for field in after.fields}
    return {name: text for name, text in given.items() if text}


def _is_discarded(protocol: Protocol, item: Item, judgements: Sequence[Judgement]) -> bool:
    verdict = of_item(protocol, item, judgements).get(DISCARDED)
    return verdict is not None and verdict.value is True
