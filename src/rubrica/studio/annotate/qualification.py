"""Qualification: a few known items without feedback, a pass mark, a limited number of tries."""

from __future__ import annotations

from django.http import HttpResponse, JsonResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods

from rubrica.core.errors import InputError
from rubrica.core.json_text import NotJsonError
from rubrica.core.qualification import Exam, Page, first_unanswered, pages
from rubrica.core.study import Judgement, RefusedError
from rubrica.store import models
from rubrica.store.course import attempts
from rubrica.store.people.participation import finish
from rubrica.store.translate import protocol_of
from rubrica.studio.annotate import course_rounds, known_desk
from rubrica.studio.annotate.steps import StepRequest, address, shown, step_page, to_due


@step_page("qualification")
@require_GET
def qualification(request: StepRequest) -> HttpResponse:
    """What is wanted, where one stands, how the last try went; or, after the last, why it ends here."""
    if "qualification" not in request.way.steps:
        return to_due(request)
    if attempts.rounds_of(request.way.stage):
        return course_rounds.hub(request)
    tried = _exam(request)
    shown_pages = _pages(request)
    number = tried.open_round
    at = _due(request, shown_pages, number)
    last = next((one for one in reversed(tried.rounds) if one.complete), None)
    passed = tried.passed or "qualification" in request.way.done
    under_way = any(not one.complete for one in tried.rounds)
    context = {
        "exam": tried,
        "last": last,
        "passed": passed,
        "failed": tried.failed and not passed,
        "under_way": under_way and not passed and not tried.failed,
        "items": len(shown_pages),
        "answered": (at or 1) - 1,
        "number": number,
        "needed": round(tried.pass_mark * 100),
        "score": None if last is None or last.share is None else round(last.share * 100),
        "go_on": f"{address(request.token, 'qualification')}{number}/{at or 1}/",
        "platform": request.invitation.came_by.kind if request.invitation.came_by else "",
    }
    return shown(request, "annotate/qualification.html", context, step="qualification")


@step_page("qualification")
@require_http_methods(["GET", "POST"])
def qualification_page(request: StepRequest, number: int, at: int) -> HttpResponse:
    """One page of a try. Only the next unanswered one can be opened; an answer given again changes nothing."""
    if attempts.rounds_of(request.way.stage):
        return course_rounds.page(request, number, at)
    hub = address(request.token, "qualification")
    tried = _exam(request)
    shown_pages = _pages(request)
    over = tried.passed or tried.failed or "qualification" in request.way.done or number != tried.open_round
    if over or not 1 <= at <= len(shown_pages):
        return _leave(request, hub)
    due = _due(request, shown_pages, number)
    if at != due:
        return _leave(request, f"{hub}{number}/{due}/" if due else hub)
    page = shown_pages[at - 1]
    here = known_desk.Place("qualification", _("Qualification"), request.path, at, len(shown_pages))
    if request.method == "GET":
        return known_desk.page(request, here, page, [Judgement() for _one in page])
    try:
        given = known_desk.given(request, page)
        kind, now = models.Attempt.Kind.QUALIFICATION, timezone.now()
        attempts.answer(request.annotator, request.way.stage, kind, number, page, given, now)
    except RefusedError as refused:
        return known_desk.refuse(request, here, page, refused)
    except (InputError, NotJsonError):
        return known_desk.unreadable()
    if at < len(shown_pages):
        return _leave(request, f"{hub}{number}/{at + 1}/")
    if _exam(request).passed:
        finish(request.annotator, "qualification", timezone.now())
    return _leave(request, hub)


def _leave(request: StepRequest, where: str) -> HttpResponse:
    """On to another page: told to the script, or by a redirect."""
    return JsonResponse({"next": where}) if known_desk.is_json(request) else redirect(where)


def _exam(request: StepRequest) -> Exam:
    return attempts.exam(request.annotator, request.way.stage, request.way.options)


def _pages(request: StepRequest) -> list[Page]:
    stage = request.way.stage
    known = attempts.known_items(stage, request.way.options, request.annotator.language)
    return pages(protocol_of(stage), known.qualification)


def _due(request: StepRequest, shown_pages: list[Page], number: int) -> int | None:
    """The first page of this round that lacks an answer."""
    return first_unanswered(shown_pages, attempts.in_round(request.annotator, request.way.stage, number))
