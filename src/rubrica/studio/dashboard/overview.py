"""The study at a glance: is it on track, can it be trusted, what needs somebody."""

from __future__ import annotations

import hashlib
from datetime import datetime
from typing import TYPE_CHECKING, Any, NamedTuple

from django.http import HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET

from rubrica.store.counting import progress as counting
from rubrica.store.counting.submitted import Picture, picture
from rubrica.store.counting.trust import Trust, all_checks, trust
from rubrica.store.models import Stage
from rubrica.store.setup.launching import state_of
from rubrica.studio.access import StudyRequest, has, study_page
from rubrica.studio.dashboard import charts
from rubrica.studio.dashboard.points import points
from rubrica.studio.dashboard.refusing import Refused
from rubrica.studio.stage_names import stage_title
from rubrica.studio.wording import duration, percent, question_title, span_of_time

if TYPE_CHECKING:
    from rubrica.report.agreement_percent import Percent

LARGE = 20_000
"""Judgements from which on the page looks for news every half minute instead of every five seconds."""


class AgreementRow(NamedTuple):
    """One question's percent agreement, ready to print."""

    question: str
    share: str
    interval: str
    pairs: int


class StageView(NamedTuple):
    """One stage, ready to print."""

    counts: counting.StageProgress
    label: str
    share: str
    pace: str
    end: datetime | None
    why_no_end: str
    median: str
    agreement: list[AgreementRow]


@require_GET
@study_page()
def dashboard(request: StudyRequest) -> HttpResponse:
    """The overview."""
    return page(request)


def page(request: StudyRequest, refused: Refused | None = None) -> HttpResponse:
    """The overview; with a form that was not taken, that one as it was sent."""
    now = timezone.now()
    known = picture(request.study)
    part, digest = _live_part(request, known, now)
    return render(
        request,
        "dashboard/overview.html",
        {
            "study": request.study,
            "role": request.role,
            "section": "dashboard",
            "state": state_of(known.stages.values()),
            "stages": [(stage, stage_title(stage)) for stage in known.stages.values()],
            "may_run": has(request.role, "manager"),
            "live": part,
            "digest": digest,
            "seconds": 30 if len(known.every) > LARGE else 5,
            "drafts": [stage_title(stage) for stage in known.stages.values() if stage.state == Stage.State.DRAFT],
            "refused": refused,
        },
        status=422 if refused else 200,
    )


@require_GET
@study_page()
def live(request: StudyRequest) -> HttpResponse:
    """The part that changes while people work; nothing (204) if the page has seen it as it is."""
    part, digest = _live_part(request, picture(request.study), timezone.now())
    if request.GET.get("seen") == digest:
        return HttpResponse(status=204)
    return render(request, "dashboard/live.html", {"study": request.study, "live": part, "digest": digest})


def _live_part(request: StudyRequest, known: Picture, now: datetime) -> tuple[str, str]:
    """The changing part as HTML, and a digest of it."""
    html = render_to_string("dashboard/glance.html", _glance(request, known, now), request)
    return html, hashlib.sha256(html.encode()).hexdigest()[:16]


def _glance(request: StudyRequest, known: Picture, now: datetime) -> dict[str, Any]:
    figures = trust(known)
    stages = counting.of_study(known, now)
    people = counting.of_people(request.study)
    included = [pk for pk, person in known.people.items() if person.excluded_at is None]
    waiting = points(known, figures, stages, now)
    names = {pk: known.people[pk].name for pk in included}
    return {
        "study": request.study,
        "stages": [_stage_view(known, figures, stage, now) for stage in stages],
        "checks": all_checks(figures, included),
        "planted": bool(known.gold or known.duplicates),
        "people": len(included),
        "excluded": len(known.people) - len(included),
        "noticed": sum(pk in figures.findings for pk in included),
        "fixed": figures.fixed,
        "first": waiting[:3],
        "further": waiting[3:],
        "judgements": len(known.counted),
        "over_time": charts.over_time([entry.at for entry in known.counted], now),
        "times": charts.distribution([entry.seconds for entry in known.counted if entry.seconds is not None]),
        "per_person": charts.per_person(
            [(names[pk], row.done + row.extra, row.open) for pk, row in people.items() if pk in names]
        ),
    }


def _stage_view(known: Picture, figures: Trust, count: counting.StageProgress, now: datetime) -> StageView:
    pk = count.stage.pk
    protocol = known.protocols[pk]
    rows = [
        AgreementRow(question_title(protocol, question), percent(found.share), _interval(found), found.pairs)
        for (stage, question), found in figures.questions.items()
        if stage == pk and found.pairs
    ]
    return StageView(
        count,
        stage_title(known.stages[pk]),
        percent(count.share),
        _pace(count.pace),
        count.end,
        _why_no_end(count),
        duration(count.median_seconds),
        rows,
    )


def _interval(found: Percent) -> str:
    ends = found.interval
    return f"{round(ends.low * 100)}–{round(ends.high * 100)} %" if ends else ""


def _pace(pace: counting.Pace) -> str:
    """The pace in the unit that fits it, and the time it was measured over."""
    if pace.per_hour is None:
        return ""
    if pace.per_hour >= 1:
        text = _("%(n)s an hour over the last %(time)s")
        number = pace.per_hour
    else:
        text = _("%(n)s a day over the last %(time)s")
        number = pace.per_hour * 24
    return text % {"n": f"{number:.0f}" if number >= 10 else f"{number:.1f}", "time": span_of_time(pace.hours)}


def _why_no_end(count: counting.StageProgress) -> str:
    if not count.wanted:
        return _("Nothing is wanted yet: there are no open items.")
    if not count.remaining:
        return _("All done.")
    if count.pace.reason == "idle":
        return _("No estimate: fewer than five judgements in the last week.")
    if count.pace.reason:
        return _("Not enough yet for an estimate: it takes five judgements and ten minutes.")
    return ""
