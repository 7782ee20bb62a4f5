"""A new study: its title, and a protocol from the shipped ones, from a form or from a file."""

from __future__ import annotations

from typing import Any, NamedTuple

import attrs
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import get_language, gettext_lazy
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods

from rubrica.core.errors import InputError, Problem, wrong
from rubrica.core.handed_on import pairing_problems, written_questions
from rubrica.core.names import name_from, study_name_problems, title_problems
from rubrica.core.protocol import Protocol, Question
from rubrica.core.scales import FreeText
from rubrica.core.texts import Text, shown
from rubrica.core.typed import storable
from rubrica.exchange.study_options import AS_THEY_COME
from rubrica.exchange.study_plan import Plan
from rubrica.exchange.thresh.template_protocol import load_any
from rubrica.language.catalogues import working
from rubrica.protocols.catalog import load_shipped, shipped
from rubrica.protocols.loader import Loaded
from rubrica.protocols.rubric import own_id, rubric_protocol, rubric_yaml
from rubrica.store import studies
from rubrica.store.setup import setting_up
from rubrica.studio.formats import own_name
from rubrica.studio.studies import rubric as rubric_form
from rubrica.studio.studies.uploads import protocol_bytes, read_apart, read_sent, sent, takes_files

OWN, FORM = "own", "form"
FAMILIES = {
    "simplification": gettext_lazy("Simplification"),
    "concise_plain": gettext_lazy("Concise and plain language"),
    "split": gettext_lazy("Split and rephrase"),
    "lexical": gettext_lazy("Words in context"),
    "translation": gettext_lazy("Translation"),
}


class ParameterField(NamedTuple):
    """A parameter of a protocol as a form shows it."""

    name: str
    label: str
    options: tuple[str, ...]
    value: str


class ProtocolCard(NamedTuple):
    """A protocol to choose from.

    ``judges`` are protocols by which others can judge what people write by this one, with their titles; ``then`` is the
    one that was chosen of them, ``hand_on`` when they get it.
    """

    id: str
    title: str
    summary: str
    document: str
    languages: str
    questions: int
    stages: int
    parameters: list[ParameterField]
    judges: list[tuple[str, str]]
    then: str
    hand_on: str


@login_required
@require_http_methods(["GET", "POST"])
@takes_files(protocol_bytes)
def new_study(request: Any) -> HttpResponse:
    """Choose a title and a protocol; makes a draft and goes on to its items."""
    problems: tuple[Problem, ...] = ()
    rubric, wrong_rubric = rubric_form.kept(request), list[Problem]()
    if request.method == "POST" and "rubric" in request.POST:
        rubric, wrong_rubric = rubric_form.pressed(request, _rubric_title(request))
        if request.POST["rubric"] == "yaml" and not wrong_rubric:
            return rubric_form.yaml_file(rubric_yaml(rubric), own_id(rubric.title))
    elif request.method == "POST":
        if request.POST.get("protocol") == FORM:
            rubric = rubric_form.typed(request.POST, _rubric_title(request))
            rubric_form.keep(request, rubric)
        try:
            study = setting_up.begin(_draft(request), request.user, timezone.now())
        except InputError as error:
            problems = error.problems
        else:
            rubric_form.forget(request)
            return redirect("setup_items", study.pid)
    context = {
        "families": protocol_families(request.POST),
        "chosen": request.POST.get("protocol", ""),
        "title": request.POST.get("title", ""),
        "name": request.POST.get("name", ""),
        "problems": problems,
        "own": OWN,
        "form": FORM,
        "rubric_problems": wrong_rubric,
        **rubric_form.context(rubric),
    }
    return render(request, "studies/new.html", context, status=rubric_form.status(request, [*problems, *wrong_rubric]))


def _rubric_title(request: Any) -> str:
    """The rubric is called like the study, which may have no title yet while its questions are written."""
    title = request.POST.get("title", "").strip()
    return title if title and storable(title) else str(_("Untitled"))


@login_required
@require_GET
def new_name(request: HttpRequest) -> HttpResponse:
    """What a study of this title will be called in files, and whether a name is free: part of the page."""
    title, name = request.GET.get("title", ""), request.GET.get("name", "").strip()
    wanted = name or (studies.free_name(name_from(title)) if title.strip() else "")
    context = {
        "wanted": wanted,
        "wrong": bool(wanted) and bool(study_name_problems(wanted)),
        "free": bool(wanted) and storable(wanted) and studies.is_free(wanted),
    }
    return render(request, "studies/new_name.html", context)


