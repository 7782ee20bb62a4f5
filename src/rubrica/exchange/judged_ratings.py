"""Judgements that were exported from a study, as statistics see them: no column has to be named."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import attrs

from rubrica.core.answers import Answer
from rubrica.core.conditions import questions_in
from rubrica.core.errors import Problem
from rubrica.core.protocol import Protocol
from rubrica.core.ratings import Rater, Rating, Ratings, Unit
from rubrica.core.signature import protocol_parts
from rubrica.core.study import LEFT_OUT, Item, Judgement, systems_named
from rubrica.core.validation import Validator
from rubrica.core.verdicts import of_judgement
from rubrica.exchange.columns import guess_columns
from rubrica.exchange.decoding import digest_of
from rubrica.exchange.records import Record
from rubrica.exchange.tables import Table
from rubrica.protocols.criteria import criteria_of

OFF_SCALE, WAY_OUT = "scale", "way_out"
"""Rules of a protocol whose breach would make figures wrong."""
OWN = {"study", "stage", "item", "annotator", "outcome", "protocol", "signature"}
"""Columns that every export has, and hardly any other table."""
DATASET = ("dataset", "benchmark", "corpus")
"""Names under which an item's metadata may say which data set it is from."""


def exported_protocol(columns: Iterable[str], first: Mapping[str, Any]) -> str:
    """The id of the protocol whose judgements were exported into a table of these columns and this first row.

    Empty if it is no export.
    """
    return str(first.get("protocol", "")).partition("@")[0] if set(columns) >= OWN else ""


def answer_problems(path: Path, records: Iterable[tuple[int, Record]], protocol: Protocol) -> list[Problem]:
    """Answers outside their scale and outcomes that there are none of, by line.

    An export is right as it was written, so that these were changed later, or belong to another protocol. What else a
    study would refuse, such as an answer to a question that was not shown, changes no figure.
    """
    validator = Validator(protocol)
    return [
        problem.at(file=str(path), line=line, fix=f"{problem.fix} If another protocol was used, name it: --protocol.")
        for line, record in records
        for problem in validator.problems(record.item, record.judgement, complete=False)
        if problem.rule == OFF_SCALE or (problem.rule == WAY_OUT and not problem.question)
    ]


def ratings_of_records(
    path: Path, records: Iterable[Record], protocol: Protocol, *, stage: str = "", dataset: str = ""
) -> Ratings:
    """The judgements of one stage: the one wanted, else the last; of several revisions the last counts."""
    newest: dict[tuple[str, str, str], Record] = {}
    for record in records:
        key = (record.stage, record.item.key, record.annotator)
        if key not in newest or newest[key].revision <= record.revision:
            newest[key] = record
    stages = list(dict.fromkeys(record.stage for record in newest.values()))
    chosen = stage or (stages[-1] if stages else "")
    kept = [record for record in newest.values() if record.stage == chosen]
    step = next((step for step in protocol.stages if step.id == chosen), None)
    validator = Validator(protocol, step)
    return Ratings(
        path.stem,
        criteria_of(protocol),
        tuple(_rating(record, validator) for record in kept),
        {record.item.key: unit_of(protocol, record.item, dataset) for record in kept},
        {record.annotator: Rater(record.annotator) for record in kept},
        {
            **protocol_parts(protocol),
            "file": path.name,
            "sha256": digest_of(path),
            "stage": chosen,
        },
        protocol=protocol,
        step=step,
    )


def _rating(record: Record, validator: Validator) -> Rating:
    return Rating(
        record.item.key,
        record.annotator,
        answers_of(validator, record.item, record.judgement),
        record.judgement.outcome,
        record.seconds,
        record.submitted_at,
        record.planted,
        record.duplicate_of,
        record.known,
        validator.fixed(record.item),
    )


def answers_of(validator: Validator, item: Item, judgement: Judgement) -> dict[str, Answer]:
    """The answers of a judgement, words settled, and its verdicts as yes or no.

    A judgement that passes the item on to others decides none.
    """
    protocol = validator.protocol
    verdicts = {} if protocol.passes_on(judgement.outcome) else of_judgement(protocol, item, judgement)
    answers = {**judgement.answers, **{name: "yes" if value else "no" for name, value in verdicts.items()}}
    return {**answers, **validator.words(item, judgement)}


def text_columns(table: Table, protocol: Protocol) -> dict[str, str]:
    """Which columns of a table hold the texts of the protocol's fields, as far as their names tell."""
    found = guess_columns(table, protocol, {})
    return {field.id: found[field.id] for field in protocol.fields if field.id in found}


def with_verdicts(ratings: Ratings, protocol: Protocol, fields: Mapping[str, str] | None = None) -> Ratings:
    """Ratings of a table whose columns are a protocol's questions: words settled, with the verdicts that follow.

    A verdict is derived where the table has every question that it hangs on, and a rating an answer to each. ``fields``
    are the columns that hold the texts: where they are known, so is what a rule fixed.
    """
    asked = {criterion.id for criterion in ratings.criteria}
    needs = {
        verdict.id: questions_in(verdict.when)
        for verdict in protocol.verdicts
        if not verdict.of_item and verdict.id not in asked
    }
    possible = {name: needed for name, needed in needs.items() if needed and asked.issuperset(needed)}
    criteria = [criterion for criterion in criteria_of(protocol) if criterion.id in possible]
    validator = Validator(protocol)
    word = {field.id for field in protocol.fields if field.role == "target"}
    every = []
    for rating in ratings.every:
        unit = ratings.units[rating.unit]
        known = {field: unit.texts[column] for field, column in (fields or {}).items() if column in unit.texts}
        target = dict.fromkeys(word, unit.target) if unit.target else {}
        item = Item(rating.unit, {**unit.texts, **known, **target})
        judgement = Judgement(rating.answers)
        judged = answers_of(validator, item, judgement)
        derived = {
            name: judged[name]
            for name, needed in possible.items()
            if name in judged and all(question in rating.answers for question in needed)
        }
        words = {name: said for name, said in validator.words(item, judgement).items() if name in rating.answers}
        answers = {**rating.answers, **words, **derived}
        every.append(attrs.evolve(rating, answers=answers, fixed=validator.fixed(item)))
    return attrs.evolve(
        ratings,
        criteria=(*ratings.criteria, *criteria),
        every=tuple(every),
        origin={**protocol_parts(protocol), **ratings.origin},
        protocol=protocol,
    )


def unit_of(protocol: Protocol, item: Item, dataset: str = "") -> Unit:
    """An item as a unit. Rewrites of one source have the same texts but the rewrite.

    ``dataset`` is the metadata that names the data set; without it, one of the usual names.
    """
    same = [item.fields.get(field.id, "") for field in protocol.fields if field.role != "rewrite"]
    found, target = dataset_of(item.metadata, dataset), protocol.target_of(item.fields)
    systems, left_out = systems_named(item.system), systems_named(item.metadata.get(LEFT_OUT, ""))
    return Unit(
        item.key,
        item.system,
        "\n".join(same),
        found,
        dict(item.fields),
        target,
        bool(item.author),
        systems if len(systems) > 1 else (),
        left_out,
    )


def dataset_of(metadata: Mapping[str, str], wanted: str = "") -> str:
    """The data set that an item's metadata names: under the name that is wanted, else under one of the usual ones."""
    names = (wanted,) if wanted else DATASET
    return next((metadata[name] for name in names if name in metadata), "")
