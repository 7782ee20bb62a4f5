"""Exports as pages and API have them: asked for, made at once if short, handed out as a download."""

from __future__ import annotations

from django.db.models import QuerySet
from django.http import FileResponse, Http404
from django.utils import timezone

from rubrica.exchange.exports import Wanted
from rubrica.home.database import home_from
from rubrica.home.made_files import EXPORT
from rubrica.store import models
from rubrica.store.jobs import exporting, jobs
from rubrica.studio.job_worker import do_at_once

SHORT = 2000
"""Exports of fewer judgements are made at once."""
TYPES = {
    "jsonl": "application/jsonl",
    "csv": "text/csv; charset=utf-8",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    "parquet": "application/vnd.apache.parquet",
    "json": "application/json",
    "tsv": "text/tab-separated-values; charset=utf-8",
    "zip": "application/zip",
}


def exports_of(study: models.Study) -> QuerySet[models.Job]:
    """Every export of the study, the newest first."""
    rows = models.Job.objects.filter(study=study, kind=EXPORT)
    return rows.select_related("study").order_by("-created_at", "-pk")


def start(study: models.Study, wanted: Wanted, who: str, key: str = "") -> models.Job:
    """Ask for an export, and make it at once if it is short. The same ``key`` again is the same export."""
    job = exporting.ask(study, wanted, who, timezone.now(), key)
    if job.state == models.Job.State.WAITING and job.total < SHORT:
        do_at_once(job.pid, home_from(None))
        job.refresh_from_db()
    return job


def is_kept(job: models.Job) -> bool:
    """Whether the file of an export is there to be fetched."""
    return jobs.file_of(job, home_from(None)) is not None


def download(job: models.Job) -> FileResponse:
    """The file of an export, to be saved under its name."""
    file = jobs.file_of(job, home_from(None))
    if file is None:
        raise Http404
    response = FileResponse(file.open("rb"), as_attachment=True, filename=job.result["name"])
    response["Content-Type"] = TYPES[Wanted(**job.arguments).ending]
    return response
