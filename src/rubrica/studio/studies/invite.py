"""Inviting annotators: personal links, an open link, Prolific and MTurk. Only managers see links."""

from __future__ import annotations

import csv
import io
import re
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from django.contrib import messages
from django.core.paginator import Paginator
from django.db.models import Q
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_GET, require_POST

from rubrica.core import completion_code
from rubrica.core.crowd_platforms import PLATFORMS
from rubrica.core.errors import InputError, Problem, wrong
from rubrica.core.typed import storable, whole
from rubrica.exchange.whole_files import safe_cell
from rubrica.store import models
from rubrica.store.counting.progress import Seen, seen
from rubrica.store.options import options_of
from rubrica.store.people import invitations
from rubrica.store.setup.running import state_of
from rubrica.store.stages import part_of
from rubrica.studio.access import StudyRequest, study_page
from rubrica.studio.wording import stage_title

MOST_NAMES = 500
PAGE = 50
SEPARATORS = re.compile(r"[\n\r,;\t]+")
MASTERS = "2F1QJWKUDD8XADTFD2Q0G6UTO95ALH"
MASTERS_SANDBOX = "2ARFPLSP75KLA8M8DH1HTEQVJT3SY6"
"""What Amazon calls the qualification of Masters, on the real site and in its sandbox."""


class Door(NamedTuple):
    """A link for many, with its address, how many came, and the title of the stage that it is for, if for one."""

    row: models.Invitation
    link: str
    came: int
    step: str


class Personal(NamedTuple):
    """A link of one person; ``step`` is the title of the stage that it is for, if for one."""

    row: models.Invitation
    link: str
    use: Seen | None
    step: str


class Listed(NamedTuple):
    """One page of personal links. ``name`` is what the address calls this list's page; ``found`` counts all pages."""

    name: str
    links: list[Personal]
    page: Any
    found: int


@study_page("manager")
@require_GET
def invite(request: StudyRequest) -> HttpResponse:
    """All links of the study and the forms to make more."""
    return _page(request)


@study_page("manager")
@require_POST
def people(request: StudyRequest) -> HttpResponse:
    """Personal links for the names that were pasted; who has one keeps it."""
    pasted = request.POST.get("names", "")
    names = list(dict.fromkeys(filter(None, (part.strip() for part in SEPARATORS.split(pasted)))))
    if not names:
        return _page(request, 422, names=pasted, no_names=True)
    if len(names) > MOST_NAMES:
        too_many = Problem(
            what=f"{len(names):,} names at once",
            rule="too_many",
            fix=f"Paste at most {MOST_NAMES:,} at a time, or use an open link.",
        )
        return _page(request, 422, names=pasted, people_problems=[too_many])
    before = request.study.invitations.count()
    named = request.POST.get("as_names") == "yes"
    try:
        step, now = request.POST.get("step", ""), timezone.now()
        invitations.invite(request.study, names, now, _actor(request), step=step, pseudonyms=not named)
    except InputError as error:
        return _page(request, 422, names=pasted, as_names=named, people_problems=error.problems)
    fresh = request.study.invitations.count() - before
    words = ngettext("%(count)d link was made.", "%(count)d links were made.", fresh) % {"count": fresh}
    if fresh < len(names):
        words += " " + _("People who had a link keep it.")
    messages.success(request, words)
    return redirect("invite", request.study.pid)


@study_page("manager")
@require_POST
def door(request: StudyRequest) -> HttpResponse:
    """A link for people unknown beforehand."""
    kind = request.POST.get("kind", "")
    try:
        cap = _cap_from(request.POST.get("cap", ""))
        code = completion_code.of_door(kind, request.POST.get("code", ""))
        step = request.POST.get("step", "")
        now, who = timezone.now(), _actor(request)
        invitations.open_door(request.study, kind, now, cap=cap, code=code, actor=who, step=step)
    except InputError as error:
        return _page(request, 422, door_problems=error.problems, door_kind=kind, typed=request.POST)
    messages.success(request, _("The link is made."))
    return redirect("invite", request.study.pid)


@study_page("manager")
@require_POST
def cap(request: StudyRequest, pid: str) -> HttpResponse:
    """Change how many people a link lets in."""
    row = _find(request, pid)
    if row.kind == models.Invitation.Kind.PERSONAL:
        raise Http404
    try:
        invitations.change_cap(row, _cap_from(request.POST.get("cap", "")), timezone.now(), _actor(request))
    except InputError as error:
        return _page(request, 422, door_problems=error.problems, door_kind=row.kind)
    messages.success(request, _("The number of places is changed."))
    return redirect("invite", request.study.pid)


@study_page("manager")
@require_POST
def revoke(request: StudyRequest, pid: str) -> HttpResponse:
    """Make a link lead nowhere. What was done through it stays."""
    row = _find(request, pid)
    if row.revoked_at is None:
        invitations.revoke(row, timezone.now(), _actor(request))
    messages.success(request, _("The link is revoked. What was done through it stays. To undo, make a new link."))
    return redirect("invite", request.study.pid)


