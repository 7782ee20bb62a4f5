"""How far a study is: wanted, done, extra, handed out, remaining; how fast, and until when. The one place that counts.

What the words mean, and why, is in design/025. Everything is counted in the database, in a number of queries that does
not grow with items, people or studies. Of a study that collects texts and has them judged: what waits, was handed on,
was discarded.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from statistics import median
from typing import Any, NamedTuple

from django.db.models import Count, F, Max, Min, Q, QuerySet, Sum

from rubrica.core.costs import WINDOWS, Pace, pace_of
from rubrica.core.handed_on import Collected, Sentence
from rubrica.core.study import gathered
from rubrica.store import models
from rubrica.store.allocation.handing_on import WRITER_OUT, ended
from rubrica.store.allocation.overlap import full_at
from rubrica.store.people.erasure import OUTCOME as ERASED
from rubrica.store.setup.running import state_of
from rubrica.store.stages import part_of, stages_of_part
from rubrica.store.translate import protocol_of

State = models.Assignment.State


class StageCount(NamedTuple):
    """One stage in numbers, of plain items and of annotators who are not excluded.

    ``items`` has the ``closed`` ones among them; ``out`` is what is handed out. ``done`` never passes ``wanted``: what
    lies beyond the overlap is ``extra``.
    """

    stage: models.Stage
    items: int
    closed: int
    wanted: int
    done: int
    out: int
    extra: int

    @property
    def remaining(self) -> int:
        """Judgements still to be made; none at a closed stage."""
        return self.wanted - self.done if self.stage.state != models.Stage.State.CLOSED else 0

    @property
    def share(self) -> float | None:
        """Done of wanted; None where nothing is wanted."""
        return self.done / self.wanted if self.wanted else None


def of_stages(stages: Iterable[models.Stage]) -> list[StageCount]:
    """These stages in numbers, in their order: all stages of one study, or of many."""
    listed = list(stages)
    plain = models.Item.objects.filter(study__in={stage.study_id for stage in listed}).unplanted()
    rows = plain.annotate(handed=Q(written__isnull=False)).order_by().values_list("study", "handed")
    items = {(study, handed): counts for study, handed, *counts in rows.annotate(Count("pk"), Count("closed_at"))}
    leases = models.Assignment.objects.filter(stage__in=listed).unplanted().included()
    every = _by_state(leases)
    ended = _by_state(leases.exclude(item__closed_at=None))
    newest = {(stage.study_id, part_of(stage)): stage.pk for stage in sorted(listed, key=lambda stage: stage.position)}
    found = []
    for stage in listed:
        count, closed = items.get((stage.study_id, bool(stage.takes)), (0, 0))
        states = every.get(stage.pk, Counter())
        done, out, extra = states[State.DONE], states[State.OPEN], states[State.EXTRA]
        replaced = newest[stage.study_id, part_of(stage)] != stage.pk and stage.state == models.Stage.State.CLOSED
        still = stage.overlap * (count - closed) + ended.get(stage.pk, Counter())[State.DONE]
        found.append(StageCount(stage, count, closed, done if replaced else still, done, out, extra))
    return found


def _by_state(leases: QuerySet[models.Assignment]) -> dict[int, Counter[str]]:
    """By stage, leases in each state; done ones beyond the overlap of their item are extra."""
    found: dict[int, Counter[str]] = defaultdict(Counter)
    for stage, state, count in leases.order_by().values_list("stage", "state").annotate(Count("pk")):
        found[stage][state] = count
    done = leases.filter(state=State.DONE).order_by().values_list("stage", "item", "stage__overlap")
    for stage, _, overlap, count in done.annotate(n=Count("pk")).filter(n__gt=F("stage__overlap")):
        found[stage].update({State.DONE: overlap - count, State.EXTRA: count - overlap})
    return found


class ItemCount(NamedTuple):
    """Judgements of one item at one stage. ``wanted`` is None for planted items, which everybody may get."""

    stage: models.Stage
    done: int
    out: int
    extra: int
    wanted: int | None

    @property
    def is_full(self) -> bool:
        """Whether nothing more is wanted."""
        return self.wanted is not None and self.done >= self.wanted


def of_items(items: Sequence[models.Item], stages: Sequence[models.Stage]) -> dict[int, list[ItemCount]]:
    """What is done and wanted of each item (by row number) at each stage, in one query."""
    leases = models.Assignment.objects.filter(item__in=items, stage__in=stages).included()
    rows = leases.order_by().values_list("item", "stage", "state").annotate(Count("pk"))
    counted = Counter({(item, stage, state): number for item, stage, state, number in rows})

    def of_one(item: models.Item, stage: models.Stage) -> ItemCount:
        done, out, extra = (counted[item.pk, stage.pk, state] for state in (State.DONE, State.OPEN, State.EXTRA))
        if hasattr(item, "planted"):
            return ItemCount(stage, done, out, extra, None)
        within = min(done, stage.overlap)
        return ItemCount(stage, within, out, extra + done - within, within if item.closed_at else stage.overlap)

    return {
        item.pk: [of_one(item, stage) for stage in stages if bool(stage.takes) == (item.written_id is not None)]
        for item in items
    }


def unfinished(study: models.Study) -> QuerySet[models.Item]:
    """Items that want more at some stage."""
    short = Q(pk__in=[])
    for stage in study.stages.unclosed():
        done = models.Assignment.objects.filter(stage=stage).done().included()
        short |= Q(written__isnull=not stage.takes) & ~Q(pk__in=done.items_with(stage.overlap))
    return study.items.unplanted().open().filter(short)


class Work(NamedTuple):
    """What one annotator has done, holds, and passed on or let go: planted items included, excluded or not."""

    done: int = 0
    open: int = 0
    passed_on: int = 0
    extra: int = 0

    @property
    def judged(self) -> int:
        """Judgements made, whether they were wanted or not: what is paid."""
        return self.done + self.extra


def of_people(study: models.Study) -> dict[int, Work]:
    """The work of every annotator of the study, by row number."""
    return {person: work for (person,), work in _work(study, "annotator")}


def at_stages(study: models.Study) -> dict[int, dict[int, Work]]:
    """The work of every annotator at each stage; stages and annotators by row number."""
    found: dict[int, dict[int, Work]] = defaultdict(dict)
    for (stage, person), work in _work(study, "stage", "annotator"):
        found[stage][person] = work
    return found


def _work(study: models.Study, *by: str) -> Iterable[tuple[tuple[int, ...], Work]]:
    rows = models.Assignment.objects.filter(stage__study=study).order_by().values_list(*by)
    states = {"done": State.DONE, "open": State.OPEN, "passed_on": State.RETURNED, "extra": State.EXTRA}
    for row in rows.annotate(**{name: Count("pk", filter=Q(state=state)) for name, state in states.items()}):
        yield row[: len(by)], Work(*row[len(by) :])


class StageProgress(NamedTuple):
    """A stage's count with its pace, when it will end at that pace, and the active time it took: planted items too."""

    counts: StageCount
    pace: Pace
    end: datetime | None
    median_seconds: float | None
    hours: float


