"""Pages for what went wrong, in plain words."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.utils.translation import gettext as _


def bad(request: HttpRequest, exception: Any = None) -> HttpResponse:
    """Something that no page of ours sends, or more than fits."""
    return _answer(request, 400, "request", _("What was sent is too large or has a form that we do not know."))


def not_found(request: HttpRequest, exception: Any = None) -> HttpResponse:
    """Nothing here, or nothing that this person may know of."""
    return _answer(request, 404, "not_found", _("There is nothing at this address."))


def refused(request: HttpRequest, exception: Any = None) -> HttpResponse:
    """The person's role does not allow it."""
    return _answer(request, 403, "role", _("Your role in this study does not allow this."))


def forged(request: HttpRequest, reason: str = "") -> HttpResponse:
    """A form that did not come from one of our pages, or from one that is too old."""
    return _answer(request, 403, "form", _("This form is too old or came from elsewhere. Please load the page again."))


def cannot_save(request: HttpRequest, status: int, rule: str, what: str, fix: str, seconds: int) -> HttpResponse:
    """The database is busy, its disk full, or it takes nothing: a page says what becomes of what was typed.

    One that was only to be opened is asked for again by the browser after so many ``seconds``, also without script.
    """
    if _is_program(request):
        return _answer(request, status, rule, what, fix)
    if request.method in ("GET", "HEAD"):
        again = _("This page tries again by itself.")
        return _answer(request, status, rule, what, again, seconds)
    if rule == "busy":
        return _answer(request, status, rule, what, _("What you sent is not saved. Go back to it and send it again."))
    kept = _(
        "What you sent is not saved. Go back to it and send it again in a while, and tell whoever runs the studio."
    )
    return _answer(request, status, rule, what, kept)


def broken(request: HttpRequest) -> HttpResponse:
    """Our own mistake."""
    return _answer(request, 500, "broken", _("Something went wrong on our side. Nothing that was saved is lost."))


def _answer(request: HttpRequest, status: int, rule: str, what: str, fix: str = "", again: int = 0) -> HttpResponse:
    if _is_program(request):
        return JsonResponse({"errors": [{"what": what, "rule": rule, "fix": fix, "value": None}]}, status=status)
    context = {"status": status, "what": what, "fix": fix, "again": again}
    page = render(request, "studio/error.html", context, status=status)
    if again:
        page["Refresh"] = str(again)
    return page


def _is_program(request: HttpRequest) -> bool:
    """Whether a program asks, or a script of ours: they read JSON."""
    return request.path.startswith("/api/") or request.content_type == "application/json"
