"""Records out of the database, a chunk at a time, and into it, all or nothing."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime

from django.db import transaction
from django.db.models import F, QuerySet

from rubrica.core.annotator_names import name_problems
from rubrica.core.answers import from_json as answers_from_json
from rubrica.core.answers import to_json as answers_to_json
from rubrica.core.errors import InputError, Problem
from rubrica.core.protocol import Protocol
from rubrica.core.short_answers import word_set
from rubrica.core.signature import protocol_parts, signature
from rubrica.core.study import Item, Judgement
from rubrica.core.validation import Validator
from rubrica.core.verdicts import of_judgement
from rubrica.exchange.records import Record
from rubrica.exchange.safe_cells import KEY, SAFE
from rubrica.store import audit, models
from rubrica.store.allocation.eligibility import barred, barred_problem
from rubrica.store.people.annotators import named
from rubrica.store.people.identities import erased_problems, identities_of
from rubrica.store.recording.judgements import Said, Saved, save
from rubrica.store.setup.study_items import add_items
from rubrica.store.translate import item_from, judgement_from, protocol_of, validator_of

CHUNK = 500


def study_signature(study: models.Study, stages: Sequence[models.Stage], protocol: Protocol, **filters: object) -> str:
    """The signature of whatever is taken out of stages of a study, with each version that they run."""
    parts = protocol_parts(protocol, stages[0].settings)
    ran = {stage.protocol_version.hash: stage.protocol_version.version for stage in stages}
    if len(ran) > 1:
        parts |= {"version": "+".join(ran.values()), "hash": "+".join(digest[:12] for digest in ran)}
    keys = "+".join(stage.key for stage in stages)
    return signature({**parts, "study": study.name, "stage": keys, "seed": study.seed, **filters})


def iterate(
    study: models.Study,
    stages: Sequence[models.Stage],
    *,
    every_revision: bool = False,
    excluded: bool = False,
    safe_cells: bool = False,
) -> Iterator[Record]:
    """Judgements of the study, in the order of items and annotators; erased ones are left out.

    Those of excluded annotators are kept in the study but out of its results, unless ``excluded`` asks for them.
    ``safe_cells`` is for their signature: whoever writes them does it.
    """
    for stage in stages:
        protocol = protocol_of(stage)
        validator = validator_of(stage)
        filters = export_filters(study, every_revision=every_revision, excluded=excluded, safe_cells=safe_cells)
        signed = study_signature(study, [stage], protocol, **filters)
        revisions = (
            revisions_of([stage], every_revision=every_revision, excluded=excluded)
            .select_related("judgement__item__planted__original", "judgement__annotator")
            .prefetch_related("edits")
            .order_by("judgement__item__position", "judgement__annotator__name", "number")
        )
        for revision in revisions.iterator(chunk_size=CHUNK):
            yield _record(study, stage, validator, revision, signed)


def revisions_of(
    stages: Sequence[models.Stage], *, every_revision: bool = False, excluded: bool = False
) -> QuerySet[models.Revision]:
    """The submitted revisions that an export of these stages has."""
    found = models.Revision.objects.filter(judgement__stage__in=stages, erased_at=None, draft=False)
    if not every_revision:
        found = found.filter(judgement__current=F("pk"))
    return found if excluded else found.filter(judgement__annotator__excluded_at=None)


def export_filters(
    study: models.Study, *, every_revision: bool = False, excluded: bool = False, safe_cells: bool = False
) -> dict[str, str]:
    """What a signature says of an export's choices; of excluded annotators only where there are any."""
    out = study.annotators.exclude(excluded_at=None).exists()
    return {
        "revisions": "all" if every_revision else "current",
        "excluded": ("kept" if excluded else "left out") if out else "",
        KEY: SAFE if safe_cells else "",
    }


