"""One shape for whatever goes wrong in the API: ``{"errors": [{what, rule, fix, value, …}]}``, as ``--json`` has it.

Every exception that an endpoint may raise, and its status, stands here. Messages for people are translated.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import wraps
from http import HTTPStatus
from typing import Any

from django.core.exceptions import PermissionDenied, RequestDataTooBig, TooManyFieldsSent, TooManyFilesSent
from django.db import DatabaseError, InterfaceError
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.http.multipartparser import MultiPartParserError
from django.urls import URLPattern, URLResolver
from django.utils.translation import gettext as _
from ninja import NinjaAPI, Schema
from ninja.errors import AuthenticationError, HttpError, ValidationError

from rubrica.core.errors import InputError, Problem, first_problems
from rubrica.core.study import RefusedError
from rubrica.studio import storage
from rubrica.studio.annotate.remark_texts import rule_text

WORK = "/api/v1/work/"
"""Where annotators' pages send what is said."""


class ErrorOut(Schema):
    """One problem: what it is, the rule it breaks, how to mend it, the value received."""

    what: str
    rule: str
    fix: str = ""
    value: Any = None
    lease: str = ""
    question: str = ""
    file: str = ""
    line: int | None = None


class ErrorsOut(Schema):
    """What every refused request answers."""

    errors: list[ErrorOut]


class LinkEndedError(HttpError):
    """The link was a good one, and was revoked, or its person has stopped or asked to be forgotten."""

    def __init__(self, why: str = "") -> None:
        super().__init__(HTTPStatus.GONE, why or _("This link has ended."))


def errors(status: int, *problems: dict[str, Any]) -> JsonResponse:
    """A refusal in the one shape."""
    return JsonResponse({"errors": list(problems)}, status=status)


def problem(what: str, rule: str, fix: str = "", value: Any = None, **more: Any) -> dict[str, Any]:
    """One entry of ``errors``."""
    return {"what": what, "rule": rule, "fix": fix, "value": value, **more}


def handle_errors(api: NinjaAPI) -> None:
    """Register every handler with the API."""
    api.add_exception_handler(InputError, _input)
    api.add_exception_handler(ValidationError, _form)
    api.add_exception_handler(AuthenticationError, _nobody)
    api.add_exception_handler(PermissionDenied, _role)
    api.add_exception_handler(Http404, _nothing)
    for too_much in (RequestDataTooBig, TooManyFieldsSent, TooManyFilesSent):
        api.add_exception_handler(too_much, _too_big)
    api.add_exception_handler(MultiPartParserError, _no_form)
    for not_saved in (DatabaseError, InterfaceError, OSError):
        api.add_exception_handler(not_saved, _not_saved)
    api.add_exception_handler(HttpError, _other)


def _input(request: HttpRequest, found: Any) -> HttpResponse:
    """Whatever the store refuses; to annotators, who see it on their page, it is told in their language."""
    if isinstance(found, RefusedError):
        return errors(
            422,
            *(
                one.as_json() | {"lease": lease, "what": rule_text(one)}
                for lease, problems in found.by_lease.items()
                for one in problems
            ),
        )
    at_work = request.path.startswith(WORK)
    return errors(422, *(one.as_json() | ({"what": rule_text(one)} if at_work else {}) for one in found.problems))


def _form(request: HttpRequest, found: Any) -> HttpResponse:
    """A body or parameter that is not what the endpoint's schema says."""
    fix = _("See this endpoint in the API's description.")
    wrong = (
        Problem(what=f"{'.'.join(map(str, one['loc'][1:]))}: {one['msg']}", rule="form", fix=fix)
        for one in found.errors
    )
    return errors(422, *(problem(one.what, one.rule, one.fix, one.value) for one in first_problems(wrong)))


def _nobody(request: HttpRequest, found: Any) -> HttpResponse:
    response = errors(
        401,
        problem(
            _("Nobody is known by this token."),
            "token",
            _("Send the header Authorization: Bearer, with a token that has not been revoked."),
        ),
    )
    response["WWW-Authenticate"] = "Bearer"
    return response


def _role(request: HttpRequest, found: Any) -> HttpResponse:
    return errors(403, problem(_("Your role in this study does not allow this."), "role"))


def _nothing(request: HttpRequest, found: Any) -> HttpResponse:
    return errors(404, problem(_("There is nothing at this address."), "not_found"))


def _too_big(request: HttpRequest, found: Any) -> HttpResponse:
    return errors(413, problem(_("The request is larger than the server takes."), "too_big", _("Send less at once.")))


def _no_form(request: HttpRequest, found: Any) -> HttpResponse:
    return errors(400, problem(_("The form cannot be read."), "form", _("Send it as multipart/form-data.")))


def _not_saved(request: HttpRequest, found: Any) -> HttpResponse:
    """The disk is full, or the database takes nothing; any other error of theirs is our own mistake."""
    told = storage.answer(request, found)
    if told is None:
        raise found
    return told


_RULES = {400: "form", 403: "role", 404: "not_found", 410: "link_ended", 413: "too_big", 429: "too_many"}


def _other(request: HttpRequest, found: Any) -> HttpResponse:
    return errors(found.status_code, problem(str(found), _RULES.get(found.status_code, "http")))


def in_one_shape(patterns: Sequence[URLPattern | URLResolver]) -> None:
    """Give a refused method the same shape: the API library answers it in plain text, before any handler."""
    for pattern in patterns:
        if isinstance(pattern, URLPattern):
            pattern.callback = _shaped(pattern.callback)


def _shaped(view: Callable[..., Any]) -> Callable[..., Any]:
    @wraps(view)
    def shaped(request: HttpRequest, *args: Any, **kwargs: Any) -> Any:
        response = view(request, *args, **kwargs)
        if response.status_code != HTTPStatus.METHOD_NOT_ALLOWED:
            return response
        allowed = response["Allow"]
        told = errors(
            405,
            problem(
                _("This address does not take %(method)s.") % {"method": request.method},
                "method",
                _("Use %(methods)s.") % {"methods": allowed},
                request.method,
            ),
        )
        told["Allow"] = allowed
        return told

    return shaped
