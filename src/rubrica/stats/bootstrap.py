"""The percentile bootstrap over units, from sufficient statistics.

Efron and Tibshirani, An Introduction to the Bootstrap, 1993, chapter 13. A statistic that can be computed from sums
over units (sentences, items) is resampled by adding up other sums, never by going back to the texts.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from rubrica.stats.statistic import Statistic

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt


class Interval(NamedTuple):
    """The ends of an interval, and in how many resamples the statistic was defined."""

    low: Statistic
    high: Statistic
    defined: int


NEVER_DEFINED = "it is undefined in every resample"


def no_interval(reason: str) -> Interval:
    """An interval without ends, with the reason."""
    return Interval(Statistic(None, reason), Statistic(None, reason), 0)


def percentile_interval(values: Sequence[float] | npt.NDArray[np.float64], level: float = 0.95) -> Interval:
    """The interval that leaves out the same share of replicates at both ends; NaN are undefined, and left out."""
    import numpy as np

    found = np.asarray(values, dtype=float)
    defined = found[~np.isnan(found)]
    if not len(defined):
        return no_interval(NEVER_DEFINED)
    low, high = np.quantile(defined, [(1 - level) / 2, (1 + level) / 2])
    return Interval(Statistic(float(low)), Statistic(float(high)), len(defined))


def too_little(units: int, replicates: int) -> str:
    """Why there can be no interval over so many units; empty if there can."""
    if units < 2:
        return "an interval needs at least two units"
    return "" if replicates > 0 else "no resamples were asked for"


def resampled_sums(table: Sequence[Sequence[float]], replicates: int, seed: int) -> npt.NDArray[np.float64]:
    """The sums of the rows of each resample, a row for each: for statistics that take many resamples at once."""
    import numpy as np

    rows = np.asarray(table, dtype=float)
    return np.array([rows[drawn].sum(axis=0) for drawn in resamples(len(rows), replicates, seed)])


def resamples(units: int, replicates: int, seed: int) -> Iterator[list[int]]:
    """Indices of units drawn with replacement, the same for the same seed, whatever is computed from them."""
    generator = random.Random(seed)
    for _ in range(replicates):
        yield generator.choices(range(units), k=units)


def intervals(
    table: Sequence[Sequence[float]],
    statistics: Sequence[Callable[[Sequence[float]], Statistic]],
    *,
    replicates: int,
    seed: int,
    level: float = 0.95,
) -> list[Interval]:
    """An interval for each statistic, all from the same resamples.

    ``table`` has a row of sufficient statistics for each unit; a statistic gets the sums of the drawn rows. Resamples
    in which a statistic is undefined are left out; without two units, or any defined resample, there is no interval.
    """
    reason = too_little(len(table), replicates)
    if reason:
        return [no_interval(reason) for _ in statistics]
    columns = list(zip(*table, strict=True))
    found: list[list[float]] = [[] for _ in statistics]
    for drawn in resamples(len(table), replicates, seed):
        sums = [sum(map(column.__getitem__, drawn)) for column in columns]
        for values, statistic in zip(found, statistics, strict=True):
            value = statistic(sums).value
            if value is not None:
                values.append(value)
    return [percentile_interval(values, level) for values in found]
