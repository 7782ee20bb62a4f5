"""A study as a corpus to score: its rewrites with their sources and references, rewrites of one source side by side."""

from __future__ import annotations

from collections.abc import Iterator

from django.db.models import Q

from rubrica.core.errors import wrong
from rubrica.core.handed_on import FLAGGED
from rubrica.core.study import ANSWERED
from rubrica.exchange.corpus_rows import CorpusRow, ItemTexts, asked_rewrite, item_texts, references_of, side_by_side
from rubrica.exchange.judged_ratings import dataset_of
from rubrica.store import models
from rubrica.store.allocation.handing_on import WRITER_OUT
from rubrica.store.counting.submitted import picture
from rubrica.store.people.erasure import OUTCOME as ERASED
from rubrica.store.translate import protocol_of

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
