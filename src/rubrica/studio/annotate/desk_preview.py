"""The desk without traces: a protocol's practice items for whoever chooses one, and a study's own items to try it.

Answers are checked by the same validator as in earnest, and nothing is stored.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import attrs
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import get_language
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from rubrica.core.edits import Edit
from rubrica.core.errors import InputError, Problem
from rubrica.core.json_text import NotJsonError, parse_json
from rubrica.core.protocol import Protocol
from rubrica.core.protocol import Stage as Step
from rubrica.core.study import Item, Judgement
from rubrica.core.texts import shown
from rubrica.core.validation import Validator
from rubrica.protocols.catalog import load_shipped, shipped
from rubrica.protocols.rubric import from_json, rubric_protocol
from rubrica.store import models
from rubrica.store.options import options_of
from rubrica.store.translate import item_from, protocol_of, validator_of
from rubrica.studio.access import StudyRequest, studies_of, study_page
from rubrica.studio.annotate.desk import Addresses, Desk, Entry, Progress, build_desk, spoken_language
from rubrica.studio.annotate.desk_edits import is_fixed
from rubrica.studio.annotate.desk_form import Posted, said_from_json, said_from_post
from rubrica.studio.annotate.remark_texts import worded
from rubrica.studio.annotate.work import desk_page
from rubrica.studio.guidelines import render as render_guidelines
from rubrica.studio.security import framed_by

GROUPS = 20
"""How many pages of a study's own items can be tried."""

Group = Sequence[Item]
Refused = dict[str, list[Problem]]


def practice_groups(protocol: Protocol, step: Step, language: str) -> list[list[Item]]:
    """The practice items of a step, those of one context together; an example where there are none."""
    items = [Item(one.id, one.fields) for one in protocol.practice_at(step.id, language)]
    if not items:
        known = load_shipped("quality").protocol.practice[0].fields
        texts = {field.id: known.get(field.role) or f"({shown(field.label, language)})" for field in protocol.fields}
        items = [Item("example", texts)]
    return _grouped(items, [item.fields.get(protocol.group_by, "") for item in items])


def _grouped(items: Sequence[Item], names: Sequence[str]) -> list[list[Item]]:
    groups: dict[str, list[Item]] = {}
    for item, name in zip(items, names, strict=True):
        groups.setdefault(name or f"\0{item.key}", []).append(item)
    return list(groups.values())


class Trial(NamedTuple):
    """What can be tried: the pages, and how they are judged."""

    validator: Validator
    groups: list[list[Item]]
    title: str
    language: str
    layout: str = "stacked"


def preview_desk(
    protocol: Protocol,
    step: Step,
    number: int,
    language: str,
    addresses: Addresses,
    posted: Sequence[Posted] = (),
    refused: Refused | None = None,
) -> Desk:
    """Page ``number`` (from 1) of a protocol's preview. The protocol must be resolved; IndexError beyond the end."""
    groups = practice_groups(protocol, step, language)
    trial = Trial(Validator(protocol, step), groups, shown(protocol.title, language), language)
    return _desk(trial, number, "preview", addresses, posted, refused)


def _desk(
    trial: Trial,
    number: int,
    mode: str,
    addresses: Addresses,
    posted: Sequence[Posted] = (),
    refused: Refused | None = None,
) -> Desk:
    typed = {said.lease: said for said in posted}
    entries = []
    for lease, item in zip(_leases(trial.groups, number), trial.groups[number - 1], strict=True):
        said = typed.get(lease)
        entries.append(
            Entry(
                lease=lease,
                item=item,
                answers=said.answers if said else {},
                edits=said.edits if said else _given(trial, item),
                outcome=said.outcome if said else "answered",
                problems=(refused or {}).get(lease, ()),
            )
        )
    return build_desk(
        trial.validator,
        entries,
        mode=mode,
        addresses=addresses,
        language=trial.language,
        title=trial.title,
        layout=trial.layout,
        progress=Progress(number, len(trial.groups)),
    )