def _record(
    study: models.Study, stage: models.Stage, validator: Validator, revision: models.Revision, signed: str
) -> Record:
    head, protocol = revision.judgement, validator.protocol
    item, judgement = item_from(head.item), judgement_from(revision)
    planted: models.Planted | None = getattr(head.item, "planted", None)
    return Record(
        study=study.name,
        stage=stage.key,
        item=item,
        annotator=head.annotator.name,
        judgement=judgement,
        revision=revision.number,
        planted=planted.kind if planted else "",
        duplicate_of=planted.original.key if planted and planted.original else "",
        known=answers_from_json(planted.answers) if planted else {},
        verdicts=of_judgement(protocol, item, judgement),
        compared={name: word_set(words) for name, words in validator.words(item, judgement).items()},
        submitted_at=revision.created_at,
        seconds=revision.seconds,
        protocol=f"{protocol.id}@{protocol.version}",
        signature=signed,
    )


def import_records(study: models.Study, records: Sequence[tuple[int, Record]], file: str, now: datetime) -> Saved:
    """Save imported judgements. A study without items takes them from the records. All or nothing."""
    stages = {stage.key: stage for stage in study.stages.select_related("protocol_version", "study")}
    with transaction.atomic():
        bring_items = not study.items.exists()
        protocol = protocol_of(next(iter(stages.values())))
        unusable = [problem for line, record in records for problem in _misfits(record, protocol, line)]
        if not unusable:
            unusable = _erased(study, records)
        if bring_items:
            unusable += [problem for line, record in records for problem in _gaps(record.item, protocol, line)]
        if unusable:
            raise InputError(*(problem.at(file=file) for problem in unusable))
        if bring_items:
            _take_items(study, [record for _, record in records], now)
        items = {row.key: row for row in study.items.select_related("study")}
        said, problems = _check(stages, items, records)
        if problems:
            raise InputError(*(problem.at(file=file) for problem in problems))
        people = named(study, [record.annotator for _, record in records], now)
        total = Saved(0, 0, 0)
        for key, stage in stages.items():
            for batch in _in_rounds([entry for entry in said if entry[0] == key]):
                entries = [
                    Said(
                        items[record.item.key],
                        people[record.annotator],
                        judgement,
                        record.submitted_at,
                        record.revision,
                        record.seconds,
                    )
                    for _, record, judgement in batch
                ]
                total += save(stage, protocol_of(stage), entries, "import", now)
        problems = _ineligible(stages, people, records)
        if problems:
            raise InputError(*(problem.at(file=file) for problem in problems))
        audit.record("judgements imported", study, now, **total._asdict())
    return total


def _take_items(study: models.Study, records: Sequence[Record], now: datetime) -> None:
    distinct: dict[str, Record] = {}
    for record in records:
        distinct.setdefault(record.item.key, record)
    add_items(study, [record.item for record in distinct.values()], now)
    rows = {row.key: row for row in study.items.all()}
    models.Planted.objects.bulk_create(
        [
            models.Planted(
                item=rows[key],
                kind=record.planted,
                original=rows.get(record.duplicate_of),
                answers=answers_to_json(record.known),
            )
            for key, record in distinct.items()
            if record.planted in ("gold", "duplicate")
        ]
    )


def _check(
    stages: dict[str, models.Stage], items: dict[str, models.Item], records: Sequence[tuple[int, Record]]
) -> tuple[list[tuple[str, Record, Judgement]], list[Problem]]:
    validators = {key: validator_of(stage) for key, stage in stages.items()}
    said, problems = [], []
    for line, record in records:
        item, validator = items.get(record.item.key), validators.get(record.stage)
        if validator is None:
            fix = f"Stages: {', '.join(stages)}."
            problems.append(Problem(what=f"no stage {record.stage!r}", rule="unknown_stage", fix=fix, line=line))
        elif item is None:
            fix = "Import into a study made from the same items, or into one without items."
            what = f"the study has no item {record.item.key!r}"
            problems.append(Problem(what=what, rule="unknown_item", fix=fix, line=line, value=record.item.key))
        else:
            known = item_from(item)
            judgement = validator.settle(known, record.judgement)
            found = _text_problems(known, record.item) or validator.problems(known, judgement)
            problems += [
                problem.at(line=line, what=f"item {known.key}, {record.annotator}: {problem.what}") for problem in found
            ]
            said.append((record.stage, record, judgement))
    return said, problems


