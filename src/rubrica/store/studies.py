"""Studies: made, found, listed, moved to the trash and back."""

from __future__ import annotations

import random
import re
from collections.abc import Mapping, Sequence
from datetime import datetime

import attrs
from django.db import transaction
from django.db.models import QuerySet

from rubrica.core.answers import Answers
from rubrica.core.answers import to_json as answers_to_json
from rubrica.core.errors import InputError, Problem, wrong
from rubrica.core.stage_settings import setting_problems, unknown_stages
from rubrica.core.study import Item
from rubrica.core.text_helpers import did_you_mean
from rubrica.protocols.loader import Loaded
from rubrica.store import audit, models
from rubrica.store.allocation.overlap import overlap_problems
from rubrica.store.people import joining
from rubrica.store.translate import item_row

NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}")
DUPLICATE = "~2"
"""Ends the key of a hidden duplicate."""
CHUNK = 1000


@attrs.frozen(kw_only=True)
class Plan:
    """What a new study is made of."""

    name: str
    loaded: Loaded
    title: str = ""
    state: str = "open"
    items: Sequence[Item] = ()
    overlap: Mapping[str, int] = attrs.field(factory=dict)
    settings: Mapping[str, str] = attrs.field(factory=dict)
    seed: int = 0
    duplicates: float = 0.0
    gold: Sequence[tuple[Item, Answers]] = ()
    authors_from: models.Study | None = None


def create(plan: Plan, now: datetime, actor: str = "") -> models.Study:
    """Make a study with its stages and items. Raises InputError if the name or a setting is wrong."""
    protocol = plan.loaded.protocol
    problems = name_problems(plan.name) + setting_problems(protocol, plan.settings)
    problems += unknown_stages(protocol, plan.overlap) + overlap_problems(plan.overlap)
    if problems:
        raise InputError(*problems)
    with transaction.atomic():
        if living().filter(name=plan.name).exists():
            raise wrong(
                f"there is already a study {plan.name!r}",
                "study_name",
                "Choose another name, or delete the old study first.",
                value=plan.name,
            )
        study = models.Study.objects.create(
            name=plan.name,
            title=plan.title,
            seed=plan.seed,
            created_at=now,
            options={"duplicates": plan.duplicates},
        )
        if plan.authors_from is not None:
            joining.join(study, plan.authors_from, now, actor)
        version, _ = models.ProtocolVersion.objects.get_or_create(
            hash=protocol.hash,
            defaults={
                "protocol_id": protocol.id,
                "version": protocol.version,
                "canonical": plan.loaded.canonical,
            },
        )
        comparing = len({item.system for item in plan.items if item.system}) > 1
        for position, stage in enumerate(protocol.stages):
            usual = stage.overlap_comparing if comparing and stage.overlap_comparing else stage.overlap
            models.Stage.objects.create(
                study=study,
                position=position,
                key=stage.id,
                protocol_version=version,
                settings=dict(plan.settings),
                overlap=plan.overlap.get(stage.id, usual),
                state=plan.state,
            )
        add_items(study, plan.items, now, actor)
        plant_duplicates(study, plan.duplicates)
        plant_gold(study, plan.gold, now, actor)
        audit.record("study created", study, now, actor=actor, protocol=protocol.hash, items=len(plan.items))
    return study


def living() -> QuerySet[models.Study]:
    """Studies that are not in the trash."""
    return models.Study.objects.living()


def find(name: str) -> models.Study:
    """The study of that name. Raises InputError with the nearest name if there is none."""
    study = living().filter(name=name).first()
    if study is not None:
        return study
    known = list(living().values_list("name", flat=True))
    there_are = f"There are: {', '.join(sorted(known))}." if known else "There is none yet: `rubrica study new`."
    fix = did_you_mean(name, known, there_are)
    if models.Study.objects.exclude(deleted_at=None).filter(name=name).exists():
        fix = f"It is in the trash: `rubrica study restore {name}` brings it back."
    raise wrong(f"there is no study {name!r}", "unknown_study", fix, value=name)


def find_stage(study: models.Study, key: str) -> models.Stage:
    """The stage of that id."""
    stages = {stage.key: stage for stage in study.stages.select_related("protocol_version")}
    if key in stages:
        return stages[key]
    raise wrong(
        f"the study {study.name!r} has no stage {key!r}", "unknown_stage", f"Stages: {', '.join(stages)}.", value=key
    )


