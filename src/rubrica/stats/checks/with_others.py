"""How far a rater's answers go with those of the others on the same units: figures to be shown, without a test.

For numbers: the correlation with the mean of the others (leave-one-out), Pearson's or of ranks. For labels: the mean
share of the others who gave the same answer; beyond chance (of the rater's own shares), as Cohen's kappa is. Units that
nobody else rated do not count. What the figures mean together is asked by ``attention``.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from rubrica.stats.agreement.percent_agreement import beside_others
from rubrica.stats.coded import Coded, Real, Whole
from rubrica.stats.statistic import Statistic

FEWEST = 4


class WithOthers(NamedTuple):
    """The figure, the same beyond chance (0 is chance; of correlations it is the figure), on how many units."""

    value: Statistic
    beyond_chance: Statistic
    units: int


def correlations(answers: Coded, ranks: bool) -> list[WithOthers]:
    """For each rater the correlation with the mean of the others; undefined without variation or four units."""
    values = answers.numbers[answers.code]
    sums = np.bincount(answers.unit, values, minlength=len(answers.units))
    others = answers.per_unit[answers.unit] - 1
    shared = others > 0
    rest = np.where(shared, (sums[answers.unit] - values) / np.maximum(others, 1), np.nan)
    return [_correlation(values[places], rest[places], ranks) for places in _by_rater(answers, shared)]


def _by_rater(answers: Coded, shared: npt.NDArray[np.bool_]) -> list[Whole]:
    """For each rater the places of their answers to units that somebody else rated."""
    places = np.flatnonzero(shared)
    places = places[np.argsort(answers.rater[places], kind="stable")]
    ends = np.cumsum(np.bincount(answers.rater[places], minlength=len(answers.raters)))
    return np.split(places, ends[:-1]) if len(answers.raters) else []


def _correlation(own: Real, others: Real, ranks: bool) -> WithOthers:
    if len(own) < FEWEST:
        nothing = Statistic(None, f"fewer than {FEWEST} units that somebody else rated")
        return WithOthers(nothing, nothing, len(own))
    for values, whose in ((own, "the rater's own answers"), (others, "the others' means")):
        if np.ptp(values) < 1e-12 * max(1.0, float(np.abs(values).max())):
            nothing = Statistic(None, f"no variation in {whose}")
            return WithOthers(nothing, nothing, len(own))
    one, two = (_middle_ranks(own), _middle_ranks(others)) if ranks else (own, others)
    found = Statistic(float(np.clip(np.corrcoef(one, two)[0, 1], -1, 1)))
    return WithOthers(found, found, len(own))


def _middle_ranks(values: Real) -> Real:
    """Ranks from 1; equal values share the mean of theirs (means of others are equal up to rounding)."""
    _, place, times = np.unique(values.round(9), return_inverse=True, return_counts=True)
    ends = np.cumsum(times)
    found: Real = (ends - (times - 1) / 2)[place]
    return found


def same_answers(answers: Coded) -> list[WithOthers]:
    """For each rater the mean share of the others, unit by unit, who gave the same answer."""
    table = np.zeros((len(answers.units), len(answers.values)))
    np.add.at(table, (answers.unit, answers.code), 1)
    others, same = beside_others(answers)
    shared = others > 0
    share = same / np.maximum(others, 1)
    nothing = Statistic(None, "nobody else rated the same units")
    found = []
    for places in _by_rater(answers, shared):
        if not len(places):
            found.append(WithOthers(nothing, nothing, 0))
            continue
        unit, code = answers.unit[places], answers.code[places]
        rest = table[unit]
        rest[np.arange(len(places)), code] -= 1
        rest /= others[places][:, None]
        own = np.bincount(code, minlength=len(answers.values)) / len(code)
        chance, mean = float(own @ rest.mean(axis=0)), float(share[places].mean())
        certain = Statistic(None, "everybody always says the same")
        beyond = Statistic((mean - chance) / (1 - chance)) if chance < 1 - 1e-12 else certain
        found.append(WithOthers(Statistic(mean), beyond, len(places)))
    return found
