"""Records of a file into the database.

Everything is checked before anything is written, so a bad file changes nothing. Then items and people are made in one
transaction and judgements in others, some hundred at a time: nobody at work waits for a large file. A run that dies
half way has kept whole chunks; the same file again changes nothing twice and brings the rest.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from functools import partial
from operator import attrgetter

from django.db import transaction

from rubrica.core.answers import to_json as answers_to_json
from rubrica.core.eligibility import barred_problem
from rubrica.core.errors import Problem, refuse
from rubrica.core.study import Receipt, Saved, gathered
from rubrica.exchange.imports import Line, gaps, settled, unusable
from rubrica.exchange.records import Record
from rubrica.store import audit, models
from rubrica.store.allocation.eligibility import barred, own_items_by_person
from rubrica.store.people.annotators import named
from rubrica.store.people.identities import erased_problems, identities_of
from rubrica.store.recording.judgements import CHUNK, Said, record, retrying
from rubrica.store.setup.study_items import add_items
from rubrica.store.translate import item_from, protocol_of, validator_of


def import_records(
    study: models.Study, records: Sequence[Line], file: str, now: datetime
) -> tuple[Saved, list[Problem]]:
    """Save imported judgements; what was saved, and answers to ask about. Items come along if the study has none."""
    stages = {stage.key: stage for stage in study.stages.select_related("protocol_version", "study")}
    protocol = protocol_of(next(iter(stages.values())))
    items = {row.key: row for row in study.items.all()}
    known = {key: item_from(row) for key, row in items.items()}
    bring_items = not known
    for _, one in records if bring_items else ():
        known.setdefault(one.item.key, one.item)
    problems = unusable(records, protocol) or _erased(study, records)
    problems += gaps(records, protocol) if bring_items else []
    refuse(problem.at(file=file) for problem in problems)
    validators = {key: validator_of(stage) for key, stage in stages.items()}
    judgements, problems, questions = settled(records, known, validators)
    refuse(problem.at(file=file) for problem in problems)
    with transaction.atomic():
        models.Study.objects.select_for_update(no_key=True).get(pk=study.pk)
        if bring_items and not study.items.exists():
            _take_items(study, [one for _, one in records], now)
        people = named(study, [one.annotator for _, one in records], now)
        refuse([problem.at(file=file) for problem in _ineligible(stages, people, records, now)])
    items = items or {row.key: row for row in study.items.all()}
    receipts: list[Receipt] = []
    lease = models.Assignment  # never handed out, and so never kept
    for key, stage in stages.items():
        said = [
            Said(
                lease(pid="", stage_id=stage.pk, item_id=items[one.item.key].pk, annotator_id=people[one.annotator].pk),
                "",
                judgement,
                at=one.submitted_at,
                number=one.revision,
                seconds=one.seconds,
            )
            for (_, one), judgement in zip(records, judgements, strict=True)
            if one.stage == key
        ]
        receipts += record_in_chunks(stage, sorted(said, key=attrgetter("number")), now)
    saved = Saved.of(receipts)
    audit.record("judgements imported", study, now, **saved._asdict())
    return saved, [question.at(file=file) for question in questions]


def record_in_chunks(stage: models.Stage, said: Sequence[Said], now: datetime) -> Iterator[Receipt]:
    """Each chunk in a transaction of its own; those of one judgement in the order of their numbers."""
    for start in range(0, len(said), CHUNK):
        chunk = said[start : start + CHUNK]
        yield from retrying(chunk, partial(_record, stage, chunk, now))


def _record(stage: models.Stage, said: Sequence[Said], now: datetime, _: bool) -> list[Receipt]:
    return record(stage, said, models.Revision.Origin.IMPORT, now)


def _erased(study: models.Study, records: Sequence[Line]) -> list[Problem]:
    """What people said who were erased since: it does not come back."""
    people = identities_of(study, list(dict.fromkeys(record.annotator for _, record in records)))
    known = {problem.value: problem for problem in erased_problems(study, people)}
    return [known[record.annotator].at(line=line) for line, record in records if record.annotator in known]


def _take_items(study: models.Study, records: Sequence[Record], now: datetime) -> None:
    distinct = {key: same[0] for key, same in gathered(records, lambda one: one.item.key).items()}
    add_items(study, [one.item for one in distinct.values()], now)
    rows = {row.key: row for row in study.items.all()}
    models.Planted.objects.bulk_create(
        [
            models.Planted(
                item=rows[key],
                kind=one.planted,
                original=rows.get(one.duplicate_of),
                answers=answers_to_json(one.known),
            )
            for key, one in distinct.items()
            if one.planted in models.Planted.Kind
        ]
    )


def _ineligible(
    stages: Mapping[str, models.Stage], people: Mapping[str, models.Annotator], records: Sequence[Line], now: datetime
) -> list[Problem]:
    """Judgements of people who may not take part in their stage, or wrote the text, once all of the file is in.

    So that the rule can look at it, everybody gets a lease where the file has them, which is taken back at once.
    """
    found: dict[tuple[str, str], Problem] = {}
    there = dict.fromkeys((one.stage, one.annotator) for _, one in records)
    study = next(iter(stages.values())).study
    item = study.items.first()
    before = transaction.savepoint()
    models.Assignment.objects.bulk_create(
        [
            models.Assignment(stage=stages[key], item=item, annotator=people[name], position=0, leased_at=now)
            for key, name in there
            if item is not None
        ],
        ignore_conflicts=True,
    )
    for key, stage in stages.items():
        here = {name: people[name].identity for place, name in there if place == key}
        for one in barred(stage, protocol_of(stage), here) if here else ():
            if one.why != "excluded":  # their judgements are kept, out of the results
                found[key, one.name] = barred_problem(stage.key, one)
    transaction.savepoint_rollback(before)
    own = {(key, one.name): barred_problem("", one) for key, one in own_items_by_person(study, people.values())}
    return [
        problem.at(line=line, what=f"item {one.item.key}: {problem.what}", fix="Leave this judgement out.")
        for line, one in records
        if (problem := found.get((one.stage, one.annotator)) or own.get((one.item.key, one.annotator)))
    ]
