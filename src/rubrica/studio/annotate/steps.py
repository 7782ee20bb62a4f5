"""The way from welcome to work: where a link leads, who may open which step, and the line that shows it."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, NamedTuple

from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_safe

from rubrica.store.people.participation import ENDINGS, Way, way
from rubrica.studio.access import AnnotatorRequest, View, annotator_page
from rubrica.studio.annotate.languages import settle
from rubrica.studio.annotate.menu import menu_of

LABELS: dict[str, str | Promise] = {
    "welcome": gettext_lazy("Welcome"),
    "consent": gettext_lazy("Consent"),
    "profile": gettext_lazy("About you"),
    "guidelines": gettext_lazy("Guidelines"),
    "course": gettext_lazy("Course"),
    "practice": gettext_lazy("Practice"),
    "qualification": gettext_lazy("Qualification"),
    "work": gettext_lazy("Work"),
}
"""The steps as the line at the top names them."""

PLACES = {"declined": "consent", "withdrawn": "withdraw", "not_qualified": "qualification"}
"""The page that says why the way ended."""


class ShownStep(NamedTuple):
    """A step in the line: ``done``, ``current`` or ``ahead``. Without an address it cannot be opened."""

    label: str | Promise
    state: str
    url: str


def address(token: str, due: str) -> str:
    """The page of a step, of the work, or of an ending."""
    return f"/w/{token}/{PLACES.get(due, due)}/"


def line(token: str, found: Way, current: str) -> list[ShownStep]:
    """The steps of this study with the state of each; only those that were reached can be opened."""
    steps = []
    for step in (*found.steps, "work"):
        state = "current" if step == current else "done" if step in found.done else "ahead"
        opens = step != current and found.due not in ENDINGS and found.reached(step)
        steps.append(ShownStep(LABELS[step], state, address(token, step) if opens else ""))
    return steps


@annotator_page
@require_safe
def start(request: AnnotatorRequest) -> HttpResponse:
    """Where the personal link leads: to whatever is due. Programs that check links (HEAD) change nothing."""
    if request.method == "GET":
        settle(request)
    return to_due(request)


def to_due(request: AnnotatorRequest) -> HttpResponse:
    """On to the next unfinished step."""
    return redirect(address(request.token, way(request.annotator).due))


class StepRequest(AnnotatorRequest):
    """A request for a step that this annotator has reached."""

    way: Way


def step_page(step: str) -> Callable[[View], View]:
    """For the view of a step: whoever has not reached it, or has ended before it, is led to where they are."""

    def decorate(view: View) -> View:
        @wraps(view)
        def guarded(request: Any, *args: Any, **kwargs: Any) -> HttpResponse:
            found = way(request.annotator)
            if not _may_open(found, step):
                return redirect(address(request.token, found.due))
            request.way = found
            if request.method == "GET":
                settle(request)
            return view(request, *args, **kwargs)

        return annotator_page(guarded)

    return decorate


def _may_open(found: Way, step: str) -> bool:
    """Whether this step was reached. After an ending only its own page; after stopping, consent is the way back."""
    if found.due in ENDINGS:
        return PLACES[found.due] == step or (found.due == "withdrawn" and step == "consent")
    return found.reached(step)


def shown(
    request: AnnotatorRequest, template: str, context: dict[str, Any], *, step: str = "", status: int = 200
) -> HttpResponse:
    """A page of the annotator, with the menu and, on a step, the line of steps."""
    found: Way = getattr(request, "way", None) or way(request.annotator)
    common = {
        "study": request.study,
        "token": request.token,
        "menu": menu_of(request, found.stage),
        "steps": line(request.token, found, step) if step and len(found.steps) else [],
        "due": found.due,
        "due_url": address(request.token, found.due),
    }
    return render(request, template, common | context, status=status)
