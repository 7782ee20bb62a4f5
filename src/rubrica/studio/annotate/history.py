"""One's own history: every judgement in words, its earlier versions, what researchers said of it, and flags."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from django.core.paginator import Paginator
from django.db.models import QuerySet
from django.http import Http404, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.views.decorators.http import require_GET, require_POST

from rubrica.core.texts import shown as text_in
from rubrica.store import models
from rubrica.store.adjudication import flags
from rubrica.store.adjudication.adjudication import read_feedback, unread_feedback
from rubrica.store.translate import item_from, judgement_from, protocol_of
from rubrica.studio.access import AnnotatorRequest, annotator_page
from rubrica.studio.annotate.languages import spoken
from rubrica.studio.annotate.steps import shown
from rubrica.studio.marked_texts import MarkedText, marked_pair
from rubrica.studio.wording import EditSaid, Said, answers_in_words, edits_in_words

PER_PAGE = 20


class Version(NamedTuple):
    """What was submitted at one time."""

    number: int
    at: datetime
    said: list[Said]
    edits: list[EditSaid]
    marked: list[MarkedText]


class Entry(NamedTuple):
    """One judgement: the item's texts, what it says now, what it said before."""

    texts: list[tuple[str, str, str]]
    now: Version
    earlier: list[Version]
    url: str
    feedback: list[models.Feedback]
    flag: models.Flag | None


@annotator_page
@require_GET
def history(request: AnnotatorRequest) -> HttpResponse:
    """The annotator's own judgements, the latest first."""
    heads = (
        models.Judgement.objects.filter(annotator=request.annotator)
        .submitted()
        .select_related("item", "stage__protocol_version", "stage__study", "current")
        .order_by("-current__created_at", "-pk")
    )
    page = Paginator(heads, PER_PAGE).get_page(request.GET.get("page"))
    entries = _entries(request, list(page.object_list))
    marked = models.Flag.objects.filter(annotator=request.annotator).select_related("item", "stage__protocol_version")
    context = {
        "page": page,
        "entries": entries,
        "flags": _unjudged(marked, request.annotator),
        "unread": page.number == 1 and unread_feedback(request.annotator),
    }
    return shown(request, "annotate/history.html", context)


@annotator_page
@require_POST
def feedback_read(request: AnnotatorRequest, feedback: str) -> HttpResponse:
    """Note that the annotator has read a researcher's words."""
    if not read_feedback(request.annotator, feedback, timezone.now()):
        raise Http404
    return redirect(f"/w/{request.token}/history/#feedback-{feedback}")


@annotator_page
@require_POST
def flag_taken_back(request: AnnotatorRequest, flag: str) -> HttpResponse:
    """Take back one's own flag."""
    if not flags.take_back(request.annotator, flag):
        raise Http404
    return redirect(f"/w/{request.token}/history/")


def _entries(request: AnnotatorRequest, heads: Sequence[models.Judgement]) -> list[Entry]:
    language, ids = spoken(request), [head.pk for head in heads]
    revisions: dict[int, list[models.Revision]] = {}
    submitted = models.Revision.objects.filter(judgement__in=ids).submitted().prefetch_related("edits")
    for revision in submitted.order_by("-number"):
        revisions.setdefault(revision.judgement_id, []).append(revision)
    feedback: dict[int, list[models.Feedback]] = {}
    for one in models.Feedback.objects.filter(revision__judgement__in=ids).select_related("revision").order_by("at"):
        feedback.setdefault(one.revision.judgement_id, []).append(one)
    mine = models.Assignment.objects.filter(annotator=request.annotator, item__in=[head.item_id for head in heads])
    leases = {(lease.stage_id, lease.item_id): lease.pid for lease in mine}
    marked = models.Flag.objects.filter(annotator=request.annotator, item__in=[head.item_id for head in heads])
    by_item = {(flag.stage_id, flag.item_id): flag for flag in marked}
    entries = []
    for head in heads:
        versions = [_version(head, revision, language) for revision in revisions.get(head.pk, [])]
        lease = leases.get((head.stage_id, head.item_id))
        entries.append(
            Entry(
                texts_of(head.stage, head.item, language),
                next(version for version in versions if head.current and version.number == head.current.number),
                [version for version in versions if head.current and version.number != head.current.number],
                f"/w/{request.token}/work/{lease}/" if lease else "",
                feedback.get(head.pk, []),
                by_item.get((head.stage_id, head.item_id)),
            )
        )
    return entries


def _version(head: models.Judgement, revision: models.Revision, language: str) -> Version:
    protocol, item, judgement = protocol_of(head.stage), item_from(head.item), judgement_from(revision)
    said = answers_in_words(protocol, language, judgement, item)
    edits = edits_in_words(protocol, language, item, judgement)
    marked = marked_pair(protocol, language, item, judgement.edits)
    return Version(revision.number, revision.created_at, said, edits, marked)


def texts_of(stage: models.Stage, item: models.Item, language: str) -> list[tuple[str, str, str]]:
    """Role, label and text of each field. Never the item's key: it would tell planted items from others."""
    return [
        (field.role, text_in(field.label, language), item.fields[field.id])
        for field in protocol_of(stage).fields
        if item.fields.get(field.id)
    ]


def _unjudged(marked: QuerySet[models.Flag], annotator: models.Annotator) -> list[tuple[models.Flag, str]]:
    """Flags on items that were not submitted, with the beginning of the item's text."""
    judged = set(models.Judgement.objects.filter(annotator=annotator).submitted().values_list("stage", "item"))
    return [
        (flag, next(iter(flag.item.fields.values()), ""))
        for flag in marked.order_by("-at")
        if (flag.stage_id, flag.item_id) not in judged
    ]
