"""The guidelines as a page of their own: readable at any time, and a step with "I have read this"."""

from __future__ import annotations

from django.http import HttpResponse
from django.utils import timezone
from django.views.decorators.http import require_http_methods

from rubrica.store.people.participation import finish, way
from rubrica.store.translate import protocol_of
from rubrica.studio.access import AnnotatorRequest, annotator_page
from rubrica.studio.annotate.desk import spoken_language
from rubrica.studio.annotate.languages import spoken
from rubrica.studio.annotate.steps import shown, to_due
from rubrica.studio.guidelines import render


@annotator_page
@require_http_methods(["GET", "POST"])
def guidelines(request: AnnotatorRequest) -> HttpResponse:
    """Show the guidelines; the button says that they were read."""
    found = way(request.annotator)
    if request.method == "POST":
        if found.due == "guidelines":
            finish(request.annotator, "guidelines", timezone.now())
        return to_due(request)
    protocol = protocol_of(found.stage)
    language = spoken_language(protocol, spoken(request))
    context = {
        "guidelines_html": render(protocol, language),
        "language": language,
    }
    return shown(request, "annotate/guidelines.html", context, step="guidelines")
