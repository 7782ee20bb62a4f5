"""A new version of a study's protocol: what it would change, and starting it."""

from __future__ import annotations

from typing import Any

from django.utils import timezone
from ninja import Router, Schema, Status

from rubrica.store.setup import versions
from rubrica.studio.api.access import MANAGER, VIEWER, ResearcherRequest, StudyId, actor, study_of
from rubrica.studio.api.errors import ErrorOut
from rubrica.studio.api.protocols import YamlIn, from_yaml
from rubrica.studio.api.schemas import REFUSALS

router = Router(auth=VIEWER)


class ChangeOut(Schema):
    """One difference between two versions of a protocol."""

    kind: str
    how: str
    id: str


class VersionStepOut(Schema):
    """What a new version does to a stage: ``begun`` ones are closed and go on as the stage ``new``."""

    stage: str
    new: str
    begun: bool
    judgements: int


class VersionOut(Schema):
    """What a new version of the protocol would do. It can be started if there are no problems."""

    changes: list[ChangeOut]
    stages: list[VersionStepOut]
    problems: list[ErrorOut]
    spoilt_gold: int


class StartedOut(Schema):
    """The stages that run the new version."""

    stages: list[str]


@router.post("/versions/check", auth=MANAGER, response={200: VersionOut, **REFUSALS})
def check_version(request: ResearcherRequest, study: StudyId, data: YamlIn) -> Any:
    """What a new version of the protocol would change. Nothing is stored."""
    found = versions.preview(study_of(request), from_yaml(data.yaml))
    return {
        "changes": [ChangeOut(kind=change.kind, how=change.how, id=change.id) for change in found.changes],
        "stages": [
            VersionStepOut(stage=step.stage.key, new=step.key, begun=step.begun, judgements=step.judgements)
            for step in found.steps
        ],
        "problems": [problem.as_json() for problem in found.problems],
        "spoilt_gold": found.spoilt_gold,
    }


@router.post("/versions", auth=MANAGER, response={201: StartedOut, **REFUSALS})
def start_version(request: ResearcherRequest, study: StudyId, data: YamlIn) -> Any:
    """Run a new version of the protocol from now on: a stage that has begun goes on as a further stage."""
    here = study_of(request)
    started = versions.start(here, from_yaml(data.yaml), timezone.now(), actor(request))
    return Status(201, {"stages": [stage.key for stage in started]})
