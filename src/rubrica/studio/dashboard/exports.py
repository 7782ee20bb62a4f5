"""The page on which judgements are exported: what, in which format; how far it is; earlier ones to fetch again."""

from __future__ import annotations

import re
from datetime import datetime
from typing import Any, NamedTuple, cast

from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_GET, require_http_methods

from rubrica.core.errors import InputError
from rubrica.exchange.export_choices import Wanted
from rubrica.exchange.exports import FORMATS as EXPORTS
from rubrica.store import models
from rubrica.store.jobs import exporting
from rubrica.store.jobs.job_files import KEPT
from rubrica.store.public_ids import new_public_id
from rubrica.store.recording.exports import revisions_of
from rubrica.studio.access import StudyRequest, study_page
from rubrica.studio.export_files import download, exports_of, is_kept, start
from rubrica.studio.stage_names import stage_title

SHOWN = 20
_KEY = re.compile(r"[0-9a-z]{16}")
FORMATS = {
    "xlsx": (gettext_lazy("Excel"), gettext_lazy("One row for each judgement, to look at and to share.")),
    "csv": (gettext_lazy("CSV"), gettext_lazy("The same table as plain text, for any program.")),
    "jsonl": (gettext_lazy("JSON lines"), gettext_lazy("Everything with its structure, edits and lists included.")),
    "parquet": (gettext_lazy("Parquet"), gettext_lazy("Typed columns, small and fast: polars, pandas, R, DuckDB.")),
    "edits-csv": (gettext_lazy("Edits as CSV"), gettext_lazy("One row for each edit: words, answers, type.")),
    "edits-jsonl": (gettext_lazy("Edits as JSON lines"), gettext_lazy("One object for each edit, with its structure.")),
    "words": (
        gettext_lazy("Words as CSV"),
        gettext_lazy("One row for each word and annotator with its labels, to train quality estimation."),
    ),
    "corrections": (
        gettext_lazy("Corrections as CSV"),
        gettext_lazy("One row for each text that somebody wrote: source, rewrite, correction, kind, who."),
    ),
    "thresh": (
        gettext_lazy("Thresh"),
        gettext_lazy("A data file of thresh.tools; what came in goes out the same."),
    ),
    "profiles": (
        gettext_lazy("Profiles as CSV"),
        gettext_lazy("What annotators told about themselves, without names, where the consent in force covers it."),
    ),
}
"""The formats with their names; those of edits and of corrections where the protocol asks for such."""


class Shown(NamedTuple):
    """An export as the page lists it."""

    job: models.Job
    kept: bool
    until: datetime | None
    address: str

    @property
    def going(self) -> bool:
        """Whether it is still to be watched."""
        return self.job.state in ("waiting", "running")

    @property
    def form(self) -> str:
        """The name of its format."""
        return str(FORMATS[self.job.arguments["form"]][0])


@require_http_methods(["GET", "POST"])
@study_page("viewer")
def export(request: StudyRequest) -> HttpResponse:
    """Choose what to export, and see what was exported before."""
    study = request.study
    if request.method == "POST":
        wanted = _wanted(request)
        key = request.POST.get("key", "")
        try:
            start(study, wanted, request.user.get_username(), key if _KEY.fullmatch(key) else "")
        except InputError as error:
            return render(request, "dashboard/export.html", _page(request, wanted, error), status=422)
        return redirect(reverse("export", args=[study.pid]) + "#exports")
    return render(request, "dashboard/export.html", _page(request, Wanted(form="xlsx"), None))


@require_GET
@study_page("viewer")
def one_export(request: StudyRequest, export: str) -> HttpResponse:
    """One export of the list, for the page to put in place of what it shows."""
    return render(request, "dashboard/export_one.html", {"study": request.study, "one": _shown(_find(request, export))})


@require_GET
@study_page("viewer")
def export_file(request: StudyRequest, export: str) -> HttpResponse:
    """The file of a finished export."""
    return cast(HttpResponse, download(_find(request, export)))


def _find(request: StudyRequest, pid: str) -> models.Job:
    job = exports_of(request.study).filter(pid=pid).first() if _KEY.fullmatch(pid) else None
    if job is None:
        raise Http404
    return job


def _wanted(request: StudyRequest) -> Wanted:
    given = request.POST
    return Wanted(
        form=given.get("format", ""),
        stage=given.get("stage", "")[:100],
        every_revision="every_revision" in given,
        excluded="excluded" in given,
        safe_cells="safe_cells" in given,
    )


def _page(request: StudyRequest, wanted: Wanted, error: InputError | None) -> dict[str, Any]:
    study = request.study
    asked = {"", *exporting.asked_for(study)}
    stages = list(study.stages.select_related("protocol_version"))
    found = list(exports_of(study)[:SHOWN])
    return {
        "study": study,
        "role": request.role,
        "section": "export",
        "formats": [(form, *texts) for form, texts in FORMATS.items() if EXPORTS[form].asks in asked],
        "stages": [(stage.key, stage_title(stage), revisions_of([stage]).count()) for stage in stages],
        "judgements": revisions_of(stages).count(),
        "revisions": revisions_of(stages, every_revision=True).count(),
        "anything": revisions_of(stages, every_revision=True, excluded=True).exists(),
        "excluded": study.annotators.excluded().count(),
        "wanted": wanted,
        "problems": error.problems if error else (),
        "exports": [_shown(job) for job in found],
        "more": exports_of(study).count() - len(found),
        "key": new_public_id(),
        "kept_days": KEPT.days,
    }


def _shown(job: models.Job) -> Shown:
    until = job.finished_at + KEPT if job.finished_at and job.state == "done" else None
    assert job.study is not None
    address = reverse("export_file", args=[job.study.pid, job.pid])
    return Shown(job, is_kept(job), until, address)
