"""Intervals and tests from resamples: one way to make them, and one guard against those that say nothing.

The bias-corrected and accelerated bootstrap (BCa: Efron, Better bootstrap confidence intervals, Journal of the
American Statistical Association 82, 1987, doi:10.1080/01621459.1987.10478410) with Student's quantiles for normal
ones, since resamples of few units are too alike (Hesterberg, What teachers should know about the bootstrap, American
Statistician 69, 2015, doi:10.1080/00031305.2015.1089789). A p-value is the level at which the interval would just
reach 0, so that both always say the same. A difference between two that may be equal is symmetric if they are, so that
what skewness a few units show is chance: its interval is Student's, with the standard error of the resamples. A
statistic is computed from sums over units, never by going back to the texts; so are its values without one unit (the
jackknife), from which the acceleration follows. Coverage: design/022.

Resampling of shares and means, which are all a sum divided by a sum, over clusters of ratings. Ratings of one source
are not independent, so sources are drawn with replacement and each brings all its ratings (Efron and Tibshirani, An
Introduction to the Bootstrap, 1993, chapters 8 and 13). A cluster is only its sums, and all figures are computed from
the same draws, so that one figure minus another is resampled in pairs.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from typing import NamedTuple

import attrs
import numpy as np
import numpy.typing as npt

from rubrica.stats.statistic import Statistic, p_value

Real = npt.NDArray[np.float64]
Whole = npt.NDArray[np.int64]
LEVEL = 0.95
FEWEST = 10
"""From fewer units there is no interval: simulated coverage falls below 90 % (design/022)."""
DEFINED = 0.9
"""The share of resamples in which a statistic must have a value: without the others its spread is not its own."""
NEAR = 1e-12
"""Values that differ by less, relative to the largest, are equal."""
GROUPS = 200
"""Of more units, groups of them are left out in turn: the acceleration is then small, and the groups' is the same."""
BLOCK = 8_000_000
"""Numbers that one block of draws may have."""
BCA, STUDENT = "BCa bootstrap", "Student's, bootstrap standard error"
NO_RESAMPLES = "no resamples were asked for"
NEVER_DEFINED = "it is undefined in every resample"


class Interval(NamedTuple):
    """The ends of an interval, in how many resamples the statistic was defined, and by which method it was made."""

    low: Statistic
    high: Statistic
    defined: int
    method: str = ""


def no_interval(reason: str) -> Interval:
    """An interval without ends, with the reason."""
    return Interval(Statistic(None, reason), Statistic(None, reason), 0)


def too_little(units: int, replicates: int, what: str = "units", least: int = FEWEST) -> str:
    """Why there can be no interval over so many units; empty if there can."""
    if replicates < 1:
        return NO_RESAMPLES
    return f"an interval needs at least {least} {what}" if units < least else ""


def alike(what: str) -> str:
    """Why an interval of no width is none: nine of nine is no certainty."""
    return f"all {what} are alike, so that they cannot show how uncertain it is"


