"""Records of a file beside the study that they are imported into: what is wrong with them, and as they are kept."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rubrica.core.errors import Problem
from rubrica.core.names import annotator_name_problems
from rubrica.core.protocol import Protocol
from rubrica.core.study import Item, Judgement
from rubrica.core.validation import Validator
from rubrica.exchange.records import Record

Line = tuple[int, Record]
"""A record with its line in the file."""


def unusable(records: Sequence[Line], protocol: Protocol) -> list[Problem]:
    """Names that nobody can have, and what no study of this protocol could have written."""
    names = {name: annotator_name_problems([name]) for name in {one.annotator for _, one in records}}
    return [
        problem.at(line=line) for line, one in records for problem in names[one.annotator] + _misfits(one, protocol)
    ]


def _misfits(record: Record, protocol: Protocol) -> list[Problem]:
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


def gaps(records: Sequence[Line], protocol: Protocol) -> list[Problem]:
    """Texts that items must have before anybody can have judged them."""
    required = [field.id for field in protocol.fields if field.required]
    fix = "The study has no items yet: give the texts with the judgements, or make it with --items."
    return [
        Problem(what=f"item {one.item.key}: the field {field!r} is missing", rule="required", fix=fix, line=line)
        for line, one in records
        for field in required
        if not one.item.fields.get(field, "").strip()
    ]


def settled(
    records: Sequence[Line], items: Mapping[str, Item], validators: Mapping[str, Validator]
) -> tuple[list[Judgement], list[Problem], list[Problem]]:
    """The judgements as they are kept, all that is wrong with them, and answers to ask about.

    Items by key, validators by stage.
    """
    judgements, problems, questions = [], [], list[Problem]()
    for line, one in records:
        item, validator = items.get(one.item.key), validators.get(one.stage)
        if validator is None:
            fix = f"Stages: {', '.join(validators)}."
            problems.append(Problem(what=f"no stage {one.stage!r}", rule="unknown_stage", fix=fix, line=line))
        elif item is None:
            fix = "Import into a study made from the same items, or into one without items."
            what = f"the study has no item {one.item.key!r}"
            problems.append(Problem(what=what, rule="unknown_item", fix=fix, line=line, value=one.item.key))
        else:
            judgement = validator.settle(item, one.judgement)
            found = _other_texts(item, one.item) or validator.problems(item, judgement)
            for those, told in ((problems, found), (questions, validator.questions(item, judgement))):
                those += [each.at(line=line, what=f"item {item.key}, {one.annotator}: {each.what}") for each in told]
            judgements.append(judgement)
    return judgements, problems, questions


def _other_texts(known: Item, given: Item) -> list[Problem]:
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
