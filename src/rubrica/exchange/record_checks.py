"""What is wrong with a record of a file before a study is asked: it is of another protocol, or of other texts."""

from __future__ import annotations

from rubrica.core.errors import Problem
from rubrica.core.protocol import Protocol
from rubrica.core.study import Item
from rubrica.exchange.records import Record


def misfits(record: Record, protocol: Protocol) -> list[Problem]:
    """What no study of this protocol could have written: names that are too long, another protocol."""
    item = record.item
    names = {"item": item.key, "group": item.group, "system": item.system, "author": item.author}
    found = []
    theirs = record.protocol.partition("@")[0]
    if theirs and theirs != protocol.id:
        what = f"this judgement is of the protocol {theirs!r}, the study runs {protocol.id!r}"
        fix = "Import it into a study of that protocol."
        found.append(Problem(what=what, rule="protocol", value=record.protocol, fix=fix))
    if record.planted not in ("", "gold", "duplicate"):
        fix = "Use gold, duplicate or nothing."
        found.append(Problem(what=f"planted is {record.planted!r}", rule="form", value=record.planted, fix=fix))
    return found + [
        Problem(
            what=f"the {kind} has {len(name):,} characters",
            rule="length",
            value=len(name),
            fix="Shorten it to 200.",
        )
        for kind, name in names.items()
        if len(name) > 200
    ]


def gaps(item: Item, protocol: Protocol) -> list[Problem]:
    """Texts that an item must have before anybody can have judged it."""
    return [
        Problem(
            what=f"item {item.key}: the field {field.id!r} is missing",
            rule="required",
            fix="The study has no items yet: give the texts with the judgements, or make it with --items.",
        )
        for field in protocol.fields
        if field.required and not item.fields.get(field.id, "").strip()
    ]


def other_texts(known: Item, given: Item) -> list[Problem]:
    """Texts of a record that differ from those of the study's item."""
    return [
        Problem(
            what=f"the field {name!r} is not the text that the study has",
            rule="other_text",
            value=text[:200],
            fix="The judgement is about another text: give the item another id.",
        )
        for name, text in given.fields.items()
        if name in known.fields and known.fields[name] != text
    ]
