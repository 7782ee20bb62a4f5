"""Doors for people unknown beforehand: the open link, Prolific, MTurk. Each person leaves with a link of their own."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import wraps

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone, translation
from django.views.decorators.http import require_http_methods

from rubrica.core.errors import InputError
from rubrica.store import models
from rubrica.store.invitations import PLATFORMS, enter, follow, token
from rubrica.store.options import options_of
from rubrica.store.parts import current_stages
from rubrica.store.translate import protocol_of
from rubrica.studio.annotate.desk import spoken_language
from rubrica.studio.annotate.languages import best
from rubrica.studio.annotate.welcome import about
from rubrica.studio.guidelines import render as render_guidelines
from rubrica.studio.security import MTURK, framed_by

PREVIEW = "ASSIGNMENT_ID_NOT_AVAILABLE"
"""What MTurk gives for an assignment while somebody only looks at a HIT."""

COOKIE_DAYS = 365

Door = Callable[[HttpRequest, models.Invitation], HttpResponse]


def _framed(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Lets MTurk show the page of an MTurk door in its frame, and of no other."""

    @wraps(view)
    def allowed(request: HttpRequest, token: str) -> HttpResponse:
        response = view(request, token)
        if getattr(request, "door_kind", "") == "mturk":
            framed_by(response, MTURK)
        return response

    return allowed


@_framed
@require_http_methods(["GET", "HEAD", "POST"])
def join(request: HttpRequest, token: str) -> HttpResponse:
    """Come in by a link for many. A personal link leads to its own pages. Who only asks for the head comes not in."""
    link = follow(token)
    door = link.invitation
    if door is None:
        return render(request, "annotate/no_link.html", status=404)
    if link.revoked:
        return render(request, "annotate/link_ended.html", {"study": door.study}, status=410)
    if door.annotator is not None:
        return redirect("annotator_start", token)
    request.door_kind = door.kind  # type: ignore[attr-defined]
    ways: Mapping[str, Door] = {"open": _open, "prolific": _platform, "mturk": _platform}
    return ways[door.kind](request, door)


def _open(request: HttpRequest, door: models.Invitation) -> HttpResponse:
    """The open link: says what it is, makes a person on request, and knows them again."""
    cookie = f"rubrica_door_{door.pid}"
    known = follow(request.COOKIES.get(cookie, "")).invitation
    if known is not None and known.came_by_id == door.pk and known.annotator and known.annotator.erased_at is None:
        return redirect("annotator_start", token(known))
    if request.method != "POST":
        return _welcome(request, door, full=door.cap is not None and door.arrivals.count() >= door.cap)
    try:
        personal = enter(door, {}, timezone.now(), _language(request, door))
    except InputError as error:
        return _refused(request, door, error)
    response = redirect("annotator_start", token(personal))
    response.set_cookie(
        cookie,
        token(personal),
        max_age=COOKIE_DAYS * 86_400,
        path="/join/",
        httponly=True,
        samesite="Lax",
        secure=request.is_secure(),
    )
    return response


def _platform(request: HttpRequest, door: models.Invitation) -> HttpResponse:
    """A crowd platform's link: its parameters say who comes. MTurk's preview shows the study and takes nobody in."""
    given = {name: request.GET.get(name, "").strip() for name in PLATFORMS[door.kind]}
    if given.get("assignmentId") == PREVIEW or request.method == "HEAD":
        return _welcome(request, door, preview=True)
    missing = [name for name, value in given.items() if not value or "{{" in value or value.startswith("${")]
    if missing:
        context = {"study": door.study, "missing": missing, "platform": door.get_kind_display()}
        return render(request, "annotate/join_missing.html", context, status=400)
    try:
        personal = enter(door, given, timezone.now(), _language(request, door))
    except InputError as error:
        return _refused(request, door, error)
    return redirect("annotator_start", token(personal))


def _welcome(
    request: HttpRequest, door: models.Invitation, *, full: bool = False, preview: bool = False
) -> HttpResponse:
    """What the study is, before anybody decides anything."""
    stage = current_stages(door.study)[0]
    protocol = protocol_of(stage)
    language = _language(request, door)
    with translation.override(language):
        context = about(stage, options_of(door.study), spoken_language(protocol, language))
        context |= {
            "study": door.study,
            "full": full,
            "preview": preview,
            "guidelines_html": render_guidelines(protocol, spoken_language(protocol, language), "guide-", 3),
        }
        return render(request, "annotate/join.html", context)


def _refused(request: HttpRequest, door: models.Invitation, error: InputError) -> HttpResponse:
    """Nobody can come in any more, or not with these parameters."""
    rule = error.problems[0].rule
    if rule == "link_full":
        return render(request, "annotate/join_full.html", {"study": door.study, "kind": door.kind}, status=409)
    if rule == "link_ended":
        return render(request, "annotate/link_ended.html", {"study": door.study}, status=410)
    too_long = [problem.value for problem in error.problems if problem.rule == "link_length"]
    context = {"study": door.study, "too_long": too_long, "platform": door.get_kind_display()}
    return render(request, "annotate/join_missing.html", context, status=400)


def _language(request: HttpRequest, door: models.Invitation) -> str:
    stage = current_stages(door.study)[0]
    return best(request, protocol_of(stage), options_of(door.study))
