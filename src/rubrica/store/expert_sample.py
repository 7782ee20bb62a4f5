"""A study for an expert: a sample of another study's outputs, judged once, without any trace of what others said.

Items have neutral keys and a random order, no system and no group. What an item was a copy of stands in its metadata,
which annotators never see.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import datetime

import attrs
from django.db import transaction

from rubrica.core.errors import wrong
from rubrica.protocols.loader import Loaded, from_data
from rubrica.store import audit, models, studies
from rubrica.store.parts import part_of
from rubrica.store.translate import item_from

ORIGINAL = "sampled_from_item"
STUDY = "sampled_from_study"


def make_sample(
    study: models.Study, stage_key: str, name: str, keys: Mapping[str, str], now: datetime, seed: int
) -> models.Study:
    """A new study of these items, by their keys in the order in which they are to be judged, with their new keys.

    It asks what the stage asked (the same protocol version and settings), once for each item, and belongs to the same
    researchers. Raises InputError if the name is taken or cannot be one.
    """
    stage = studies.find_stage(study, stage_key)
    rows = {row.key: row for row in study.items.filter(key__in=list(keys))}
    items = [
        attrs.evolve(
            item_from(rows[original]),
            key=key,
            system="",
            group="",
            metadata={**rows[original].metadata, ORIGINAL: original, STUDY: study.name},
        )
        for original, key in keys.items()
    ]
    loaded = _loaded(stage.protocol_version)
    plan = studies.Plan(
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
        made.stages.exclude(key=part_of(stage)).update(state="closed")
        models.Member.objects.bulk_create(
            [models.Member(study=made, user=one.user, role=one.role, since=now) for one in study.members.all()]
        )
        audit.record("sampled for an expert", study, now, into=name, items=len(items))
    return made


def _loaded(version: models.ProtocolVersion) -> Loaded:
    """The very version that was asked, under its stored hash."""
    loaded = from_data(json.loads(version.canonical))
    return Loaded(attrs.evolve(loaded.protocol, hash=version.hash), version.canonical)


def originals(study: models.Study) -> dict[str, str]:
    """By the key of a sampled item, the key of what it is a copy of. Raises InputError if it is no such study."""
    rows = study.items.filter(planted=None).values_list("key", "metadata")
    found = {key: metadata[ORIGINAL] for key, metadata in rows if ORIGINAL in metadata}
    if not found:
        fix = "Make one: rubrica reliability sample STUDY --into NAME; or give --key FILE."
        raise wrong(f"the study {study.name!r} is no sample for an expert", "expert", fix, value=study.name)
    return found
