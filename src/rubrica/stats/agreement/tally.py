"""What measures of agreement are computed from, and why one of them may have no value.

Why a measure of agreement has no value, or no interval: the reasons, in one wording for all measures.

What measures of agreement on categories are computed from: how often each category was chosen, unit by unit. A *unit*
is one thing that was judged; its counts say how many annotators chose each category. Units with the same counts weigh
the same, so they are kept once with the number of times they occur: this is all that the measures need, and it is
small however long the data are.

How often each value was chosen, unit by unit: all that measures need which do not ask who chose it. Units with the
same counts weigh the same. They are kept once, as a *pattern*, with the number of units that show it, so that a
bootstrap replicate is a vector of how often each pattern was drawn, and costs the same for a thousand units as for a
million.

A measure that is ready for resampling: sufficient statistics inside, how often each kind of unit counts outside.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any, NamedTuple

import attrs
import numpy as np

from rubrica.stats.bootstrap import Interval
from rubrica.stats.coded import Coded, Real, Whole
from rubrica.stats.statistic import Statistic

NO_ANSWER = "there is no answer"
ONE_RATER = "there is one rater only"
NOTHING = "no overlap: nothing was judged by two annotators"
NO_OTHER = "no unit has two answers other than the most frequent one, so that units cannot show how uncertain it is"
NO_VARIATION = "no variation: every annotator chose the same category every time"


def not_pairable(answers: Coded) -> str:
    """Why no two answers can be compared; empty if they can."""
    if not len(answers.unit):
        return NO_ANSWER
    if answers.present_raters < 2:
        return ONE_RATER
    return "" if (answers.per_unit > 1).any() else NOTHING


def too_uniform(answers: Coded) -> str:
    """Why agreement beyond chance has no interval although it has a value; empty if it has one.

    What raters agree on beyond the answer that is nearly always given shows only where two of them gave another one.
    Without such a unit no resample has one either, and the interval leaves out what is true (design/022).
    """
    pairable = answers.pairable
    usual = np.bincount(pairable.code).argmax() if len(pairable.code) else 0
    other = np.bincount(pairable.unit[pairable.code != usual], minlength=1)
    return "" if other.max() > 1 else NO_OTHER


Counts = tuple[int, ...]
"""How many annotators chose the first category, the second, and so on."""

Units = Mapping[Counts, int]
"""Units by their counts, with how many there are of each."""


def units_of(ratings: Iterable[Sequence[Hashable]], categories: Sequence[Hashable]) -> Units:
    """Units from what annotators said, one sequence for each thing judged; None is no answer."""
    units: Counter[Counts] = Counter()
    for given in ratings:
        chosen = Counter(value for value in given if value is not None)
        units[tuple(chosen[category] for category in categories)] += 1
    return units


SHORT, FULL = 16, 4
"""Counts are a full table on scales of so few values, or with so few cells for an answer; else only those not 0."""
LARGEST_KEY = 2**62


@attrs.frozen(eq=False)
class Tally:
    """Counts by pattern and value, and how many units show each pattern.

    ``own`` is what a rater would contribute by being paired with themselves: the same as the size of the pattern,
    unless raters were drawn several times (:func:`tally`). Units that are to be kept ``apart`` make no patterns.
    """

    counts: Any
    times: Real
    own: Real
    apart: bool = False

    @property
    def values(self) -> int:
        """How many different values there are."""
        return int(self.counts.shape[1])

    @cached_property
    def sizes(self) -> Real:
        """How many answers a unit of each pattern has."""
        return self.sums(np.ones(self.values))

    @cached_property
    def pairs(self) -> Real:
        """How many ordered pairs of two raters a unit of each pattern has."""
        pairs: Real = self.sizes**2 - self.own
        return pairs

    def pairable(self) -> Tally:
        """Only patterns in which two raters can be compared."""
        return self.chosen(self.pairs > 0)

    def chosen(self, kept: Any) -> Tally:
        """Only some patterns, by index or by truth."""
        if np.asarray(kept).dtype == bool and kept.all():
            return self
        return attrs.evolve(self, counts=self.counts[kept], times=self.times[kept], own=self.own[kept])

    def sums(self, scores: Real) -> Real:
        """The sum of scores of values over the answers of each pattern."""
        return np.asarray(self.counts @ scores, dtype=float)

    def totals(self, weights: Real) -> Real:
        """How often each value was chosen in each replicate: rows of ``weights`` are replicates."""
        return np.asarray(weights @ self.counts, dtype=float)

    def squares(self) -> Real:
        """The sum of squared counts of each pattern."""
        table = self.counts
        found = np.einsum("ij,ij->i", table, table) if isinstance(table, np.ndarray) else table.power(2).sum(axis=1)
        return np.asarray(found, dtype=float).ravel()

    def within(self, distances: Real) -> Real:
        """The sum over ordered pairs of answers of each pattern of how far they are apart."""
        if isinstance(self.counts, np.ndarray):
            return np.asarray(np.einsum("ij,ij->i", self.counts @ distances, self.counts), dtype=float)
        return np.asarray(self.counts.multiply(self.counts @ distances).sum(axis=1), dtype=float).ravel()

    def patterns(self) -> Tally:
        """The same with units of equal counts made one pattern; as it is where that would not pay."""
        keys = None if self.apart else self._keys()
        if keys is None:
            return self
        _, first, back = np.unique(keys, return_index=True, return_inverse=True)
        times = np.bincount(back, weights=self.times, minlength=len(first)).astype(float)
        return Tally(self.counts[first], times, self.own[first])

    def _keys(self) -> Whole | None:
        """A number for each pattern that is equal for equal counts; None where none is large enough."""
        if not isinstance(self.counts, np.ndarray) or not len(self.counts) or (self.own != self.sizes).any():
            return None
        base = int(self.counts.max()) + 1
        if base**self.values > LARGEST_KEY:
            return None
        place = np.array([base**index for index in range(self.values)], dtype=np.int64)
        keys: Whole = self.counts.astype(np.int64) @ place
        return keys


def tally(answers: Coded, drawn: Real | None = None) -> Tally:
    """Count answers unit by unit. ``drawn`` says how often each rater was drawn, if raters are resampled.

    A rater drawn twice counts twice, but is never compared with themselves.
    """
    many, values = len(answers.units), max(len(answers.values), 1)
    mass = None if drawn is None else drawn[answers.rater]
    own = answers.per_unit.astype(float)
    if mass is not None:
        own = np.bincount(answers.unit, weights=mass**2, minlength=many).astype(float)
    if values <= SHORT or many * values <= FULL * len(answers.unit):
        cells = answers.unit * values + answers.code
        table = np.bincount(cells, weights=mass, minlength=many * values).reshape(many, values)
        return Tally(table.astype(float), np.ones(many), own, answers.made_of is not None)
    from scipy.sparse import csr_array

    ones = np.ones(len(answers.unit)) if mass is None else mass
    table = csr_array((ones, (answers.unit, answers.code)), shape=(many, values))
    return Tally(table, np.ones(many), own, answers.made_of is not None)


def tally_of(units: Units) -> Tally:
    """The same from units that were counted already."""
    present = {counts: times for counts, times in units.items() if times}
    table = np.array(list(present), dtype=float).reshape(len(present), len(next(iter(present), ())))
    return Tally(table, np.array(list(present.values()), dtype=float), table.sum(axis=1))


class Prepared(NamedTuple):
    """``times`` says how many units are of each kind (pattern); ``values`` computes the measure for other numbers.

    ``values`` takes a row for each replicate and gives a number for each, NaN where the measure is undefined.
    ``reason`` says why there would be no value, ``remark`` what was left out. A measure whose interval follows from a
    formula, not from resamples, has it in ``formula``; ``others`` says whether that holds for other raters, too.
    """

    times: Real
    values: Callable[[Real], Real]
    reason: str = NO_VARIATION
    remark: str = ""
    formula: Callable[[], Interval] | None = None
    others: bool = False

    @property
    def units(self) -> int:
        """How many units there are."""
        return round(float(self.times.sum()))

    @property
    def value(self) -> float:
        """The measure of the data as they are, NaN where there is none."""
        return float(self.values(self.times[None, :])[0]) if self.units else float("nan")

    def statistic(self) -> Statistic:
        """The measure of the data as they are, or why there is none."""
        value = self.value
        return Statistic(None, self.reason) if np.isnan(value) else Statistic(value)


def nothing(reason: str) -> Prepared:
    """A measure that has no value, whatever is drawn."""
    return Prepared(np.zeros(0), lambda weights: np.full(len(weights), np.nan), reason)
