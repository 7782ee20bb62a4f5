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
from rubrica.stats.agreement.measures import ALL, EVERY, RATERS, UNITS, Measure, over_raters, over_units, unsuited
from rubrica.stats.agreement.tally import Prepared, not_pairable, too_uniform
from rubrica.stats.bootstrap import BCA, NO_RESAMPLES, Interval, no_interval
from rubrica.stats.coded import Coded, coded
from rubrica.stats.statistic import Statistic

REPLICATES = 1000
NOTE = "In brackets: 95 % intervals, {how}."
NO_ROW = "There is none: nothing was rated by two."
TOO_FEW = "an interval needs at least two units of two or more answers"
ONE_UNIT = "only one unit has two answers, which says little"
ONLY_UNITS = "an intraclass correlation has an interval over units, or over units and raters"
THESE_RATERS = "the third model takes these raters as all there are"


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
        suited = [one for one in EVERY if not one.option and not unsuited(one, answers, level)]
        families = {one.family for one in suited}
        return [
            one
            for one in EVERY
            if one.name in self.measures
            or (ALL in self.measures and one in suited)
            or (one.family in self.measures and not one.option and (one in suited or one.family not in families))
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
            **self.value.in_row(),
            "low": self.interval.low.as_json(),
            "high": self.interval.high.as_json(),
            "units": self.units,
            "raters": self.raters,
            "pairable": self.pairable,
        }
        said = {
            "interval": self.interval.method if self.interval.method != BCA else "",
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
        for step in _steps(coded(ratings.chosen_on(criterion.id), criterion), criterion, asked)
    ]


def agreement_on(given: Iterable[Rating], criterion: Criterion, asked: Asked, part: str = "") -> list[Agreement]:
    """Each measure of one question."""
    return agreement_of(coded(given, criterion), criterion, asked, part)


def agreement_of(answers: Coded, criterion: Criterion, asked: Asked, part: str = "") -> list[Agreement]:
    """Each measure of answers that are coded already."""
    return [step() for step in _steps(answers, criterion, asked, part)]


def _steps(answers: Coded, criterion: Criterion, asked: Asked, part: str = "") -> list[Callable[[], Agreement]]:
    def resample(measure: Measure, prepared: Prepared, level: str) -> Interval:
        if prepared.formula is not None:
            return _by_formula(prepared, asked)
        if RATERS not in asked.over:
            return over_units(prepared, asked.replicates, asked.seed)
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


def _by_formula(prepared: Prepared, asked: Asked) -> Interval:
    """An interval that is not resampled, unless it does not answer what was asked."""
    assert prepared.formula is not None
    if not asked.replicates:
        return no_interval(NO_RESAMPLES)
    if UNITS not in asked.over:
        return no_interval(ONLY_UNITS)
    return no_interval(THESE_RATERS) if RATERS in asked.over and not prepared.others else prepared.formula()


def measured(answers: Coded, criterion: Criterion, measure: Measure, resample: Resample, part: str = "") -> Agreement:
    """One measure of answers, with an interval made by ``resample``."""
    level = measure.level(criterion.level)
    reason = not_pairable(answers) or unsuited(measure, answers, criterion.level)
    value, interval, remark = Statistic(None, reason), no_interval(reason), ""
    if not reason:
        prepared = measure.prepare(possible(answers, criterion, measure), level)
        value, remark = prepared.statistic(), prepared.remark
        why = value.reason or (too_uniform(answers) if measure.varied else "")
        if value.value is not None and np.count_nonzero(answers.per_unit > 1) == 1:
            remark, why = ONE_UNIT, TOO_FEW
        interval = no_interval(why) if why else resample(measure, prepared, level)
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


def fixed_left_out(ratings: Ratings) -> str:
    """How many answers agreement and checks leave out because a rule fixed them, as a sentence; empty if none."""
    found = ratings.fixed_answers
    if not found:
        return ""
    labels = {criterion.id: criterion.label for criterion in ratings.criteria}
    each = ", ".join(f"{labels[name]} {number:,}" for name, number in found.items())
    return f"Answers that a rule of the protocol fixed are left out: {sum(found.values()):,} ({each})."


def agreement_table(
    rows: Sequence[Agreement],
    signature: str = "",
    *,
    part: str = "",
    title: str = "Agreement",
    over: Sequence[str] = (UNITS,),
    fixed: str = "",
) -> Table:
    """Rows as one table; ``part`` names what rows are about where answers were taken apart.

    ``fixed`` says what was left out because a rule fixed it.
    """
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
    note = "\n".join(filter(None, (table_note(rows, over) if rows else NO_ROW, fixed)))
    return Table(name, title, (*first, *columns), tuple(cells), note, signature)


def table_note(rows: Sequence[Agreement], over: Sequence[str]) -> str:
    """What brackets are, and what was left out of which measure."""
    remarks: dict[str, dict[str, None]] = {}
    for row in rows:
        if row.remark and not row.part:
            about = f"{row.label}, {row.remark}" if len({one.question for one in rows}) > 1 else row.remark
            remarks.setdefault(about, {})[row.measure.title] = None
    drawn = "; ".join(_methods(rows, over))
    said = [f"No interval: {reason}." for reason in dict.fromkeys(row.no_interval for row in rows) if reason]
    said += [f"{remark[0].upper()}{remark[1:]}: {', '.join(which)}." for remark, which in remarks.items()]
    return "\n".join([NOTE.format(how=drawn)] * bool(drawn) + said)


def _methods(rows: Sequence[Agreement], over: Sequence[str]) -> list[str]:
    """How intervals were made; where in several ways, also of which measures."""
    found: dict[str, dict[str, None]] = {}
    for row in rows:
        if row.interval.method:
            found.setdefault(row.interval.method, {})[row.measure.title] = None
    named = {method: f"{method} over {' and '.join(over)}" if method == BCA else method for method in found}
    if len(found) < 2:
        return list(named.values())
    return [
        named[method] if method == BCA else f"{named[method]} of {', '.join(which)}" for method, which in found.items()
    ]