def _draft(request: Any) -> Plan:
    """What the form says. Raises InputError with every problem."""
    problems: list[Problem] = []
    title, name = request.POST.get("title", ""), request.POST.get("name", "").strip()
    if not storable(title + name):
        raise wrong("the title holds a broken character", "characters", "Type it again.")
    problems += title_problems(title)
    loaded = None
    try:
        loaded = _chosen(request)
    except InputError as error:
        problems += error.problems
    if problems or loaded is None:
        raise InputError(*problems)
    settings = parameters_from(request.POST, loaded.protocol)
    name = name or studies.free_name(name_from(title))
    then = request.POST.get(f"{loaded.protocol.id}.then", "")
    plan = Plan(title=title, name=name, loaded=loaded, settings=settings)
    if then not in shipped():
        return plan
    at_once = request.POST.get(f"{loaded.protocol.id}.hand_on") == AS_THEY_COME
    return attrs.evolve(plan, then=load_shipped(then), hand_on=AS_THEY_COME if at_once else plan.hand_on)


def _judges(protocol: Protocol) -> list[tuple[str, str]]:
    """The shipped protocols by which others can judge what people write by this one."""
    language = get_language() or "en"
    found = [load_shipped(one).protocol for one in shipped()] if written_questions(protocol) else []
    return [
        (one.id, shown(one.resolve({}).title, language))
        for one in found
        if one.family == protocol.family and not pairing_problems(protocol, one)
    ]


def _chosen(request: Any) -> Loaded:
    protocol = request.POST.get("protocol", "")
    if protocol in shipped():
        return load_shipped(protocol)
    file = sent(request, "file") if protocol == OWN else None
    if protocol == OWN and file is not None:
        return read_sent(load_any, file)
    if protocol == FORM:
        return read_apart(rubric_protocol, "", rubric_form.typed(request.POST, _rubric_title(request)))
    if protocol == OWN:
        raise wrong("no file was sent", "file", "Choose the YAML file of your protocol.")
    raise wrong("no protocol is chosen", "protocol", "Choose one of the protocols below, or make your own.")


def parameters_from(post: QueryDict, protocol: Protocol, prefix: str = "") -> dict[str, str]:
    """The parameters that the form gives another value than the protocol's own."""
    found = {}
    for parameter in protocol.parameters:
        value = post.get(f"{prefix or protocol.id}.{parameter.id}")
        if value is not None and storable(value) and value.strip() != shown(parameter.default, get_language() or "en"):
            found[parameter.id] = value.strip()
    return found


def protocol_families(post: QueryDict) -> list[tuple[str, list[ProtocolCard]]]:
    """The shipped protocols by family, in a fixed order."""
    families: dict[str, list[ProtocolCard]] = {family: [] for family in FAMILIES}
    for protocol_id in shipped():
        protocol = load_shipped(protocol_id).protocol
        families.setdefault(protocol.family, []).append(protocol_card(protocol, post))
    return [(str(FAMILIES.get(family, family)), found) for family, found in families.items() if found]


def protocol_card(protocol: Protocol, post: QueryDict) -> ProtocolCard:
    """What is told of a protocol, in the reader's language."""
    language = get_language() or "en"
    plain = protocol.resolve({})
    about_edits = len(plain.edits.questions) if plain.edits else 0
    return ProtocolCard(
        id=protocol.id,
        title=shown(plain.title, language),
        summary=shown(plain.summary, language),
        document=protocol.document,
        languages=", ".join(map(own_name, working(protocol))),
        questions=sum(not _is_remark(protocol, one) for one in protocol.questions) + about_edits,
        stages=len(protocol.stages),
        parameters=parameter_fields(protocol, {}, post),
        judges=_judges(protocol),
        then=post.get(f"{protocol.id}.then", ""),
        hand_on=post.get(f"{protocol.id}.hand_on", ""),
    )


def _is_remark(protocol: Protocol, question: Question) -> bool:
    """Whether it only gives room for a remark, which nobody would count among the questions."""
    return not question.required and isinstance(protocol.scale_of(question), FreeText)


def parameter_fields(
    protocol: Protocol, settings: dict[str, str], post: QueryDict | None = None
) -> list[ParameterField]:
    """The parameters as fields: as just sent, else as set, else the protocol's own value."""
    language = get_language() or "en"
    fields = []
    for parameter in protocol.parameters:
        name = f"{protocol.id}.{parameter.id}"
        usual = settings.get(parameter.id, shown(parameter.default, language))
        value = post.get(name, usual) if post else usual
        label = parameter.label.get(language) if isinstance(parameter.label, Text) else parameter.id
        fields.append(ParameterField(name, label, parameter.options, str(value)))
    return fields
