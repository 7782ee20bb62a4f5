"""What a study asks of people and of a budget, before it is launched: judgements, hours, cost, pay by the hour.

The question everybody got wrong elsewhere is items x annotators x redundancy (Appraise issue 107), so each product is
kept apart to be shown. Money is Decimal and is rounded only where it is shown.

How fast people judge: a first guess of how long one judgement takes, and the pace of those at work. The guess is for
the arithmetic before anybody has worked. Reading at 200 words a minute (silent reading of prose in English has its
mean at 238: Brysbaert, Journal of Memory and Language 109, 2019; we read to judge, so slower), each text once, and
some seconds for each question by its kind. It is a guess, shown as one, and the researcher's own figure replaces it.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from decimal import ROUND_HALF_UP, Decimal
from typing import NamedTuple

import attrs

from rubrica.core.protocol import Protocol, Question, Stage
from rubrica.core.scales import Choices, FreeText, RewrittenText, ShortAnswers

HOUR = 3600
CENT = Decimal("0.01")


@attrs.frozen(kw_only=True)
class StageWork:
    """One stage: what is to be judged, how long one judgement takes (seconds), what is paid for it.

    ``gold`` items go to every annotator, ``duplicates`` to as many people as their originals.
    """

    id: str
    items: int
    overlap: int
    seconds: Decimal
    duplicates: int = 0
    gold: int = 0
    per_task: Decimal = Decimal(0)
    bonus: Decimal = Decimal(0)


@attrs.frozen(kw_only=True)
class Terms:
    """What holds for all stages. ``bonus_share`` is the share of judgements expected to earn the bonus (0 to 1),
    ``fee_percent`` the platform's percentage on everything paid, wages are by the hour and by country."""

    annotators: int
    per_hour: Decimal = Decimal(0)
    bonus_share: Decimal = Decimal(0)
    fee_percent: Decimal = Decimal(0)
    minimum_wages: Mapping[str, Decimal] = attrs.field(factory=dict)


@attrs.frozen(kw_only=True)
class StageCosts:
    """One stage in numbers. ``hourly`` leaves the bonus out: nobody can count on it."""

    id: str
    items: int
    overlap: int
    judgements: int
    planted: int
    tasks: int
    seconds: Decimal
    hours: Decimal
    for_tasks: Decimal
    for_time: Decimal
    for_bonuses: Decimal
    hourly: Decimal
    short_of_people: bool

    @property
    def paid(self) -> Decimal:
        """Everything that people are paid for this stage."""
        return self.for_tasks + self.for_time + self.for_bonuses


@attrs.frozen(kw_only=True)
class Shortfall:
    """A stage that pays less by the hour than a country's minimum wage, and the price per task that would not."""

    stage: str
    country: str
    minimum: Decimal
    hourly: Decimal
    per_task_needed: Decimal


@attrs.frozen(kw_only=True)
class Costs:
    """A study in numbers."""

    stages: tuple[StageCosts, ...]
    annotators: int
    fee: Decimal
    shortfalls: tuple[Shortfall, ...]

    @property
    def judgements(self) -> int:
        """Judgements of plain items, over all stages."""
        return sum(stage.judgements for stage in self.stages)

    @property
    def tasks(self) -> int:
        """All judgements, planted items included."""
        return sum(stage.tasks for stage in self.stages)

    @property
    def hours(self) -> Decimal:
        """Hours of work over all stages."""
        return sum((stage.hours for stage in self.stages), Decimal(0))

    @property
    def paid(self) -> Decimal:
        """What people are paid, without the platform's fee."""
        return sum((stage.paid for stage in self.stages), Decimal(0))

    @property
    def total(self) -> Decimal:
        """What the study costs."""
        return self.paid + self.fee

    @property
    def tasks_each(self) -> int:
        """Judgements of one annotator, rounded up."""
        return math.ceil(Decimal(self.tasks) / self.annotators)

    @property
    def hours_each(self) -> Decimal:
        """Hours of one annotator."""
        return self.hours / self.annotators

    @property
    def paid_each(self) -> Decimal:
        """Pay of one annotator."""
        return self.paid / self.annotators


def costs(stages: Sequence[StageWork], terms: Terms) -> Costs:
    """The arithmetic. With no annotators at all it is that of one."""
    terms = attrs.evolve(terms, annotators=max(1, terms.annotators))
    counted = tuple(_stage(stage, terms) for stage in stages)
    paid = sum((stage.paid for stage in counted), Decimal(0))
    return Costs(
        stages=counted,
        annotators=terms.annotators,
        fee=paid * terms.fee_percent / 100,
        shortfalls=tuple(
            found
            for work, stage in zip(stages, counted, strict=True)
            for country, minimum in terms.minimum_wages.items()
            for found in _shortfall(work, stage, country, minimum, terms)
        ),
    )


