"""Pages on which a native speaker reviews the texts that annotators read, side by side with the originals.

What was said of a text, reviewed or corrected, is an entry of the log: each says who, when and which words, nothing is
overwritten, and the last one about a text counts. Annotators read what is shipped until a corrected file has taken its
place (``exchange.translations``).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import datetime
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.db import transaction
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.http import urlencode
from django.utils.translation import get_language, ngettext
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods

from rubrica.core.errors import InputError, Problem, wrong
from rubrica.core.texts import shown
from rubrica.exchange.corrected_texts import MOST_BYTES, read_po
from rubrica.exchange.translations import PAGES, Entry, Said, changes, entries, languages, parts_of
from rubrica.protocols.catalog import load_shipped
from rubrica.store import audit, models
from rubrica.studio.formats import own_name
from rubrica.studio.studies.uploads import needed, read_sent, takes_files

PAGE = 20
NATIVE = "native_in"
"""In the session: languages of which this person said that they are native speakers."""


@login_required
@require_GET
def translations(request: Any) -> HttpResponse:
    """Every language with its parts, and how much of each a native speaker has reviewed."""
    rows = []
    counts = counted()
    for code in languages():
        parts = []
        for part in parts_of(code):
            done, every = counts[code, part]
            parts.append({"part": part, "name": _name(part), "done": done, "all": every})
        rows.append({"code": code, "name": own_name(code), "parts": parts})
    return render(request, "studies/translations.html", {"rows": rows})


@login_required
@require_http_methods(["GET", "POST"])
@takes_files(lambda: MOST_BYTES)
def translation(request: Any, code: str, part: str) -> HttpResponse:
    """The texts of one part, a page at a time; what is saved is recorded with the reader's name."""
    _known(code, part)
    asked = request.POST if request.method == "POST" else request.GET
    show, words = asked.get("show", "waiting"), asked.get("q", "").strip()
    problems: tuple[Problem, ...] = ()
    typed: dict[str, Said] = {}
    native = code in request.session.get(NATIVE, [])
    if request.method == "POST":
        native = request.POST.get("native") == "yes"
        told = {*request.session.get(NATIVE, [])}
        request.session[NATIVE] = sorted(told | {code} if native else told - {code})
        said: list[Said] = []
        try:
            said = _sent(request, code, part) if request.POST.get("action") == "upload" else _said(request.POST)
            if not native and any(one.reviewed for one in said) and not _only_before(code, part, said):
                fix = _("Say that it is your native language, or take the marks away: corrections are kept without.")
                problem = Problem(what=_("only a native speaker can mark texts as reviewed"), rule="native", fix=fix)
                raise InputError(problem)
            many = say(code, part, said, native, timezone.now(), request.user.get_username())
            text = ngettext("%(n)d text saved.", "%(n)d texts saved.", many) % {"n": many}
            messages.success(request, text if many else _("Nothing had changed."))
            query = urlencode({"show": show, "q": words, "page": asked.get("page", "1") if show == "all" else "1"})
            return redirect(f"{reverse('translation', args=[code, part])}?{query}")
        except InputError as error:
            problems = error.problems
            typed = {} if request.POST.get("action") == "upload" else {one.key: one for one in said}
    found = reviewed_entries(code, part)
    shown = [one for one in found if _fits(one, show, words)]
    if typed:
        shown = [one._replace(texts=typed[one.key].texts) for one in found if one.key in typed]
    page = Paginator(shown, PAGE).get_page(asked.get("page"))
    context = {
        "code": code,
        "part": part,
        "language": own_name(code),
        "name": _name(part),
        "rows": [_row(one, typed.get(one.key)) for one in page],
        "page": page,
        "show": show,
        "q": words,
        "query": urlencode({"show": show, "q": words}),
        "done": sum(one.reviewed for one in found),
        "all": len(found),
        "native": native,
        "problems": problems,
    }
    return render(request, "studies/translation.html", context, status=422 if problems else 200)


