"""Target words of a study from before their places were kept: found now, and asked about where they are not."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods

from rubrica.core.errors import InputError, Problem
from rubrica.core.target_words import context_field, words_at
from rubrica.exchange.target_places import NOT_FOUND
from rubrica.store.setup import target_words as store
from rubrica.store.stages import current_stages
from rubrica.store.translate import protocol_of
from rubrica.studio.access import StudyRequest, study_page
from rubrica.studio.studies import uploads
from rubrica.studio.studies.setup_items import UNPLACED, Unplaced


@study_page("manager")
@require_http_methods(["GET", "POST"])
def targets(request: StudyRequest) -> HttpResponse:
    """Ask where words stand that are not found; with every answer, keep all places at once."""
    study = request.study
    decided = uploads.decided_rows(request.POST)
    problems: list[Problem] = []
    if request.method == "POST":
        try:
            found = store.place_again(study, decided, timezone.now(), request.user.get_username())
        except InputError as error:
            problems = list(error.problems)
        else:
            messages.success(request, _said(found))
            return redirect("items", study.pid)
    else:
        problems = store.look(study, decided).problems
    lost = [problem for problem in problems if problem.rule == NOT_FOUND]
    field = context_field(protocol_of(current_stages(study)[0]))
    rows = dict(study.items.filter(position__in=[one.line for one in lost]).values_list("position", "fields"))
    texts = {line: texts.get(field, "") for line, texts in rows.items()}
    context = {
        "study": study,
        "role": request.role,
        "section": "items",
        "unmarked": store.unmarked(study),
        "lost": len(lost),
        "unplaced": [
            Unplaced(line, str(one.value), texts[line], words_at(texts[line]))
            for one in lost[:UNPLACED]
            if (line := one.line or 0) in texts
        ],
        "decided": {line: place for line, place in decided.items() if line.isdigit()},
        "problems": [problem for problem in problems if problem.rule != NOT_FOUND],
    }
    return render(request, "studies/items_targets.html", context, status=422 if request.method == "POST" else 200)


def _said(found: store.PlacedAgain) -> str:
    words = ngettext("%(n)d item has a new mark.", "%(n)d items have a new mark.", found.placed) % {"n": found.placed}
    if found.left_out:
        out = ngettext(
            "%(n)d item is closed: it is handed out no more.",
            "%(n)d items are closed: they are handed out no more.",
            found.left_out,
        )
        words += " " + out % {"n": found.left_out}
    return words
