"""The work page: hands out leases, shows a group of items as one desk, and takes the form of a page without script."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django.db import DatabaseError, InterfaceError
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import require_GET, require_http_methods

from rubrica.core.errors import InputError, Problem
from rubrica.core.hints import same_texts
from rubrica.core.study import ANSWERED, Judgement, RefusedError
from rubrica.core.validation import Validator
from rubrica.home.database_trouble import trouble_of
from rubrica.store import models
from rubrica.store.adjudication.flags import flag
from rubrica.store.allocation.eligibility import barred
from rubrica.store.allocation.leases import Work, group_of, take
from rubrica.store.options import options_of
from rubrica.store.recording.judgements import Said, submit
from rubrica.store.translate import item_from, protocol_of, validator_of
from rubrica.studio.access import annotator_page
from rubrica.studio.annotate.desk import Addresses, Desk, build_desk, spoken_language
from rubrica.studio.annotate.desk_form import Posted, said_from_post
from rubrica.studio.annotate.languages import spoken
from rubrica.studio.annotate.menu import menu_of
from rubrica.studio.annotate.remark_texts import overuse_text, remark_text
from rubrica.studio.annotate.steps import StepRequest, step_page
from rubrica.studio.annotate.thanks import coming_back
from rubrica.studio.annotate.work_pages import entries_of, overuse_to_tell, place_of
from rubrica.studio.guidelines import render as render_guidelines
from rubrica.studio.security import with_policy
from rubrica.studio.static_files import page_style


@gzip_page
def desk_page(request: Any, desk: Desk, context: Mapping[str, Any], *, status: int = 200) -> HttpResponse:
    """A page with a desk on it, its styles in it and compressed: on a slow line it is seen as soon as it is there.

    Nothing that an attacker could have put on it stands beside a secret that they do not know (BREACH): whoever can
    open the page of an annotator has its token, and Django changes those of forms from page to page.
    """
    edits = ("marks", "edits") if desk.marks_edits else ()
    style = page_style("base", "desk", "menu", *edits, *(("settling",) if desk.settles_edits else ()))
    shown = render(request, "annotate/work.html", {"desk": desk, "style": style.text, **context}, status=status)
    return with_policy(shown, {"style-src": f"'self' {style.source}"})


@step_page("work")
@require_GET
def work(request: StepRequest) -> HttpResponse:
    """Take work and show its first page; without any, say why."""
    stage = request.way.stage
    found = _taken(request.annotator, stage)
    if found.leases:
        return _shown(request, _leases(request, found.leases[0].pid))
    if found.reason == "finished":
        return redirect("annotator_thanks", request.token)
    context = {"study": request.study, "token": request.token, "menu": menu_of(request, stage), "reason": found.reason}
    context |= coming_back(request)
    if found.reason == "not_eligible":
        me = {request.annotator.name: request.annotator.identity}
        context["why"] = next((one.why for one in barred(stage, protocol_of(stage), me)), "")
    return render(request, "annotate/no_work.html", context)


def _taken(annotator: models.Annotator, stage: models.Stage) -> Work:
    """Work for this person; while the database takes nothing, what they hold already."""
    try:
        return take(annotator, stage, timezone.now())
    except (DatabaseError, InterfaceError) as error:
        held = models.Assignment.objects.filter(annotator=annotator, stage=stage).open()
        if trouble_of(error) is None or not held.exists():
            raise
        return Work(list(held.order_by("position", "pk")))


@step_page("work")
@require_http_methods(["GET", "POST"])
def work_item(request: StepRequest, lease: str) -> HttpResponse:
    """One page of work: shown, or sent as a form without script."""
    leases = _leases(request, lease)
    if request.method == "GET":
        return _shown(request, leases)
    validator = validator_of(leases[0].stage)
    posted = said_from_post(request.POST, validator, [one.pid for one in leases])
    if "flag" in request.POST:
        return _flag(request, leases, posted)
    if validator.edits is not None and posted[0].outcome == ANSWERED:
        return _shown(request, leases, posted, {leases[0].pid: [_needs_script()]})
    said = [_said(lease, one) for lease, one in zip(leases, posted, strict=True)]
    if asked := "" if "asked" in request.POST else _questions(said, validator, spoken(request)):
        return _shown(request, leases, posted, notices={"asked": asked})
    try:
        submit(said, timezone.now())
    except RefusedError as refused:
        return _shown(request, leases, posted, refused.by_lease)
    except InputError as error:
        return _shown(request, leases, posted, {leases[0].pid: list(error.problems)})
    return redirect("annotator_work", request.token)


def _leases(request: StepRequest, pid: str) -> list[models.Assignment]:
    """The leases of the page; another's are not found, nor what was erased."""
    rows = models.Assignment.objects.select_related("item", "stage__study", "stage__protocol_version", "annotator")
    rows = rows.defer("stage__protocol_version__canonical")
    lease = rows.filter(annotator=request.annotator, pid=pid).first()
    if lease is None:
        raise Http404
    erased = models.Judgement.objects.filter(
        stage=lease.stage_id, item=lease.item_id, annotator=lease.annotator_id, state=models.Judgement.State.ERASED
    )
    if erased.exists():
        raise Http404
    return group_of(lease)


