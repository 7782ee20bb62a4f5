"""Exports and other long work: asked for, watched, fetched."""

from __future__ import annotations

from typing import Any, Literal

from django.http import FileResponse
from ninja import Query, Router, Schema, Status
from pydantic import AwareDatetime, Field

from rubrica.exchange.exports import Wanted
from rubrica.store import models
from rubrica.studio.api.access import VIEWER, ResearcherRequest, StudyId, actor, one, seen_study, study_of
from rubrica.studio.api.schemas import REFUSALS, Body, ListOut, Paging, Text
from rubrica.studio.export_files import download, exports_of, is_kept, start

router = Router(auth=VIEWER)


class JobOut(Schema):
    """A piece of long work. ``state`` is waiting, running, done or failed; ``error`` says why it failed."""

    id: str
    kind: str
    state: str
    progress: int
    total: int
    created_by: str
    created_at: AwareDatetime
    finished_at: AwareDatetime | None
    error: str


class ExportOut(JobOut):
    """An export. ``file`` is its address as long as it is kept, seven days from the end."""

    format: str
    stage: str
    every_revision: bool
    excluded: bool
    safe_cells: bool
    name: str
    remarks: list[str]
    judgements: int | None
    bytes: int | None
    sha256: str
    signature: str
    file: str


class WordsReleaseIn(Body):
    """How data sets of words are released; for the formats ``mlsp``, ``tsar`` and ``guideline`` only.

    ``other`` is the id of the study of the other task on the same instances, which you must be able to see. ``part`` is
    the one file of ``mlsp`` that is wanted, ``usual`` the one that the studies have; without it everything is put into
    an archive, of which ``trial`` contexts are the trial part. ``strict`` refuses fewer than ten annotations of an
    instance, ``unattested`` makes an archive although the study does not say enough of its texts. ``unaggregated``
    puts in every annotator's answers, ``annotators`` what they told where the consent in force covers that;
    ``same_people`` gives a person one id in both tasks.
    """

    other: Text = Field(default="", max_length=100)
    part: Literal["", "archive", "usual", "combined", "lcp", "ls", "unlabelled"] = ""
    ties: Literal["first", "ascending", "descending"] = "first"
    none_simpler: Literal["target", "omit"] = "target"
    trial: int = Field(default=0, ge=0, le=1_000_000)
    strict: bool = False
    unattested: bool = False
    unaggregated: bool = False
    annotators: bool = False
    same_people: bool = False


class ExportIn(Body):
    """What to export: one stage or all, the last word or every revision, with excluded annotators or without.

    The formats of edits (``edits-csv``, ``edits-jsonl``, ``words``, ``thresh``) are for protocols that ask for edits,
    ``corrections`` is for those that ask for rewrites; ``benchmark``, an archive of gold rewrites, dropped ones and a
    data card, for those whose ratings say which rewrites are perfect. ``mlsp`` (an archive), ``tsar`` and ``guideline``
    are data sets of words, for protocols about words in their contexts.
    ``profiles`` has what annotators told about themselves, under aliases, where the consent in force covers that.
    ``safe_cells`` is for tables: texts that a spreadsheet would run as a formula get an apostrophe before them.
    """

    format: Literal[
        "jsonl",
        "csv",
        "xlsx",
        "parquet",
        "edits-csv",
        "edits-jsonl",
        "words",
        "corrections",
        "thresh",
        "profiles",
        "benchmark",
        "mlsp",
        "tsar",
        "guideline",
    ]
    stage: Text = Field(default="", max_length=100)
    every_revision: bool = False
    excluded: bool = False
    safe_cells: bool = False
    words: WordsReleaseIn = Field(default_factory=WordsReleaseIn)


@router.get("/exports", response={200: ListOut[ExportOut], **REFUSALS})
def listexports_of(request: ResearcherRequest, study: StudyId, part: Query[Paging]) -> Any:
    """Exports of the study, the newest first."""
    rows = exports_of(study_of(request))
    return {"count": rows.count(), "results": [_export(row, request) for row in part.cut(rows)]}


@router.post("/exports", response={202: ExportOut, **REFUSALS})
def make_export(request: ResearcherRequest, study: StudyId, data: ExportIn) -> Any:
    """Ask for an export. A short one is done when this answers; look at a long one until it is."""
    here = study_of(request)
    wanted = Wanted(
        form=data.format,
        stage=data.stage,
        every_revision=data.every_revision,
        excluded=data.excluded,
        safe_cells=data.safe_cells,
        **_of_words(request, data.words),
    )
    job = start(here, wanted, actor(request))
    return Status(202, _export(job, request))


def _of_words(request: ResearcherRequest, said: WordsReleaseIn) -> dict[str, Any]:
    """The choices of a release, with the other study by its name."""
    found = said.model_dump(exclude={"other"}, exclude_defaults=True)
    return {**found, "joined": seen_study(request, said.other).name} if said.other else found


@router.get("/exports/{export}", response={200: ExportOut, **REFUSALS})
def get_export(request: ResearcherRequest, study: StudyId, export: str) -> Any:
    """How far an export is."""
    return _export(one(exports_of(study_of(request)), export), request)


@router.get(
    "/exports/{export}/file",
    response={200: None, **REFUSALS},
    openapi_extra={"responses": {200: {"description": "The file.", "content": {"*/*": {}}}}},
)
def get_export_file(request: ResearcherRequest, study: StudyId, export: str) -> FileResponse:
    """The file of a finished export."""
    return download(one(exports_of(study_of(request)), export))


@router.get("/jobs", response={200: ListOut[JobOut], **REFUSALS})
def list_jobs(request: ResearcherRequest, study: StudyId, part: Query[Paging]) -> Any:
    """Long work of the study of every kind, the newest first."""
    rows = study_of(request).jobs.order_by("-created_at", "-pk")
    return {"count": rows.count(), "results": [job_out(row) for row in part.cut(rows)]}


@router.get("/jobs/{job}", response={200: JobOut, **REFUSALS})
def get_job(request: ResearcherRequest, study: StudyId, job: str) -> Any:
    """How far a piece of long work is."""
    return job_out(one(study_of(request).jobs.all(), job))


def job_out(row: models.Job) -> JobOut:
    """How far a piece of long work is."""
    return JobOut(**_job(row))


def _job(row: models.Job) -> dict[str, Any]:
    return {
        "id": row.pid,
        "kind": row.kind,
        "state": row.state,
        "progress": row.progress,
        "total": row.total,
        "created_by": row.created_by,
        "created_at": row.created_at,
        "finished_at": row.finished_at,
        "error": row.error,
    }


def _export(row: models.Job, request: ResearcherRequest) -> ExportOut:
    wanted, result = Wanted(**row.arguments), row.result
    assert row.study is not None
    path = f"/api/v1/studies/{row.study.pid}/exports/{row.pid}/file"
    return ExportOut(
        **_job(row),
        format=wanted.form,
        stage=wanted.stage,
        every_revision=wanted.every_revision,
        excluded=wanted.excluded,
        safe_cells=wanted.safe_cells,
        name=result.get("name", ""),
        remarks=result.get("remarks", []),
        judgements=result.get("judgements"),
        bytes=result.get("bytes"),
        sha256=result.get("sha256", ""),
        signature=result.get("signature", ""),
        file=request.build_absolute_uri(path) if is_kept(row) else "",
    )
