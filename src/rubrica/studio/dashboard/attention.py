"""To read: flags, concerning content, comments, skips, and how often each item was left without an answer."""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_GET, require_POST

from rubrica.core.comments import CONCERN_KINDS
from rubrica.core.errors import InputError, wrong
from rubrica.core.study import ANSWERED
from rubrica.store import models
from rubrica.store.adjudication import flags
from rubrica.store.adjudication.flags import Note, mark_read, mark_unread, notes
from rubrica.store.counting.submitted import Picture, picture
from rubrica.store.setup import study_items
from rubrica.store.translate import item_from, judgement_from
from rubrica.studio.access import StudyRequest, has, study_page
from rubrica.studio.dashboard.controls import say_problems
from rubrica.studio.dashboard.forms import Refused, one
from rubrica.studio.dashboard.judgements import language, texts_of
from rubrica.studio.marked_texts import MarkedText, marked_pair
from rubrica.studio.wording import answer_in_words, outcome_in_words, question_title

SHOWN = ("flags", "concern", "comment", "skip", "ways_out")
MOST = 100
"""Entries on one page; the unread come first, so reading makes room."""


class NoteRow(NamedTuple):
    """One note, ready to print."""

    note: Note
    item: models.Item
    person: models.Annotator
    texts: list[tuple[str, str]]
    marked: list[MarkedText]
    words: str
    question: str


class WaysOutRow(NamedTuple):
    """How often an item was left, by which ways, and how often it was answered."""

    item: models.Item
    answered: int
    left: int
    ways: list[tuple[str, int]]


@require_GET
@study_page()
def attention(request: StudyRequest) -> HttpResponse:
    """One kind at a time."""
    return _page(request, request.GET.get("show", ""), request.GET.get("all") == "1")


def _page(request: StudyRequest, kind: str, every: bool, refused: Refused | None = None) -> HttpResponse:
    """The page; unread and unsettled entries first."""
    known = picture(request.study)
    found = notes(known)
    waiting = Counter(note.kind for note in found if not note.read)
    listed = list(
        models.Flag.objects.filter(stage__study=request.study)
        .select_related("item", "stage__protocol_version", "annotator")
        .order_by("-at", "-pk")
    )
    waiting["flags"] = sum(flag.resolved_at is None for flag in listed)
    totals = Counter(note.kind for note in found)
    totals["flags"] = len(listed)
    if kind not in SHOWN:
        kind = next((name for name in SHOWN if waiting[name]), "flags")
    return render(
        request,
        "dashboard/attention.html",
        {
            "study": request.study,
            "role": request.role,
            "section": "attention",
            "kind": kind,
            "every": every,
            "tabs": [(name, _tab_words()[name], waiting[name], totals[name]) for name in SHOWN],
            "flags": _flag_rows(known, [flag for flag in listed if every or not flag.resolved_at][:MOST])
            if kind == "flags"
            else [],
            "rows": _rows(known, [note for note in found if note.kind == kind and (every or not note.read)]),
            "hidden": (totals[kind] - waiting[kind]) if not every else 0,
            "ways_out": _ways_out(known) if kind == "ways_out" else [],
            "may_review": has(request.role, "adjudicator"),
            "may_manage": has(request.role, "manager"),
            "refused": refused,
        },
        status=422 if refused else 200,
    )


def _tab_words() -> dict[str, str]:
    return {
        "flags": _("Flags"),
        "concern": _("Concerning content"),
        "comment": _("Comments"),
        "skip": _("Skipped as uncomfortable"),
        "ways_out": _("Left without answering"),
    }


def _flag_rows(known: Picture, listed: list[models.Flag]) -> list[tuple[models.Flag, list[tuple[str, str]]]]:
    return [(flag, texts_of(known.protocols[flag.stage_id], language(), flag.item)) for flag in listed]


def _rows(known: Picture, found: list[Note]) -> list[NoteRow]:
    shown = sorted(found, key=lambda note: note.read)[:MOST]
    items = models.Item.objects.in_bulk([note.entry.item for note in shown])
    marked = _marked(known, shown, items)
    rows = []
    for note in shown:
        protocol = known.protocols[note.entry.stage]
        if note.kind == "concern":
            words = answer_in_words(protocol, language(), CONCERN_KINDS, note.said) if note.said else _("no kind given")
        else:
            words = " ".join(note.said)
        item = items[note.entry.item]
        question = question_title(protocol, note.question) if note.question else ""
        drawn = marked.get(note.entry.pid, [])
        texts = texts_of(protocol, language(), item, besides=bool(drawn))
        rows.append(NoteRow(note, item, known.people[note.entry.annotator], texts, drawn, words, question))
    return rows


