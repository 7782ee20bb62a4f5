"""How far raters agree on each question, with intervals: for a file and a study alike.

``stats`` computes; this is where the measures meet ratings and become rows and a table.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Any

import attrs
import numpy as np

from rubrica.core.ratings import Criterion, Rating, Ratings
from rubrica.report.tables import DECIMAL, WHOLE, Cell, Column, Estimate, Table
from rubrica.stats.agreement.measures import ALL, EVERY, Measure, unsuited
from rubrica.stats.agreement.prepared import Prepared
from rubrica.stats.agreement.resampling import RATERS, UNITS, over_raters, over_units
from rubrica.stats.agreement.undefined import not_pairable
from rubrica.stats.bootstrap import Interval, no_interval
from rubrica.stats.coded import Coded, coded
from rubrica.stats.statistic import Statistic

REPLICATES = 1000
NOTE = "In brackets: 95 % intervals by bootstrap over {over}."
NO_ROW = "There is none: nothing was rated by two."
TOO_FEW = "an interval needs at least two units of two or more answers"
ONE_UNIT = "only one unit has two answers, which says little"
NO_RATERS_DRAWN = "raters cannot be resampled for an intraclass correlation"


@attrs.frozen(kw_only=True)
class Asked:
    """What is asked: measures by family or name, resamples, their seed, and what is resampled.

    ``all`` measures are those that suit the answers to a question.
    """

    measures: tuple[str, ...] = ("alpha",)
    replicates: int = REPLICATES
    seed: int = 0
    over: tuple[str, ...] = (UNITS,)

    def parts(self) -> dict[str, object]:
        """What a signature says of it."""
        over = "" if self.over == (UNITS,) else "+".join(self.over)
        return {"measure": "+".join(self.measures), "bootstrap": self.replicates, "seed": self.seed, "over": over}

    def of(self, answers: Coded, level: str) -> list[Measure]:
        """The measures of a question: those asked for by name, whatever they say; of families those that suit.

        A family of which none suits is there with its reason, unless all measures were asked for.
        """
        suited = [one for one in EVERY if not unsuited(one, answers, level)]
        families = {one.family for one in suited}
        return [
            one
            for one in EVERY
            if one.name in self.measures
            or (ALL in self.measures and one in suited)
            or (one.family in self.measures and (one in suited or one.family not in families))
        ]


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
    remark: str = ""
    part: str = ""

    @property
    def estimate(self) -> Estimate:
        """The value with its interval."""
        return Estimate(self.value, self.interval.low, self.interval.high)

    @property
    def no_interval(self) -> str:
        """Why a value has no interval; empty where it has one, and where there is no value either."""
        return "" if self.value.reason else self.interval.low.reason

    def as_json(self) -> dict[str, Any]:
        """The row as scripts read it: every digit, and the reason where there is no value or no interval."""
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
        said = {
            "reason": self.value.reason,
            "no_interval": self.no_interval,
            "remark": self.remark,
        }
        return row | {key: text for key, text in said.items() if text}


Resample = Callable[[Measure, Prepared, str], Interval]
"""Makes the interval of a measure that was prepared at a level."""


def agreement(ratings: Ratings, asked: Asked | None = None) -> list[Agreement]:
    """Each measure of each question that can be compared."""
    return [step() for step in agreement_steps(ratings, asked or Asked())]


def agreement_steps(ratings: Ratings, asked: Asked) -> list[Callable[[], Agreement]]:
    """The same as work to be done one by one, for those who show how far it is."""
    return [
        step
        for criterion in ratings.criteria
        if criterion.comparable
        for step in _steps(coded(ratings.counted_on(criterion.id), criterion), criterion, asked)
    ]


def agreement_on(given: Iterable[Rating], criterion: Criterion, asked: Asked, part: str = "") -> list[Agreement]:
    """Each measure of one question."""
    return agreement_of(coded(given, criterion), criterion, asked, part)


def agreement_of(answers: Coded, criterion: Criterion, asked: Asked, part: str = "") -> list[Agreement]:
    """Each measure of answers that are coded already."""
    return [step() for step in _steps(answers, criterion, asked, part)]


def _steps(answers: Coded, criterion: Criterion, asked: Asked, part: str = "") -> list[Callable[[], Agreement]]:
    def resample(measure: Measure, prepared: Prepared, level: str) -> Interval:
        if RATERS not in asked.over:
            return over_units(prepared, asked.replicates, asked.seed)
        if not measure.raters:
            return no_interval(NO_RATERS_DRAWN)
        return over_raters(
            possible(answers, criterion, measure),
            lambda some, drawn: measure.prepare(some, level, drawn),
            asked.replicates,
            asked.seed,
            units=UNITS in asked.over,
        )

    return [
        partial(measured, answers, criterion, measure, resample, part) for measure in asked.of(answers, criterion.level)
    ]


def measured(answers: Coded, criterion: Criterion, measure: Measure, resample: Resample, part: str = "") -> Agreement:
    """One measure of answers, with an interval made by ``resample``."""
    level = measure.level(criterion.level)
    reason = not_pairable(answers) or unsuited(measure, answers, criterion.level)
    value, interval, remark = Statistic(None, reason), no_interval(reason), ""
    if not reason:
        prepared = measure.prepare(possible(answers, criterion, measure), level)
        value, remark = prepared.statistic(), prepared.remark
        alone = value.value is not None and np.count_nonzero(answers.per_unit > 1) == 1
        if value.value is None:
            interval = no_interval(value.reason)
        elif alone:
            remark, interval = ONE_UNIT, no_interval(TOO_FEW)
        else:
            interval = resample(measure, prepared, level)
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
        remark=remark,
        part=part,
    )


def possible(answers: Coded, criterion: Criterion, measure: Measure) -> Coded:
    """Answers with the values that nobody chose, for measures that ask what could have been chosen."""
    return answers.widened(criterion.values) if measure.possible else answers


def agreement_table(
    rows: Sequence[Agreement],
    signature: str = "",
    *,
    part: str = "",
    title: str = "Agreement",
    over: Sequence[str] = (UNITS,),
) -> Table:
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
            row.estimate,
            row.units,
            row.raters,
            row.pairable,
        )
        for row in rows
    ]
    first = [Column(part.replace(" ", "_"), part)] if part else []
    name = f"agreement-{part}" if part else "agreement"
    note = table_note(rows, over) if rows else NO_ROW
    return Table(name, title, (*first, *columns), tuple(cells), note, signature)


def table_note(rows: Sequence[Agreement], over: Sequence[str]) -> str:
    """What brackets are, and what was left out of which measure."""
    remarks: dict[str, dict[str, None]] = {}
    for row in rows:
        if row.remark and not row.part:
            about = f"{row.label}, {row.remark}" if len({one.question for one in rows}) > 1 else row.remark
            remarks.setdefault(about, {})[row.measure.title] = None
    drawn = any(row.interval.low.value is not None for row in rows)
    said = [f"No interval: {reason}." for reason in dict.fromkeys(row.no_interval for row in rows) if reason]
    said += [f"{remark[0].upper()}{remark[1:]}: {', '.join(which)}." for remark, which in remarks.items()]
    return "\n".join([NOTE.format(over=" and ".join(over))] * drawn + said)
