"""Doors for people unknown beforehand: the open link, Prolific, MTurk. Each person leaves with a link of their own.

Looking makes nobody: a person is made by the button. On a crowd platform the seat is bound to the device that pressed
it (``store/people/devices.py``); another device that comes with the same id is asked for the code which the first one
shows.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import wraps

from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone, translation
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt, csrf_protect
from django.views.decorators.http import require_http_methods

from rubrica.core.crowd_platforms import PLATFORMS
from rubrica.core.errors import InputError
from rubrica.store import models
from rubrica.store.options import options_of
from rubrica.store.people import devices
from rubrica.store.people.invitations import Arriving, arriving, enter, follow, token
from rubrica.store.people.participation import finish
from rubrica.store.stages import current_stages
from rubrica.store.translate import protocol_of
from rubrica.studio.access import AnnotatorRequest, annotator_page
from rubrica.studio.annotate.desk import spoken_language
from rubrica.studio.annotate.languages import best
from rubrica.studio.annotate.steps import shown
from rubrica.studio.annotate.welcome import about
from rubrica.studio.guidelines import render as render_guidelines
from rubrica.studio.security import MTURK, framed_by

PREVIEW = "ASSIGNMENT_ID_NOT_AVAILABLE"
"""What MTurk gives for an assignment while somebody only looks at a HIT."""

COOKIE_DAYS = 365
DEVICE = "rubrica_device"
"""The cookie with the device's secret. Only doors are told it."""

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


@csrf_exempt
@never_cache
@_framed
@require_http_methods(["GET", "HEAD", "POST"])
def join(request: HttpRequest, token: str) -> HttpResponse:
    """Come in by a link for many. A personal link leads to its own pages. Who only asks for the head comes not in.

    The form of an open link carries a token against other sites. That of a platform cannot, because in MTurk's frame
    the browser may keep no cookie; it makes a seat only for the id in the address, which binds no other device.
    """
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


@csrf_protect
def _open(request: HttpRequest, door: models.Invitation) -> HttpResponse:
    """The open link: says what it is, makes a person on request, and knows them again."""
    cookie = f"rubrica_door_{door.pid}"
    known = follow(request.COOKIES.get(cookie, "")).invitation
    if known is not None and known.came_by_id == door.pk and known.annotator and known.annotator.erased_at is None:
        return redirect("annotator_start", token(known))
    if request.method != "POST":
        return _welcome(request, door, full=_is_full(door))
    try:
        personal = enter(door, {}, timezone.now(), _language(request, door))
    except InputError as error:
        return _refused(request, door, error)
    return _remember(request, door, _in(personal), cookie, token(personal))


def _platform(request: HttpRequest, door: models.Invitation) -> HttpResponse:
    """A crowd platform's link: its parameters say who comes. MTurk's preview shows the study and takes nobody in."""
    given = {name: request.GET.get(name, "").strip() for name in PLATFORMS[door.kind]}
    if given.get("assignmentId") == PREVIEW or request.method == "HEAD":
        return _welcome(request, door, preview=True)
    missing = [name for name, value in given.items() if not value or "{{" in value or value.startswith("${")]
    if missing:
        context = {"study": door.study, "missing": missing, "platform": door.get_kind_display()}
        return render(request, "annotate/join_missing.html", context, status=400)
    device = request.COOKIES.get(DEVICE, "")
    try:
        coming = arriving(door, given)
        seat = devices.find(door, coming.identity)
        if seat is not None and devices.is_theirs(seat, device, coming.visit.details):
            known = devices.is_known(seat, door, coming.visit.details)
            personal = seat.annotator.invitation if known else enter(door, given, timezone.now(), device=device)
            return redirect("annotator_start", token(personal))
        if seat is not None and seat.device:
            return _elsewhere(request, door, seat, coming)
        if request.method != "POST":
            if seat is None:
                devices.refuse_if_barred(door.study, coming.identity)
            return _welcome(request, door, full=seat is None and _is_full(door))
        device = device or devices.new_device()
        personal = enter(door, given, timezone.now(), _language(request, door), device)
    except InputError as error:
        return _refused(request, door, error)
    return _remember(request, door, _in(personal), DEVICE, device)


