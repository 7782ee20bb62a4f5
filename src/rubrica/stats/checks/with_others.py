"""Whether a rater's answers have anything to do with those of the others on the same units.

For numbers: the correlation with the mean of the others (leave-one-out), Pearson's or of ranks. For labels: the mean
share of the others who gave the same answer. Units that nobody else rated do not count.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from rubrica.stats.checks.beyond_chance import Relation, of_labels, of_numbers
from rubrica.stats.coded import Coded, Real, Whole
from rubrica.stats.statistic import Statistic

FEWEST = 4


class WithOthers(NamedTuple):
    """The figure, on how many units, and the chance of so high a correlation between unrelated answers.

    ``relation`` is what both come from, to be put together with other questions; None where nothing goes together.
    """

    value: Statistic
    units: int
    by_chance: Statistic
    relation: Relation | None = None


def correlations(answers: Coded, ranks: bool) -> list[WithOthers]:
    """For each rater the correlation with the mean of the others; undefined without variation or four units."""
    values = answers.numbers[answers.code]
    sums = np.bincount(answers.unit, values, minlength=len(answers.units))
    others = answers.per_unit[answers.unit] - 1
    shared = others > 0
    rest = np.where(shared, (sums[answers.unit] - values) / np.maximum(others, 1), np.nan)
    return [
        _correlation(answers.unit[places], values[places], rest[places], ranks) for places in _by_rater(answers, shared)
    ]


def _by_rater(answers: Coded, shared: npt.NDArray[np.bool_]) -> list[Whole]:
    """For each rater the places of their answers to units that somebody else rated."""
    places = np.flatnonzero(shared)
    places = places[np.argsort(answers.rater[places], kind="stable")]
    ends = np.cumsum(np.bincount(answers.rater[places], minlength=len(answers.raters)))
    return np.split(places, ends[:-1]) if len(answers.raters) else []


def _correlation(unit: Whole, own: Real, others: Real, ranks: bool) -> WithOthers:
    if len(own) < FEWEST:
        nothing = Statistic(None, f"fewer than {FEWEST} units that somebody else rated")
        return WithOthers(nothing, len(own), nothing)
    for values, whose in ((own, "the rater's own answers"), (others, "the others' means")):
        if np.ptp(values) < 1e-12 * max(1.0, float(np.abs(values).max())):
            nothing = Statistic(None, f"no variation in {whose}")
            return WithOthers(nothing, len(own), nothing)
    relation = of_numbers(unit, *((_middle_ranks(own), _middle_ranks(others)) if ranks else (own, others)))
    found = max(-1.0, min(1.0, relation.value))
    return WithOthers(Statistic(found), len(own), Statistic(_by_chance(found, len(own))), relation)


def _middle_ranks(values: Real) -> Real:
    """Ranks from 1; equal values share the mean of theirs (means of others are equal up to rounding)."""
    _, place, times = np.unique(values.round(9), return_inverse=True, return_counts=True)
    ends = np.cumsum(times)
    found: Real = (ends - (times - 1) / 2)[place]
    return found


def _by_chance(value: float, pairs: int) -> float:
    """Student's test of a correlation, one-sided."""
    from scipy.special import stdtr

    if abs(value) == 1:
        return 0.0 if value > 0 else 1.0
    return float(stdtr(pairs - 2, -value * np.sqrt((pairs - 2) / (1 - value**2))))


def same_answers(answers: Coded) -> list[WithOthers]:
    """For each rater the mean share of the others, unit by unit, who gave the same answer."""
    table = np.zeros((len(answers.units), len(answers.values)))
    np.add.at(table, (answers.unit, answers.code), 1)
    others = answers.per_unit[answers.unit] - 1
    shared = others > 0
    share = (table[answers.unit, answers.code] - 1) / np.maximum(others, 1)
    nothing = Statistic(None, "nobody else rated the same units")
    none = Statistic(None, "shares have no test of chance")
    found = []
    for places in _by_rater(answers, shared):
        if not len(places):
            found.append(WithOthers(nothing, 0, none))
            continue
        unit, code = answers.unit[places], answers.code[places]
        rest = table[unit]
        rest[np.arange(len(places)), code] -= 1
        relation = of_labels(unit, code, rest / others[places][:, None])
        found.append(WithOthers(Statistic(float(share[places].mean())), len(places), none, relation))
    return found
