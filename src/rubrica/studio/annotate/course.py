"""The course: stage by stage, step by step. After each answer the learner sees ours laid over it, and why."""

from __future__ import annotations

from typing import Any, NamedTuple

from django.http import Http404, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from rubrica.core.course import MARKING, CourseStage, Step
from rubrica.core.course_grading import grade_step
from rubrica.core.errors import InputError
from rubrica.core.json_text import NotJsonError
from rubrica.core.protocol import Protocol
from rubrica.core.texts import shown as text_in
from rubrica.store import models
from rubrica.store.course import course as kept
from rubrica.store.people.participation import finish
from rubrica.store.translate import protocol_of
from rubrica.studio.annotate import course_desk
from rubrica.studio.annotate.course_desk import Marking
from rubrica.studio.annotate.course_feedback import feedback
from rubrica.studio.annotate.course_form import chosen
from rubrica.studio.annotate.course_page import choice_fields, step_page_of
from rubrica.studio.annotate.desk import spoken_language
from rubrica.studio.annotate.known_desk import unreadable
from rubrica.studio.annotate.languages import spoken
from rubrica.studio.annotate.steps import StepRequest, address, shown, step_page, to_due


class Here(NamedTuple):
    """A step of the course and its neighbours; ``number`` and ``at`` count stages and steps from 1."""

    protocol: Protocol
    language: str
    stage: CourseStage
    number: int
    stages: int
    at: int
    step: Step
    url: str
    next: str
    previous: str


@step_page("course")
@require_GET
def course(request: StepRequest) -> HttpResponse:
    """The stages with how far one is in each, and where to go on."""
    if "course" not in request.way.steps:
        return to_due(request)
    protocol = protocol_of(request.way.stage)
    language = spoken_language(protocol, spoken(request))
    found = kept.progress(request.annotator, kept.course_of(request.way.stage))
    base = address(request.token, "course")
    open_until = next((index for index, one in enumerate(found.chapters) if not one.complete), len(found.chapters))
    chapters = [
        {
            "title": text_in(one.stage.title, language),
            "summary": text_in(one.stage.summary, language),
            "chapter": one,
            "total": len(one.stage.steps),
            "url": f"{base}{one.stage.id}/" if index <= open_until else "",
        }
        for index, one in enumerate(found.chapters)
    ]
    context = {
        "chapters": chapters,
        "progress": found,
        "go_on": f"{base}{found.at[0]}/{found.at[1]}/" if found.at else "",
        "done_before": "course" in request.way.done,
        "language": language,
    }
    return shown(request, "annotate/course.html", context, step="course")


@step_page("course")
@require_POST
def course_done(request: StepRequest) -> HttpResponse:
    """Leave the course for what comes next, once every step is done."""
    if kept.progress(request.annotator, kept.course_of(request.way.stage)).complete:
        finish(request.annotator, "course", timezone.now())
    return to_due(request)


@step_page("course")
@require_GET
def course_stage(request: StepRequest, chapter: str) -> HttpResponse:
    """The first step of a stage that is not done; the first of all if there is none."""
    stage = next((one for one in kept.course_of(request.way.stage) if one.id == chapter), None)
    if stage is None:
        raise Http404
    done = kept.tries_of(request.annotator)
    at = next((place for place, step in enumerate(stage.steps, start=1) if step.id not in done), 1)
    return redirect(f"{address(request.token, 'course')}{chapter}/{at}/")


@step_page("course")
@require_http_methods(["GET", "POST"])
def course_step(request: StepRequest, chapter: str, at: int) -> HttpResponse:
    """One step: shown, or answered. Nobody can go further than the first step that is not done."""
    here = _here(request, chapter, at)
    found = kept.progress(request.annotator, kept.course_of(request.way.stage))
    if found.at and _place(request, chapter, at) > _place(request, *found.at):
        return redirect(f"{address(request.token, 'course')}{found.at[0]}/{found.at[1]}/")
    if request.method == "POST":
        return _answered(request, here)
    tries = kept.tries_of(request.annotator).get(here.step.id, [])
    if here.step.is_exercise and tries and "again" not in request.GET and "form" not in request.GET:
        return _compared(request, here, tries)
    if here.step.kind in MARKING:
        earlier = kept.given_of(tries[-1]).edits if tries else ()
        return course_desk.show(request, _marking(here), earlier)
    return _page(request, here)


def _here(request: StepRequest, chapter: str, at: int) -> Here:
    stages = kept.course_of(request.way.stage)
    number = next((place for place, stage in enumerate(stages, start=1) if stage.id == chapter), 0)
    if not number or not 1 <= at <= len(stages[number - 1].steps):
        raise Http404
    stage, base = stages[number - 1], address(request.token, "course")
    protocol = protocol_of(request.way.stage)
    if at < len(stage.steps):
        following = f"{base}{chapter}/{at + 1}/"
    else:
        following = f"{base}{stages[number].id}/1/" if number < len(stages) else base
    return Here(
        protocol=protocol,
        language=spoken_language(protocol, spoken(request)),
        stage=stage,
        number=number,
        stages=len(stages),
        at=at,
        step=stage.steps[at - 1],
        url=f"{base}{chapter}/{at}/",
        next=following,
        previous=f"{base}{chapter}/{at - 1}/" if at > 1 else "",
    )


def _place(request: StepRequest, chapter: str, at: int) -> tuple[int, int]:
    names = [stage.id for stage in kept.course_of(request.way.stage)]
    return names.index(chapter), at


def _marking(here: Here) -> Marking:
    title = text_in(here.stage.title, here.language)
    return Marking(
        here.protocol, here.step, "course", "course", title, here.at, len(here.stage.steps), previous=here.previous
    )


def _page(request: StepRequest, here: Here, given: Any = None, problem: str = "") -> HttpResponse:
    page = step_page_of(here.protocol, here.language, here.step)
    context = {
        "page": page,
        "here": here,
        "fields": choice_fields(here.protocol, here.language, here.step, given) if given else page.fields,
        "stage_title": text_in(here.stage.title, here.language),
        "problem": problem,
    }
    return shown(request, "annotate/course_step.html", context, step="course", status=422 if problem else 200)


def _answered(request: StepRequest, here: Here) -> HttpResponse:
    step, now = here.step, timezone.now()
    if not step.is_exercise:
        kept.see(request.annotator, here.stage.id, step, now)
        return redirect(here.next)
    if step.kind in MARKING:
        try:
            taken = course_desk.take(request, _marking(here))
        except (InputError, NotJsonError):
            return unreadable()
        if taken.refused is not None:
            return taken.refused
        given = taken.given
    else:
        given = chosen(request.POST, here.protocol, step)
    try:
        kept.answer(request.annotator, request.way.stage, here.stage.id, step, given, now)
    except InputError:
        return _page(request, here, given, _("Please choose an answer first."))
    return course_desk.leave(request, here.url)


def _compared(request: StepRequest, here: Here, tries: list[models.CourseTry]) -> HttpResponse:
    """The last answer beside ours."""
    given = kept.given_of(tries[-1])
    result = grade_step(here.protocol, here.step, given)
    context = {
        "page": step_page_of(here.protocol, here.language, here.step),
        "here": here,
        "stage_title": text_in(here.stage.title, here.language),
        "feedback": feedback(here.protocol, here.language, here.step, given, result),
        "tries": len(tries),
        "again": f"{here.url}?again",
    }
    return shown(request, "annotate/course_step.html", context, step="course")
