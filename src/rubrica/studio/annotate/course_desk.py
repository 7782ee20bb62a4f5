"""The desk with the editor for exercises that are answered with edits, and the form that does without script."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import NamedTuple

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _

from rubrica.core.course import Step
from rubrica.core.course_grading import given_problems, item_of, step_validator
from rubrica.core.edits import Edit
from rubrica.core.errors import Problem
from rubrica.core.json_text import parse_json
from rubrica.core.protocol import Protocol
from rubrica.core.study import Judgement
from rubrica.core.texts import shown as text_in
from rubrica.studio.annotate.course_form import Slot, edits_of, read_slots, slots_from
from rubrica.studio.annotate.course_page import slot_pages, step_page_of
from rubrica.studio.annotate.desk import Addresses, Desk, Entry, Progress, build_desk, spoken_language
from rubrica.studio.annotate.desk_form import said_from_json
from rubrica.studio.annotate.known_desk import is_json
from rubrica.studio.annotate.languages import spoken
from rubrica.studio.annotate.menu import menu_of
from rubrica.studio.annotate.remark_texts import problem_text, worded
from rubrica.studio.annotate.steps import StepRequest, address, shown
from rubrica.studio.annotate.work import desk_page

PLACE = "i1"
"""The name of the only item on the page, where a lease's public id would stand."""


class Marking(NamedTuple):
    """An exercise on marking: which step, of which course or round, and where one is in it."""

    protocol: Protocol
    step: Step
    mode: str
    way_step: str
    title: str
    at: int
    of: int
    previous: str = ""


def show(request: StepRequest, here: Marking, edits: tuple[Edit, ...] = ()) -> HttpResponse:
    """The exercise: on the desk, or as a form if that is asked for."""
    if "form" in request.GET:
        return _form(request, here, slots_from(edits, here.step), ())
    language = spoken_language(here.protocol, spoken(request))
    context = {
        "study": request.study,
        "token": request.token,
        "menu": menu_of(request, request.way.stage),
        "task": step_page_of(here.protocol, language, here.step).prompt,
        "task_language": language,
    }
    return desk_page(request, _desk(request, here, edits), context)


def _desk(request: StepRequest, here: Marking, edits: tuple[Edit, ...]) -> Desk:
    desk = build_desk(
        step_validator(here.protocol, here.step),
        [Entry(lease=PLACE, item=item_of(here.step), edits=edits)],
        mode=here.mode,
        addresses=Addresses(
            form=request.path,
            submit=request.path,
            previous=here.previous,
            guide_page=address(request.token, "guidelines"),
        ),
        language=spoken(request),
        title=here.title,
        progress=Progress(here.at, here.of),
        layout=request.way.options.layout,
    )
    return dataclasses.replace(desk, ways_out=())


class Taken(NamedTuple):
    """What was sent, tidied; or the page that says why it cannot be taken."""

    given: Judgement
    refused: HttpResponse | None = None


def take(request: StepRequest, here: Marking) -> Taken:
    """The annotation that was sent, by script or by form, if it can be graded."""
    validator = step_validator(here.protocol, here.step)
    slots: list[Slot] = []
    if is_json(request):
        edits = said_from_json(parse_json(request.body), [PLACE])[0].edits
    else:
        slots = read_slots(request.POST, validator)
        edits = edits_of(slots, here.step)
    given = Judgement({}, validator.tidy(item_of(here.step), Judgement({}, edits)).edits)
    if slots and "more" in request.POST:
        return Taken(given, _form(request, here, [*slots, Slot(len(slots) + 1)], ()))
    problems = given_problems(here.protocol, here.step, given)
    if not problems:
        return Taken(given)
    if is_json(request):
        errors = worded({PLACE: problems}, here.protocol)
        return Taken(given, JsonResponse({"errors": errors}, status=422))
    return Taken(given, _form(request, here, slots, problems))


def leave(request: HttpRequest, where: str) -> HttpResponse:
    """On to another page: told to the script, or by a redirect."""
    return JsonResponse({"next": where}) if is_json(request) else redirect(where)  # type: ignore[arg-type]


def _form(request: StepRequest, here: Marking, slots: Sequence[Slot], problems: Sequence[Problem]) -> HttpResponse:
    """The same exercise without script: a place for each edit, with the words to tick."""
    language = spoken_language(here.protocol, spoken(request))
    validator = step_validator(here.protocol, here.step)
    assert validator.edits is not None
    operations = [(one.id, text_in(one.label, language)) for one in validator.edits.scheme.operations]
    context = {
        "page": step_page_of(here.protocol, language, here.step),
        "here": here,
        "slots": slot_pages(validator, language, here.step, slots),
        "count": len(slots),
        "operations": operations,
        "composites": [one.id for one in validator.edits.scheme.operations if one.composite],
        "problems": [_told(problem, here.protocol) for problem in problems],
        "language": language,
    }
    status = 422 if problems else 200
    return shown(request, "annotate/course_form.html", context, step=here.way_step, status=status)


def _told(problem: Problem, protocol: Protocol) -> str:
    """What is missing, with the number of the edit."""
    return _("Edit %(number)s: %(what)s") % {"number": problem.edit, "what": problem_text(problem, protocol)}
