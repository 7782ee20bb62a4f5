"""The Results page: the newest report of the study, how old it is, and another when judgements came in meanwhile.

What is shown is the report itself, made by a job and written once (design/009), so that nothing on this page can
differ from the file that is downloaded.
"""

from __future__ import annotations

import mimetypes
from datetime import timedelta
from typing import Any

from django.http import FileResponse, Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.safestring import mark_safe
from django.views.decorators.http import require_GET, require_http_methods

from rubrica.home.database import home_from
from rubrica.report.archive import part_of
from rubrica.store import models, reporting
from rubrica.store.counting.submitted import picture, version_of
from rubrica.store.jobs import jobs
from rubrica.studio.access import StudyRequest, study_page
from rubrica.studio.security import POLICY, with_policy
from rubrica.studio.wording import stage_title

OWN_STYLE = {"style-src": "'unsafe-inline'", "default-src": "'none'"}
"""A report that is opened as a page of its own carries its style within it, and nothing else."""
READING = timedelta(minutes=1)


@require_http_methods(["GET", "POST"])
@study_page("viewer")
def results(request: StudyRequest) -> HttpResponse:
    """Show the newest report; ask for a new one."""
    study, stage = request.study, _wanted_stage(request)
    if request.method == "POST":
        reporting.ask(study, stage, request.user.get_username(), timezone.now())
        if getattr(request, "htmx", False):
            return _state(request, stage)
        return redirect(_address(request, stage))
    shown = reporting.newest(study, stage, home_from(None))
    about = _about(request, stage, shown)
    page = jobs.page_of(shown, home_from(None)) if shown else None
    stages = {entry.stage for entry in picture(study).every}
    return render(
        request,
        "dashboard/results.html",
        {
            **about,
            "arriving": _is_old(shown) and bool(about["stale"] or about["going"]),
            "section": "results",
            "page": mark_safe(page) if page else "",  # noqa: S308 (rendered by our own templates, which escape)
            "stages": [
                (stage.key, stage_title(stage))
                for stage in study.stages.select_related("protocol_version")
                if stage.pk in stages
            ],
        },
    )


@require_GET
@study_page("viewer")
def results_state(request: StudyRequest) -> HttpResponse:
    """How far the newest report is, for the page to put in place of what it says."""
    return _state(request, _wanted_stage(request))


@require_GET
@study_page("viewer")
def results_archive(request: StudyRequest) -> HttpResponse:
    """The newest report as an archive."""
    shown, file = _file(request)
    response = FileResponse(file.open("rb"), as_attachment=True, filename=shown.result["name"])
    response["Content-Type"] = "application/zip"
    return response  # type: ignore[return-value]


@require_GET
@study_page("viewer")
def results_part(request: StudyRequest, part: str) -> HttpResponse:
    """One table or chart of the newest report, or the report as a page of its own."""
    _, file = _file(request)
    content = part_of(file, part)
    if content is None:
        raise Http404
    kind = mimetypes.guess_type(part)[0] or "text/plain"
    response = HttpResponse(content, content_type=f"{kind}; charset=utf-8" if kind.startswith("text/") else kind)
    if part == "report.html":
        with_policy(response, {**dict.fromkeys(POLICY, "'none'"), **OWN_STYLE})
    elif part.startswith("tables/"):
        response["Content-Disposition"] = f'attachment; filename="{request.study.name}-{part.rpartition("/")[2]}"'
    return response


def _is_old(shown: models.Job | None) -> bool:
    """Whether newer figures may take the place of these unasked: not while somebody begins to read them."""
    return shown is None or shown.finished_at is None or timezone.now() - shown.finished_at > READING


def _wanted_stage(request: StudyRequest) -> str:
    """The report asked for; Http404 for a stage that the study does not have."""
    stage = request.GET.get("stage", "")
    if stage and not request.study.stages.filter(key=stage[:100]).exists():
        raise Http404
    return stage


def _file(request: StudyRequest) -> tuple[models.Job, Any]:
    shown = reporting.newest(request.study, _wanted_stage(request), home_from(None))
    file = jobs.file_of(shown, home_from(None)) if shown else None
    if shown is None or file is None:
        raise Http404
    return shown, file


def _address(request: StudyRequest, stage: str) -> str:
    return reverse("results", args=[request.study.pid]) + (f"?stage={stage}" if stage else "")


def _state(request: StudyRequest, stage: str) -> HttpResponse:
    """The head of the page. It always speaks of the figures that the page shows: both change together.

    Who has just arrived, or asked for newer figures, gets the whole page anew once they are there; who reads is asked.
    """
    seen = reporting.reports_of(request.study, stage).filter(pid=request.GET.get("seen", "")[:40]).first()
    about = _about(request, stage, seen)
    arriving = request.method == "POST" or request.GET.get("arriving") == "1"
    response = render(request, "dashboard/results_state.html", {**about, "arriving": arriving})
    if about["ready"] and (arriving or seen is None):
        response["HX-Refresh"] = "true"
    return response


def _about(request: StudyRequest, stage: str, shown: models.Job | None) -> dict[str, Any]:
    """What the head of the page says of the report ``shown``: how old it is, and what becomes of the next."""
    study = request.study
    last = reporting.reports_of(study, stage).first()
    newest = reporting.newest(study, stage, home_from(None))
    counted = len(picture(study).counted)
    return {
        "study": study,
        "role": request.role,
        "wanted_stage": stage,
        "address": _address(request, stage),
        "counted": counted,
        "shown": shown,
        "seen": shown.pid if shown else "",
        "newer": counted - shown.result["every"] if shown else 0,
        "stale": newest is None or newest.result.get("version") != version_of(study),
        "ready": newest is not None and (shown is None or newest.pid != shown.pid),
        "going": last if last is not None and last.state in models.Job.GOING else None,
        "failed": last if last is not None and last.state == models.Job.State.FAILED else None,
    }
