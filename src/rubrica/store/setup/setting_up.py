"""Setting up a study in the studio: begun as a draft, then title, options and parameters changed by steps."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

import attrs
from django.contrib.auth.models import User
from django.db import transaction

from rubrica.core.errors import InputError, refuse, wrong
from rubrica.core.stage_settings import setting_problems, with_audience
from rubrica.core.study_names import name_problems, title_problems
from rubrica.exchange.study_options import Options
from rubrica.store import audit, models, studies
from rubrica.store.options import change
from rubrica.store.translate import protocol_of


def begin(plan: studies.Plan, owner: User, now: datetime) -> models.Study:
    """Make a draft of this plan that belongs to this researcher. Raises InputError with every problem."""
    problems = title_problems(plan.title)
    if problems:
        raise InputError(*problems, *name_problems(plan.name))
    plan = attrs.evolve(plan, title=plan.title.strip(), state=models.Stage.State.DRAFT)
    with transaction.atomic():
        study = studies.create(plan, now, owner.get_username())
        models.Member.objects.create(study=study, user=owner, role="owner", since=now)
    return study


def rename(study: models.Study, title: str, now: datetime, actor: str) -> None:
    """Give the study another title; its name, which files and commands use, stays."""
    refuse(title_problems(title))
    with transaction.atomic():
        models.Study.objects.filter(pk=study.pk).update(title=title.strip())
        audit.record("study renamed", study, now, actor=actor)
    study.title = title.strip()


def change_options(study: models.Study, changes: Mapping[str, Any], now: datetime, actor: str) -> Options:
    """Set these options and leave the others. Raises InputError with every problem; then nothing is changed."""
    with transaction.atomic():
        locked = models.Study.objects.select_for_update(no_key=True).get(pk=study.pk)
        before = locked.options
        options = change(locked, **changes)
        if locked.options != before:
            changed = sorted(key for key in changes if before.get(key) != locked.options.get(key))
            audit.record("settings changed", locked, now, actor=actor, settings=changed)
            _fill_audience(locked, before.get("about", {}).get("audience", ""), options.about.audience)
    study.options = locked.options
    return options


def _fill_audience(study: models.Study, before: str, audience: str) -> None:
    """Ask about the study's audience at stages at which nothing was judged yet."""
    for stage in study.stages.filter(frozen_at=None).select_related("protocol_version"):
        settings = with_audience(protocol_of(stage), stage.settings, audience, before)
        if settings != stage.settings:
            stage.settings = settings
            stage.save(update_fields=["settings"])


def change_parameters(study: models.Study, settings: Mapping[str, str], now: datetime, actor: str) -> None:
    """Set the protocol's parameters, as long as nothing was judged with the old ones."""
    with transaction.atomic():
        stages = list(study.stages.select_for_update(no_key=True, of=("self",)).select_related("protocol_version"))
        if any(stage.frozen_at for stage in stages):
            fix = "Questions cannot be changed under judgements: start a new version as a further stage."
            raise wrong("items were judged with these parameters", "frozen", fix)
        refuse(setting_problems(protocol_of(stages[0]), settings))
        for stage in stages:
            stage.settings = dict(settings)
            stage.save(update_fields=["settings"])
        audit.record("parameters changed", study, now, actor=actor, parameters=sorted(settings))
