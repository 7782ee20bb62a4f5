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

from rubrica.core.costs import Pace
from rubrica.core.stage_settings import annotations_needed
from rubrica.report.trust import Trust
from rubrica.store.counting import progress as counting
from rubrica.store.counting.progress import collected
from rubrica.store.counting.submitted import Picture, picture
from rubrica.store.counting.trust import trust
from rubrica.store.models import Stage
from rubrica.store.setup.running import state_of
from rubrica.store.translate import protocol_of, rules_of
from rubrica.studio.access import StudyRequest, has, study_page
from rubrica.studio.dashboard import charts
from rubrica.studio.dashboard.forms import Refused
from rubrica.studio.dashboard.needs_attention import points
from rubrica.studio.wording import duration, percent, question_title, span_of_time, stage_title

if TYPE_CHECKING:
    from rubrica.report.agreement_percent import Percent

AT_ONCE = 2_000
"""Judgements up to which the page waits for agreement and checks; with more, they come after it."""
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

    counts: counting.StageCount
    label: str
    share: str
    pace: str
    end: datetime | None
    why_no_end: str
    median: str
    hours: float
    agreement: list[AgreementRow]
    needed: int


@require_GET
@study_page()
def dashboard(request: StudyRequest) -> HttpResponse:
    """The overview."""
    return page(request)


def page(request: StudyRequest, refused: Refused | None = None) -> HttpResponse:
    """The overview; with a form that was not taken, that one as it was sent."""
    stages = list(request.study.stages.all())
    return render(
        request,
        "dashboard/overview.html",
        {
            "role": request.role,
            "section": "dashboard",
            "state": state_of(stages),
            "stages": [(stage, stage_title(stage)) for stage in stages],
            "may_run": has(request.role, "manager"),
            "drafts": [stage_title(stage) for stage in stages if stage.state == Stage.State.DRAFT],
            "refused": refused,
            **_live_part(request, at_once=AT_ONCE),
        },
        status=422 if refused else 200,
    )


@require_GET
@study_page()
def live(request: StudyRequest) -> HttpResponse:
    """The part that changes while people work; nothing (204) if the page has seen it as it is."""
    part = _live_part(request)
    if request.GET.get("seen") == part["digest"]:
        return HttpResponse(status=204)
    return render(request, "dashboard/live.html", part)


def _live_part(request: StudyRequest, at_once: int | None = None) -> dict[str, Any]:
    """The changing part as HTML, a digest of it, and when to look for news.

    With more than ``at_once`` judgements it has only what the database counts; the page asks for the rest by itself.
    """
    now, study = timezone.now(), request.study
    stages = counting.of_study(study.stages.select_related("protocol_version", "study"), now)
    judged = sum(stage.counts.done + stage.counts.extra for stage in stages)
    later = at_once is not None and judged > at_once
    shown = {"stages": [_stage_view(stage) for stage in stages]} if later else _whole(picture(study), stages, now)
    shown = {"study": study, "later": later, "collected": collected(study), **shown}
    html = render_to_string("dashboard/glance.html", shown, request)
    digest = hashlib.sha256(html.encode()).hexdigest()[:16]
    return {"study": study, "live": html, "digest": digest, "later": later, "seconds": 30 if judged > LARGE else 5}


def _whole(known: Picture, stages: list[counting.StageProgress], now: datetime) -> dict[str, Any]:
    """Everything that the page says, with what has to be read of every judgement."""
    figures = trust(known)
    people = counting.of_people(known.study)
    included = [pk for pk, person in known.people.items() if person.excluded_at is None]
    waiting = points(known, figures, stages, now)
    names = {pk: known.people[pk].name for pk in included}
    return {
        "stages": [_stage_view(stage, known, figures) for stage in stages],
        "checks": figures.checks_of(*names.values()),
        "gold": bool(known.gold),
        "duplicates": bool(known.duplicates),
        "people": len(included),
        "excluded": len(known.people) - len(included),
        "noticed": sum(name in figures.findings for name in names.values()),
        "fixed": figures.fixed,
        "sample": figures.sample,
        "first": waiting[:3],
        "further": waiting[3:],
        "judgements": len(known.counted),
        "over_time": charts.over_time([entry.at for entry in known.counted], now),
        "times": charts.distribution([entry.seconds for entry in known.counted if entry.seconds is not None]),
        "per_person": charts.per_person(
            [
                (name, people[pk].judged, people[pk].open) if pk in people else (name, 0, 0)
                for pk, name in names.items()
            ],
            sum(stage.counts.wanted for stage in stages),
        ),
    }


def _stage_view(found: counting.StageProgress, known: Picture | None = None, figures: Trust | None = None) -> StageView:
    pk = found.counts.stage.pk
    return StageView(
        found.counts,
        stage_title(found.counts.stage),
        percent(found.counts.share),
        _pace(found.pace),
        found.end,
        _why_no_end(found),
        duration(found.median_seconds),
        found.hours,
        [
            AgreementRow(question_title(known.protocols[pk], question), percent(one.share), _interval(one), one.pairs)
            for (stage, question), one in figures.questions.items()
            if stage == pk and one.pairs
        ]
        if known and figures
        else [],
        _needed(found.counts.stage),
    )


def _needed(stage: Stage) -> int:
    """How many annotations of each word the document asks for, where the stage asks for fewer; else 0."""
    protocol = protocol_of(stage)
    needed = annotations_needed(protocol, rules_of(stage, protocol))
    return needed if stage.overlap < needed else 0


def _interval(found: Percent) -> str:
    ends = found.interval
    return f"{round(ends.low * 100)}–{round(ends.high * 100)} %" if ends else ""


def _pace(pace: Pace) -> str:
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


def _why_no_end(found: counting.StageProgress) -> str:
    if not found.counts.wanted:
        return _("Nothing is wanted yet: there are no open items.")
    if found.counts.stage.state == Stage.State.CLOSED:
        return _("Closed")
    if not found.counts.remaining:
        return _("All done.")
    if found.pace.reason == "idle":
        return _("No estimate: fewer than five judgements in the last week.")
    if found.pace.reason:
        return _("Not enough yet for an estimate: it takes five judgements and ten minutes.")
    return ""
