"""How far a study is: done of wanted, how fast, until when; counted in the database."""

from __future__ import annotations

from datetime import datetime, timedelta
from statistics import median
from typing import Any, NamedTuple

from django.db.models import Count, Max, Q, QuerySet

from rubrica.store import models
from rubrica.store.counting.submitted import Entry, Picture

FEWEST = 5
SHORTEST = timedelta(minutes=10)
"""Fewer judgements, or a shorter time, say nothing about the pace."""
WINDOWS = (timedelta(hours=24), timedelta(days=7))
"""The pace is that of the last day, or of the last week where a day says too little."""


class Pace(NamedTuple):
    """Judgements per hour over the time looked at. ``reason``: why there is none (``few``, ``short``, ``idle``)."""

    per_hour: float | None
    hours: float = 0.0
    judgements: int = 0
    reason: str = ""


class StageProgress(NamedTuple):
    """One stage. Counts are of plain items and of annotators who are not excluded; planted items come on top.

    ``wanted`` leaves out what closed items still lacked. ``done`` never passes it: the rest is ``extra``.
    """

    stage: models.Stage
    items: int
    closed: int
    wanted: int
    done: int
    out: int
    extra: int
    pace: Pace
    end: datetime | None
    median_seconds: float | None
    hours: float

    @property
    def remaining(self) -> int:
        """Judgements still to be made."""
        return max(0, self.wanted - self.done)

    @property
    def share(self) -> float | None:
        """Done of wanted; None where nothing is wanted."""
        return self.done / self.wanted if self.wanted else None


def of_study(picture: Picture, now: datetime) -> list[StageProgress]:
    """Every stage of the study, in order."""
    plain = models.Item.objects.filter(study=picture.study, planted=None)
    total = plain.aggregate(items=Count("pk"), closed=Count("closed_at"))
    by_stage: dict[int, list[Entry]] = {pk: [] for pk in picture.stages}
    for entry in picture.counted:
        by_stage[entry.stage].append(entry)
    return [
        _stage(stage, total["items"], total["closed"], picture, by_stage[pk], now)
        for pk, stage in picture.stages.items()
    ]


def _stage(
    stage: models.Stage, items: int, closed: int, picture: Picture, entries: list[Entry], now: datetime
) -> StageProgress:
    leases = models.Assignment.objects.filter(stage=stage, item__planted=None, annotator__excluded_at=None)
    states: dict[str, int] = dict(leases.order_by().values_list("state").annotate(Count("pk")))
    finished, beyond, of_closed = _finished(stage)
    wanted = stage.overlap * (items - closed) + of_closed
    pace = pace_of([entry.at for entry in entries if not picture.is_planted(entry.item)], now)
    remaining = max(0, wanted - finished)
    end = now + timedelta(hours=remaining / pace.per_hour) if pace.per_hour and remaining else None
    seconds = [entry.seconds for entry in entries if entry.seconds is not None]
    return StageProgress(
        stage,
        items,
        closed,
        wanted,
        finished,
        states.get("open", 0),
        states.get("extra", 0) + beyond,
        pace,
        end,
        median(seconds) if seconds else None,
        sum(seconds) / 3600,
    )


def _finished(stage: models.Stage) -> tuple[int, int, int]:
    """Judgements within the overlap, beyond it, and those of closed items among the first."""
    done = Q(stage=stage, state="done", item__planted=None, annotator__excluded_at=None)
    rows = models.Assignment.objects.filter(done).order_by().values("item", "item__closed_at").annotate(n=Count("pk"))
    within = beyond = of_closed = 0
    for row in rows:
        fits = min(row["n"], stage.overlap)
        within += fits
        beyond += row["n"] - fits
        of_closed += fits if row["item__closed_at"] else 0
    return within, beyond, of_closed


def pace_of(times: list[datetime], now: datetime) -> Pace:
    """Judgements per hour, nights and pauses included. Says why where there is too little to tell."""
    made = [at for at in times if at <= now]
    if len(made) < FEWEST:
        return Pace(None, judgements=len(made), reason="few")
    first = min(made)
    if now - first < SHORTEST:
        return Pace(None, judgements=len(made), reason="short")
    for window in WINDOWS:
        recent = sum(at > now - window for at in made)
        if recent >= FEWEST:
            hours = min(window, now - first).total_seconds() / 3600
            return Pace(recent / hours, hours, recent)
    return Pace(None, judgements=0, reason="idle")


class PersonProgress(NamedTuple):
    """What one annotator has done, holds, and passed on or let go, planted items included."""

    done: int
    open: int
    passed_on: int
    extra: int


def of_people(study: models.Study) -> dict[int, PersonProgress]:
    """The leases of every annotator of the study, by row number."""
    rows = models.Assignment.objects.filter(stage__study=study).order_by().values("annotator")
    counts = rows.annotate(
        done=Count("pk", filter=Q(state="done")),
        open=Count("pk", filter=Q(state="open")),
        passed_on=Count("pk", filter=Q(state="returned")),
        extra=Count("pk", filter=Q(state="extra")),
    )
    return {
        row["annotator"]: PersonProgress(row["done"], row["open"], row["passed_on"], row["extra"]) for row in counts
    }


def last_seen(study: models.Study) -> dict[int, datetime]:
    """When each annotator last did something: took work, saved, finished a step, answered a known item."""
    sources: list[tuple[QuerySet[Any], str, str]] = [
        (models.Revision.objects.filter(judgement__stage__study=study), "judgement__annotator", "created_at"),
        (models.StepDone.objects.filter(annotator__study=study), "annotator", "at"),
        (models.Attempt.objects.filter(annotator__study=study), "annotator", "at"),
        (models.CourseTry.objects.filter(annotator__study=study), "annotator", "at"),
        (models.Consent.objects.filter(annotator__study=study), "annotator", "at"),
        (models.Assignment.objects.filter(stage__study=study, sheet=None, state="open"), "annotator", "leased_at"),
    ]
    seen: dict[int, datetime] = {}
    for rows, person, time in sources:
        for pk, at in rows.order_by().values_list(person).annotate(Max(time)):
            seen[pk] = max(at, seen.get(pk, at))
    return seen
