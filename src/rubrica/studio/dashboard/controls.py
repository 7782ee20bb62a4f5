"""Running the study from its page: release, pause, resume, close, open again, overlap, more time."""

from __future__ import annotations

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST

from rubrica.core import typed
from rubrica.core.errors import InputError, wrong
from rubrica.store.setup import running
from rubrica.store.setup.running import launch
from rubrica.studio.access import StudyRequest, study_page
from rubrica.studio.dashboard.forms import Refused, in_words
from rubrica.studio.dashboard.overview import page


@require_POST
@study_page("manager")
def run(request: StudyRequest) -> HttpResponse:
    """One of the buttons below the overview."""
    action = request.POST.get("action", "")
    try:
        said = _act(request, action)
    except InputError as error:
        if action in ("overlap", "time"):
            return page(request, Refused.by(error, action, request))
        say_problems(request, error)
    else:
        messages.success(request, said)
    return redirect("dashboard", request.study.pid)


def _act(request: StudyRequest, action: str) -> str:
    study, actor, now = request.study, request.user.get_username(), timezone.now()
    if action == "release":
        launch(study, now, actor)
        return _("Released: annotators get work from now on.")
    if action == "overlap":
        stage = next((row for row in study.stages.all() if row.key == request.POST.get("stage")), None)
        if stage is None:
            raise Http404
        wanted = whole_number(request.POST.get("overlap", ""), "overlap")
        before = running.set_overlap(study, {stage.key: wanted}, now, actor=actor)[stage.key]
        return _("Judgements per item: %(after)s, %(before)s before.") % {"before": before, "after": wanted}
    if action == "time":
        hours = whole_number(request.POST.get("hours", ""), "hours")
        count = running.give_time(study, hours, now, actor=actor)
        text = ngettext("%(n)s item may take longer now.", "%(n)s items may take longer now.", count)
        return text % {"n": count}
    running.move(study, action, now, actor=actor, stage=request.POST.get("stage", ""))
    return {
        "pause": _("Paused: nobody gets work. What somebody has open can still be submitted."),
        "resume": _("Resumed: annotators get work again."),
        "close": _("Closed. You can open it again."),
        "reopen": _("Open again: annotators get work."),
    }[action]


def whole_number(text: str, what: str) -> int:
    """A number from a form. Raises InputError for anything else."""
    if (found := typed.whole(text)) is not None:
        return found
    raise wrong(f"{text[:40]!r} is not a whole number", what, "Use digits only.", value=text[:40])


def say_problems(request: StudyRequest, error: InputError) -> None:
    """Put what is wrong on the next page."""
    for words in in_words(error):
        messages.error(request, words)
