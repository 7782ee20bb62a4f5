"""What a researcher says about one judgement: the review of a sample, feedback to its annotator."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from rubrica.core.errors import InputError
from rubrica.store import models
from rubrica.store.adjudication import adjudication
from rubrica.studio.access import StudyRequest, study_page
from rubrica.studio.dashboard import person
from rubrica.studio.dashboard.controls import say_problems
from rubrica.studio.dashboard.forms import Refused, form_key
from rubrica.studio.dashboard.judgements import find, page


@require_POST
@study_page("adjudicator")
def review(request: StudyRequest, judgement: str) -> HttpResponse:
    """Record the decision on a judgement."""
    found = find(request, judgement)
    decision, note = request.POST.get("decision", ""), request.POST.get("note", "")
    try:
        adjudication.review(
            found,
            decision,
            note,
            timezone.now(),
            actor=request.user.get_username(),
            key=form_key(request.POST.get("key", "")),
        )
    except InputError as error:
        return _again(request, found, Refused.by(error, f"review-{found.pid}", request))
    messages.success(request, _("The review is recorded."))
    return _back(request, found)


@require_POST
@study_page("adjudicator")
def give_feedback(request: StudyRequest, judgement: str) -> HttpResponse:
    """Tell the annotator something about a judgement."""
    found = find(request, judgement)
    text = request.POST.get("text", "")
    try:
        adjudication.give_feedback(
            found, text, timezone.now(), actor=request.user.get_username(), key=form_key(request.POST.get("key", ""))
        )
    except InputError as error:
        return _again(request, found, Refused.by(error, "feedback", request))
    messages.success(request, _("The feedback is given. The annotator sees it on their next page."))
    return _back(request, found)


@require_POST
@study_page("adjudicator")
def take_feedback_back(request: StudyRequest, judgement: str, words: str) -> HttpResponse:
    """Undo feedback that was not read yet."""
    found = find(request, judgement)
    given = models.Feedback.objects.filter(pid=form_key(words), revision__judgement=found).first()
    try:
        if given is not None:
            adjudication.take_back_feedback(given, timezone.now(), actor=request.user.get_username())
    except InputError as error:
        say_problems(request, error)
    else:
        messages.success(request, _("The feedback is taken back. The annotator had not read it."))
    return _back(request, found)


def _again(request: StudyRequest, judgement: models.Judgement, refused: Refused) -> HttpResponse:
    """The page that the form stood on, with what was typed."""
    if request.POST.get("from") == "person":
        return person.page(request, judgement.annotator, refused)
    return page(request, judgement, refused)


def _back(request: StudyRequest, judgement: models.Judgement) -> HttpResponse:
    """To the page that the form stood on."""
    if request.POST.get("from") == "person":
        page = reverse("person", args=[request.study.pid, judgement.annotator.pid])
        return HttpResponseRedirect(f"{page}#j-{judgement.pid}")
    return HttpResponseRedirect(reverse("judgement", args=[request.study.pid, judgement.pid]))