def _given(trial: Trial, item: Item) -> tuple[Edit, ...]:
    """Where edits are fixed, those of the practice item, to be judged."""
    if not is_fixed(trial.validator):
        return ()
    known = next((one for one in trial.validator.protocol.practice if one.id == item.key), None)
    return tuple(attrs.evolve(edit, answers={}) for edit in known.edits) if known else ()


def _leases(groups: Sequence[Group], number: int) -> list[str]:
    """Ids in place of leases."""
    return [f"t{number}i{index}" for index, _ in enumerate(groups[number - 1], start=1)]


def _refused(trial: Trial, group: Group, posted: Sequence[Posted]) -> Refused:
    """What would keep the judgements from being submitted, by lease."""
    found = {}
    for item, said in zip(group, posted, strict=True):
        problems = trial.validator.check(item, Judgement(said.answers, said.edits, said.outcome)).problems
        if problems:
            found[said.lease] = problems
    return found


def _answer_json(request: HttpRequest, trial: Trial, number: int, after: str) -> HttpResponse:
    """Check what the script sent as in earnest, and keep nothing."""
    try:
        posted = said_from_json(parse_json(request.body), _leases(trial.groups, number))
    except NotJsonError:
        return JsonResponse({"errors": [{"what": "not JSON", "rule": "form", "fix": "", "value": None}]}, status=422)
    except InputError as error:
        return JsonResponse({"errors": [problem.as_json() for problem in error.problems]}, status=422)
    refused = _refused(trial, trial.groups[number - 1], posted)
    if refused:
        return JsonResponse({"errors": worded(refused, trial.validator.protocol)}, status=422)
    return JsonResponse({"next": after})


# A protocol's preview


class Previewed(NamedTuple):
    """A protocol as a preview asks for it."""

    protocol: Protocol
    step: Step
    language: str


def _previewed(request: Any, name: str) -> Previewed:
    """The protocol by id, by hash if it is one of the researcher's studies', or of their form; set by the query."""
    noted = request.session.get(name) if name.partition("-")[0] == "own" else None
    if noted:
        try:
            protocol = rubric_protocol(from_json(noted)).protocol
        except InputError as error:
            raise Http404 from error
    elif name in shipped():
        protocol = load_shipped(name).protocol
    else:
        stage = (
            models.Stage.objects.filter(study__in=studies_of(request.user), protocol_version__hash=name)
            .select_related("protocol_version")
            .first()
        )
        if stage is None:
            raise Http404
        protocol = protocol_of(stage)
    chosen = {
        parameter.id: request.GET[parameter.id]
        for parameter in protocol.parameters
        if request.GET.get(parameter.id, "").strip()
        and (not parameter.options or request.GET[parameter.id] in parameter.options)
    }
    steps = {step.id: step for step in protocol.stages}
    step = steps.get(request.GET.get("stage", ""), protocol.stages[0])
    language = request.GET.get("language") or get_language() or protocol.fallback
    return Previewed(protocol.by_default(chosen), step, spoken_language(protocol, language))


@login_required
@require_GET
def protocol_preview(request: HttpRequest, protocol: str, number: int) -> HttpResponse:
    """What an annotator will see, on a practice item; our own pages show it in a frame."""
    found = _previewed(request, protocol)
    pages = len(practice_groups(found.protocol, found.step, found.language))
    if not 1 <= number <= pages:
        raise Http404
    query = f"?{request.GET.urlencode()}" if request.GET else ""

    def page(at: int) -> str:
        return reverse("protocol_preview", args=[protocol, at]) + query if 1 <= at <= pages else ""

    addresses = Addresses(
        form=page(number),
        submit=reverse("preview_submit", args=[protocol, number]) + query,
        next=page(number + 1),
        previous=page(number - 1),
        guide=reverse("protocol_guide", args=[protocol]) + query,
    )
    desk = preview_desk(found.protocol, found.step, number, found.language, addresses)
    return framed_by(desk_page(request, desk, {}), "'self'")