def fewest_annotators(stages: Sequence[StageWork], limit: int | None = None) -> int:
    """How many people it takes at least: one judges an item once, and at most ``limit`` items of a stage."""
    needed = [1]
    for stage in stages:
        needed.append(stage.overlap)
        if limit:
            needed.append(math.ceil(stage.items * stage.overlap / limit))
    return max(needed)


def rounded(amount: Decimal) -> Decimal:
    """Money as it is shown: two decimals, halves up."""
    return amount.quantize(CENT, ROUND_HALF_UP)


def _stage(work: StageWork, terms: Terms) -> StageCosts:
    judgements = work.items * work.overlap
    planted = work.duplicates * work.overlap + work.gold * terms.annotators
    tasks = judgements + planted
    hours = tasks * work.seconds / HOUR
    return StageCosts(
        id=work.id,
        items=work.items,
        overlap=work.overlap,
        judgements=judgements,
        planted=planted,
        tasks=tasks,
        seconds=work.seconds,
        hours=hours,
        for_tasks=tasks * work.per_task,
        for_time=hours * terms.per_hour,
        for_bonuses=judgements * work.bonus * terms.bonus_share,
        hourly=work.per_task * HOUR / work.seconds + terms.per_hour,
        short_of_people=terms.annotators < work.overlap,
    )


def _shortfall(work: StageWork, stage: StageCosts, country: str, minimum: Decimal, terms: Terms) -> list[Shortfall]:
    if stage.hourly >= minimum:
        return []
    needed = (minimum - terms.per_hour) * work.seconds / HOUR
    return [
        Shortfall(
            stage=work.id,
            country=country,
            minimum=minimum,
            hourly=stage.hourly,
            per_task_needed=needed.quantize(CENT, rounding="ROUND_UP"),
        )
    ]


WORDS_A_MINUTE = 200
SECONDS = {RewrittenText: 60.0, FreeText: 20.0, ShortAnswers: 20.0, Choices: 8.0}
TO_CHOOSE = 6.0
EDITS = 120.0
"""Marking and answering the edits of one pair."""
PROFILE_QUESTION = 10.0
"""Answering a question about oneself."""
COURSE_STEP = 60.0
"""Reading or answering one step of a course."""

FEWEST = 5
SHORTEST = timedelta(minutes=10)
"""Fewer judgements, or a shorter time, say nothing about the pace."""
WINDOWS = (timedelta(hours=24), timedelta(days=7))
"""The pace is that of the last day, or of the last week where a day says too little."""


def guessed_seconds(protocol: Protocol, stage: Stage, words: float) -> int:
    """Seconds for one judgement of an item with that many words, in steps of 5, at least 5."""
    asked = [question for question in protocol.questions if stage.asks is None or question.id in stage.asks]
    seconds = reading_seconds(words) + sum(_seconds(protocol, question) for question in asked)
    if protocol.edits is not None and stage.edits != "none":
        seconds += EDITS
    return max(5, 5 * round(seconds / 5))


def reading_seconds(words: float) -> float:
    """Seconds to read so many words."""
    return words * 60 / WORDS_A_MINUTE


def _seconds(protocol: Protocol, question: Question) -> float:
    """A question that not everybody is asked, or may leave empty, counts a quarter."""
    usual = SECONDS.get(type(protocol.scale_of(question)), TO_CHOOSE)
    return usual if question.required and question.when is None else usual / 4


class Pace(NamedTuple):
    """Judgements per hour over the time looked at. ``reason``: why there is none (``few``, ``short``, ``idle``)."""

    per_hour: float | None
    hours: float = 0.0
    judgements: int = 0
    reason: str = ""


def pace_of(made: int, first: datetime | None, recent: tuple[int, int], now: datetime) -> Pace:
    """Judgements per hour, nights and pauses included; ``recent`` are those of the last day and of the last week."""
    if made < FEWEST or first is None:
        return Pace(None, judgements=made, reason="few")
    if now - first < SHORTEST:
        return Pace(None, judgements=made, reason="short")
    for window, count in zip(WINDOWS, recent, strict=True):
        if count >= FEWEST:
            hours = min(window, now - first).total_seconds() / 3600
            return Pace(count / hours, hours, count)
    return Pace(None, judgements=0, reason="idle")
