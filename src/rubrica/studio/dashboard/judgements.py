"""One judgement: the texts, the answers in words, its history, verdicts, feedback and review."""

from __future__ import annotations

from datetime import datetime
from typing import NamedTuple

from django.http import HttpResponse
from django.shortcuts import render
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET

from rubrica.core.edits import SIDES
from rubrica.core.protocol import Protocol
from rubrica.core.texts import shown
from rubrica.core.verdicts import of_judgement
from rubrica.store import models
from rubrica.store.adjudication.adjudication import last_review, with_everything
from rubrica.store.public_ids import new_public_id
from rubrica.store.translate import item_from, judgement_from, protocol_of, rules_of
from rubrica.studio.access import StudyRequest, has, study_page
from rubrica.studio.dashboard.forms import Refused, one
from rubrica.studio.marked_texts import MarkedText, marked_pair
from rubrica.studio.wording import EditSaid, Said, answers_in_words, duration, edits_in_words


class JudgementView(NamedTuple):
    """A judgement as pages show it. ``key`` makes a doubled review or feedback the same."""

    judgement: models.Judgement
    stage: str
    texts: list[tuple[str, str]]
    said: list[Said]
    edits: list[EditSaid]
    marked: list[MarkedText]
    planted: str
    time: str
    at: datetime | None
    review: models.Review | None
    feedback: list[models.Feedback]
    key: str


class Change(NamedTuple):
    """One answer of a revision that differs from the submitted one before."""

    title: str
    before: str
    after: str


class RevisionView(NamedTuple):
    """One submitted revision: when, by which way, after how many drafts, and what it changed."""

    revision: models.Revision
    time: str
    drafts: int
    changes: list[Change]


def language() -> str:
    """The language in which the researcher reads the protocol's texts."""
    return get_language() or "en"


def view_of(judgement: models.Judgement) -> JudgementView:
    """What a page shows of a judgement that was read with everything (store.adjudication.reviews.with_everything)."""
    protocol, speaks = protocol_of(judgement.stage), language()
    item, current = item_from(judgement.item), judgement.current
    said = judgement_from(current) if current else None
    feedback = [words for revision in judgement.revisions.all() for words in revision.feedback.all()]
    planted: models.Planted | None = getattr(judgement.item, "planted", None)
    return JudgementView(
        judgement,
        shown(rules_of(judgement.stage, protocol).label, speaks),
        texts_of(protocol, speaks, judgement.item, besides=said is not None and bool(said.edits)),
        answers_in_words(protocol, speaks, said, item) if said else [],
        edits_in_words(protocol, speaks, item, said) if said else [],
        marked_pair(protocol, speaks, item, said.edits) if said else [],
        {"gold": _("has a known answer"), "duplicate": _("hidden duplicate")}.get(planted.kind, "") if planted else "",
        duration(current.seconds if current else None),
        current.created_at if current else None,
        last_review(judgement),
        sorted(feedback, key=lambda words: (words.at, words.pk)),
        new_public_id(),
    )


def texts_of(protocol: Protocol, speaks: str, item: models.Item, *, besides: bool = False) -> list[tuple[str, str]]:
    """The texts that were shown, each with its label; ``besides``: but those that are drawn with their edits."""
    return [
        (shown(field.label, speaks), item.fields[field.id])
        for field in protocol.fields
        if item.fields.get(field.id) and not (besides and field.id in SIDES)
    ]


def find(request: StudyRequest, pid: str) -> models.Judgement:
    """The judgement of this study, or 404."""
    return one(with_everything(models.Judgement.objects.filter(stage__study=request.study)), pid)


@require_GET
@study_page()
def judgement_page(request: StudyRequest, judgement: str) -> HttpResponse:
    """One judgement with its history."""
    return page(request, find(request, judgement))


def page(request: StudyRequest, found: models.Judgement, refused: Refused | None = None) -> HttpResponse:
    """The page of this judgement; with a form that was not taken, that one as it was sent."""
    view = view_of(found)
    protocol = protocol_of(found.stage)
    verdicts = []
    if found.current and found.state == models.Judgement.State.SUBMITTED:
        decided = of_judgement(protocol, item_from(found.item), judgement_from(found.current))
        labels = {verdict.id: shown(verdict.label, language()) for verdict in protocol.verdicts}
        verdicts = [(labels[name], value) for name, value in decided.items()]
    return render(
        request,
        "dashboard/judgement.html",
        {
            "study": request.study,
            "role": request.role,
            "section": "people",
            "view": view,
            "history": _history(found, protocol),
            "pending": found.pending is not None,
            "verdicts": verdicts,
            "reviews": sorted(
                (review for revision in found.revisions.all() for review in revision.reviews.all()),
                key=lambda review: (review.at, review.pk),
            ),
            "may_review": has(request.role, "adjudicator"),
            "others": _others(found),
            "refused": refused,
        },
        status=422 if refused else 200,
    )


def _others(judgement: models.Judgement) -> list[models.Judgement]:
    """Submitted judgements of the same item at the same stage by others."""
    same = models.Judgement.objects.filter(stage=judgement.stage_id, item=judgement.item_id).submitted()
    return list(same.exclude(pk=judgement.pk).select_related("annotator").order_by("annotator__name"))


def _history(judgement: models.Judgement, protocol: Protocol) -> list[RevisionView]:
    """Submitted revisions, the newest first, each compared with the one before."""
    found: list[RevisionView] = []
    drafts, before = 0, None
    for revision in sorted(judgement.revisions.all(), key=lambda one: one.number):
        if revision.draft:
            drafts += 1
            continue
        found.append(RevisionView(revision, duration(revision.seconds), drafts, _changes(protocol, before, revision)))
        drafts, before = 0, revision
    return found[::-1]


def _changes(protocol: Protocol, before: models.Revision | None, after: models.Revision) -> list[Change]:
    if before is None or after.erased_at is not None:
        return []
    old = {said.title: said.answer for said in answers_in_words(protocol, language(), judgement_from(before))}
    new = {said.title: said.answer for said in answers_in_words(protocol, language(), judgement_from(after))}
    none = _("no answer")
    return [
        Change(title, old.get(title, none), new.get(title, none))
        for title in dict.fromkeys([*old, *new])
        if old.get(title) != new.get(title)
    ]
