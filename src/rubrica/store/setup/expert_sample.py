"""A study for an expert: a sample of another study's outputs, judged once, without any trace of what others said.

Items have neutral keys and a random order, no system and no group. What an item was a copy of stands in its metadata,
which annotators never see.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

import attrs
from django.db import transaction

from rubrica.core.errors import wrong
from rubrica.core.handed_on import ORIGINAL, STUDY, nameless_copy
from rubrica.core.ratings import Rating
from rubrica.exchange.study_plan import Plan
from rubrica.store import audit, models, studies
from rubrica.store.ratings import ratings_of
from rubrica.store.stages import part_of
from rubrica.store.translate import item_from, loaded_from, protocol_of, rules_of


def make_sample(
    study: models.Study, stage_key: str, name: str, keys: Mapping[str, str], now: datetime, seed: int
) -> models.Study:
    """A new study of these items, by their keys in the order in which they are to be judged, with their new keys.

    It asks what the stage asked (the same protocol version and settings), once for each item, and belongs to the same
    researchers. Raises InputError if the name is taken or cannot be one, or if the stage has no items of its own.
    """
    stage = studies.find_stage(study, stage_key)
    if rules_of(stage, protocol_of(stage)).items_from:
        fix = "Export the judgements and sample the file: rubrica reliability sample FILE -o ITEMS --key KEY."
        raise wrong(f"the stage {stage_key!r} judges what an earlier stage made", "stage", fix, value=stage_key)
    rows = {row.key: row for row in study.items.filter(key__in=list(keys))}
    items = [nameless_copy(item_from(rows[original]), key, study.name) for original, key in keys.items()]
    loaded = loaded_from(stage.protocol_version)
    plan = Plan(
        name=name,
        title=f"Expert: {study.title or study.name}",
        loaded=loaded,
        items=items,
        overlap={known.id: 1 for known in loaded.protocol.stages},
        settings=stage.settings,
        seed=seed,
    )
    with transaction.atomic():
        made = studies.create(plan, now)
        made.stages.exclude(key=part_of(stage)).update(state=models.Stage.State.CLOSED)
        models.Member.objects.bulk_create(
            [models.Member(study=made, user=one.user, role=one.role, since=now) for one in study.members.all()]
        )
        audit.record("sampled for an expert", study, now, into=name, items=len(items))
    return made


def originals(study: models.Study) -> dict[str, str]:
    """By the key of a sampled item, the key of what it is a copy of. Raises InputError if it is no such study."""
    rows = study.items.unplanted().values_list("key", "metadata")
    found = {key: metadata[ORIGINAL] for key, metadata in rows if ORIGINAL in metadata}
    if not found:
        fix = "Make one: rubrica reliability sample STUDY --into NAME; or give --key FILE."
        raise wrong(f"the study {study.name!r} is no sample for an expert", "expert", fix, value=study.name)
    return found


def said_of_originals(sample: models.Study, links: Mapping[str, str] | None = None) -> list[Rating]:
    """What experts said in their study, of the outputs that its items are copies of.

    ``links`` are as :func:`originals` gives them, which raises InputError if it is no such study.
    """
    known = originals(sample) if links is None else links
    counted = ratings_of(sample).counted
    return [attrs.evolve(rating, unit=known[rating.unit]) for rating in counted if rating.unit in known]


def samples_of(study: models.Study) -> list[models.Study]:
    """The living studies that experts judge a sample of this one's outputs in, oldest first.

    A study that was made of another one of the same name has other texts, and is none.
    """
    copies = models.Item.objects.filter(study__in=models.Study.objects.living(), **{f"metadata__{STUDY}": study.name})
    texts = dict(study.items.values_list("key", "digest"))
    found = {
        pk
        for pk, metadata, digest in copies.values_list("study", "metadata", "digest")
        if texts.get(metadata.get(ORIGINAL, "")) == digest
    }
    return list(models.Study.objects.filter(pk__in=found).order_by("pk"))
