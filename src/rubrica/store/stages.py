"""Which stages ran a step of the protocol: one, or several once a new version of the protocol has started another."""

from __future__ import annotations

from django.db.models import Q

from rubrica.core.stage_settings import with_audience
from rubrica.store import models
from rubrica.store.models.studies import StageQuerySet
from rubrica.store.translate import joined, protocol_of


def part_of(stage: models.Stage) -> str:
    """The protocol's own id of the step that this stage runs."""
    return stage.part or stage.key


def stages_of_part(study: models.Study, part: str) -> StageQuerySet:
    """Every stage of the study that runs this step, the oldest first."""
    return study.stages.filter(Q(part=part) | Q(part="", key=part))


_STAGES = """
FROM store_stage stage JOIN store_protocolversion version ON version.id = stage.protocol_version_id
WHERE stage.study_id = %s ORDER BY stage.position
"""


def current_stages(study: models.Study) -> list[models.Stage]:
    """The newest stage of each step, in the order of the steps: what a new version replaces."""
    stages = []
    for stage, version in joined(_STAGES, study.pk, stage=models.Stage, version=models.ProtocolVersion):
        stage.protocol_version, stage.study = version, study
        stages.append(stage)
    newest = {part_of(stage): stage for stage in stages}
    return sorted(newest.values(), key=lambda stage: stage.position)


def fill_audience(study: models.Study, before: str, audience: str) -> None:
    """Ask about the study's audience at stages at which nothing was judged yet."""
    for stage in study.stages.filter(frozen_at=None).select_related("protocol_version"):
        settings = with_audience(protocol_of(stage), stage.settings, audience, before)
        if settings != stage.settings:
            stage.update(settings=settings)
