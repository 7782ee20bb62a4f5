"""The items of a study: searched and paged, one by one, closed and reopened."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from django.contrib import messages
from django.core.paginator import Paginator
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.db.models.fields.json import KeyTextTransform
from django.http import Http404, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_POST

from rubrica.core.answers import from_json
from rubrica.core.errors import InputError
from rubrica.core.protocol import Protocol
from rubrica.core.study import ANSWERED, Judgement
from rubrica.core.texts import shown
from rubrica.core.typed import storable
from rubrica.store import models
from rubrica.store.counting.progress import of_items, unfinished
from rubrica.store.models.studies import ItemQuerySet
from rubrica.store.setup import study_items
from rubrica.store.setup.running import is_draft
from rubrica.store.setup.target_words import unmarked
from rubrica.store.stages import current_stages
from rubrica.store.translate import item_from, protocol_of
from rubrica.studio.access import StudyRequest, has, study_page
from rubrica.studio.wording import answers_in_words, outcome_in_words, stage_title

PAGE = 50
MORE_TEXTS = 3
"""How many texts of an item the table shows."""
STATES = ("open", "closed", "planted", "flagged", "unfinished")
ORDERS = {"position": ("position", "pk"), "key": ("key",), "system": ("system", "position"), "group": ("group", "key")}


class Asked(NamedTuple):
    """What a researcher looks for; everything empty shows all items in their order."""

    text: str = ""
    system: str = ""
    state: str = ""
    order: str = "position"


class Answered(NamedTuple):
    """One judgement of an item as the page lists it."""

    judgement: models.Judgement
    stage: str
    outcome: str
    answers: list[tuple[str, str]]


@study_page("viewer")
@require_GET
def items(request: StudyRequest) -> HttpResponse:
    """The table of items, 50 a page, searched on the server."""
    study = request.study
    asked = _asked(request.GET)
    fields = _fields(study)
    found = find(study, asked, [name for name, _label in fields])
    page = Paginator(found, PAGE).get_page(request.GET.get("page"))
    stages = list(study.stages.select_related("protocol_version"))
    rows = list(page.object_list)
    done = {pk: {one.stage.pk: one for one in found} for pk, found in of_items(rows, stages).items()}
    context = {
        "study": study,
        "role": request.role,
        "section": "items",
        "may_change": has(request.role, "manager"),
        "rows": [
            (row, _texts(row, fields)[:MORE_TEXTS], [done[row.pk].get(stage.pk) for stage in stages]) for row in rows
        ],
        "page": page,
        "stages": [(stage, stage_title(stage)) for stage in stages],
        "asked": asked,
        "narrowed": bool(asked.text or asked.system or asked.state),
        "systems": _systems(study),
        "grouped": any(row.group for row in rows),
        "total": study.items.count(),
        "query": _query(request.GET),
        "draft": is_draft(study),
        "unmarked": unmarked(study),
        "undo": request.session.pop(f"items_added:{study.pid}", None),
    }
    return render(request, "studies/items.html", context)


@study_page("viewer")
@require_GET
def item(request: StudyRequest, pid: str) -> HttpResponse:
    """One item: its texts, what it measures, who judged it, what was flagged."""
    return _item_page(request, _find(request, pid))


@study_page("manager")
@require_POST
def close(request: StudyRequest, pid: str) -> HttpResponse:
    """Hand the item out no more."""
    row = _find(request, pid)
    reason = request.POST.get("reason", "")
    try:
        study_items.close(row, reason, timezone.now(), request.user.get_username())
    except InputError as error:
        return _item_page(request, row, status=422, problems=error.problems, reason=reason)
    messages.success(request, _("The item is closed: it is handed out no more. What was said about it stays."))
    return redirect("item", request.study.pid, pid)


@study_page("manager")
@require_POST
def reopen(request: StudyRequest, pid: str) -> HttpResponse:
    """Hand the item out again."""
    study_items.reopen(_find(request, pid), timezone.now(), request.user.get_username())
    messages.success(request, _("The item is open again."))
    return redirect("item", request.study.pid, pid)


def _find(request: StudyRequest, pid: str) -> models.Item:
    row = request.study.items.select_related("planted", "planted__original").filter(pid=pid).first()
    if row is None:
        raise Http404
    return row


def _item_page(request: StudyRequest, row: models.Item, status: int = 200, **more: Any) -> HttpResponse:
    study = request.study
    stages = list(study.stages.select_related("protocol_version"))
    protocols = {stage.pk: protocol_of(stage) for stage in stages}
    titles = {stage.pk: stage_title(stage) for stage in stages}
    heads = (
        row.judgements.exclude(state=models.Judgement.State.DRAFT)
        .select_related("annotator", "current", "item", "stage")
        .order_by("stage__position", "annotator__name")
    )
    planted: models.Planted | None = getattr(row, "planted", None)
    newest = current_stages(study)
    known = _said(protocol_of(newest[0]), row, planted.answers) if planted and newest else []
    context = {
        "study": study,
        "role": request.role,
        "section": "items",
        "may_change": has(request.role, "manager"),
        "item": row,
        "texts": _texts(row, _fields(study)),
        "planted": planted,
        "known": known,
        "duplicates": models.Item.objects.filter(planted__original=row),
        "progress": [(done, titles[done.stage.pk]) for done in of_items([row], stages)[row.pk]],
        "judgements": [_answered(head, titles[head.stage_id], protocols[head.stage_id]) for head in heads],
        "flags": row.flags.select_related("annotator", "stage").order_by("-at"),
        **more,
    }
    return render(request, "studies/item.html", context, status=status)


def _answered(head: models.Judgement, stage: str, protocol: Protocol) -> Answered:
    if head.current is None or head.state == models.Judgement.State.ERASED:
        return Answered(head, stage, "", [])
    outcome = head.current.outcome
    left = "" if outcome == ANSWERED else outcome_in_words(protocol, get_language() or "en", outcome)
    return Answered(head, stage, left, _said(protocol, head.item, head.current.answers))


def _said(protocol: Protocol, row: models.Item, answers: dict[str, Any]) -> list[tuple[str, str]]:
    """Answers in the order of the questions, in words."""
    said = answers_in_words(protocol, get_language() or "en", Judgement(from_json(answers)), item_from(row))
    return [(one.title, one.answer) for one in said]


def _fields(study: models.Study) -> list[tuple[str, str]]:
    """The fields of the protocol that runs now, with their labels; then those that only older versions had."""
    language = get_language() or "en"
    found: dict[str, str] = {}
    for stage in reversed(list(study.stages.select_related("protocol_version"))):
        for field in protocol_of(stage).fields:
            found.setdefault(field.id, shown(field.label, language))
    return list(found.items())


def _texts(row: models.Item, fields: list[tuple[str, str]]) -> list[tuple[str, str]]:
    return [(label, row.fields[name]) for name, label in fields if row.fields.get(name)]


def find(study: models.Study, asked: Asked, fields: Sequence[str]) -> QuerySet[models.Item]:
    """The items that match, in the order asked for. The text is looked for in ids, names and the given fields."""
    items = study.items.select_related("planted", "planted__original")
    text = asked.text.strip()
    if text and storable(text):
        found = Q(key__icontains=text) | Q(system__icontains=text) | Q(group__icontains=text)
        for number, name in enumerate(fields):
            items = items.annotate(**{f"text_{number}": KeyTextTransform(name, "fields")})
            found |= Q(**{f"text_{number}__icontains": text})
        items = items.filter(found)
    elif text:
        return items.none()
    if asked.system:
        items = items.filter(system=asked.system)
    return _in_state(items, study, asked.state).order_by(*ORDERS.get(asked.order, ORDERS["position"]))


def _in_state(items: ItemQuerySet, study: models.Study, state: str) -> ItemQuerySet:
    match state:
        case "open":
            return items.open()
        case "closed":
            return items.closed()
        case "planted":
            return items.planted()
        case "flagged":
            return items.filter(Exists(models.Flag.objects.filter(item=OuterRef("pk")).open()))
        case "unfinished":
            return items.filter(pk__in=unfinished(study).values("pk"))
        case _:
            return items


def _systems(study: models.Study) -> list[str]:
    """Names of the systems whose outputs are among the items."""
    return list(study.items.exclude(system="").values_list("system", flat=True).distinct().order_by("system"))


def _asked(given: QueryDict) -> Asked:
    state, order = given.get("state", ""), given.get("order", "position")
    return Asked(
        text=given.get("q", "")[:200],
        system=given.get("system", "")[:200],
        state=state if state in STATES else "",
        order=order if order in ORDERS else "position",
    )


def _query(given: QueryDict) -> str:
    """What stands in the address beside the page, for the links to other pages."""
    kept = given.copy()
    kept.pop("page", None)
    return kept.urlencode()