@attrs.frozen(eq=False)
class Resampled:
    """A statistic with its resamples, from which its interval and its test are made.

    ``drawn`` are its values in resamples and ``left_out`` those without one unit (or group of units), NaN where it is
    undefined; ``times`` is how many units each of the latter stands for. ``units`` of them bear on the statistic, at
    ``least`` so many are needed, and ``what`` they are called. ``difference``: of two that may be equal.
    """

    value: float
    drawn: Real
    left_out: Real
    units: int
    what: str = "units"
    times: Real | None = None
    least: int = FEWEST
    difference: bool = False

    def reason(self) -> str:
        """Why these resamples tell nothing of how uncertain the statistic is; empty if they do."""
        few = too_little(self.units, len(self.drawn), self.what, self.least)
        if few:
            return few
        known = self._known
        if not len(known):
            return NEVER_DEFINED
        if known[-1] - known[0] <= NEAR * max(abs(known[0]), abs(known[-1]), abs(self.value)):
            return alike(self.what)
        share = len(known) / len(self.drawn)
        return f"it is undefined in {1 - share:.0%} of the resamples" if share < DEFINED else ""

    def interval(self, level: float = LEVEL) -> Interval:
        """The interval that holds the true value in this share of studies, or why there is none."""
        reason = self.reason()
        if reason:
            return no_interval(reason)
        from scipy.special import ndtr, stdtrit

        far = float(stdtrit(self.units - 1, (1 + level) / 2))
        if self.difference:
            half = far * self._error
            ends = Statistic(self.value - half), Statistic(self.value + half)
            return Interval(*ends, len(self._known), STUDENT)
        moved = self._bias + np.array([-far, far])
        below = 1 - self._acceleration * moved
        # Beyond this the formula turns round: the end is that of the resamples.
        shares = np.where(below > 0, ndtr(self._bias + moved / np.where(below > 0, below, 1)), [0.0, 1.0])
        low, high = np.quantile(self._known, shares)
        return Interval(Statistic(float(low)), Statistic(float(high)), len(self._known), BCA)

    def p(self) -> Statistic:
        """The two-sided p-value of 0: 1 less the level of the interval that has 0 at one of its ends.

        Where 0 is beyond all resamples, a bound.
        """
        from scipy.special import stdtr

        reason = self.reason()
        if self.difference and reason == alike(self.what) and not self._known.any():
            return Statistic(1.0)
        if reason:
            return Statistic(None, reason)
        if self.difference:
            return Statistic(float(2 * stdtr(self.units - 1, -abs(self.value) / self._error)))
        least = 1 / (len(self._known) + 1)
        reached = _place(self._known, 0.0)
        after, before = (min(max(share, least), 1 - least) for share in (reached.after, reached.before))
        sides = self._tail(after), 1 - self._tail(before)
        p = min(1.0, 2 * min(sides))
        beyond = reached.after < least or reached.before > 1 - least
        return p_value(p, beyond)

    def _tail(self, share: float) -> float:
        """The probability of Student's distribution below the quantile that takes this share of resamples."""
        from scipy.special import ndtri, stdtr

        moved = float(ndtri(share)) - self._bias
        below = 1 + self._acceleration * moved
        if below <= 0:
            return 1.0 if moved > 0 else 0.0
        return float(stdtr(self.units - 1, moved / below - self._bias))

    @cached_property
    def _known(self) -> Real:
        found: Real = np.sort(self.drawn[~np.isnan(self.drawn)])
        return found

    @cached_property
    def _error(self) -> float:
        """The standard error: resamples of few units are too alike by the root of their number to one less."""
        return float(self._known.std() * np.sqrt(self.units / (self.units - 1)))

    @cached_property
    def _bias(self) -> float:
        """How far the value is from the middle of its resamples, in quantiles of the normal distribution."""
        from scipy.special import ndtri

        known = self._known
        near = NEAR * max(abs(self.value), abs(known[0]), abs(known[-1]))
        lower, upper = np.searchsorted(known, [self.value - near, self.value + near])
        share = (lower + upper) / 2 / len(known)
        return float(ndtri(np.clip(share, 0.5 / len(known), 1 - 0.5 / len(known))))

    @cached_property
    def _acceleration(self) -> float:
        """How the spread changes with the value: the skewness of what each unit adds, by six."""
        known = ~np.isnan(self.left_out)
        left = self.left_out[known]
        times = np.ones(len(left)) if self.times is None else self.times[known]
        if not times.sum():
            return 0.0
        apart = np.average(left, weights=times) - left
        squares = float(times @ apart**2)
        return float(times @ apart**3) / (6 * squares**1.5) if squares > 0 else 0.0


class _Place(NamedTuple):
    """Between which shares of resamples a number stands; the same twice unless resamples equal it."""

    before: float
    after: float


def _place(known: Real, number: float) -> _Place:
    """The inverse of the quantiles of sorted resamples, which are interpolated."""
    shares = np.arange(len(known)) / max(len(known) - 1, 1)
    first, last = np.searchsorted(known, number), np.searchsorted(known, number, "right")
    if first < last:
        return _Place(float(shares[first]), float(shares[last - 1]))
    if first in (0, len(known)):
        return _Place(float(first > 0), float(first > 0))
    low, high = known[first - 1], known[first]
    share = shares[first - 1] + (number - low) / (high - low) * (shares[first] - shares[first - 1])
    return _Place(float(share), float(share))


