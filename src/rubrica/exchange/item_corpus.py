"""Items as a corpus to score: which of their texts is the rewrite, which the source, which are references."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from rubrica.core.protocol import Protocol
from rubrica.core.scales import RewrittenText
from rubrica.exchange.corpus_rows import REFERENCE, CorpusRow
from rubrica.exchange.listed_texts import texts_of

SOURCES = ("source", "target", "reference", "context")
"""What a rewrite is held against: the source; of a substitute the word; else the sentence that it should mean."""


class ItemTexts(NamedTuple):
    """Which fields of an item are what. ``rewrite`` is empty where people are asked to write it."""

    source: str
    rewrite: str
    references: tuple[str, ...]


def item_texts(protocol: Protocol) -> ItemTexts | None:
    """The fields by what they are for; None if the items hold no rewrite."""
    by_role: dict[str, list[str]] = {}
    for field in protocol.fields:
        by_role.setdefault(field.role, []).append(field.id)
    against = next((by_role[role][0] for role in SOURCES if role in by_role), "")
    if "rewrite" not in by_role or not against:
        return None
    return ItemTexts(against, by_role["rewrite"][0], tuple(by_role.get("reference", ())))


def asked_rewrite(protocol: Protocol) -> tuple[str, str] | None:
    """The question that asks for a rewrite, and the field that it starts from."""
    for question in protocol.questions:
        scale = protocol.scale_of(question)
        if isinstance(scale, RewrittenText):
            return question.id, scale.starts_from
    return None


def references_of(fields: Mapping[str, str], metadata: Mapping[str, str], known: tuple[str, ...]) -> tuple[str, ...]:
    """The references of an item: of its fields, then of other columns by their numbers; blank ones are none.

    PostgreSQL does not keep the order of columns.
    """
    named = [fields[name] for name in known if name in fields]
    others = {name: text for name, text in {**fields, **metadata}.items() if name not in known}
    called = [name for name in others if REFERENCE.fullmatch(name)]
    named += [others[name] for name in sorted(called, key=lambda name: (_number(name), name))]
    return tuple(text for one in named for text in texts_of(one))


def _number(name: str) -> int:
    digits = re.search(r"\d+", name)
    return int(digits[0]) if digits else 0


def side_by_side(rows: Iterable[CorpusRow]) -> list[CorpusRow]:
    """Rows of the same source together, in the order in which sources first come."""
    by_source: dict[str, list[CorpusRow]] = {}
    for row in rows:
        by_source.setdefault(row.source, []).append(row)
    return [row for together in by_source.values() for row in together]
