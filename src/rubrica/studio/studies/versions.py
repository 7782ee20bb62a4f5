"""A new version of the protocol: uploaded or taken from Rubrica, compared with the one that runs, then started."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from rubrica.core.errors import InputError, Problem
from rubrica.protocols.catalog import load_shipped, shipped
from rubrica.protocols.loader import Loaded, load
from rubrica.store.setup import versions
from rubrica.store.stages import current_stages
from rubrica.store.translate import protocol_of, version_row
from rubrica.studio.access import StudyRequest, study_page
from rubrica.studio.studies import uploads


@study_page("manager")
@require_http_methods(["GET", "POST"])
@uploads.takes_files(uploads.protocol_bytes)
def new_version(request: StudyRequest) -> HttpResponse:
    """Choose a new version; see what it changes (``?version=hash``); start it."""
    if request.method == "GET":
        return _page(request, versions.stored(request.GET.get("version", "")))
    match request.POST.get("action"):
        case "upload":
            return _upload(request)
        case "shipped":
            return _compare(request, load_shipped(_protocol_id(request)) if _offered(request) else None)
        case "start":
            return _start(request)
        case _:
            return _page(request)


def _upload(request: StudyRequest) -> HttpResponse:
    try:
        loaded = uploads.read_sent(load, uploads.needed(request, "file"))
    except InputError as error:
        return _page(request, problems=list(error.problems))
    return _compare(request, loaded)


def _compare(request: StudyRequest, loaded: Loaded | None) -> HttpResponse:
    """Keep the version under its hash and go to the page that compares it; the address can be sent to a colleague."""
    if loaded is None:
        return _page(request)
    row = version_row(loaded)
    response = redirect("new_version", request.study.pid)
    response.headers["Location"] += f"?version={row.hash}"
    return response


def _start(request: StudyRequest) -> HttpResponse:
    loaded = versions.stored(request.POST.get("version", ""))
    if loaded is None:
        return _page(request, problems=[Problem(what="no version was chosen", rule="file", fix="Choose one first.")])
    try:
        started = versions.start(request.study, loaded, timezone.now(), request.user.get_username())
    except InputError as error:
        return _page(request, loaded, problems=list(error.problems))
    names = ", ".join(stage.key for stage in started)
    words = _("Version %(version)s runs now: %(stages)s.")
    messages.success(request, words % {"version": loaded.protocol.version, "stages": names})
    return redirect("new_version", request.study.pid)


def _protocol_id(request: StudyRequest) -> str:
    return protocol_of(current_stages(request.study)[0]).id


def _offered(request: StudyRequest) -> bool:
    return _protocol_id(request) in shipped()


def _page(request: StudyRequest, loaded: Loaded | None = None, problems: list[Problem] | None = None) -> HttpResponse:
    study = request.study
    running = protocol_of(current_stages(study)[0])
    context: dict[str, Any] = {
        "study": study,
        "role": request.role,
        "section": "setup",
        "running": running,
        "shipped": load_shipped(running.id).protocol if running.id in shipped() else None,
        "stages": study.stages.select_related("protocol_version"),
        "problems": problems or [],
    }
    if loaded is not None:
        plan = versions.preview(study, loaded, get_language() or "en")
        context |= {"plan": plan, "new": loaded.protocol, "problems": problems or plan.problems}
    return render(request, "studies/new_version.html", context, status=422 if problems else 200)
