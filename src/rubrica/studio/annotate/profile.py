"""The profile page: a few questions about the person, each of which may be left unsaid. Can be changed later."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from django.http import HttpResponse, QueryDict
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods

from rubrica.core.errors import InputError, Problem
from rubrica.core.profile import LONGEST, UNSAID, Asked, checked
from rubrica.store.people import profiles
from rubrica.store.people.participation import finish
from rubrica.studio.annotate.steps import StepRequest, shown, step_page, to_due
from rubrica.studio.annotate.welcome import who_may
from rubrica.studio.formats import countries

LABELS: Mapping[str, str | Promise] = {
    "education_years": gettext_lazy("How many years did you go to school and university, all together?"),
    "native_speaker": gettext_lazy("Are you a native speaker of the language of the texts?"),
    "age": gettext_lazy("How old are you?"),
    "reading_hours": gettext_lazy("How many hours a week do you read?"),
    "first_language": gettext_lazy("What is your first language?"),
    "languages": gettext_lazy("How many languages do you speak?"),
    "country": gettext_lazy("In which country do you live?"),
}
HELP: Mapping[str, str | Promise] = {
    "education_years": gettext_lazy("Primary school counts. For instance 12, or 16.5."),
    "reading_hours": gettext_lazy("Anything: books, news, messages, for work or for yourself."),
    "languages": gettext_lazy("Your first language counts."),
}


class ShownQuestion(NamedTuple):
    """A question as the form draws it."""

    asked: Asked
    label: str
    help: str
    value: str
    unsaid: bool
    problem: str
    options: list[tuple[str, str]]


@step_page("profile")
@require_http_methods(["GET", "POST"])
def profile(request: StepRequest) -> HttpResponse:
    """Ask, check and keep the profile."""
    if "profile" not in request.way.steps:
        return to_due(request)
    asked = request.way.options.profile.questions
    wanted = request.way.options.profile.required.wanted
    given = _from_stored(profiles.told(request.annotator))
    problems: dict[str, str] = {}
    empty = False
    if request.method == "POST":
        given = _from_form(asked, request.POST)
        empty = not any(given.values())
        try:
            answers = checked(asked, given)
        except InputError as error:
            by_id = {question.id: question for question in asked}
            problems = {problem.question: _in_words(problem, by_id[problem.question]) for problem in error.problems}
            answers = checked([question for question in asked if question.id not in problems], given)
        # Whoever does not fit is asked for nothing more.
        if set(wanted.misfits(answers)) - problems.keys():
            return shown(request, "annotate/not_wanted.html", {"who": who_may(wanted)}, step="profile")
        if not problems:
            now = timezone.now()
            profiles.save(request.annotator, answers, now)
            first = "profile" not in request.way.done
            finish(request.annotator, "profile", now)
            return to_due(request) if first else redirect(f"{request.path}?saved=1")
    context = {
        "questions": [_shown(question, given, {} if empty else problems) for question in asked],
        "problem_count": 0 if empty else len(problems),
        "empty": empty,
        "who": who_may(wanted),
        "saved": "saved" in request.GET,
    }
    return shown(request, "annotate/profile.html", context, step="profile", status=422 if problems else 200)


def _from_stored(answers: Mapping[str, Any]) -> dict[str, str]:
    return {name: UNSAID if value is None else str(value) for name, value in answers.items()}


def _from_form(asked: list[Asked], post: QueryDict) -> dict[str, str]:
    """What was filled in. Ticking "rather not say", of one or of all, wins over whatever stands in the field."""
    if post.get("unsaid"):
        return {question.id: UNSAID for question in asked}
    return {
        question.id: UNSAID if post.get(f"{question.id}.unsaid") else post.get(question.id, "") for question in asked
    }


def _shown(question: Asked, given: Mapping[str, str], problems: Mapping[str, str]) -> ShownQuestion:
    value = given.get(question.id, "")
    return ShownQuestion(
        question,
        str(LABELS.get(question.id, question.label) if not question.own else question.label),
        str(HELP.get(question.id, "")) if not question.own else "",
        "" if value == UNSAID else value,
        value == UNSAID,
        problems.get(question.id, ""),
        _options(question),
    )


def _options(question: Asked) -> list[tuple[str, str]]:
    if question.kind == "country":
        return countries()
    if question.kind == "yes_no":
        return [("yes", _("Yes")), ("no", _("No"))]
    return [(option, option) for option in question.options]


def _in_words(problem: Problem, question: Asked) -> str:
    if problem.rule == "required":
        return _("Please answer, or tick that you would rather not say.")
    if problem.rule == "range":
        return _("Please give a number from %(low)g to %(high)g.") % {"low": question.low, "high": question.high}
    if problem.rule == "number":
        return _("Please write a whole number.") if question.whole else _("Please write a number.")
    if problem.rule == "choice":
        return _("Please choose one of the answers.")
    if problem.rule == "characters":
        return _("There is a broken character in this. Please type it instead of pasting it.")
    return _("Please use at most %(most)d characters.") % {"most": LONGEST}
