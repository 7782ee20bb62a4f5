"""A new version of a study's protocol.

Questions cannot be changed under existing judgements: their answers would stand beside questions that nobody was asked.
So a stage that has begun is closed as it is, and a further one starts beside it with the new version; a stage that has
not begun simply takes the new version.
"""

from __future__ import annotations

from datetime import datetime
from typing import NamedTuple

from django.db.models import F

from rubrica.core.answers import from_json
from rubrica.core.errors import Problem, first_problems, refuse, wrong
from rubrica.core.names import free_name
from rubrica.core.protocol import Protocol
from rubrica.core.stage_settings import fitting_settings
from rubrica.core.versions import Change, Running, differences, spoilt, version_problems
from rubrica.protocols.loader import Loaded
from rubrica.store import audit, models
from rubrica.store.allocation.overlap import give_back
from rubrica.store.options import options_of
from rubrica.store.stages import current_stages, part_of
from rubrica.store.translate import item_from, loaded_from, protocol_of, version_row

State = models.Stage.State


class Step(NamedTuple):
    """What a new version does to one stage; ``key`` is the further stage's, or the same if it is replaced in place."""

    stage: models.Stage
    begun: bool
    key: str
    judgements: int


class Preview(NamedTuple):
    """What would happen: differences, stages, what forbids it, and what is worth knowing."""

    changes: list[Change]
    steps: list[Step]
    problems: list[Problem]
    spoilt_gold: int


def stored(digest: str) -> Loaded | None:
    """A protocol version that was kept before."""
    row = models.ProtocolVersion.objects.filter(hash=digest).first()
    return loaded_from(row) if row else None


def preview(study: models.Study, loaded: Loaded, language: str = "en") -> Preview:
    """What the new version would change, without changing anything."""
    every = current_stages(study)
    if not every:
        raise wrong(f"the study {study.name!r} has no stage", "stage", "Choose a protocol in its setup.")
    new = loaded.protocol
    # A study of two protocols gets a new version of one of them.
    stages = [stage for stage in every if protocol_of(stage).id == new.id] or every[:1]
    old = protocol_of(stages[0])
    steps = [_step(study, stage) for stage in stages]
    versions = [(one, one.stage.protocol_version) for one in steps]
    running = [Running(part_of(one.stage), row.version, row.hash, one.begun) for one, row in versions]
    texts = models.Item.objects.of_stage(stages[0]).values_list("fields", flat=True).iterator(chunk_size=1000)
    problems = list(first_problems(version_problems(old, new, running, texts)))
    fitting = fitting_settings(new, stages[0].settings)
    changes = differences(old, new.resolve(fitting), language)
    gold = models.Planted.objects.filter(item__study=study, kind=models.Planted.Kind.GOLD).select_related("item")
    known = [(item_from(one.item), from_json(one.answers)) for one in gold]
    return Preview(changes, steps, problems, spoilt(new, known) if not problems else 0)


def start(study: models.Study, loaded: Loaded, now: datetime, actor: str) -> list[models.Stage]:
    """Run the new version from now on: the stages that run it. Raises InputError if it does not fit the study."""
    with study.held():
        list(study.stages.select_for_update())
        plan = preview(study, loaded)
        refuse(plan.problems)
        version = version_row(loaded)
        started = [_run(study, step, version, loaded.protocol) for step in plan.steps]
        keys = [stage.key for stage in started]
        audit.record("protocol version started", study, now, actor=actor, protocol=version.hash, stages=keys)
    return started


def _step(study: models.Study, stage: models.Stage) -> Step:
    judgements = stage.judgements.count()
    begun = bool(stage.frozen_at or judgements or stage.sheets.exists())
    taken = study.stages.values_list("key", flat=True)
    return Step(stage, begun, free_name(part_of(stage), taken) if begun else stage.key, judgements)


def _run(study: models.Study, step: Step, version: models.ProtocolVersion, protocol: Protocol) -> models.Stage:
    """Give one stage the new version: in place, or as a further stage right after it."""
    old = step.stage
    settings = fitting_settings(protocol, old.settings)
    if not step.begun:
        old.update(protocol_version=version, settings=settings)
        return old
    position = models.Stage.objects.get(pk=old.pk).position
    study.stages.filter(position__gt=position).update(position=F("position") + 1)
    new = models.Stage.objects.create(
        study=study,
        position=position + 1,
        key=step.key,
        part=part_of(old),
        protocol_version=version,
        settings=settings,
        overlap=old.overlap,
        state=old.state if old.state in (State.DRAFT, State.PAUSED) else State.OPEN,
        takes=old.takes,
    )
    old.update(state=State.CLOSED)
    give_back(old.assignments.on_pages())
    _copy_money(study, old.key, new.key)
    return new


def _copy_money(study: models.Study, old: str, new: str) -> None:
    """What is paid at the old stage is paid at the new one."""
    options = options_of(study)
    for prices in (options.payment.per_task, options.payment.bonus, options.payment.median_seconds):
        for key in [key for key in prices if key.partition("/")[0] == old]:
            prices[new + key.removeprefix(old)] = prices[key]  # type: ignore[assignment]
    study.update(options=options.stored())
