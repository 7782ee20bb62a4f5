"""A study as a corpus to score: its rewrites with their sources and references, rewrites of one source side by side."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from rubrica.core.errors import wrong
from rubrica.core.protocol import Protocol
from rubrica.core.scales import RewrittenText
from rubrica.core.study import ANSWERED
from rubrica.exchange.corpus_rows import REFERENCE, CorpusRow
from rubrica.exchange.judged_ratings import dataset_of
from rubrica.exchange.listed_texts import texts_of
from rubrica.store import models
from rubrica.store.counting.submitted import picture
from rubrica.store.people.erasure import OUTCOME as ERASED
from rubrica.store.translate import protocol_of

CHUNK = 2000
SOURCES = ("source", "target", "reference", "context")
"""What a rewrite is held against: the source; of a substitute the word; else the sentence that it should mean."""


class _Texts(NamedTuple):
    """Which fields of an item are what. ``rewrite`` is empty where people are asked to write it."""

    source: str
    rewrite: str
    references: tuple[str, ...]


def study_corpus(study: models.Study, dataset: str = "") -> list[CorpusRow]:
    """Every rewrite of the study, planted items and erased texts left out, in the order of items.

    Rewrites of the same source come one after the other. ``id`` is the item's own, ``system`` its system, else who
    wrote it. References are fields and columns called reference, reference_1, references, … Where the protocol asks
    people to write the rewrites, each answer is a row: ``id`` is item and writer, ``system`` the writer; those of
    excluded writers are left out. ``dataset`` is the metadata that names the data set of an item, as for ratings.
    Raises InputError if the study has neither, or no such metadata.
    """
    if dataset and not any(dataset in one for one in study.items.values_list("metadata", flat=True)):
        known = sorted({name for one in study.items.values_list("metadata", flat=True) for name in one})
        fix = f"Metadata of its items: {', '.join(known) or 'none'}."
        raise wrong(f"no item of the study {study.name!r} has metadata {dataset!r}", "dataset", fix, value=dataset)
    protocols = [protocol_of(stage) for stage in study.stages.select_related("protocol_version")]
    for protocol in protocols:
        texts = _texts(protocol)
        if texts is not None:
            return _side_by_side(_of_items(study, texts, dataset))
    for protocol in protocols:
        asked = _asked(protocol)
        if asked is not None:
            return _side_by_side(_of_answers(study, *asked, dataset))
    raise wrong(
        f"the study {study.name!r} has no rewrites: {protocols[-1].id} shows none and asks for none",
        "rewrite",
        "Score a study of a protocol that has a rewrite, such as breve or split_rate.",
        value=study.name,
    )


def _texts(protocol: Protocol) -> _Texts | None:
    """The fields by what they are for; None if the items hold no rewrite."""
    by_role: dict[str, list[str]] = {}
    for field in protocol.fields:
        by_role.setdefault(field.role, []).append(field.id)
    against = next((by_role[role][0] for role in SOURCES if role in by_role), "")
    if "rewrite" not in by_role or not against:
        return None
    return _Texts(against, by_role["rewrite"][0], tuple(by_role.get("reference", ())))


def _asked(protocol: Protocol) -> tuple[str, str] | None:
    """The question that asks for a rewrite, and the field that it starts from."""
    for question in protocol.questions:
        scale = protocol.scale_of(question)
        if isinstance(scale, RewrittenText):
            return question.id, scale.starts_from
    return None


def _of_items(study: models.Study, texts: _Texts, dataset: str) -> Iterator[CorpusRow]:
    rows = study.items.unplanted().exclude(closed_reason=ERASED).order_by("position")
    columns = rows.values_list("key", "fields", "metadata", "system", "author")
    for key, fields, metadata, system, author in columns.iterator(chunk_size=CHUNK):
        rewrite = fields.get(texts.rewrite, "")
        if rewrite.strip():
            references = _references(fields, metadata, texts.references)
            source, home = fields.get(texts.source, ""), dataset_of(metadata, dataset)
            yield CorpusRow(key, source, rewrite, references, system or author, author=author, dataset=home)


def _of_answers(study: models.Study, question: str, starts_from: str, dataset: str) -> Iterator[CorpusRow]:
    seen = picture(study)
    rows = study.items.unplanted().order_by("position")
    items = {
        pk: (key, fields, metadata) for pk, key, fields, metadata in rows.values_list("pk", "key", "fields", "metadata")
    }
    place = {pk: number for number, pk in enumerate(items)}
    said = [entry for entry in seen.counted if entry.outcome == ANSWERED and entry.item in place]
    for entry in sorted(said, key=lambda entry: (place[entry.item], seen.people[entry.annotator].name)):
        rewrite, (key, fields, metadata) = entry.answers.get(question), items[entry.item]
        if isinstance(rewrite, str):
            writer = seen.people[entry.annotator].name
            references, source = _references(fields, metadata, ()), fields.get(starts_from, "")
            home = dataset_of(metadata, dataset)
            yield CorpusRow(f"{key}/{writer}", source, rewrite, references, writer, author=writer, dataset=home)


def _references(fields: Mapping[str, str], metadata: Mapping[str, str], known: tuple[str, ...]) -> tuple[str, ...]:
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


def _side_by_side(rows: Iterable[CorpusRow]) -> list[CorpusRow]:
    """Rows of the same source together, in the order in which sources first come."""
    by_source: dict[str, list[CorpusRow]] = {}
    for row in rows:
        by_source.setdefault(row.source, []).append(row)
    return [row for together in by_source.values() for row in together]