def _misfits(record: Record, protocol: Protocol, line: int) -> list[Problem]:
    """What no study of this protocol could have written: names that are too long or impossible, another protocol."""
    item = record.item
    names = {"item": item.key, "group": item.group, "system": item.system, "author": item.author}
    found = [problem.at(line=line) for problem in name_problems([record.annotator])]
    theirs = record.protocol.partition("@")[0]
    if theirs and theirs != protocol.id:
        what = f"this judgement is of the protocol {theirs!r}, the study runs {protocol.id!r}"
        fix = "Import it into a study of that protocol."
        found.append(Problem(what=what, rule="protocol", line=line, value=record.protocol, fix=fix))
    if record.planted not in ("", "gold", "duplicate"):
        fix = "Use gold, duplicate or nothing."
        found.append(
            Problem(what=f"planted is {record.planted!r}", rule="form", line=line, value=record.planted, fix=fix)
        )
    return found + [
        Problem(
            what=f"the {kind} has {len(name):,} characters",
            rule="length",
            line=line,
            value=len(name),
            fix="Shorten it to 200.",
        )
        for kind, name in names.items()
        if len(name) > 200
    ]


def _gaps(item: Item, protocol: Protocol, line: int) -> list[Problem]:
    """Texts that an item must have before anybody can have judged it."""
    return [
        Problem(
            what=f"item {item.key}: the field {field.id!r} is missing",
            rule="required",
            line=line,
            fix="The study has no items yet: give the texts with the judgements, or make it with --items.",
        )
        for field in protocol.fields
        if field.required and not item.fields.get(field.id, "").strip()
    ]


def _erased(study: models.Study, records: Sequence[tuple[int, Record]]) -> list[Problem]:
    """What people said who were erased since: it does not come back."""
    people = identities_of(study, list(dict.fromkeys(record.annotator for _, record in records)))
    known = {problem.value: problem for problem in erased_problems(study, people)}
    return [known[record.annotator].at(line=line) for line, record in records if record.annotator in known]


def _ineligible(
    stages: dict[str, models.Stage], people: dict[str, models.Annotator], records: Sequence[tuple[int, Record]]
) -> list[Problem]:
    """Judgements of people who may not take part in their stage, looked at when all of the file is in."""
    found: dict[tuple[str, str], Problem] = {}
    for key, stage in stages.items():
        here = {record.annotator: people[record.annotator].identity for _, record in records if record.stage == key}
        for one in barred(stage, protocol_of(stage), here) if here else ():
            if one.why != "excluded":  # their judgements are kept, out of the results
                found[key, one.name] = barred_problem(stage, one)
    return [
        problem.at(line=line, what=f"item {record.item.key}: {problem.what}", fix="Leave this judgement out.")
        for line, record in records
        if (problem := found.get((record.stage, record.annotator)))
    ]


def _text_problems(known: Item, given: Item) -> list[Problem]:
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


def _in_rounds(
    said: list[tuple[str, Record, Judgement]],
) -> Iterator[list[tuple[str, Record, Judgement]]]:
    """Several revisions of one judgement must be saved one after the other."""
    rounds: dict[tuple[str, str], int] = {}
    batches: dict[int, list[tuple[str, Record, Judgement]]] = {}
    for entry in sorted(said, key=lambda entry: entry[1].revision):
        key = (entry[1].item.key, entry[1].annotator)
        rounds[key] = rounds.get(key, -1) + 1
        batches.setdefault(rounds[key], []).append(entry)
    yield from batches.values()