@study_page("manager")
@require_POST
def renew(request: StudyRequest, pid: str) -> HttpResponse:
    """A new link in place of an old one. ``serial`` is the one that the page showed: a doubled click renews once."""
    row = _find(request, pid)
    if request.POST.get("serial", str(row.serial)) == str(row.serial):
        invitations.renew(row, timezone.now(), _actor(request))
    messages.success(request, _("There is a new link; the old one is void. Send the new one to the annotator."))
    return redirect("invite", request.study.pid)


@study_page("manager")
@require_GET
def links_csv(request: StudyRequest) -> HttpResponse:
    """Names and personal links as a table, to be mailed from elsewhere."""
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow(["pseudonym", "name", "link"])
    for row in _personal(request.study).valid().filter(came_by=None):
        assert row.annotator is not None
        writer.writerow([safe_cell(row.annotator.name), safe_cell(row.note), personal_address(request, row)])
    response = HttpResponse(out.getvalue(), content_type="text/csv; charset=utf-8")
    response.headers["Content-Disposition"] = f'attachment; filename="{request.study.name}-links.csv"'
    return response


def personal_address(request: Any, row: models.Invitation) -> str:
    """The whole address of an annotator's pages."""
    address: str = request.build_absolute_uri(f"/w/{invitations.token(row)}/")
    return address


def door_address(request: Any, row: models.Invitation) -> str:
    """The whole address of a link for many, with what the platform fills in where it wants to be told."""
    address: str = request.build_absolute_uri(f"/join/{invitations.token(row)}/")
    if row.kind == models.Invitation.Kind.PROLIFIC:
        address += "?" + "&".join(f"{name}={{{{%{name}%}}}}" for name in PLATFORMS["prolific"])
    return address


def _personal(study: models.Study) -> Any:
    return study.invitations.personal().select_related("annotator", "came_by").order_by("annotator__name")


def _find(request: StudyRequest, pid: str) -> models.Invitation:
    row = request.study.invitations.select_related("study").filter(pid=pid).first()
    if row is None:
        raise Http404
    return row


def _actor(request: StudyRequest) -> str:
    return request.user.get_username()


def _listed(request: StudyRequest, name: str, words: str, **which: Any) -> Listed:
    """The links of some people whose name holds these words, the newest first, a page at a time."""
    rows = _personal(request.study).filter(**which).order_by("-created_at", "annotator__name")
    if words:
        rows = (
            rows.filter(Q(annotator__name__icontains=words) | Q(note__icontains=words))
            if storable(words)
            else rows.none()
        )
    page = Paginator(rows, PAGE).get_page(request.GET.get(name))
    here = list(page.object_list)
    known = seen(request.study, [row.annotator_id for row in here], online=True)
    titles = _step_titles(request.study)
    links = [
        Personal(row, personal_address(request, row), known.get(row.annotator_id or 0), titles.get(row.step, row.step))
        for row in here
    ]
    return Listed(name, links, page, page.paginator.count)


def _step_titles(study: models.Study) -> dict[str, str]:
    """The stages that a link may be for, by their step."""
    return {part_of(stage): stage_title(stage) for stage in invitations.steps_for(study)}


def _page(request: StudyRequest, status: int = 200, **more: Any) -> HttpResponse:
    study = request.study
    words = request.GET.get("q", "").strip()[:200]
    titles = _step_titles(study)
    doors_of: dict[str, list[Door]] = {"open": [], "prolific": [], "mturk": []}
    for row in study.invitations.exclude(kind=models.Invitation.Kind.PERSONAL).order_by("revoked_at", "-created_at"):
        step = titles.get(row.step, row.step)
        doors_of[row.kind].append(Door(row, door_address(request, row), row.arrivals.count(), step))
    state = state_of(study.stages.all())
    context = {
        "study": study,
        "role": request.role,
        "section": "invite",
        "q": words,
        "invited_at_all": _personal(study).filter(came_by=None).count(),
        "invited": _listed(request, "page", words, came_by=None),
        "arrived": _listed(request, "arrived", "", came_by__isnull=False),
        "doors": doors_of,
        "draft": state == models.Study.State.DRAFT,
        "not_open": state != models.Study.State.RUNNING,
        "only_here": urlsplit(request.build_absolute_uri()).hostname in ("127.0.0.1", "localhost", "::1"),
        "secure": request.is_secure(),
        "master_required": options_of(study).ethics.master_required,
        "steps": list(titles.items()),
        "step": request.POST.get("step", ""),
        "masters": MASTERS,
        "masters_sandbox": MASTERS_SANDBOX,
        **more,
    }
    return render(request, "studies/invite.html", context, status=status)


def _cap_from(text: str) -> int | None:
    """A cap as it was typed; nothing means no cap. Raises InputError for what is no number of people."""
    text = text.strip()
    if not text:
        return None
    cap = whole(text, 1, invitations.MOST_PLACES)
    if cap is None:
        fix = f"Use a whole number from 1 to {invitations.MOST_PLACES:,}, or leave it empty for no limit."
        raise wrong(f"{text[:40]!r} is no number of people", "cap", fix, value=text[:40])
    return cap