@login_required
@require_GET
def translation_file(request: Any, code: str, part: str) -> HttpResponse:
    """The part as a .po file, with corrections and marks."""
    from rubrica.exchange.translations import as_po

    _known(code, part)
    name = f"{code}.po" if part == PAGES else f"{part}.{code}.po"
    answer = HttpResponse(as_po(code, part, reviewed_entries(code, part)), content_type="text/x-gettext-translation")
    answer["Content-Disposition"] = f'attachment; filename="{name}"'
    return answer


def _known(code: str, part: str) -> None:
    if code not in languages() or part not in parts_of(code):
        raise Http404


def _name(part: str) -> str:
    if part == PAGES:
        return _("Pages of annotators")
    return shown(load_shipped(part).protocol.resolve({}).title, get_language() or "en")


def _fits(one: Entry, show: str, words: str) -> bool:
    texts = " ".join([one.original, one.plural, one.place, *one.texts]).casefold()
    return (show == "all" or not one.reviewed) and words.casefold() in texts


def _row(one: Entry, said: Said | None) -> dict[str, Any]:
    reviewed = said.reviewed if said else one.reviewed
    forms = [
        {
            "name": f"text.{one.key}.{number}",
            "text": text,
            "rows": min(24, max(2, 1 + len(text) // 45 + text.count("\n"))),
        }
        for number, text in enumerate(one.texts)
    ]
    originals = [text for text in (one.original, one.plural) if text]
    return {"entry": one, "forms": forms, "originals": originals, "reviewed": reviewed}


def _said(form: Any) -> list[Said]:
    keys = [key for key in dict.fromkeys(form.getlist("key")) if re.fullmatch(r"[0-9a-f]{16}", key)]
    found = []
    for key in keys:
        texts: list[str] = []
        while (text := form.get(f"text.{key}.{len(texts)}")) is not None:
            texts.append(text)
        found.append(Said(key, tuple(texts), form.get(f"reviewed.{key}") == "yes"))
    return found


def _sent(request: Any, code: str, part: str) -> list[Said]:
    """What a corrected .po file says."""
    file = needed(request, "file")
    found = read_sent(read_po, file)
    if (found.language, found.part) != (code, part):
        what = f"this file is about {found.part} in {found.language}, not about {part} in {code}"
        raise wrong(what, "part", "Send it on the page of that part.", file=file.name or "")
    return found.said


def _only_before(code: str, part: str, said: list[Said]) -> bool:
    """Whether only texts are marked that were so before."""
    before = {one.key for one in reviewed_entries(code, part) if one.reviewed}
    return all(one.key in before for one in said if one.reviewed)


ACTION = "translation reviewed"


Log = dict[tuple[str, str, str], models.AuditEvent]


def _log(**about: str) -> Log:
    """What was said last, by language, part and key of the text."""
    rows = models.AuditEvent.objects.filter(action=ACTION, **about).order_by("id")
    return {(row.detail["language"], row.detail["part"], row.detail["key"]): row for row in rows}


def reviewed_entries(language: str, part: str) -> list[Entry]:
    """The texts of a part with what was said of them here."""
    return _entries(language, part, _log(detail__language=language, detail__part=part))


def counted() -> dict[tuple[str, str], tuple[int, int]]:
    """By language and part: how many texts a native speaker has reviewed, of how many."""
    log = _log()
    texts = {(code, part): _entries(code, part, log) for code in languages() for part in parts_of(code)}
    return {place: (sum(one.reviewed for one in found), len(found)) for place, found in texts.items()}


def _entries(language: str, part: str, log: Log) -> list[Entry]:
    return [_after(one, log.get((language, part, one.key))) for one in entries(language, part)]


def _after(one: Entry, row: models.AuditEvent | None) -> Entry:
    if row is None:
        return one
    by = f"{row.actor}, {row.at:%Y-%m-%d}"
    return one._replace(texts=tuple(row.detail["texts"]), reviewed=row.detail["reviewed"], by=by)


def say(language: str, part: str, said: Sequence[Said], native: bool, now: datetime, actor: str) -> int:
    """Record what differs from before; how many texts. Only a native speaker's review counts as one."""
    changed = changes(reviewed_entries(language, part), said)
    with transaction.atomic():
        for one in changed:
            detail = {**one._asdict(), "reviewed": one.reviewed and native}
            audit.record(ACTION, None, now, actor=actor, language=language, part=part, **detail)
    return len(changed)