def of_study(stages: Iterable[models.Stage], now: datetime) -> list[StageProgress]:
    """Every stage of a study, in the order given."""
    counts = of_stages(stages)
    said = models.Judgement.objects.filter(stage__in=[count.stage for count in counts]).counted()
    times = {row["stage"]: row for row in _times(said, now)}
    found = []
    for count in counts:
        row = times.get(count.stage.pk)
        pace = pace_of(row["made"], row["first"], (row["day"], row["week"]), now) if row else Pace(None, reason="few")
        end = now + timedelta(hours=count.remaining / pace.per_hour) if pace.per_hour and count.remaining else None
        middle = _median(said.filter(stage=count.stage), row["timed"]) if row else None
        found.append(StageProgress(count, pace, end, middle, (row["seconds"] or 0.0) / 3600 if row else 0.0))
    return found


def _times(said: QuerySet[models.Judgement], now: datetime) -> Iterable[Mapping[str, Any]]:
    """By stage: judgements of plain items, the first of them, those of the last day and week; seconds of all items."""
    made = Q(item__planted=None, current__created_at__lte=now)
    day, week = (made & Q(current__created_at__gt=now - window) for window in WINDOWS)
    return (
        said.order_by()
        .values("stage")
        .annotate(
            made=Count("pk", filter=made),
            first=Min("current__created_at", filter=made),
            day=Count("pk", filter=day),
            week=Count("pk", filter=week),
            timed=Count("current__seconds"),
            seconds=Sum("current__seconds"),
        )
    )


