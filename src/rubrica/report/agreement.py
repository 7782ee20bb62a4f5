"""How far raters agree on each question, with intervals: for a file and a study alike.

``stats`` computes; this is where the measures meet ratings and become rows and a table.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import attrs
import numpy as np

from rubrica.core.ratings import Criterion, Rating, Ratings
from rubrica.report.tables import DECIMAL, WHOLE, Cell, Column, Estimate, Table
from rubrica.stats.agreement.measures import EVERY, MEASURES, Measure, unsuited
from rubrica.stats.agreement.resampling import RATERS, UNITS, over_raters, over_units
from rubrica.stats.agreement.undefined import NO_VARIATION, not_pairable
from rubrica.stats.bootstrap import Interval, no_interval
from rubrica.stats.coded import Coded, coded
from rubrica.stats.statistic import Statistic

REPLICATES = 1000
NOTE = "In brackets: 95 % intervals by bootstrap."


@attrs.frozen(kw_only=True)
class Asked:
    """What is asked: measures by name (empty: alpha), resamples, their seed, and what is resampled."""

    measures: tuple[str, ...] = ("alpha",)
    replicates: int = REPLICATES
    seed: int = 0
    over: tuple[str, ...] = (UNITS,)

    def parts(self) -> dict[str, object]:
        """What a signature says of it."""
        over = "" if self.over == (UNITS,) else "+".join(self.over)
        return {"measure": "+".join(self.measures), "bootstrap": self.replicates, "seed": self.seed, "over": over}


@attrs.frozen(kw_only=True)
class Agreement:
    """One measure of one question: its value and interval, and of how many units, raters and pairable answers.

    ``units`` and ``raters`` have or gave at least one answer; ``pairable`` answers are those to units that have two or
    more. ``part`` is what the figure is about where answers were taken apart: a rater, a system, a group.
    """

    question: str
    label: str
    measure: Measure
    level: str
    value: Statistic
    interval: Interval
    units: int
    raters: int
    pairable: int
    part: str = ""

    def as_json(self) -> dict[str, Any]:
        """The row as scripts read it: every digit, and the reason where there is no value."""
        row: dict[str, Any] = {
            "question": self.question,
            "measure": self.measure.name,
            "level": self.level,
            "value": self.value.value,
            "low": self.interval.low.value,
            "high": self.interval.high.value,
            "units": self.units,
            "raters": self.raters,
            "pairable": self.pairable,
        }
        reason = self.value.reason or self.interval.low.reason
        return {**row, "reason": reason} if reason else row


def agreement(ratings: Ratings, asked: Asked | None = None) -> list[Agreement]:
    """Each measure of each question that can be compared."""
    asked = asked or Asked()
    return [
        row
        for criterion in ratings.criteria
        if criterion.comparable
        for row in agreement_on(ratings.counted, criterion, asked)
    ]


def agreement_on(given: Iterable[Rating], criterion: Criterion, asked: Asked, part: str = "") -> list[Agreement]:
    """Each measure of one question."""
    answers = coded(given, criterion)
    return [agreement_of(answers, criterion, MEASURES[name], asked, part) for name in asked.measures]


def agreement_of(answers: Coded, criterion: Criterion, measure: Measure, asked: Asked, part: str = "") -> Agreement:
    """One measure of answers that are coded already."""
    level = measure.level(criterion.level)
    reason = not_pairable(answers) or unsuited(measure, answers, criterion.level)
    value, interval = Statistic(None, reason), no_interval(reason)
    if not reason:
        prepared = measure.prepare(answers, level)
        value = prepared.statistic(NO_VARIATION)
        if value.value is None:
            interval = no_interval(value.reason)
        elif RATERS not in asked.over:
            interval = over_units(prepared, asked.replicates, asked.seed)
        else:
            interval = over_raters(
                answers,
                lambda some, drawn: measure.prepare(some, level, drawn),
                asked.replicates,
                asked.seed,
                units=UNITS in asked.over,
            )
    return Agreement(
        question=criterion.id,
        label=criterion.label,
        measure=measure,
        level=level,
        value=value,
        interval=interval,
        units=int(np.count_nonzero(answers.per_unit)),
        raters=answers.present_raters,
        pairable=len(answers.pairable.unit),
        part=part,
    )


def measures_named(names: Sequence[str], suited_to: Iterable[Criterion] = ()) -> tuple[str, ...]:
    """Measures of these families or names, in the order of the families."""
    wanted = set(names)
    return tuple(one.name for one in EVERY if one.name in wanted or one.family in wanted)


def agreement_table(rows: Sequence[Agreement], signature: str = "", part: str = "", title: str = "Agreement") -> Table:
    """Rows as one table; ``part`` names what rows are about where answers were taken apart."""
    columns = [
        Column("question", "question"),
        Column("measure", "measure"),
        Column("level", "level"),
        Column("value", "value", DECIMAL, 3),
        Column("units", "units", WHOLE),
        Column("raters", "raters", WHOLE),
        Column("pairable", "pairable", WHOLE),
    ]
    cells: list[tuple[Cell, ...]] = [
        (
            *((row.part,) if part else ()),
            row.label,
            row.measure.title,
            row.level,
            Estimate(row.value, row.interval.low, row.interval.high),
            row.units,
            row.raters,
            row.pairable,
        )
        for row in rows
    ]
    first = [Column(part.replace(" ", "_"), part)] if part else []
    return Table("agreement", title, (*first, *columns), tuple(cells), NOTE, signature)
