"""Consent: the text of now, agreeing or not, and what follows from either; and stopping.

One stops for now, with a way back, or for good with everything erased. Each is explained before it is done.
"""

from __future__ import annotations

from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods

from rubrica.core.errors import InputError
from rubrica.exchange.study_options import CONSENT, CONSENT_TO_ANSWERS
from rubrica.store import models
from rubrica.store.people import consents
from rubrica.store.people.erasure import erase, joined_places
from rubrica.store.people.participation import Way, way
from rubrica.studio.access import AnnotatorRequest, annotator_page
from rubrica.studio.annotate.languages import spoken
from rubrica.studio.annotate.steps import StepRequest, address, shown, step_page, to_due
from rubrica.studio.guidelines import render_markdown

DEFAULT = (
    gettext_lazy(
        "Taking part is voluntary. You may skip any item you are uncomfortable with, at no loss, and you may stop at "
        "any time without giving a reason."
    ),
    gettext_lazy(
        "What you answer, and what you tell about yourself (demographic data such as your age or your first language), "
        "is stored anonymously: under a pseudonym, apart from anything that could tell who you are. It will be used "
        "for research and distributed to other researchers for that purpose, also as part of public data sets."
    ),
    gettext_lazy(
        "You may ask at any time that your answers be erased. What was published before you asked cannot be called "
        "back."
    ),
)
"""The paragraphs of ``exchange.study_options.CONSENT``, to be translated."""
TO_ANSWERS = gettext_lazy(
    "What you answer is stored anonymously: under a pseudonym, apart from anything that could tell who you are. It "
    "will be used for research and distributed to other researchers for that purpose, also as part of public data sets."
)
"""The second of them where nothing is asked about the person."""
OURS = {CONSENT: DEFAULT, CONSENT_TO_ANSWERS: (DEFAULT[0], TO_ANSWERS, DEFAULT[2])}


@step_page("consent")
@require_http_methods(["GET", "POST"])
def consent(request: StepRequest) -> HttpResponse:
    """Ask for consent, take the answer, or show what was answered."""
    if "consent" not in request.way.steps:
        return to_due(request)
    problem = ""
    if request.method == "POST":
        decision = request.POST.get("decision", "")
        if decision in ("agree", "decline"):
            try:
                consents.decide(
                    request.annotator, request.POST.get("text", ""), agrees=decision == "agree", now=timezone.now()
                )
                return to_due(request)
            except InputError:
                problem = _("The text was changed while you were reading it. Please read it again.")
        else:
            problem = _("Please choose one of the two.")
    return _page(request, problem)


def _page(request: StepRequest, problem: str) -> HttpResponse:
    reads = spoken(request)
    text = request.way.options.consent_wording(reads)
    decision = consents.latest(request.annotator)
    agreed = decision if consents.holds(decision, request.way.options) else None
    if agreed is not None and agreed.text is not None and text in OURS:
        text = agreed.text.text
    declined = request.way.due == "declined" and "again" not in request.GET and not problem
    context = {
        "consent_html": render_markdown(in_own_language(text), "own-", 2),
        "original_html": render_markdown(text, "original-", 2) if text in OURS and reads != "en" else "",
        "digest": consents.digest(text),
        "agreed": agreed,
        "declined": declined,
        "changed": "consent" not in request.way.done and consents.agreed_before(request.annotator),
        "problem": problem,
    }
    return shown(request, "annotate/consent.html", context, step="consent", status=422 if problem else 200)


def in_own_language(text: str) -> str:
    """The wording as the reader sees it: a researcher's as it was written, ours translated."""
    return "\n\n".join(map(str, OURS[text])) if text in OURS else text


CHOICES = ("stop", "erase")


@annotator_page
@require_http_methods(["GET", "POST"])
def withdraw(request: AnnotatorRequest) -> HttpResponse:
    """Explain the two choices, ask once more, then do it. After stopping: the way back."""
    found = way(request.annotator)
    if request.method == "GET":
        return _stop_page(request, found)
    if request.POST.get("choice") == "return":
        return _return(request, found)
    choice = request.POST.get("choice", "")
    if choice not in CHOICES:
        return _stop_page(request, found, problem=True)
    if request.POST.get("sure") != "yes":
        elsewhere = len(joined_places(request.annotator)) if choice == "erase" else 0
        context = {"choice": choice, "elsewhere": elsewhere, **_counts(request.annotator)}
        return shown(request, "annotate/withdraw_sure.html", context)
    if choice == "erase":
        done = erase(request.annotator, timezone.now())
        return render(request, "annotate/erased.html", {"study": request.study, "elsewhere": len(done.elsewhere)})
    consents.stop(request.annotator, timezone.now())
    return redirect(request.path)


def _stop_page(request: AnnotatorRequest, found: Way, *, problem: bool = False) -> HttpResponse:
    template = "annotate/withdrawn.html" if found.due == "withdrawn" else "annotate/withdraw.html"
    context = {"problem": problem, "asks_consent": "consent" in found.steps, **_counts(request.annotator)}
    return shown(request, template, context, status=422 if problem else 200)


def _return(request: AnnotatorRequest, found: Way) -> HttpResponse:
    """Back to taking part. Where there is a text to agree to, it is shown again: agreeing is the way back."""
    if found.due != "withdrawn":
        return to_due(request)
    if "consent" in found.steps:
        return redirect(address(request.token, "consent"))
    consents.come_back(request.annotator, timezone.now())
    return to_due(request)


def _counts(annotator: models.Annotator) -> dict[str, int]:
    return {
        "submitted": models.Judgement.objects.filter(annotator=annotator).submitted().count(),
        "open": models.Assignment.objects.filter(annotator=annotator).open().count(),
    }
