"""Results: computed by a job and written once, as on the Results page; here as JSON, keyed as the commands print it."""

from __future__ import annotations

from typing import Any

from django.http import FileResponse, Http404
from django.utils import timezone
from ninja import Query, Router, Schema, Status
from pydantic import AwareDatetime, Field

from rubrica.home.database import home_from
from rubrica.report.archive import numbers_of
from rubrica.store import models, reporting
from rubrica.store.counting.submitted import version_of
from rubrica.store.jobs import jobs
from rubrica.studio.api.access import VIEWER, ResearcherRequest, StudyId, actor, checked_key, study_of
from rubrica.studio.api.exports import JobOut, job_out
from rubrica.studio.api.schemas import REFUSALS, Body, Text

router = Router(auth=VIEWER)


class ResultsOut(Schema):
    """The newest results that were computed; null and empty where there are none.

    ``agreement``, ``comparison``, ``correlation`` (of metrics with people) and ``reliability`` (of the crowd, by an
    expert) have the keys of `rubrica agree --json`, `compare`, `correlate` and `reliability`, without names of raters.
    ``current`` says that nothing has come in since. ``job`` is the newest that was asked for.
    """

    stage: str
    made_at: AwareDatetime | None
    judgements: int | None
    current: bool
    agreement: dict[str, Any] | None
    comparison: dict[str, Any] | None
    correlation: dict[str, Any] | None
    reliability: dict[str, Any] | None
    signature: str
    archive: str
    job: JobOut | None


class StageIn(Body):
    """Which stage; the last that has answers if it is empty."""

    stage: Text = Field(default="", max_length=100)


class StageFilter(Schema):
    """Which stage; the last that has answers if it is empty."""

    stage: Text = Field(default="", max_length=100)


@router.get("/results", response={200: ResultsOut, **REFUSALS})
def get_results(request: ResearcherRequest, study: StudyId, part: Query[StageFilter]) -> Any:
    """Agreement and the comparison of systems, as far as they were computed."""
    here = study_of(request)
    stage = _known_stage(here, part.stage)
    asked, home = reporting.reports_of(here, stage).first(), home_from(None)
    made = reporting.newest(here, stage, home)
    file = jobs.file_of(made, home) if made else None
    numbers = (numbers_of(file) if file else None) or {}
    about = made.result if made else {}
    path = f"/api/v1/studies/{here.pid}/results/archive" + (f"?stage={stage}" if stage else "")
    return ResultsOut(
        stage=stage,
        made_at=made.finished_at if made else None,
        judgements=about.get("judgements"),
        current=about.get("version") == version_of(here),
        agreement=numbers.get("agreement"),
        comparison=numbers.get("comparison"),
        correlation=numbers.get("correlation"),
        reliability=numbers.get("reliability"),
        signature=about.get("signature", ""),
        archive=request.build_absolute_uri(path) if made else "",
        job=job_out(asked) if asked else None,
    )


@router.post("/results", response={202: JobOut, **REFUSALS})
def compute_results(request: ResearcherRequest, study: StudyId, data: StageIn) -> Any:
    """Ask for results to be computed; while that is waiting or being done, it is not asked for again."""
    here = study_of(request)
    job = reporting.ask(here, _known_stage(here, data.stage), actor(request), timezone.now())
    return Status(202, job_out(job))


@router.get(
    "/results/archive",
    response={200: None, **REFUSALS},
    openapi_extra={"responses": {200: {"description": "The report.", "content": {"application/zip": {}}}}},
)
def get_results_archive(request: ResearcherRequest, study: StudyId, part: Query[StageFilter]) -> FileResponse:
    """The newest report: page, tables, charts, figures and datasheet in one file."""
    here = study_of(request)
    made = reporting.newest(here, _known_stage(here, part.stage), home_from(None))
    file = jobs.file_of(made, home_from(None)) if made else None
    if made is None or file is None:
        raise Http404
    response = FileResponse(file.open("rb"), as_attachment=True, filename=made.result["name"])
    response["Content-Type"] = "application/zip"
    return response


def _known_stage(study: models.Study, stage: str) -> str:
    if stage and not study.stages.filter(key=checked_key(stage)).exists():
        raise Http404
    return stage
