"""Studies: made, found, listed, moved to the trash and back."""

from __future__ import annotations

from datetime import datetime

from django.db import transaction

from rubrica.core import names
from rubrica.core.errors import refuse, wrong
from rubrica.core.names import study_name_problems
from rubrica.core.text_helpers import did_you_mean
from rubrica.exchange.study_plan import Plan
from rubrica.store import audit, models
from rubrica.store.people import joining
from rubrica.store.setup import study_items
from rubrica.store.translate import version_row


def create(plan: Plan, now: datetime, actor: str = "", *, authors_from: models.Study | None = None) -> models.Study:
    """Make a study with its stages and items; ``authors_from`` is the study in which its texts were written.

    Raises InputError if the name or a setting is wrong.
    """
    refuse(plan.problems())
    options = plan.options()
    with transaction.atomic():
        if not is_free(plan.name):
            fix = "Choose another name, or delete the old study first."
            raise wrong(f"there is already a study {plan.name!r}", "study_name", fix, value=plan.name)
        about_it = {"name": plan.name, "title": plan.title, "seed": plan.seed, "options": options.stored()}
        study = models.Study.objects.create(**about_it, created_at=now)
        if authors_from is not None:
            joining.join(study, authors_from, now, actor)
        for stage in plan.stages(options.about.audience):
            study.stages.create(protocol_version=version_row(stage.loaded), **stage.columns)
        study_items.add_items(study, plan.items, now, actor)
        if plan.duplicates or study_items.has_room(study):
            study_items.plant_duplicates(study, options.duplicates)
        study_items.plant_gold(study, plan.gold, now, actor)
        audit.record("study created", study, now, actor=actor, protocol=plan.protocol.hash, items=len(plan.items))
    return study


def find(name: str) -> models.Study:
    """The study of that name. Raises InputError with the nearest name if there is none."""
    study = models.Study.objects.living().filter(name=name).first()
    if study is not None:
        return study
    known = list(models.Study.objects.living().values_list("name", flat=True))
    there_are = f"There are: {', '.join(sorted(known))}." if known else "There is none yet: `rubrica study new`."
    fix = did_you_mean(name, known, there_are)
    if models.Study.objects.trashed().filter(name=name).exists():
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
        study.update(deleted_at=now)
        audit.record("study deleted", study, now, actor=actor)


def restore(name: str, now: datetime, new_name: str = "") -> models.Study:
    """Bring back the study of that name that was deleted last, under its own name or another that is free."""
    trash = models.Study.objects.trashed()
    study = trash.filter(name=name).order_by("-deleted_at").first()
    if study is None:
        known = sorted(set(trash.values_list("name", flat=True)))
        there = f"In the trash: {', '.join(known)}." if known else "The trash is empty."
        raise wrong(f"there is no deleted study {name!r}", "unknown_study", there, value=name)
    refuse(study_name_problems(new_name) if new_name else [])
    wanted = new_name or name
    if not is_free(wanted):
        fix = f"Restore the old one under another name: `rubrica study restore {name} --as NEW`."
        raise wrong(f"there is a new study {wanted!r} now", "study_name", fix, value=wanted)
    return bring_back(study, now, name=wanted)


def bring_back(study: models.Study, now: datetime, actor: str = "", name: str = "") -> models.Study:
    """Bring a study back from the trash: under this name, else under its own or the next one that is free."""
    with study.held() as found:
        if found.deleted_at is not None:
            found.update(name=name or free_name(found.name), deleted_at=None)
            audit.record("study restored", found, now, actor=actor)
    return found


def is_free(name: str) -> bool:
    """Whether no living study has this name."""
    return not models.Study.objects.living().filter(name=name).exists()


def free_name(wanted: str) -> str:
    """The name itself if no living study has it, else with the first free number."""
    return names.free_name(wanted, models.Study.objects.living().values_list("name", flat=True))
