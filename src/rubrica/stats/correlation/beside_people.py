"""A metric beside people: its correlation with their mean, and theirs with the mean of the others.

What one person reaches with the mean of the others (leave-one-out) is what a metric must reach to be worth as much as
one more person. The metric has a small advantage: its mean is of one person more, and so less noisy.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from rubrica.stats.bootstrap import Interval, Whole, no_interval, too_little
from rubrica.stats.correlation.coefficients import COEFFICIENTS, KENDALL, LEAST, PEARSON, SPEARMAN, Real, constant
from rubrica.stats.correlation.resamples import resampled
from rubrica.stats.statistic import Statistic

DIGITS = 9
"""Means that are equal but for rounding must be equal: ranks know no nearly."""


class Answers(NamedTuple):
    """Answers to one question as numbers: of which unit, by which rater. ``people`` says which raters are people."""

    unit: Whole
    rater: Whole
    value: Real
    people: npt.NDArray[np.bool_]
    units: int


class WithPeople(NamedTuple):
    """Three correlations with the mean of people, the interval of Spearman's, and on how many units."""

    pearson: Statistic
    spearman: Statistic
    kendall: Statistic
    interval: Interval
    units: int


def of_metric(scores: Real, answers: Answers, sources: Whole, replicates: int, seed: int) -> WithPeople:
    """A metric with the mean of all people. ``scores`` are by unit, NaN where it has none.

    ``sources`` is the number of each unit's source: resamples draw sources with all their units.
    """
    sums, counts = _of_people(answers)
    shared = np.flatnonzero((counts > 0) & ~np.isnan(scores))
    mean = sums[shared] / counts[shared]
    return _correlated(scores[shared], mean, sources[shared], replicates, seed, "the metric's values do not vary")


def of_raters(answers: Answers, sources: Whole, replicates: int, seed: int) -> list[WithPeople]:
    """Each rater with the mean of the people other than themselves, on the units that one of those answered."""
    sums, counts = _of_people(answers)
    found = []
    for rater, person in enumerate(answers.people):
        mine = answers.rater == rater
        own, unit = answers.value[mine], answers.unit[mine]
        others = counts[unit] - person
        shared = others > 0
        mean = (sums[unit] - own * person)[shared] / others[shared]
        where = sources[unit[shared]]
        found.append(_correlated(own[shared], mean, where, replicates, seed, "the rater's answers do not vary"))
    return found


def mean_of(statistics: list[Statistic]) -> Statistic:
    """The mean of those that are defined; undefined if none is, with the first reason."""
    known = [one.value for one in statistics if one.value is not None]
    if known:
        return Statistic(float(np.mean(known)))
    return Statistic(None, statistics[0].reason if statistics else "nobody answered")


def _of_people(answers: Answers) -> tuple[Real, Real]:
    """The sum of the people's answers to each unit, and how many there are."""
    chosen = answers.people[answers.rater]
    unit = answers.unit[chosen]
    sums: Real = np.bincount(unit, answers.value[chosen], minlength=answers.units).astype(float)
    return sums, np.bincount(unit, minlength=answers.units).astype(float)


def _correlated(own: Real, mean: Real, sources: Whole, replicates: int, seed: int, alike: str) -> WithPeople:
    mean = mean.round(DIGITS)
    reason = _undefined(own, mean, alike)
    if reason:
        nothing = Statistic(None, reason)
        return WithPeople(nothing, nothing, nothing, no_interval(reason), len(own))
    found = {name: COEFFICIENTS[name](mean, own).value for name in (PEARSON, SPEARMAN, KENDALL)}
    drawn = np.unique(sources, return_inverse=True)[1].astype(np.int64)
    many = int(drawn.max()) + 1
    few = too_little(many, replicates, "sources")
    interval = no_interval(few)
    value = found[SPEARMAN].value
    if not few and value is not None:
        cells = resampled(SPEARMAN, mean[None, :], own[None, :], drawn, replicates, seed)
        interval = cells.of(value, 0, 0, many, "sources").interval()
    return WithPeople(found[PEARSON], found[SPEARMAN], found[KENDALL], interval, len(own))


def _undefined(own: Real, mean: Real, alike: str) -> str:
    if len(own) < LEAST:
        return f"fewer than {LEAST} units that both have"
    if constant(mean):
        return "the people's means do not vary"
    return alike if constant(own) else ""
