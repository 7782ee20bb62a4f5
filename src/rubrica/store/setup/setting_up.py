"""Setting up a study in the studio: begun as a draft, then title, options and parameters changed by steps."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

import attrs
from django.contrib.auth.models import User
from django.db import transaction

from rubrica.core.errors import InputError, refuse, wrong
from rubrica.core.names import study_name_problems, title_problems
from rubrica.core.stage_settings import fitting_settings, setting_problems
from rubrica.exchange.study_options import Options
from rubrica.exchange.study_plan import Plan
from rubrica.store import audit, models, studies
from rubrica.store.allocation.eligibility import refuse_teams, take_back_own
from rubrica.store.options import change
from rubrica.store.people.consents import unread
from rubrica.store.stages import fill_audience
from rubrica.store.translate import protocol_of


def begin(plan: Plan, owner: User, now: datetime) -> models.Study:
    """Make a draft of this plan that belongs to this researcher. Raises InputError with every problem."""
    problems = title_problems(plan.title)
    if problems:
        raise InputError(*problems, *study_name_problems(plan.name))
    plan = attrs.evolve(plan, title=plan.title.strip(), state=models.Stage.State.DRAFT)
    with transaction.atomic():
        study = studies.create(plan, now, owner.get_username())
        models.Member.objects.create(study=study, user=owner, role=models.Member.Role.OWNER, since=now)
    return study


def rename(study: models.Study, title: str, now: datetime, actor: str) -> None:
    """Give the study another title; its name, which files and commands use, stays."""
    refuse(title_problems(title))
    with transaction.atomic():
        study.update(title=title.strip())
        audit.record("study renamed", study, now, actor=actor)


def change_options(study: models.Study, changes: Mapping[str, Any], now: datetime, actor: str) -> Options:
    """Set these options and leave the others. Raises InputError with every problem; then nothing is changed."""
    with study.held():
        before = study.options
        if "teams" in changes:
            refuse_teams(study, changes["teams"])
        asked = {one.language for one in unread(study)}
        options = change(study, **changes)
        if study.stages.launched().exists():
            refuse([one.problem for one in unread(study, options) if one.language not in asked])
        if study.options != before:
            if "teams" in changes:
                take_back_own(study)
            changed = sorted(key for key in changes if before.get(key) != study.options.get(key))
            audit.record("settings changed", study, now, actor=actor, settings=changed)
            fill_audience(study, before.get("about", {}).get("audience", ""), options.about.audience)
    return options


def change_parameters(study: models.Study, settings: Mapping[str, str], now: datetime, actor: str) -> None:
    """Set the protocol's parameters, as long as nothing was judged with the old ones."""
    with transaction.atomic():
        stages = list(study.stages.select_for_update(no_key=True, of=("self",)).select_related("protocol_version"))
        if any(stage.frozen_at for stage in stages):
            fix = "Questions cannot be changed under judgements: start a new version as a further stage."
            raise wrong("items were judged with these parameters", "frozen", fix)
        protocols = {stage.protocol_version_id: protocol_of(stage) for stage in stages}
        refuse(setting_problems(list(protocols.values()), settings))
        for stage in stages:
            stage.update(settings=fitting_settings(protocol_of(stage), settings))
        audit.record("parameters changed", study, now, actor=actor, parameters=sorted(settings))
