"""Setup, step by step: looking through all items for sensitive material before anybody is shown them."""

from __future__ import annotations

from collections.abc import Sequence
from urllib.parse import urlencode

from django.contrib import messages
from django.core.paginator import Paginator
from django.db.models import Q, QuerySet
from django.http import HttpResponse, QueryDict
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from rubrica.core.protocol import Protocol
from rubrica.core.texts import shown
from rubrica.core.typed import storable
from rubrica.store import models
from rubrica.store.options import options_of
from rubrica.store.setup.running import is_draft, review_required
from rubrica.store.setup.study_items import LEFT_OUT, attest, require_review, review_count
from rubrica.store.setup.study_items import review as record
from rubrica.store.setup.target_words import is_of_picked_words
from rubrica.store.stages import current_stages
from rubrica.store.translate import protocol_of
from rubrica.studio.access import StudyRequest, has
from rubrica.studio.studies import setup_words
from rubrica.studio.studies.setup_steps import setup_step, show

PAGE = 25
_ONWARD = {"all_fine": 1, "next": 1, "previous": -1, "launch": 0}
"""By how many pages each button leads on; one that only leads somewhere records nothing if nothing was marked."""


@setup_step
def review(request: StudyRequest) -> HttpResponse:
    """Twenty-five items at a time. Picked words by their contexts.

    Where every item needs a review, each is fine, or left out with a reason. Else a researcher only leaves some out,
    and says at the launch that all were reviewed.
    """
    picked = is_of_picked_words(request.study)
    if request.method == "POST":
        about_words = picked and ("word" in request.POST or request.POST.get("action") in setup_words.ACTIONS)
        return setup_words.act(request) if about_words else _act(request)
    if picked:
        return setup_words.page(request)
    study = request.study
    stages = current_stages(study)
    protocol = protocol_of(stages[0])
    words, wanted = request.GET.get("q", "").strip(), request.GET.get("show", "all")
    pages = Paginator(_found(study, protocol, words, wanted), PAGE)
    page = pages.get_page(request.GET.get("page"))
    language = get_language() or "en"
    fields = [(field.id, shown(field.label, language)) for field in protocol.fields]
    required, launched = review_required(study), not is_draft(study)
    context = {
        "count": review_count(study),
        "page": page,
        "rows": _rows(list(page), fields),
        "q": words,
        "show": wanted,
        "query": urlencode({"q": words, "show": wanted}),
        "attested": options_of(study).items_reviewed,
        "required": required,
        "launched": launched,
        "each": required or launched or not has(request.role, "manager"),
        "usual_reason": LEFT_OUT,
    }
    return show(request, "review", context)


def _rows(
    items: Sequence[models.Item], fields: Sequence[tuple[str, str]]
) -> list[tuple[models.Item, list[tuple[str, str, bool]]]]:
    """Items with their texts, and whether a text is that of the item before: rewrites of one source stand together."""
    rows, before = [], dict[str, str]()
    for item in items:
        texts = [(name, label, str(item.fields.get(name, ""))) for name, label in fields]
        rows.append((item, [(label, text, before.get(name) == text) for name, label, text in texts]))
        before = {name: text for name, _label, text in texts}
    return rows


def _found(study: models.Study, protocol: Protocol, words: str, wanted: str) -> QuerySet[models.Item]:
    items = study.items.given().unplanted().order_by("position", "pk")
    if words and storable(words):
        said = Q(key__icontains=words)
        for field in protocol.fields:
            said |= Q(**{f"fields__{field.id}__icontains": words})
        items = items.filter(said)
    if wanted == "waiting":
        return items.filter(reviewed_at=None).open()
    if wanted == "left_out":
        return items.closed()
    return items


def _act(request: StudyRequest) -> HttpResponse:
    study, now, actor = request.study, timezone.now(), request.user.get_username()
    action = request.POST.get("action", "save")
    if action in ("attest", "withdraw"):
        if action == "attest" and "vouch" not in request.POST:
            messages.error(request, _("Tick the sentence first: that is what is recorded."), extra_tags="error")
            return redirect("setup_review", study.pid)
        attest(study, action == "attest", now, actor)
        return redirect("setup_launch" if action == "attest" else "setup_review", study.pid)
    if action == "require":
        require_review(study, "required" in request.POST, now, actor)
        messages.success(request, _("Recorded, with your name."), extra_tags="success")
        return redirect("setup_review", study.pid)
    fine, left_out = _decisions(request.POST, all_fine=action == "all_fine")
    if fine or left_out or action not in _ONWARD:
        record(study, fine, left_out, now, actor)
    if action == "launch":
        return redirect("setup_launch", study.pid)
    return redirect(f"{reverse('setup_review', args=[study.pid])}?{_where_to(request.POST, action)}")


def _decisions(post: QueryDict, *, all_fine: bool) -> tuple[list[str], dict[str, str]]:
    """Public ids of the items said to be fine, and those left out with the reason. Others stay as they are.

    "All are fine" leaves alone what was just marked as left out.
    """
    fine, left_out = [], {}
    for pid in post.getlist("item"):
        decision, reason = post.get(f"decision.{pid}", ""), post.get(f"reason.{pid}", "")
        if decision == "out":
            left_out[pid] = reason if storable(reason) else ""
        elif decision == "fine" or all_fine:
            fine.append(pid)
    return fine, left_out


def _where_to(post: QueryDict, action: str) -> str:
    """The same list, one page on or back after what leads there, where the list is not a shorter one now."""
    page = post.get("page", "1")
    number = int(page) if page.isascii() and page.isdigit() and len(page) < 9 else 1
    wanted = post.get("show", "all")
    onward = number + _ONWARD.get(action, 0) if wanted == "all" else number
    return urlencode({"q": post.get("q", ""), "show": wanted, "page": onward})
