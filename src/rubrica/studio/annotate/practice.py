"""Practice: the protocol's own examples, with what we would answer and why after each. Nothing here counts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from django.http import Http404, HttpResponse, JsonResponse
from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from rubrica.core import grading
from rubrica.core.answers import from_json
from rubrica.core.errors import InputError
from rubrica.core.grading import Graded
from rubrica.core.json_text import NotJsonError
from rubrica.core.protocol import PracticeItem
from rubrica.core.qualification import Page, first_unanswered, item_of, pages
from rubrica.core.study import Judgement, RefusedError
from rubrica.core.texts import shown as text_in
from rubrica.core.validation import Validator
from rubrica.store import models
from rubrica.store.course import attempts
from rubrica.store.course.attempts import Answered
from rubrica.store.people.participation import finish
from rubrica.store.translate import protocol_of, validator_of
from rubrica.studio.annotate import known_desk
from rubrica.studio.annotate.languages import spoken
from rubrica.studio.annotate.steps import StepRequest, address, shown, step_page, to_due
from rubrica.studio.wording import answer_in_words, outcome_in_words, reworded


class Compared(NamedTuple):
    """One answer beside ours, in words."""

    question: str
    given: str
    expected: str
    verdict: str


class Lesson(NamedTuple):
    """What there is to learn from one item."""

    name: str
    compared: list[Compared]
    explanation: str


@step_page("practice")
@require_GET
def practice(request: StepRequest) -> HttpResponse:
    """Begin, go on where one was, or look at how it went."""
    if "practice" not in request.way.steps:
        return to_due(request)
    shown_pages = _pages(request)
    rounds = attempts.practised(request.annotator, request.way.stage)
    number = max(rounds, default=1)
    answered = rounds.get(number, {})
    at = first_unanswered(shown_pages, answered)
    context: dict[str, Any] = {
        "items": len(shown_pages),
        "first": address(request.token, "practice") + f"{number}/{at or 1}/",
        "begun": bool(answered),
        "answered": len(shown_pages) if at is None else at - 1,
        "complete": at is None,
        "again": address(request.token, "practice") + f"{number + 1}/1/",
        "right": sum(one.right for one in answered.values()),
        "graded": sum(one.graded for one in answered.values()),
        "done_before": "practice" in request.way.done,
    }
    return shown(request, "annotate/practice.html", context, step="practice")


@step_page("practice")
@require_POST
def practice_done(request: StepRequest) -> HttpResponse:
    """Leave practice for what comes next, once every item was answered."""
    rounds = attempts.practised(request.annotator, request.way.stage)
    names = {one.id for page in _pages(request) for one in page}
    if any(names <= answered.keys() for answered in rounds.values()):
        finish(request.annotator, "practice", timezone.now())
    return to_due(request)


@step_page("practice")
@require_http_methods(["GET", "POST"])
def practice_page(request: StepRequest, number: int, at: int) -> HttpResponse:
    """One page of practice: the desk, then the lesson."""
    shown_pages = _pages(request)
    rounds = attempts.practised(request.annotator, request.way.stage)
    if not (1 <= at <= len(shown_pages) and 1 <= number <= max(rounds, default=0) + 1):
        raise Http404
    page = shown_pages[at - 1]
    here = known_desk.Place(
        mode="practice",
        title=_("Practice"),
        url=request.path,
        at=at,
        of=len(shown_pages),
        previous=address(request.token, "practice") + f"{number}/{at - 1}/" if at > 1 else "",
    )
    if request.method == "GET":
        earlier = rounds.get(number, {})
        return known_desk.page(request, here, page, [_earlier(earlier.get(one.id)) for one in page])
    return _answer(request, here, page, number)


def _answer(request: StepRequest, here: known_desk.Place, page: Page, number: int) -> HttpResponse:
    try:
        given = known_desk.given(request, page)
        kind, now = models.Attempt.Kind.PRACTICE, timezone.now()
        answered = attempts.answer(request.annotator, request.way.stage, kind, number, page, given, now)
    except RefusedError as refused:
        return known_desk.refuse(request, here, page, refused)
    except (InputError, NotJsonError):
        return known_desk.unreadable()
    language = spoken(request)
    context = {
        "lessons": _lessons(request.way.stage, page, answered, language),
        "language": language,
        "next": _after(request, number, here),
    }
    if known_desk.is_json(request):
        html = render_to_string("annotate/lesson.html", context, request)
        return JsonResponse({"html": html, "next": context["next"]})
    desk = known_desk.build(request, here, page, given)
    return shown(request, "annotate/practice_lesson.html", context | {"desk": desk}, step="practice")


def _pages(request: StepRequest) -> list[Page]:
    stage = request.way.stage
    known = attempts.known_items(stage, request.way.options, request.annotator.language)
    return pages(protocol_of(stage), known.practice)


def _after(request: StepRequest, number: int, here: known_desk.Place) -> str:
    base = address(request.token, "practice")
    return f"{base}{number}/{here.at + 1}/" if here.at < here.of else base


def _earlier(attempt: models.Attempt | None) -> Judgement:
    return Judgement(from_json(attempt.answers), (), attempt.outcome) if attempt else Judgement()


def _lessons(stage: models.Stage, page: Page, answered: Sequence[Answered], language: str) -> list[Lesson]:
    validator = validator_of(stage)
    target = next((field.id for field in validator.protocol.fields if field.role == "target"), "")
    return [
        Lesson(
            known.fields.get(target, "") if len(page) > 1 else "",
            [_compared(stage, one, language, _prompts(validator, known, language)) for one in said.graded],
            text_in(known.explanation, language),
        )
        for known, said in zip(page, answered, strict=True)
    ]


def _prompts(validator: Validator, known: PracticeItem, language: str) -> dict[str, str]:
    """Prompts that a rule gave other words on this page."""
    return reworded(validator.plan(item_of(known)).rules, language)


def _compared(stage: models.Stage, graded: Graded, language: str, prompts: Mapping[str, str]) -> Compared:
    protocol = protocol_of(stage)
    if not graded.question:
        given, expected = (outcome_in_words(protocol, language, str(end)) for end in (graded.given, graded.expected))
        return Compared(_("How the item ends"), given, expected, graded.verdict)
    question = protocol.questions_by_id[graded.question]
    given, expected = (
        answer_in_words(protocol, language, question.id, value) for value in (graded.given, graded.expected)
    )
    verdict = graded.verdict if graded.verdict != grading.MISSING else grading.WRONG
    asked = prompts.get(question.id) or text_in(question.prompt, language)
    return Compared(asked, given, expected, verdict)
