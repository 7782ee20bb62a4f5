"""Adding items to a running study: a file is sent, its columns are matched and shown, and then it is used."""

from __future__ import annotations

from collections.abc import Sequence

from django.contrib import messages
from django.db.models import Max
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_POST

from rubrica.core.errors import InputError, Problem, first_problems
from rubrica.core.study import Item, key_problems, with_fresh_keys
from rubrica.store import models
from rubrica.store.setup import study_items
from rubrica.store.setup.running import is_draft
from rubrica.store.stages import current_stages
from rubrica.store.translate import protocol_of
from rubrica.studio.access import StudyRequest, study_page
from rubrica.studio.studies import uploads
from rubrica.studio.studies.setup_items import ENDINGS, Matching, match


@study_page("manager")
@require_http_methods(["GET", "POST"])
@uploads.takes_files(uploads.table_bytes)
def items_add(request: StudyRequest) -> HttpResponse:
    """Send a file, match its columns, add its items."""
    if is_draft(request.study):
        messages.info(request, _("This study is not launched yet: its items are chosen in the setup."))
        return redirect("setup_items", request.study.pid)
    return _act(request) if request.method == "POST" else _page(request)


@study_page("manager")
@require_POST
def undo(request: StudyRequest) -> HttpResponse:
    """Take the items that were just added back, while nobody has been given one."""
    numbers = [request.POST.get("after", ""), request.POST.get("count", "")]
    if not all(number.isdecimal() and len(number) <= 9 for number in numbers):
        return redirect("items", request.study.pid)
    after, count = map(int, numbers)
    try:
        count = study_items.take_back(request.study, after, count, timezone.now(), request.user.get_username())
    except InputError as error:
        messages.error(request, " ".join(f"{problem.what}. {problem.fix}" for problem in error.problems))
        return redirect("items", request.study.pid)
    words = ngettext("%(count)d item was taken back.", "%(count)d items were taken back.", count)
    messages.success(request, words % {"count": count})
    return redirect("items", request.study.pid)


def _page(request: StudyRequest, problems: list[Problem] | None = None) -> HttpResponse:
    study = request.study
    waiting = uploads.pending(request, study)
    matching = match(waiting, protocol_of(current_stages(study)[0])) if waiting else None
    found: Sequence[Problem] = problems or []
    if matching and not found:
        found = matching.problems or first_problems(_key_problems(study, matching))
    context = {
        "study": study,
        "role": request.role,
        "section": "items",
        "formats": ",".join(ENDINGS),
        "waiting": waiting,
        "matching": matching,
        "count": len(matching.table.keys) if matching and matching.table else 0,
        "problems": found,
        "usable": bool(matching and matching.usable and not found),
    }
    return render(request, "studies/items_add.html", context, status=422 if problems else 200)


def _act(request: StudyRequest) -> HttpResponse:
    try:
        wanted = uploads.decide(request, request.study, ENDINGS)
    except InputError as error:
        return _page(request, list(error.problems))
    return _use(request, wanted) if wanted else redirect("items_add", request.study.pid)


def _use(request: StudyRequest, waiting: uploads.Pending) -> HttpResponse:
    study = request.study
    matching = match(waiting, protocol_of(current_stages(study)[0]), whole=True)
    if not matching.usable:
        return redirect("items_add", study.pid)
    last = study.items.aggregate(last=Max("position"))["last"] or 0
    try:
        count = study_items.add(study, new_items(study, matching), timezone.now(), request.user.get_username())
    except InputError as error:
        return _page(request, list(error.problems))
    uploads.discard(request, study)
    request.session[f"items_added:{study.pid}"] = {"after": last, "count": count}
    return redirect("items", study.pid)


def new_items(study: models.Study, matching: Matching) -> list[Item]:
    """The items of the file; those of a file without ids get numbers that are free."""
    if matching.table is None:
        return []
    items = matching.table.items
    return items if matching.table.taken.get("id") else with_fresh_keys(items, study_items.keys_of(study))


def _key_problems(study: models.Study, matching: Matching) -> list[Problem]:
    """Ids of the file that the study has already; a file without ids has none."""
    table = matching.table
    return key_problems(table.keys, study_items.keys_of(study)) if table and table.taken.get("id") else []
