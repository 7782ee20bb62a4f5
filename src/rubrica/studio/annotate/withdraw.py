"""Stopping: for now, with a way back, or for good with everything erased. Each is explained before it is done."""

from __future__ import annotations

from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_http_methods

from rubrica.store import models
from rubrica.store.people import consents
from rubrica.store.people.erasure import erase, joined_places
from rubrica.store.people.participation import Way, way
from rubrica.studio.access import AnnotatorRequest, annotator_page
from rubrica.studio.annotate.steps import address, shown, to_due

CHOICES = ("stop", "erase")


@annotator_page
@require_http_methods(["GET", "POST"])
def withdraw(request: AnnotatorRequest) -> HttpResponse:
    """Explain the two choices, ask once more, then do it. After stopping: the way back."""
    found = way(request.annotator)
    if request.method == "GET":
        return _page(request, found)
    if request.POST.get("choice") == "return":
        return _return(request, found)
    choice = request.POST.get("choice", "")
    if choice not in CHOICES:
        return _page(request, found, problem=True)
    if request.POST.get("sure") != "yes":
        elsewhere = len(joined_places(request.annotator)) if choice == "erase" else 0
        context = {"choice": choice, "elsewhere": elsewhere, **_counts(request.annotator)}
        return shown(request, "annotate/withdraw_sure.html", context)
    if choice == "erase":
        done = erase(request.annotator, timezone.now())
        return render(request, "annotate/erased.html", {"study": request.study, "elsewhere": len(done.elsewhere)})
    consents.stop(request.annotator, timezone.now())
    return redirect(request.path)


def _page(request: AnnotatorRequest, found: Way, *, problem: bool = False) -> HttpResponse:
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