def _is_full(door: models.Invitation) -> bool:
    return door.cap is not None and door.arrivals.count() >= door.cap


def _in(personal: models.Invitation) -> HttpResponse:
    """On to the first step. The page with the button has said what the welcome says."""
    assert personal.annotator is not None
    if options_of(personal.study).steps.welcome:
        finish(personal.annotator, "welcome", timezone.now())
    return redirect("annotator_start", token(personal))


def _remember(
    request: HttpRequest, door: models.Invitation, response: HttpResponse, cookie: str, value: str
) -> HttpResponse:
    """Leave a cookie by which a door knows this browser again, in MTurk's frame too where that is allowed."""
    framed = door.kind == models.Invitation.Kind.MTURK and request.is_secure()
    response.set_cookie(
        cookie,
        value,
        max_age=COOKIE_DAYS * 86_400,
        path="/join/",
        httponly=True,
        samesite="None" if framed else "Lax",
        secure=request.is_secure(),
    )
    return response


def _elsewhere(
    request: HttpRequest, door: models.Invitation, seat: models.ExternalIdentity, coming: Arriving
) -> HttpResponse:
    """The seat is bound to another device: the code that is shown there moves it here."""
    context = {"study": door.study, "contact": options_of(door.study).ethics.contact, "kind": door.kind}
    status = 409
    if request.method == "POST":
        device = request.COOKIES.get(DEVICE, "") or devices.new_device()
        with transaction.atomic():
            moved = devices.move(seat, request.POST.get("code", ""), device, timezone.now())
            if moved.invitation is not None:
                seat.refresh_from_db()
                devices.return_to(seat, door, device, coming.visit.details)
        if moved.invitation is not None:
            return _remember(request, door, redirect("annotator_start", token(moved.invitation)), DEVICE, device)
        context |= {"wrong": True, "tries": moved.tries_left}
        status = 422
    with translation.override(_language(request, door)):
        return render(request, "annotate/join_elsewhere.html", context, status=status)


@never_cache
@annotator_page
@require_http_methods(["GET", "POST"])
def device(request: AnnotatorRequest) -> HttpResponse:
    """Move the seat to another device: a code, shown once. Personal links need none and are told so."""
    door = request.invitation.came_by
    if door is None or door.kind not in PLATFORMS:
        raise Http404
    code = devices.new_code(request.annotator, timezone.now()) if request.method == "POST" else ""
    context = {
        "code": f"{code[:4]} {code[4:]}" if code else "",
        "minutes": devices.CODE_HOLDS.seconds // 60,
        "platform": door.get_kind_display(),
    }
    return shown(request, "annotate/device.html", context)


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
    here = {"study": door.study, "kind": door.kind}
    if rule == "link_full":
        return render(request, "annotate/join_full.html", here, status=409)
    if rule in ("not_eligible", "erased"):
        why = {**here, "why": "erased" if rule == "erased" else error.problems[0].value}
        return render(request, "annotate/join_barred.html", why, status=403)
    if rule == "other_device":
        return render(request, "annotate/join_elsewhere.html", here, status=409)
    if rule == "link_ended":
        return render(request, "annotate/link_ended.html", {"study": door.study}, status=410)
    too_long = [problem.value for problem in error.problems if problem.rule == "link_length"]
    context = {"study": door.study, "too_long": too_long, "platform": door.get_kind_display()}
    return render(request, "annotate/join_missing.html", context, status=400)


def _language(request: HttpRequest, door: models.Invitation) -> str:
    stage = current_stages(door.study)[0]
    return best(request, protocol_of(stage), options_of(door.study))