def draws(times: Real, replicates: int, generator: np.random.Generator, at_once: int = 1) -> Iterator[Real]:
    """How often each kind of unit came in each resample, a row each, in blocks that fit into memory.

    ``times`` is how many units there are of each kind; ``at_once`` how many tables as large a caller holds for a block.
    The same for the same seed, however large the blocks are.
    """
    kinds, units = len(times), round(float(times.sum()))
    step = max(1, BLOCK // max(kinds * at_once, 1))
    for start in range(0, replicates, step):
        size = min(step, replicates - start)
        if kinds < units:
            yield generator.multinomial(units, times / times.sum(), size=size).astype(float)
            continue
        # No two units are alike: drawing indices is quicker than numbers for each unit.
        drawn = generator.integers(units, size=(size, units), dtype=np.int32)
        places = drawn + (np.arange(size, dtype=np.int64) * units)[:, None]
        yield np.bincount(places.ravel(), minlength=size * units).reshape(size, units).astype(float)


_STEPS = 1 << 16


def _poisson() -> Real:
    """Poisson numbers of mean 1 at equal steps of probability: drawing is looking one up."""
    shares = [math.exp(-1) / math.factorial(number) for number in range(10)]
    ends = np.round(np.cumsum(shares) * _STEPS)
    return np.searchsorted(ends, np.arange(_STEPS), side="right").astype(np.float64)


_POISSON = _poisson()


def draws_of_part(replicates: int, units: int, generator: np.random.Generator) -> Real:
    """How often each unit of a part came, where data come in parts that know nothing of each other: a row a resample.

    Each unit is drawn a Poisson number of times with mean 1, independently of all others (Hanley and MacGibbon,
    Creating non-parametric bootstrap samples using Poisson frequencies, Computer Methods and Programs in Biomedicine
    2006; Chamandy et al., Estimating Uncertainty for Massive Data Streams, 2012).
    """
    found: Real = _POISSON[generator.integers(0, _STEPS, size=(replicates, units), dtype=np.uint16)]
    return found


class LeftOut(NamedTuple):
    """How often each kind of unit is still there when one is left out, a row each, and how many units are such."""

    weights: Real
    times: Real


def without_each(times: Real, at_once: int = 1) -> Iterator[LeftOut]:
    """Leave out one unit of each kind in turn, in blocks; of more than :data:`GROUPS` kinds, groups of units.

    ``times`` is how many units there are of each kind. Groups take every so-manieth unit, so that none is of one part
    of the data.
    """
    kinds = len(times)
    if kinds <= GROUPS:
        group, parts, standing = np.arange(kinds), np.ones(kinds), times
    else:
        group = np.repeat(np.arange(kinds), times.astype(np.int64))
        parts, standing = np.ones(len(group)), np.ones(GROUPS)
    many = len(standing)
    step = max(1, BLOCK // max(kinds * at_once, 1))
    for start in range(0, many, step):
        size = min(step, many - start)
        own = np.arange(len(group)) % many - start
        here = (own >= 0) & (own < size)
        cells = np.bincount(own[here] * kinds + group[here], parts[here], minlength=size * kinds)
        yield LeftOut(times - cells.reshape(size, kinds), standing[start : start + size])


Values = Callable[[Real], Real]
"""A statistic, or several, by row: from rows that say how often each unit (or kind of unit) counts."""


class Resamples(NamedTuple):
    """A statistic in each resample, and without each unit; ``times`` is how many units each of these stands for."""

    drawn: Real
    left_out: Real
    times: Real


def resample(
    values: Values,
    times: Real,
    replicates: int,
    generator: np.random.Generator,
    *,
    part_of: Whole | None = None,
    at_once: int = 1,
) -> Resamples:
    """Compute a statistic in resamples and without each unit: the one way in which units are drawn with replacement.

    ``times`` is how many units there are of each kind that is drawn. Where what is counted belongs to something larger
    that is drawn as a whole (ratings of a source), ``part_of`` has the number of that for each. ``at_once`` is how many
    tables as large as the weights ``values`` holds.
    """
    wide = at_once * (1 if part_of is None else -(-len(part_of) // len(times)))

    def of(weights: Real) -> Real:
        return values(weights if part_of is None else weights[:, part_of])

    drawn = [of(weights) for weights in draws(times, replicates, generator, wide)]
    left = [(of(one.weights), one.times) for one in without_each(times, wide)]
    return Resamples(np.concatenate(drawn), *(np.concatenate(parts) for parts in zip(*left, strict=True)))


def sums_of(table: Sequence[Sequence[float]] | Real, replicates: int, seed: int) -> Resamples:
    """Add up the rows that each resample drew, and all but each."""
    rows = np.asarray(table, dtype=float)
    return resample(lambda weights: weights @ rows, np.ones(len(rows)), replicates, np.random.default_rng(seed))


def intervals(
    table: Sequence[Sequence[float]],
    statistics: Sequence[Callable[[Sequence[float]], Statistic]],
    *,
    replicates: int,
    seed: int,
    what: str = "units",
    bearing: Callable[[Sequence[float]], bool] = any,
) -> list[Interval]:
    """An interval for each statistic, all from the same resamples.

    ``table`` has a row of sufficient statistics for each unit; a statistic gets the sums of the drawn rows. ``bearing``
    says whether a unit tells anything.
    """
    reason = too_little(sum(map(bearing, table)), replicates, what)
    if reason:
        return [no_interval(reason) for _ in statistics]
    sums = sums_of(table, replicates, seed)
    whole = [sum(column) for column in zip(*table, strict=True)]
    found = []
    for statistic in statistics:
        value = statistic(whole)
        drawn, left = (_values(statistic, rows) for rows in (sums.drawn, sums.left_out))
        own = Resampled(value.value or 0.0, drawn, left, sum(map(bearing, table)), what).interval()
        found.append(no_interval(value.reason) if value.value is None else own)
    return found


def _values(statistic: Callable[[Sequence[float]], Statistic], rows: Real) -> Real:
    return np.array([np.nan if (value := statistic(row).value) is None else value for row in rows.tolist()])


NOTHING = 1e-9
"""What is left of a count that was taken away again, but for rounding."""


def ratios(numerators: Real, denominators: Real) -> list[Statistic]:
    """Each column's sum divided by the other's; undefined where nothing is counted."""
    above, below = numerators.sum(axis=0), denominators.sum(axis=0)
    return [
        Statistic(float(top / bottom)) if bottom else Statistic(None, "nothing to count")
        for top, bottom in zip(above, below, strict=True)
    ]


def ratio_resamples(
    numerators: Real, denominators: Real, replicates: int, seed: int, *, differences: bool = False
) -> list[Resampled]:
    """Each column's ratio with its resamples, all of the same draws.

    Rows of the arguments are clusters, columns are figures. Only clusters in which something is counted bear on one.
    ``differences``: what is counted is how far two are apart that may be equal.
    """
    clusters, figures = numerators.shape
    generator, number = np.random.default_rng(seed), replicates if clusters else 0
    blocks = draws(np.ones(clusters), number, generator)
    found = np.concatenate(
        [np.empty((0, figures)), *(_divided(times @ numerators, times @ denominators) for times in blocks)]
    )
    counting = denominators > 0
    above, below = numerators.sum(axis=0), denominators.sum(axis=0)
    whole, left = _divided(above, below), _divided(above - numerators, below - denominators)
    return [
        Resampled(
            float(whole[column]),
            found[:, column],
            left[counting[:, column], column],
            int(counting[:, column].sum()),
            "sources",
            difference=differences,
        )
        for column in range(figures)
    ]


def _divided(above: Real, below: Real) -> Real:
    counted = below > NOTHING
    found: Real = np.where(counted, above / np.where(counted, below, 1.0), np.nan)
    return found


def ratio_intervals(numerators: Real, denominators: Real, *, replicates: int, seed: int) -> list[Interval]:
    """The interval of each column's ratio over clusters."""
    return [one.interval() for one in ratio_resamples(numerators, denominators, replicates, seed)]
