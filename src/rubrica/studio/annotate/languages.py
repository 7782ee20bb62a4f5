"""In which language an annotator reads: offered is what protocol and pages both speak, or the study's choice of it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import translation
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import get_language
from django.views.decorators.http import require_POST

from rubrica.core.errors import Problem
from rubrica.core.protocol import Protocol
from rubrica.exchange.study_options import Options
from rubrica.home.database_trouble import now_or_later
from rubrica.language import catalogues
from rubrica.store import models
from rubrica.store.options import options_of
from rubrica.store.people.participation import current_stage
from rubrica.store.translate import protocol_of
from rubrica.studio.access import AnnotatorRequest, annotator_page
from rubrica.studio.formats import own_name
from rubrica.studio.languages import preferred

TEST_SUFFIX = "-xb"
"""Ends the code of a language that exists to test the pages; it is not offered."""


class Offered(NamedTuple):
    """A language to choose, by its own name."""

    code: str
    name: str


class Missing(NamedTuple):
    """A language that is not offered: whether the protocol and the pages lack it, in whole or in part."""

    code: str
    name: str
    protocol: str
    interface: bool


def missing(protocol: Protocol) -> list[Missing]:
    """Languages that one might expect and that do not work, and what they lack."""
    pages, works = catalogues.codes(), catalogues.working(protocol)
    codes = dict.fromkeys([*protocol.languages, *protocol.partly_translated, *pages])
    lacks = {code: "" if code in protocol.languages else "all" for code in codes} | dict.fromkeys(
        protocol.partly_translated, "part"
    )
    return [Missing(code, own_name(code), lacks[code], code not in pages) for code in codes if code not in works]


def language_problems(protocol: Protocol, codes: Sequence[str]) -> list[Problem]:
    """Languages that cannot be offered to annotators of this protocol."""
    works = catalogues.working(protocol)
    names = ", ".join(f"{code} ({own_name(code)})" for code in works)
    return [
        Problem(
            what=f"{own_name(code)} does not work from the welcome to the thanks",
            rule="language",
            fix=f"Languages that do: {names}.",
            value=code,
        )
        for code in codes
        if code not in works
    ]


def offered(protocol: Protocol, options: Options) -> list[Offered]:
    """What an annotator of this study may choose from."""
    return [Offered(code, own_name(code)) for code in catalogues.offered(protocol, options.languages)]


def best(request: HttpRequest, protocol: Protocol, options: Options) -> str:
    """The offered language that the browser asks for first; else the first that is offered."""
    return preferred(request, [language.code for language in offered(protocol, options)])


def spoken(request: AnnotatorRequest) -> str:
    """The language of this annotator's pages."""
    return request.annotator.language or get_language() or settings.LANGUAGE_CODE


def settle(request: AnnotatorRequest) -> None:
    """Keep a language for an annotator who has none yet; a test language stays the browser's.

    While nothing can be written it is kept by the next page that is opened.
    """
    annotator: models.Annotator = request.annotator
    if annotator.language or (get_language() or "").endswith(TEST_SUFFIX):
        return
    code = best(request, protocol_of(current_stage(annotator)), options_of(request.study))
    now_or_later(lambda: annotator.update(language=code))
    translation.activate(code)
    request.LANGUAGE_CODE = code


@annotator_page
@require_POST
def choose(request: AnnotatorRequest) -> HttpResponse:
    """Change the language and stay where one is."""
    annotator: models.Annotator = request.annotator
    protocol = protocol_of(current_stage(annotator))
    code = request.POST.get("language", "")
    if code in [language.code for language in offered(protocol, options_of(request.study))]:
        annotator.update(language=code)
    back = request.POST.get("next", "")
    inside = back.startswith(f"/w/{request.token}/") and url_has_allowed_host_and_scheme(back, None)
    return redirect(back if inside else f"/w/{request.token}/")