def _said(lease: models.Assignment, posted: Posted) -> Said:
    judgement = Judgement(posted.answers, (), posted.outcome)
    return Said(lease, posted.key, judgement, posted.visit, posted.seconds, posted.base)


def _questions(said: Sequence[Said], validator: Validator, language: str) -> str:
    """What is asked once about answers that may not be meant so; the script's page has it beside the box."""
    found = [same_texts(validator, item_from(one.lease.item), one.judgement, language) for one in said]
    return " ".join(remark_text(remark) for remarks in found for remark in remarks)


def _needs_script() -> Problem:
    """A form cannot carry edits: submitting it would say that there are none."""
    what = _("Edits are marked with JavaScript. Switch it on for this page, or ask the researchers for an Excel sheet.")
    return Problem(what=what, rule="script", fix="Send the edits to the API.")


def _flag(request: StepRequest, leases: Sequence[models.Assignment], posted: Sequence[Posted]) -> HttpResponse:
    """Flag one of the page's items and show the page again with what was typed."""
    broken = next((lease for lease in leases if lease.pid == request.POST["flag"]), None)
    if broken is None:
        raise Http404
    try:
        flag(broken, request.POST.get("flag_reason", ""), timezone.now())
    except InputError:
        told = {"flag_problem": _("Say in a few words what is wrong with the item, then flag it.")}
        return _shown(request, leases, posted, notices=told)
    return _shown(request, leases, posted, notices={"flagged": _("Flagged. You can still answer the item.")})


def _shown(
    request: StepRequest,
    leases: Sequence[models.Assignment],
    posted: Sequence[Posted] = (),
    problems: Mapping[str, Sequence[Problem]] | None = None,
    notices: Mapping[str, str] | None = None,
) -> HttpResponse:
    first, stage = leases[0], leases[0].stage
    place = place_of(first)
    here = reverse("annotator_work_item", args=[request.token, first.pid])
    desk = build_desk(
        validator_of(stage),
        entries_of(leases, posted, problems),
        mode="work",
        token=request.token,
        language=spoken(request),
        title=stage.study.title or stage.study.name,
        layout=options_of(stage.study).layout,
        progress=place.progress,
        addresses=Addresses(
            form=here,
            submit="/api/v1/work/submit",
            save="/api/v1/work/",
            hints="/api/v1/work/hints",
            next=reverse("annotator_work_item", args=[request.token, place.next]) if place.next else "",
            previous=reverse("annotator_work_item", args=[request.token, place.previous]) if place.previous else "",
            guide=reverse("annotator_work_guide", args=[request.token, stage.pid]),
            guide_page=reverse("annotator_guidelines", args=[request.token]),
        ),
    )
    told = overuse_to_tell(stage, request.annotator, timezone.now())
    context = {
        "study": stage.study,
        "token": request.token,
        "menu": menu_of(request, stage),
        "overuse": overuse_text(told, protocol_of(stage), desk.language) if told else "",
        **(notices or {}),
    }
    refused = bool(problems or (notices and "flag_problem" in notices))
    return desk_page(request, desk, context, status=422 if refused else 200)


@annotator_page
@require_GET
def work_guide(request: StepRequest, stage: str) -> HttpResponse:
    """The guidelines of a stage as a fragment, to read beside the work."""
    found = request.study.stages.select_related("protocol_version").filter(pid=stage).first()
    if found is None:
        raise Http404
    protocol = protocol_of(found)
    language = spoken_language(protocol, spoken(request))
    html = render_guidelines(protocol, language, prefix="guide-", top=3)
    return render(request, "annotate/guide_fragment.html", {"guidelines_html": html, "language": language})