def delete(name: str, now: datetime, actor: str = "") -> None:
    """Move a study to the trash."""
    with transaction.atomic():
        study = find(name)
        study.deleted_at = now
        study.save()
        audit.record("study deleted", study, now, actor=actor)


def restore(name: str, now: datetime, new_name: str = "") -> models.Study:
    """Bring back the study of that name that was deleted last."""
    with transaction.atomic():
        study = models.Study.objects.exclude(deleted_at=None).filter(name=name).order_by("-deleted_at").first()
        if study is None:
            trash = models.Study.objects.exclude(deleted_at=None).values_list("name", flat=True)
            there = f"In the trash: {', '.join(sorted(set(trash)))}." if trash else "The trash is empty."
            raise wrong(f"there is no deleted study {name!r}", "unknown_study", there, value=name)
        problems = name_problems(new_name) if new_name else []
        if problems:
            raise InputError(*problems)
        study.name = new_name or study.name
        if living().filter(name=study.name).exists():
            raise wrong(
                f"there is a new study {study.name!r} now",
                "study_name",
                f"Restore the old one under another name: `rubrica study restore {name} --as NEW`.",
                value=study.name,
            )
        study.deleted_at = None
        study.save()
        audit.record("study restored", study, now)
    return study


def add_items(study: models.Study, items: Sequence[Item], now: datetime, actor: str = "") -> None:
    """Append items to a study, in chunks. Raises InputError for texts of people who were erased."""
    authors = joining.author_identities(study, items, now, actor)
    position = study.items.count()
    chunk: list[models.Item] = []
    for item in items:
        position += 1
        chunk.append(item_row(study, item, position, authors))
        if len(chunk) == CHUNK:
            models.Item.objects.bulk_create(chunk)
            chunk = []
    models.Item.objects.bulk_create(chunk)


def plant_duplicates(study: models.Study, share: float) -> None:
    """Copy a share of the groups; a copy looks like any other item."""
    if not share:
        return
    groups: dict[str, list[models.Item]] = {}
    for row in study.items.unplanted().open():
        groups.setdefault(row.group or f"\0{row.key}", []).append(row)
    if len(groups) < 3:
        raise wrong(
            f"hidden duplicates need at least three groups of items, there are {len(groups)}",
            "duplicates",
            "Set their share to 0 (on the command line, leave `duplicates=` out of --checks).",
            value=len(groups),
        )
    count = max(1, round(share * len(groups)))
    chosen = random.Random(f"duplicates:{study.seed}").sample(sorted(groups), count)
    position = study.items.count()
    copies: list[tuple[models.Item, models.Item]] = []
    for name in chosen:
        for original in groups[name]:
            position += 1
            copy = models.Item(
                study=study,
                key=original.key + DUPLICATE,
                position=position,
                system=original.system,
                group=original.group + DUPLICATE if original.group else "",
                author=original.author,
                author_identity=original.author_identity,
                fields=original.fields,
                metadata=original.metadata,
                digest=original.digest,
            )
            copies.append((copy, original))
    models.Item.objects.bulk_create([copy for copy, _ in copies])
    models.Planted.objects.bulk_create(
        [models.Planted(item=copy, kind=models.Planted.Kind.DUPLICATE, original=original) for copy, original in copies]
    )


def plant_gold(study: models.Study, gold: Sequence[tuple[Item, Answers]], now: datetime, actor: str = "") -> None:
    """Append items with known answers."""
    position = study.items.count()
    authors = joining.author_identities(study, [item for item, _ in gold], now, actor)
    rows = [
        item_row(study, attrs.evolve(item, key=f"gold-{item.key}"), position + number, authors)
        for number, (item, _) in enumerate(gold, start=1)
    ]
    models.Item.objects.bulk_create(rows)
    models.Planted.objects.bulk_create(
        [
            models.Planted(item=row, kind=models.Planted.Kind.GOLD, answers=answers_to_json(answers))
            for row, (_, answers) in zip(rows, gold, strict=True)
        ]
    )


def name_problems(name: str) -> list[Problem]:
    """Why a study cannot have this name, free or not."""
    if NAME.fullmatch(name):
        return []
    fix = "Use letters, digits, dots, hyphens and underscores, at most 100, starting with a letter or digit."
    return [Problem(what=f"{name!r} cannot be the name of a study", rule="study_name", fix=fix, value=name)]
