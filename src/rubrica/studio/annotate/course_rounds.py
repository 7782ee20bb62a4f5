"""The qualification of a protocol with a course: rounds of whole pairs, each compared with ours once it is sent."""

from __future__ import annotations

from django.http import HttpResponse
from django.utils import timezone
from django.utils.translation import gettext as _

from rubrica.core.course import Step, steps_of_round
from rubrica.core.course_grading import grade_step
from rubrica.core.errors import InputError
from rubrica.core.json_text import NotJsonError
from rubrica.core.protocol import Protocol
from rubrica.core.qualification import Exam
from rubrica.core.texts import shown as text_in
from rubrica.store.course.attempts import answer_pair, exam, in_round, rounds_of
from rubrica.store.course.course import given_of
from rubrica.store.people.participation import finish
from rubrica.store.translate import protocol_of
from rubrica.studio.annotate import course_desk
from rubrica.studio.annotate.course_desk import Marking
from rubrica.studio.annotate.course_feedback import feedback
from rubrica.studio.annotate.course_page import step_page_of
from rubrica.studio.annotate.desk import spoken_language
from rubrica.studio.annotate.known_desk import unreadable
from rubrica.studio.annotate.languages import spoken
from rubrica.studio.annotate.steps import StepRequest, address, shown


def hub(request: StepRequest) -> HttpResponse:
    """What is wanted, how the rounds went, and where to go on; or, after the last, why it ends here."""
    tried, protocol = _exam(request), protocol_of(request.way.stage)
    number, sets = tried.open_round, rounds_of(request.way.stage)
    passed = tried.passed or "qualification" in request.way.done
    due = _due(request, number)
    rounds = [
        {
            "number": one.number,
            "answered": one.answered,
            "items": one.items,
            "complete": one.complete,
            "percent": None if one.share is None else round(one.share * 100),
            "enough": tried.passes(one),
            "decides": one.number >= tried.taught,
        }
        for one in tried.rounds
    ]
    context = {
        "exam": tried,
        "rounds": rounds,
        "passed": passed,
        "failed": tried.failed and not passed,
        "begun": bool(tried.rounds),
        "needed": round(tried.pass_mark * 100),
        "number": number,
        "pairs": len(steps_of_round(sets, number)),
        "title": text_in(sets[(number - 1) % len(sets)].title, spoken_language(protocol, spoken(request))),
        "go_on": f"{address(request.token, 'qualification')}{number}/{due or 1}/",
        "platform": request.invitation.came_by.kind if request.invitation.came_by else "",
    }
    return shown(request, "annotate/rounds.html", context, step="qualification")


def page(request: StepRequest, number: int, at: int) -> HttpResponse:
    """A pair of a round: to annotate if it is the next one, beside ours once it is annotated."""
    home = address(request.token, "qualification")
    tried, stage = _exam(request), request.way.stage
    done = in_round(request.annotator, stage, number)
    pairs = steps_of_round(rounds_of(stage), number) if number <= tried.open_round else ()
    if not 1 <= at <= len(pairs):
        return course_desk.leave(request, home)
    step, protocol = pairs[at - 1], protocol_of(stage)
    if step.id in done:
        if request.method == "POST":
            return course_desk.leave(request, request.path)
        following = f"{home}{number}/{at + 1}/" if at < len(pairs) else home
        return _compared(request, protocol, step, done[step.id], at, len(pairs), following)
    over = tried.passed or tried.failed or "qualification" in request.way.done
    due = _due(request, number)
    if over or at != due:
        return course_desk.leave(request, f"{home}{number}/{due}/" if due and not over else home)
    here = Marking(protocol, step, "qualification", "qualification", _("Qualification"), at, len(pairs))
    if request.method == "GET":
        return course_desk.show(request, here)
    return _answered(request, here, number)


def _answered(request: StepRequest, here: Marking, number: int) -> HttpResponse:
    try:
        taken = course_desk.take(request, here)
    except (InputError, NotJsonError):
        return unreadable()
    if taken.refused is not None:
        return taken.refused
    answer_pair(request.annotator, request.way.stage, number, here.step, taken.given, timezone.now())
    if _exam(request).passed:
        finish(request.annotator, "qualification", timezone.now())
    return course_desk.leave(request, request.path)


def _compared(
    request: StepRequest, protocol: Protocol, step: Step, attempt: object, at: int, of: int, following: str
) -> HttpResponse:
    language = spoken_language(protocol, spoken(request))
    given = given_of(attempt)  # type: ignore[arg-type]
    context = {
        "page": step_page_of(protocol, language, step),
        "feedback": feedback(protocol, language, step, given, grade_step(protocol, step, given)),
        "at": at,
        "of": of,
        "next": following,
        "language": language,
    }
    return shown(request, "annotate/round_pair.html", context, step="qualification")


def _exam(request: StepRequest) -> Exam:
    return exam(request.annotator, request.way.stage, request.way.options)


def _due(request: StepRequest, number: int) -> int | None:
    """The first pair of a round that is not annotated, from 1."""
    stage = request.way.stage
    done, pairs = in_round(request.annotator, stage, number), steps_of_round(rounds_of(stage), number)
    return next((place for place, step in enumerate(pairs, start=1) if step.id not in done), None)
