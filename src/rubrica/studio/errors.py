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


def broken(request: HttpRequest) -> HttpResponse:
    """Our own mistake."""
    return _answer(request, 500, "broken", _("Something went wrong on our side. Nothing that was saved is lost."))


def _answer(request: HttpRequest, status: int, rule: str, what: str) -> HttpResponse:
    if request.path.startswith("/api/"):
        return JsonResponse({"errors": [{"what": what, "rule": rule, "fix": "", "value": None}]}, status=status)
    return render(request, "studio/error.html", {"status": status, "what": what}, status=status)