def _marked(known: Picture, shown: list[Note], items: dict[int, models.Item]) -> dict[str, list[MarkedText]]:
    """The texts of judgements with edits, drawn, by the judgement's public id."""
    about = [note.entry.pid for note in shown if known.protocols[note.entry.stage].edits is not None]
    heads = models.Judgement.objects.filter(pid__in=about, current__isnull=False).select_related("current")
    found = {}
    for head in heads.prefetch_related("current__edits"):
        assert head.current is not None
        edits = judgement_from(head.current).edits
        found[head.pid] = marked_pair(known.protocols[head.stage_id], language(), item_from(items[head.item_id]), edits)
    return found


def _ways_out(known: Picture) -> list[WaysOutRow]:
    """Items that somebody left, the most often left first."""
    answered: Counter[int] = Counter()
    left: dict[int, Counter[str]] = {}
    for entry in known.counted:
        if entry.outcome == ANSWERED:
            answered[entry.item] += 1
        else:
            way = outcome_in_words(known.protocols[entry.stage], language(), entry.outcome)
            left.setdefault(entry.item, Counter())[way] += 1
    order = sorted(left, key=lambda item: (-left[item].total(), item))[:MOST]
    items = models.Item.objects.in_bulk(order)
    return [WaysOutRow(items[pk], answered[pk], left[pk].total(), left[pk].most_common()) for pk in order]


@require_POST
@study_page("adjudicator")
def act(request: StudyRequest) -> HttpResponse:
    """Mark as read or unread, settle a flag or open it again, close an item or open it again."""
    action, show, every = request.POST.get("action", ""), request.POST.get("show", ""), request.POST.get("all") == "1"
    try:
        said = _act(request, action)
    except InputError as error:
        if action == "resolve":
            return _page(request, show, every, Refused.by(error, f"flag-{request.POST.get('flag', '')}", request))
        say_problems(request, error)
    else:
        messages.success(request, said)
    more = "&all=1" if every else ""
    query = f"?show={show}{more}" if show in SHOWN else ""
    return HttpResponseRedirect(reverse("attention", args=[request.study.pid]) + query)


def _act(request: StudyRequest, action: str) -> str:
    study, now, actor = request.study, timezone.now(), request.user.get_username()
    match action:
        case "read":
            count = mark_read(study, request.POST.getlist("subject"), now, actor=actor)
            return ngettext("%(n)s marked as read.", "%(n)s marked as read.", count) % {"n": count}
        case "unread":
            count = mark_unread(study, request.POST.getlist("subject"), now, actor=actor)
            return ngettext("%(n)s marked as unread.", "%(n)s marked as unread.", count) % {"n": count}
        case "resolve" | "reopen":
            flagged = models.Flag.objects.select_related("stage__study", "item__study").filter(stage__study=study)
            flag = one(flagged, request.POST.get("flag", ""))
            return _settle(request, flag, action)
        case "close" | "open_item":
            _only_managers(request)
            item = one(models.Item.objects.select_related("study").filter(study=study), request.POST.get("item", ""))
            if action == "close":
                study_items.close(item, request.POST.get("reason", "") or _("left by many"), now, actor=actor)
                return _("The item is closed: nobody gets it any more. What was judged stays.")
            study_items.reopen(item, now, actor=actor)
            return _("The item is open again.")
    raise wrong(f"there is no action {action!r}", "action", "Use one of the buttons.", value=action)


def _settle(request: StudyRequest, flag: models.Flag, action: str) -> str:
    now, actor = timezone.now(), request.user.get_username()
    if action == "reopen":
        flags.reopen(flag, now, actor=actor)
        return _("The flag is open again. The item stays as it is.")
    close = request.POST.get("close") == "yes"
    if close:
        _only_managers(request)
    if flag.resolved_at is None:
        flags.resolve(flag, request.POST.get("note", ""), now, actor=actor, close=close)
    return _("Settled, and the item is closed.") if close else _("Settled.")


def _only_managers(request: StudyRequest) -> None:
    """Closing an item changes what is handed out: that is running the study."""
    if not has(request.role, "manager"):
        raise PermissionDenied
