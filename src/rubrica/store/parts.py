"""Which stages ran a step of the protocol: one, or several once a new version of the protocol has started another."""

from __future__ import annotations

from django.db.models import Q, QuerySet

from rubrica.store import models


def part_of(stage: models.Stage) -> str:
    """The protocol's own id of the step that this stage runs."""
    return stage.part or stage.key


def stages_of_part(study: models.Study, part: str) -> QuerySet[models.Stage]:
    """Every stage of the study that runs this step, the oldest first."""
    return study.stages.filter(Q(part=part) | Q(part="", key=part))


def current_stages(study: models.Study) -> list[models.Stage]:
    """The newest stage of each step, in the order of the steps: what a new version replaces."""
    # Without the whole text of the protocol, which is in memory already.
    rows = models.Stage.objects.filter(study=study).select_related("protocol_version").order_by("position")
    stages = list(rows.defer("protocol_version__canonical"))
    for stage in stages:
        stage.study = study
    newest = {part_of(stage): stage for stage in stages}
    return sorted(newest.values(), key=lambda stage: stage.position)
