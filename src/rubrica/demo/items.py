"""What demo studies are made of: items that we wrote, and beside them what a careful annotator says of each.

``demo.jsonl`` holds the items, ``demo_answers.jsonl`` an opinion for each, ``demo_gold.jsonl`` items for checks with
theirs. A protocol without the last two is judged at random.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from importlib.resources import as_file, files
from typing import Any, NamedTuple

from rubrica.core.answers import Answers, from_json
from rubrica.core.protocol import Protocol
from rubrica.core.scales import Choices, FreeText, RewrittenText, ShortAnswers
from rubrica.core.study import ANSWERED, Item
from rubrica.demo.simulated_people import Opinion
from rubrica.exchange.items import read_items
from rubrica.exchange.tables import read_table
from rubrica.protocols.loader import Loaded


class Gold(NamedTuple):
    """An item for checks, and what a careful annotator says of it."""

    item: Item
    opinion: Opinion


def items_of(loaded: Loaded) -> list[Item]:
    """The demo items of a shipped protocol, written by us."""
    source = files("rubrica.protocols") / loaded.protocol.id / "demo.jsonl"
    with as_file(source) as path:
        return list(read_items(read_table(path), loaded.protocol, {}).items)


def opinions_of(protocol: Protocol) -> dict[str, Opinion]:
    """By the id of a demo item, what a careful annotator says of it."""
    return {line["id"]: _opinion(line) for line in _lines(protocol, "demo_answers.jsonl")}


def gold_of(protocol: Protocol) -> list[Gold]:
    """Demo items for checks."""
    return [Gold(Item(line["id"], line["fields"]), _opinion(line)) for line in _lines(protocol, "demo_gold.jsonl")]


def known_answers(protocol: Protocol, opinion: Opinion) -> Answers:
    """The answers that a check can compare: texts and lists are right in more than one way."""
    open_ended = {
        question.id
        for question in protocol.questions
        if isinstance(protocol.scale_of(question), Choices | FreeText | RewrittenText | ShortAnswers)
    }
    return {name: value for name, value in opinion.answers.items() if name not in open_ended}


def _lines(protocol: Protocol, name: str) -> Iterator[dict[str, Any]]:
    source = files("rubrica.protocols") / protocol.id / name
    if source.is_file():
        for line in source.read_text("utf-8").splitlines():
            yield json.loads(line)


def _opinion(line: Mapping[str, Any]) -> Opinion:
    return Opinion(
        from_json(line.get("answers", {})),
        line.get("outcome", ANSWERED),
        tuple(from_json(other) for other in line.get("as_good", ())),
        from_json(line.get("if_asked", {})),
        line.get("words", {}),
        {operation: from_json(answers) for operation, answers in line.get("edits", {}).items()},
    )
