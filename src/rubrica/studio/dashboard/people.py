"""Everybody who takes part, in one table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import median
from typing import NamedTuple

from django.contrib import messages
from django.db.models import Count
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_POST

from rubrica.core.errors import InputError
from rubrica.report.trust import Checks
from rubrica.store import models
from rubrica.store.counting.progress import Seen, Work, of_people, seen
from rubrica.store.counting.submitted import picture
from rubrica.store.counting.trust import trust
from rubrica.store.course.course import course_of
from rubrica.store.metric_annotators import registered, unregister
from rubrica.store.people.consents import last_decisions
from rubrica.store.people.participation import ways
from rubrica.store.stages import current_stages
from rubrica.studio.access import StudyRequest, has, study_page
from rubrica.studio.dashboard.forms import in_words
from rubrica.studio.wording import duration, pattern_name, percent

NOBODY = Work()


class PersonRow(NamedTuple):
    """One annotator, ready to print. ``level`` colours the step: good, warn, bad or nothing."""

    person: models.Annotator
    came_by: str
    step: str
    level: str
    work: Work
    seconds: float | None
    time: str
    checks: Checks
    agreement: float | None
    agrees: str
    patterns: list[str]
    low: bool
    unsteady: bool
    untold: bool
    reviewed: int
    seen: Seen | None


@require_GET
@study_page()
def people(request: StudyRequest) -> HttpResponse:
    """The table of annotators, and apart from it the metrics that are registered."""
    rows, metrics = table(request.study), registered(request.study)
    return render(
        request,
        "dashboard/people.html",
        {
            "study": request.study,
            "role": request.role,
            "section": "people",
            "rows": rows,
            "sample": trust(picture(request.study)).sample,
            "planted": models.Planted.objects.filter(item__study=request.study).exists(),
            "may_manage": has(request.role, "manager"),
            "has_course": any(course_of(stage) for stage in current_stages(request.study)[:1]),
            "metrics": metrics,
            "plain_items": request.study.items.unplanted().count() if metrics else 0,
        },
    )


@require_POST
@study_page("manager")
def remove_metric(request: StudyRequest) -> HttpResponse:
    """Take a registered metric and its values out of the study. One that is gone already is only said to be."""
    wanted = request.POST.get("metric", "")
    try:
        found = unregister(request.study, wanted, timezone.now(), actor=request.user.get_username())
    except InputError as error:
        for words in in_words(error):
            messages.error(request, words)
    else:
        messages.success(request, _("Removed: %(metric)s. People's figures stay as they are.") % {"metric": found.name})
    return redirect("people", request.study.pid)


def table(study: models.Study) -> list[PersonRow]:
    """All annotators, by name."""
    known = picture(study)
    figures, work, signs = trust(known), of_people(study), seen(study)
    reviewed = _reviewed(study)
    people = list(models.Annotator.objects.filter(study=study).select_related("study"))
    links = {
        link.annotator_id: link
        for link in models.Invitation.objects.filter(study=study).exclude(annotator=None).select_related("came_by")
    }
    steps = steps_of(people, links, work)
    rows = []
    for person in people:
        seconds = [entry.seconds for entry in known.by_person.get(person.pk, ()) if entry.seconds is not None]
        link, did = links.get(person.pk), work.get(person.pk, NOBODY)
        step, level = steps[person.pk]
        middle = median(seconds) if seconds else None
        agreement = figures.with_others.get(person.name)
        share = agreement.share if agreement else None
        kinds = dict.fromkeys(finding.check for _stage, finding in figures.findings.get(person.name, ()))
        rows.append(
            PersonRow(
                person,
                came_by(person, link),
                step,
                level,
                did,
                middle,
                duration(middle),
                figures.checks_of(person.name),
                share,
                percent(share),
                [pattern_name(kind) for kind in kinds if kind not in ("gold", "consistency")],
                "gold" in kinds,
                "consistency" in kinds,
                not kinds and bool(figures.untold(person.name)),
                reviewed.get(person.pk, 0),
                signs.get(person.pk),
            )
        )
    return rows


def _reviewed(study: models.Study) -> dict[int, int]:
    """How many judgements of each annotator somebody has reviewed."""
    rows = models.Review.objects.filter(revision__judgement__stage__study=study).order_by()
    counts = rows.values_list("revision__judgement__annotator").annotate(Count("revision__judgement", distinct=True))
    return dict(counts)


def came_by(person: models.Annotator, link: models.Invitation | None) -> str:
    """How somebody got into the study."""
    if person.kind != models.Annotator.Kind.PERSON:
        return _("language model")
    if link is None:
        return _("sheet or import")
    door = link.came_by.kind if link.came_by else "personal"
    return {"open": _("open link"), "prolific": "Prolific", "mturk": "MTurk"}.get(door, _("personal link"))


def steps_of(
    people: Sequence[models.Annotator], links: Mapping[int | None, models.Invitation], work: Mapping[int, Work]
) -> dict[int, tuple[str, str]]:
    """Where each of these stands, in words, and how it should be marked; links and work by row number.

    In a number of queries that does not grow with people: of those who have had work it is known without asking more.
    """
    ended = last_decisions(people)
    fresh = [person for person in people if person.pk in links and not any(work.get(person.pk, NOBODY))]
    due = {pk: way.due for pk, way in ways(fresh).items()}
    return {
        person.pk: _step(
            person, links.get(person.pk), work.get(person.pk, NOBODY), ended.get(person.pk), due.get(person.pk, "")
        )
        for person in people
    }


def _step(
    person: models.Annotator, link: models.Invitation | None, did: Work, decision: models.Consent | None, due: str
) -> tuple[str, str]:
    if person.erased_at:
        return _("erased"), ""
    if person.excluded_at:
        return _("excluded"), "bad"
    if decision is not None and decision.decision == models.Consent.Decision.WITHDRAWN:
        return _("withdrew"), ""
    if link is not None and link.revoked_at:
        return _("link revoked"), ""
    if did.open:
        return _("working"), "good"
    if not due:
        return (_("has worked"), "good") if did.judged else (_("known by name"), "")
    return {
        "welcome": (_("invited"), ""),
        "consent": (_("at consent"), ""),
        "profile": (_("at profile"), ""),
        "guidelines": (_("at guidelines"), ""),
        "course": (_("at the course"), ""),
        "practice": (_("at practice"), ""),
        "qualification": (_("at qualification"), ""),
        "declined": (_("declined"), ""),
        "not_qualified": (_("did not qualify"), "warn"),
    }.get(due, (_("may begin"), ""))
