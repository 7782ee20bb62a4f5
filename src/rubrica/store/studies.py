"""Studies: made, found, listed, moved to the trash and back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from itertools import chain, count

import attrs
from django.db import transaction
from django.db.models import QuerySet

from rubrica.core.answers import Answers
from rubrica.core.course import rounds
from rubrica.core.errors import refuse, wrong
from rubrica.core.stage_settings import setting_problems, unknown_stages, with_audience
from rubrica.core.study import Item
from rubrica.core.study_names import name_problems
from rubrica.core.text_helpers import did_you_mean
from rubrica.exchange.study_options import checked
from rubrica.protocols.loader import Loaded
from rubrica.store import audit, models
from rubrica.store.allocation.overlap import overlap_problems
from rubrica.store.options import keep
from rubrica.store.people import joining
from rubrica.store.setup import study_items
from rubrica.store.translate import version_row


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
    about: Mapping[str, str] = attrs.field(factory=dict)
    seed: int = 0
    duplicates: float | None = None
    gold: Sequence[tuple[Item, Answers]] = ()
    authors_from: models.Study | None = None


def create(plan: Plan, now: datetime, actor: str = "") -> models.Study:
    """Make a study with its stages and items. Raises InputError if the name or a setting is wrong."""
    protocol = plan.loaded.protocol
    problems = name_problems(plan.name) + setting_problems(protocol, plan.settings)
    problems += unknown_stages(protocol, plan.overlap) + overlap_problems(plan.overlap)
    refuse(problems)
    # A course that ends with rounds on whole items is meant to be passed before the work.
    steps = {"qualification": bool(rounds(protocol.course))}
    about = {key: text.strip() for key, text in plan.about.items()}
    duplicates = protocol.duplicates if plan.duplicates is None else plan.duplicates
    options = checked({"duplicates": duplicates, "about": about, "steps": steps})
    settings = with_audience(protocol, plan.settings, options.about.audience)
    with transaction.atomic():
        if not is_free(plan.name):
            fix = "Choose another name, or delete the old study first."
            raise wrong(f"there is already a study {plan.name!r}", "study_name", fix, value=plan.name)
        study = models.Study(name=plan.name, title=plan.title, seed=plan.seed, created_at=now)
        keep(study, options)
        study.save()
        if plan.authors_from is not None:
            joining.join(study, plan.authors_from, now, actor)
        version = version_row(plan.loaded)
        comparing = len({item.system for item in plan.items if item.system}) > 1
        for position, stage in enumerate(protocol.stages):
            usual = stage.overlap_comparing if comparing and stage.overlap_comparing else stage.overlap
            models.Stage.objects.create(
                study=study,
                position=position,
                key=stage.id,
                protocol_version=version,
                settings=settings,
                overlap=plan.overlap.get(stage.id, usual),
                state=plan.state,
            )
        study_items.add_items(study, plan.items, now, actor)
        if plan.duplicates or study_items.has_room(study):
            study_items.plant_duplicates(study, duplicates)
        study_items.plant_gold(study, plan.gold, now, actor)
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
    """Move a study to the trash, from which it can be restored."""
    with transaction.atomic():
        study = find(name)
        study.deleted_at = now
        study.save(update_fields=["deleted_at"])
        audit.record("study deleted", study, now, actor=actor)


def restore(name: str, now: datetime, new_name: str = "") -> models.Study:
    """Bring back the study of that name that was deleted last, under its own name or another that is free."""
    trash = models.Study.objects.exclude(deleted_at=None)
    study = trash.filter(name=name).order_by("-deleted_at").first()
    if study is None:
        known = sorted(set(trash.values_list("name", flat=True)))
        there = f"In the trash: {', '.join(known)}." if known else "The trash is empty."
        raise wrong(f"there is no deleted study {name!r}", "unknown_study", there, value=name)
    refuse(name_problems(new_name) if new_name else [])
    wanted = new_name or name
    if not is_free(wanted):
        fix = f"Restore the old one under another name: `rubrica study restore {name} --as NEW`."
        raise wrong(f"there is a new study {wanted!r} now", "study_name", fix, value=wanted)
    return bring_back(study, now, name=wanted)


def bring_back(study: models.Study, now: datetime, actor: str = "", name: str = "") -> models.Study:
    """Bring a study back from the trash: under this name, else under its own or the next one that is free."""
    with transaction.atomic():
        found = models.Study.objects.select_for_update(no_key=True).get(pk=study.pk)
        if found.deleted_at is not None:
            found.name, found.deleted_at = name or free_name(found.name), None
            found.save(update_fields=["name", "deleted_at"])
            audit.record("study restored", found, now, actor=actor)
    return found


def is_free(name: str) -> bool:
    """Whether no living study has this name."""
    return not living().filter(name=name).exists()


def free_name(wanted: str) -> str:
    """The name itself if no living study has it, else with the first free number."""
    taken = set(living().filter(name__startswith=wanted[:90]).values_list("name", flat=True))
    names = chain([wanted], (f"{wanted[:90]}-{number}" for number in count(2)))
    return next(name for name in names if name not in taken)