def _median(said: QuerySet[models.Judgement], timed: int) -> float | None:
    """The median of the seconds of these judgements, of which so many have any; the database sorts them."""
    ordered = said.exclude(current__seconds=None).order_by("current__seconds")
    seconds = ordered.values_list("current__seconds", flat=True)[(timed - 1) // 2 : timed // 2 + 1] if timed else ()
    return median(value for value in seconds if value is not None) if timed else None


class Card(NamedTuple):
    """One study at a glance. ``stage`` is its first; ``done`` and ``wanted`` are sums over its stages."""

    study: models.Study
    stage: models.Stage
    state: models.Study.State
    items: int
    done: int
    wanted: int
    active_at: datetime
    annotators: int


def cards(studies: Sequence[models.Study]) -> list[Card]:
    """The cards of these studies, the one with the latest activity first."""
    pks = [study.pk for study in studies]
    people = models.Annotator.objects.filter(study__in=pks).order_by().values_list("study").annotate(Count("pk"))
    revisions = models.Revision.objects.filter(judgement__stage__study__in=pks).order_by()
    active = dict(revisions.values_list("judgement__stage__study").annotate(Max("created_at")))
    joined = dict(people)
    every = of_stages(models.Stage.objects.filter(study__in=pks).select_related("protocol_version"))
    by_study = gathered(every, lambda count: count.stage.study_id)
    found = [
        Card(
            study=study,
            stage=counts[0].stage,
            state=state_of([count.stage for count in counts]),
            items=counts[0].items,
            done=sum(count.done for count in counts),
            wanted=sum(count.wanted for count in counts),
            active_at=active.get(study.pk, study.created_at),
            annotators=joined.get(study.pk, 0),
        )
        for study in studies
        if (counts := by_study.get(study.pk))
    ]
    return sorted(found, key=lambda card: card.active_at, reverse=True)


class Seen(NamedTuple):
    """When an annotator was first and last seen."""

    first: datetime
    last: datetime


def seen(study: models.Study, people: Collection[int] | None = None, *, online: bool = False) -> dict[int, Seen]:
    """When each annotator, by row number, did something: took work on a page, saved, a step on the way, a known item.

    ``people``, at most a few hundred, are the only ones who are looked at; ``online`` leaves out what came in files.
    """
    revisions = models.Revision.objects.filter(judgement__annotator__study=study)
    signs: list[tuple[QuerySet[Any], str, str]] = [
        (revisions.filter(origin__in=models.Revision.ONLINE) if online else revisions, "judgement__", "created_at"),
        (models.Assignment.objects.filter(annotator__study=study, sheet=None), "", "leased_at"),
    ]
    for table in (models.StepDone, models.Consent, models.Attempt, models.CourseTry):
        signs.append((table._default_manager.filter(annotator__study=study), "", "at"))
    found: dict[int, Seen] = {}
    for rows, through, moment in signs:
        some = rows if people is None else rows.filter(**{f"{through}annotator__in": people})
        for who, first, last in some.order_by().values_list(f"{through}annotator").annotate(Min(moment), Max(moment)):
            known = found.get(who, Seen(first, last))
            found[who] = Seen(min(known.first, first), max(known.last, last))
    return found


def collected(study: models.Study) -> Collected | None:
    """How far the study is; None if no stage takes what is written at another."""
    taking = study.stages.exclude(takes="").first()
    if taking is None:
        return None
    writing = list(stages_of_part(study, taking.takes).select_related("protocol_version"))
    over = ended(writing)
    full = set(study.items.filter(full_at(writing)).values_list("pk", flat=True))
    gone = Q(judgements__items__closed_reason__in=(WRITER_OUT, ERASED))
    texts = Count("judgements__items", distinct=True, filter=~gone)
    rows = study.items.given().unplanted().annotate(texts=texts).order_by("position")
    found = [
        Sentence(key, reason if closed else None, texts, over or pk in full)
        for pk, key, reason, texts, closed in rows.values_list("pk", "key", "closed_reason", "texts", "closed_at")
    ]
    asked = [protocol_of(stage) for stage in writing]
    passed = {way for protocol in asked for way in protocol.all_ways_out() if protocol.passes_on(way)}
    skips = models.Judgement.objects.filter(stage__in=writing).counted().filter(current__outcome__in=passed)
    return Collected.of(found, writing[-1].overlap if writing else 0, skips.count())
