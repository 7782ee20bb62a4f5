"""Studies: made, found, listed, moved to the trash and back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from itertools import count
from typing import Any

import attrs
from django.db import transaction

from rubrica.core import study_names
from rubrica.core.answers import Answers
from rubrica.core.assignment import overlap_problems
from rubrica.core.course import rounds
from rubrica.core.eligibility import team_problems, writes
from rubrica.core.errors import refuse, wrong
from rubrica.core.handed_on import pairing_problems
from rubrica.core.stage_settings import fitting_settings, setting_problems, unknown_stages, with_audience
from rubrica.core.study import Item, systems_named
from rubrica.core.study_names import name_problems
from rubrica.core.target_words import context_field
from rubrica.core.text_helpers import did_you_mean
from rubrica.exchange.study_options import checked
from rubrica.prepare.word_review import is_picked
from rubrica.protocols.loader import Loaded
from rubrica.store import audit, models
from rubrica.store.people import joining
from rubrica.store.setup import study_items
from rubrica.store.translate import version_row


@attrs.frozen(kw_only=True)
class Plan:
    """What a new study is made of.

    ``then`` is a second protocol, whose stages judge what people write by the first; ``hand_on`` says when they get it.
    """

    name: str
    loaded: Loaded
    title: str = ""
    state: str = "open"
    items: Sequence[Item] = ()
    overlap: Mapping[str, int] = attrs.field(factory=dict)
    settings: Mapping[str, str] = attrs.field(factory=dict)
    about: Mapping[str, str] = attrs.field(factory=dict)
    required: Mapping[str, Any] = attrs.field(factory=dict)
    seed: int = 0
    duplicates: float | None = None
    gold: Sequence[tuple[Item, Answers]] = ()
    authors_from: models.Study | None = None
    teams: Mapping[str, Sequence[str]] = attrs.field(factory=dict)
    then: Loaded | None = None
    hand_on: str = "settled"


def create(plan: Plan, now: datetime, actor: str = "") -> models.Study:
    """Make a study with its stages and items. Raises InputError if the name or a setting is wrong."""
    protocol = plan.loaded.protocol
    problems = name_problems(plan.name)
    if plan.then is not None:
        problems += pairing_problems(protocol, plan.then.protocol)
    asked = [protocol] if plan.then is None or problems else [protocol, plan.then.protocol]
    problems += setting_problems(asked, plan.settings) + unknown_stages(asked, plan.overlap)
    problems += overlap_problems(plan.overlap)
    problems += team_problems(plan.teams, {name for item in plan.items for name in systems_named(item.system)})
    refuse(problems)
    # A course that ends with rounds on whole items is meant to be passed before the work.
    steps = {"qualification": bool(rounds(protocol.course))}
    about = {key: text.strip() for key, text in plan.about.items()}
    duplicates = protocol.duplicates if plan.duplicates is None else plan.duplicates
    options = checked(
        {
            "duplicates": duplicates,
            "about": about,
            "steps": steps,
            "hand_on": plan.hand_on,
            "profile": {"required": plan.required},
            "targets_placed": bool(context_field(protocol)),
            "teams": {system: list(names) for system, names in plan.teams.items()},
        }
    )
    with transaction.atomic():
        if not is_free(plan.name):
            fix = "Choose another name, or delete the old study first."
            raise wrong(f"there is already a study {plan.name!r}", "study_name", fix, value=plan.name)
        about_it = {"name": plan.name, "title": plan.title, "seed": plan.seed, "options": options.stored()}
        study = models.Study.objects.create(**about_it, created_at=now)
        if plan.authors_from is not None:
            joining.join(study, plan.authors_from, now, actor)
        _make_stages(study, plan, options.about.audience)
        study_items.add_items(study, plan.items, now, actor)
        if plan.duplicates or study_items.has_room(study):
            study_items.plant_duplicates(study, duplicates)
        study_items.plant_gold(study, plan.gold, now, actor)
        audit.record("study created", study, now, actor=actor, protocol=protocol.hash, items=len(plan.items))
    return study


def _make_stages(study: models.Study, plan: Plan, audience: str) -> None:
    """The stages of the protocol, then those of the one that judges what is written at them.

    Words that a program picked are looked at before anybody is asked: such a study is a draft until it is launched.
    """
    comparing = len({item.system for item in plan.items if item.system}) > 1
    looked_at = any(is_picked(item.metadata) for item in plan.items)
    place = count()
    takes = ""
    for loaded in filter(None, (plan.loaded, plan.then)):
        protocol, version = loaded.protocol, version_row(loaded)
        settings = with_audience(protocol, fitting_settings(protocol, plan.settings), audience)
        for stage in protocol.stages:
            models.Stage.objects.create(
                study=study,
                position=next(place),
                key=stage.id,
                protocol_version=version,
                settings=settings,
                overlap=plan.overlap.get(stage.id, stage.usual_overlap(comparing=comparing)),
                state=models.Stage.State.DRAFT if looked_at else plan.state,
                takes=takes,
            )
        takes = next((stage.id for stage in protocol.stages if writes(stage, protocol)), "")


def find(name: str) -> models.Study:
    """The study of that name. Raises InputError with the nearest name if there is none."""
    study = models.Study.objects.living().filter(name=name).first()
    if study is not None:
        return study
    known = list(models.Study.objects.living().values_list("name", flat=True))
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
        study.update(deleted_at=now)
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
    return study_names.free_name(wanted, models.Study.objects.living().values_list("name", flat=True))