@csrf_exempt
@login_required
@require_POST
def preview_submit(request: HttpRequest, protocol: str, number: int) -> HttpResponse:
    """The script's submit on a preview: checked and forgotten. Without a CSRF token, as nothing can change."""
    found = _previewed(request, protocol)
    groups = practice_groups(found.protocol, found.step, found.language)
    if not 1 <= number <= len(groups):
        raise Http404
    trial = Trial(Validator(found.protocol, found.step), groups, "", found.language)
    query = f"?{request.GET.urlencode()}" if request.GET else ""
    after = reverse("protocol_preview", args=[protocol, number % len(groups) + 1]) + query
    return _answer_json(request, trial, number, after)


@login_required
@require_GET
def protocol_guide(request: HttpRequest, protocol: str) -> HttpResponse:
    """The guidelines of a protocol as a fragment, to read beside a preview."""
    found = _previewed(request, protocol)
    html = render_guidelines(found.protocol, found.language, prefix="guide-", top=3)
    return render(request, "annotate/guide_fragment.html", {"guidelines_html": html, "language": found.language})


# The trial of a study


def _tried(request: StudyRequest) -> Trial | None:
    """The study's own items at the stage that the query names, else at its first; None if there is nothing to try."""
    stages = list(request.study.stages.select_related("protocol_version", "study"))
    stage = next((one for one in stages if one.key == request.GET.get("stage")), stages[0] if stages else None)
    if stage is None:
        return None
    rows = models.Item.objects.of_stage(stage).unplanted().open().order_by("position")[: GROUPS * 20]
    groups = _grouped([item_from(row) for row in rows], [row.group for row in rows])[:GROUPS]
    language = spoken_language(protocol_of(stage), get_language() or "")
    title = request.study.title or request.study.name
    return Trial(validator_of(stage), groups, title, language, options_of(request.study).layout) if groups else None


@study_page("viewer")
@require_http_methods(["GET", "POST"])
def try_study(request: StudyRequest, number: int) -> HttpResponse:
    """Work on the study's own items as an annotator would, leaving nothing behind; after the last page it is over."""
    trial = _tried(request)
    context = {"study": request.study, "role": request.role, "section": "setup"}
    if trial is None or number == len(trial.groups) + 1:
        return render(request, "annotate/trial_over.html", {**context, "tried": trial})
    if not 1 <= number <= len(trial.groups):
        raise Http404
    posted: list[Posted] = []
    refused: Refused = {}
    if request.method == "POST":
        posted = said_from_post(request.POST, trial.validator, _leases(trial.groups, number))
        refused = _refused(trial, trial.groups[number - 1], posted)
        if not refused:
            return redirect(_try_page(request, number + 1))
    desk = _desk(trial, number, "trial", _try_addresses(request, number), posted, refused)
    return desk_page(request, desk, context, status=422 if refused else 200)


def _try_page(request: StudyRequest, number: int) -> str:
    query = f"?{request.GET.urlencode()}" if request.GET else ""
    return reverse("try_study", args=[request.study.pid, number]) + query if number else ""


def _try_addresses(request: StudyRequest, number: int) -> Addresses:
    query = f"?{request.GET.urlencode()}" if request.GET else ""
    version = request.study.stages.select_related("protocol_version").first()
    assert version is not None
    return Addresses(
        form=_try_page(request, number),
        submit=reverse("try_submit", args=[request.study.pid, number]) + query,
        next=_try_page(request, number + 1),
        previous=_try_page(request, number - 1),
        guide=reverse("protocol_guide", args=[version.protocol_version.hash]),
        back=f"/s/{request.study.pid}/",
    )


@csrf_exempt
@study_page("viewer")
@require_POST
def try_submit(request: StudyRequest, number: int) -> HttpResponse:
    """The script's submit of a trial. Without a CSRF token, as nothing can change."""
    trial = _tried(request)
    if trial is None or not 1 <= number <= len(trial.groups):
        raise Http404
    return _answer_json(request, trial, number, _try_page(request, number + 1))
