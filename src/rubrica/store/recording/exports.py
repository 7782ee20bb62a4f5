"""Judgements out of the database as records, a chunk at a time: what every export writes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from django.db.models import F, QuerySet

from rubrica.core.answers import from_json as answers_from_json
from rubrica.core.answers import word_set
from rubrica.core.protocol import Protocol
from rubrica.core.signature import protocol_parts, signature
from rubrica.core.validation import Validator
from rubrica.core.verdicts import of_judgement
from rubrica.exchange.exports import USUAL_CHOICES, Wanted
from rubrica.exchange.records import Record
from rubrica.exchange.whole_files import KEY, SAFE
from rubrica.store import models
from rubrica.store.options import options_of
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


def iterate(study: models.Study, stages: Sequence[models.Stage], wanted: Wanted = USUAL_CHOICES) -> Iterator[Record]:
    """Judgements of the study, in the order of items and annotators; erased ones are left out.

    Those of excluded annotators are kept in the study but out of its results, unless they are asked for.
    """
    filters = export_filters(study, wanted)
    about = options_of(study).about.told
    for stage in stages:
        protocol = protocol_of(stage)
        validator = validator_of(stage)
        signed = study_signature(study, [stage], protocol, **filters)
        revisions = (
            revisions_of([stage], every_revision=wanted.every_revision, excluded=wanted.excluded)
            .select_related("judgement__item__planted__original", "judgement__annotator")
            .prefetch_related("edits")
            .order_by("judgement__item__position", "judgement__annotator__name", "number")
        )
        for revision in revisions.iterator(chunk_size=CHUNK):
            yield _record(study, stage, validator, revision, {"signature": signed, "about_texts": about})


def revisions_of(
    stages: Sequence[models.Stage], *, every_revision: bool = False, excluded: bool = False
) -> QuerySet[models.Revision]:
    """The submitted revisions that an export of these stages has."""
    found = models.Revision.objects.filter(judgement__stage__in=stages).submitted()
    if not every_revision:
        found = found.filter(judgement__current=F("pk"))
    return found if excluded else found.included()


def export_filters(study: models.Study, wanted: Wanted = USUAL_CHOICES) -> dict[str, str]:
    """What a signature says of an export's choices; of excluded annotators only where there are any."""
    out = study.annotators.excluded().exists()
    return {
        "revisions": "all" if wanted.every_revision else "current",
        "excluded": ("kept" if wanted.excluded else "left out") if out else "",
        KEY: SAFE if wanted.safe_cells else "",
        **wanted.filters,
    }


def _record(
    study: models.Study,
    stage: models.Stage,
    validator: Validator,
    revision: models.Revision,
    of_export: Mapping[str, Any],
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
        **of_export,
    )
