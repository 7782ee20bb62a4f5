"""A study as statistics and metrics see it: as ratings and as a corpus, the same shapes that files are read into.

The corpus has the study's rewrites with their sources and references, rewrites of one source side by side.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from django.db.models import Q

from rubrica.core.errors import wrong
from rubrica.core.handed_on import FLAGGED
from rubrica.core.ratings import Rater, Rating, Ratings
from rubrica.core.signature import protocol_parts
from rubrica.core.study import ANSWERED, Item, Judgement
from rubrica.core.validation import Validator
from rubrica.exchange.corpus_rows import CorpusRow, ItemTexts, asked_rewrite, item_texts, references_of, side_by_side
from rubrica.exchange.judged_ratings import answers_of, dataset_of, unit_of
from rubrica.protocols.criteria import criteria_of
from rubrica.store import models
from rubrica.store.allocation.handing_on import WRITER_OUT
from rubrica.store.counting.submitted import Entry, Picture, picture
from rubrica.store.metric_annotators import values_of_metrics
from rubrica.store.people.erasure import OUTCOME as ERASED
from rubrica.store.studies import find_stage
from rubrica.store.translate import item_from, protocol_of, validator_of


def ratings_of(study: models.Study, stage: str = "", dataset: str = "") -> Ratings:
    """What was said at one stage: the one wanted, else the last that has comparable answers.

    ``dataset`` is the metadata that names the data set of an item. Raises InputError if there is no such stage.
    """
    seen = picture(study)
    return ratings_at(seen, _stage(seen, stage), dataset)


def ratings_at(seen: Picture, chosen: models.Stage, dataset: str = "") -> Ratings:
    """What was said at this stage of a study as it stands."""
    study, protocol = seen.study, seen.protocols[chosen.pk]
    entries = [entry for entry in seen.every if entry.stage == chosen.pk]
    said = models.Judgement.objects.filter(stage=chosen).submitted().values("item")
    repeated = models.Planted.objects.filter(item__study=study).exclude(original=None).values("original")
    rows = models.Item.objects.filter(Q(pk__in=said) | Q(pk__in=repeated)).order_by("position") if entries else ()
    items = {row.pk: item_from(row) for row in rows}
    judged = {entry.item for entry in entries}
    people = [seen.people[pk] for pk in dict.fromkeys(entry.annotator for entry in entries)]
    traits = _traits(study)
    validator = validator_of(chosen)
    return Ratings(
        study.name,
        criteria_of(protocol),
        tuple(_rating(seen, validator, entry, items) for entry in entries),
        {item.key: unit_of(protocol, item, dataset) for pk, item in items.items() if pk in judged},
        {
            who.name: Rater(who.name, who.kind, traits.get(who.pk, {}), excluded=who.excluded_at is not None)
            for who in people
        },
        {
            **protocol_parts(protocol, chosen.settings),
            "study": study.name,
            "stage": chosen.key,
            "dataset": dataset,
            "excluded": "+".join(sorted(who.name for who in seen.people.values() if who.excluded_at is not None)),
        },
        protocol=protocol,
        step=validator.stage,
        metrics=values_of_metrics(study),
    )


def _stage(seen: Picture, wanted: str) -> models.Stage:
    if wanted:
        return find_stage(seen.study, wanted)
    stages = list(seen.stages.values())
    judged = {entry.stage for entry in seen.every}
    answered = [stage for stage in stages if stage.pk in judged]
    comparable = [stage for stage in answered if any(one.comparable for one in criteria_of(seen.protocols[stage.pk]))]
    return (comparable or answered or stages)[-1]


def _rating(seen: Picture, validator: Validator, entry: Entry, items: Mapping[int, Item]) -> Rating:
    item = items[entry.item]
    original = seen.duplicates.get(entry.item)
    return Rating(
        item.key,
        seen.people[entry.annotator].name,
        answers_of(validator, item, Judgement(entry.answers, (), entry.outcome)),
        entry.outcome,
        entry.seconds,
        entry.at,
        "gold" if entry.item in seen.gold else "duplicate" if original else "",
        items[original].key if original is not None and original in items else "",
        seen.gold.get(entry.item, {}),
        validator.fixed(item),
        pid=entry.pid,
        first_at=entry.first_at,
    )


def _traits(study: models.Study) -> dict[int, dict[str, str]]:
    """What people said of themselves; what they would rather not say is left out."""
    rows = models.Profile.objects.filter(annotator__study=study).values_list("annotator", "answers")
    return {
        annotator: {name: str(value) for name, value in answers.items() if value is not None}
        for annotator, answers in rows
    }


CHUNK = 2000


def study_corpus(study: models.Study, dataset: str = "") -> list[CorpusRow]:
    """Every rewrite of the study, planted items and erased texts left out, in the order of items.

    Rewrites of the same source come one after the other. ``id`` is the item's own, ``system`` its system, else who
    wrote it. References are fields and columns called reference, reference_1, references, … Where the protocol asks
    people to write the rewrites, each answer is a row: ``id`` is item and writer, ``system`` the writer; those of
    excluded writers and of discarded sentences are left out. ``dataset`` is the metadata that names the data set of an
    item, as for ratings.
    Raises InputError if the study has neither, or no such metadata.
    """
    if dataset and not any(dataset in one for one in study.items.values_list("metadata", flat=True)):
        known = sorted({name for one in study.items.values_list("metadata", flat=True) for name in one})
        fix = f"Metadata of its items: {', '.join(known) or 'none'}."
        raise wrong(f"no item of the study {study.name!r} has metadata {dataset!r}", "dataset", fix, value=dataset)
    protocols = [protocol_of(stage) for stage in study.stages.select_related("protocol_version")]
    if texts := next(filter(None, map(item_texts, protocols)), None):
        return side_by_side(_of_items(study, texts, dataset))
    if asked := next(filter(None, map(asked_rewrite, protocols)), None):
        return side_by_side(_of_answers(study, *asked, dataset))
    raise wrong(
        f"the study {study.name!r} has no rewrites: {protocols[-1].id} shows none and asks for none",
        "rewrite",
        "Score a study of a protocol that has a rewrite, such as breve or split_rate.",
        value=study.name,
    )


def _of_items(study: models.Study, texts: ItemTexts, dataset: str) -> Iterator[CorpusRow]:
    rows = study.items.unplanted().exclude(closed_reason=ERASED).order_by("position")
    if study.stages.exclude(takes="").exists():
        out = Q(closed_reason__startswith=FLAGGED) | Q(closed_reason=WRITER_OUT)
        rows = rows.exclude(written=None).exclude(out)
    columns = rows.values_list("key", "fields", "metadata", "system", "author")
    for key, fields, metadata, system, author in columns.iterator(chunk_size=CHUNK):
        rewrite = fields.get(texts.rewrite, "")
        if rewrite.strip():
            references = references_of(fields, metadata, texts.references)
            source, home = fields.get(texts.source, ""), dataset_of(metadata, dataset)
            yield CorpusRow(key, source, rewrite, references, system or author, author=author, dataset=home)


def _of_answers(study: models.Study, question: str, starts_from: str, dataset: str) -> Iterator[CorpusRow]:
    seen = picture(study)
    rows = study.items.unplanted().order_by("position")
    items = {pk: about for pk, *about in rows.values_list("pk", "key", "fields", "metadata")}
    place = {pk: number for number, pk in enumerate(items)}
    said = [entry for entry in seen.counted if entry.outcome == ANSWERED and entry.item in place]
    for entry in sorted(said, key=lambda entry: (place[entry.item], seen.people[entry.annotator].name)):
        rewrite, (key, fields, metadata) = entry.answers.get(question), items[entry.item]
        if isinstance(rewrite, str):
            writer = seen.people[entry.annotator].name
            references, source = references_of(fields, metadata, ()), fields.get(starts_from, "")
            home = dataset_of(metadata, dataset)
            yield CorpusRow(f"{key}/{writer}", source, rewrite, references, writer, author=writer, dataset=home)
