"""Languages of the interface: each is one ``locale/<code>.po`` file. English is in the code itself.

Researchers read English and Spanish; annotators eight more, whose catalogues hold the texts of the annotator's journey
only (``X-Readers: annotators``). polib compiles the catalogues into the home when the studio starts, so neither system
gettext nor a build is needed.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from functools import cache
from pathlib import Path

import polib
from django.conf import settings
from django.http import HttpRequest
from django.middleware.locale import LocaleMiddleware
from django.template import Library
from django.utils import translation
from django.utils.translation.trans_real import parse_accept_lang_header

from rubrica.exchange.whole_files import whole_file
from rubrica.language.catalogues import FOLDER, TEST_LOCALE
from rubrica.studio.formats import own_name

JOURNEY = (
    "annotate/",
    "templates/annotate/",
    "api/access.py",
    "api/errors.py",
    "api/work.py",
    "errors.py",
    "exchange/sheets/",
    "storage.py",
    "wording.py",
    "templates/studio/base.html",
    "templates/studio/error.html",
    "templates/studio/messages.html",
    "templates/studio/problems.html",
)
"""Files, and folders that end in a slash, whose texts annotators may see."""

ANNOTATORS_PAGES = ("/w/", "/join/", "/api/v1/work/")
"""Addresses that speak whatever language somebody reads; the others speak those of researchers."""


register = Library()


def annotators_read(place: str) -> bool:
    """Whether a text of this file, as the catalogues name it, belongs to the annotator's journey."""
    return any(place.startswith(one) if one.endswith("/") else place == one for one in JOURNEY)


@cache
def header(code: str) -> dict[str, str]:
    """What the catalogue of a language says of itself."""
    text = (FOLDER / f"{code}.po").read_text(encoding="utf-8")
    return dict(polib.pofile(text.partition("\n\n")[0] + "\n").metadata)


def for_annotators_only(code: str) -> bool:
    """Whether the catalogue of a language holds the texts of the annotator's journey alone."""
    return code != "en" and header(code).get("X-Readers") == "annotators"


@cache
def language_names(*, reviewed: bool = False) -> dict[str, str]:
    """Codes and own names of the languages of the interface.

    With ``reviewed`` the name says that no native speaker has reviewed the translation, where that is so: a word for
    researchers, not for annotators.
    """
    names = {"en": "English"}
    for file in sorted(FOLDER.glob("*.po")):
        if file.stem == TEST_LOCALE and not os.environ.get("RUBRICA_TEST_LOCALE"):
            continue
        told = header(file.stem)
        name = told.get("X-Language-Name") or own_name(file.stem)
        names[file.stem] = f"{name} {told['X-Not-Reviewed']}" if reviewed and "X-Not-Reviewed" in told else name
    return names


@register.simple_tag
def researchers_languages() -> list[tuple[str, str]]:
    """Codes and names of the languages in which all pages are."""
    return [(code, name) for code, name in settings.LANGUAGES if not for_annotators_only(code)]


def preferred(request: HttpRequest, codes: Sequence[str]) -> str:
    """The one of these languages that the cookie names or the browser asks for first; else the first of them."""
    chosen = request.COOKIES.get(settings.LANGUAGE_COOKIE_NAME, "")
    wanted = [code for code, _ in parse_accept_lang_header(request.headers.get("Accept-Language", "").lower())]
    by_lower = {code.lower(): code for code in codes}
    for code in (chosen.lower(), *wanted):
        for candidate in (code, code.partition("-")[0]):
            if candidate in by_lower:
                return by_lower[candidate]
    return codes[0]


class PageLanguage(LocaleMiddleware):
    """Speaks the reader's language where the page does: annotators have more to choose from than researchers."""

    def process_request(self, request: HttpRequest) -> None:
        annotators = request.path_info.startswith(ANNOTATORS_PAGES)
        known = settings.LANGUAGES if annotators else researchers_languages()
        translation.activate(preferred(request, [code for code, _ in known]))
        request.LANGUAGE_CODE = translation.get_language()


def compile_catalogues(folder: Path) -> Path:
    """Compile every catalogue that is newer than its compiled form; the folder that Django reads."""
    for file in FOLDER.glob("*.po"):
        place = folder / locale_name(file.stem) / "LC_MESSAGES"
        compiled = place / "django.mo"
        if not compiled.exists() or compiled.stat().st_mtime < file.stat().st_mtime:
            place.mkdir(parents=True, exist_ok=True)
            with whole_file(compiled) as out:
                out.write(polib.pofile(str(file)).to_binary())
    return folder


def locale_name(code: str) -> str:
    """``pt-br`` is the locale ``pt_BR``."""
    language, _, region = code.partition("-")
    return f"{language}_{region.upper()}" if region else language
