"""Resampling of shares and means, which are all a sum divided by a sum, over clusters of ratings.

Ratings of one source are not independent, so sources are drawn with replacement and each brings all its ratings
(Efron and Tibshirani, An Introduction to the Bootstrap, 1993, chapters 8 and 13). A cluster is only its sums, and all
figures are computed from the same draws, so that one figure minus another is resampled in pairs.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from rubrica.stats.bootstrap import Interval
from rubrica.stats.statistic import Statistic

Real = npt.NDArray[np.float64]
CHUNK = 4_000_000
"""How many counts of draws are held at once: 32 MB."""
TOO_FEW = "an interval needs at least two sources"
NO_RESAMPLES = "no resamples were asked for"
ALIKE = "all sources are alike, so that resampling cannot show how uncertain it is"
"""Nine of nine is not certainty: an interval without width would say so."""


def ratios(numerators: Real, denominators: Real) -> list[Statistic]:
    """Each column's sum divided by the other's; undefined where nothing is counted."""
    above, below = numerators.sum(axis=0), denominators.sum(axis=0)
    return [
        Statistic(float(top / bottom)) if bottom else Statistic(None, "nothing to count")
        for top, bottom in zip(above, below, strict=True)
    ]


def ratio_resamples(numerators: Real, denominators: Real, replicates: int, seed: int) -> Real:
    """The ratios of every resample, a row each; NaN where nothing is counted in it.

    Rows of the arguments are clusters, columns are figures.
    """
    clusters, figures = numerators.shape
    found = np.empty((replicates, figures))
    generator = np.random.default_rng(seed)
    step = max(1, CHUNK // max(1, clusters))
    for start in range(0, replicates, step):
        size = min(step, replicates - start)
        drawn = generator.integers(clusters, size=(size, clusters)) + clusters * np.arange(size)[:, None]
        times = np.bincount(drawn.ravel(), minlength=size * clusters).reshape(size, clusters).astype(float)
        below = times @ denominators
        with np.errstate(divide="ignore", invalid="ignore"):
            found[start : start + size] = np.where(below > 0, (times @ numerators) / below, np.nan)
    return found


def ratio_intervals(
    numerators: Real, denominators: Real, *, replicates: int, seed: int, level: float = 0.95
) -> list[Interval]:
    """A percentile interval of each column's ratio. There is none with fewer than two clusters that count."""
    if not replicates or len(numerators) < 2:
        nothing = Statistic(None, TOO_FEW if replicates else NO_RESAMPLES)
        return [Interval(nothing, nothing, 0) for _ in range(numerators.shape[1])]
    found = ratio_resamples(numerators, denominators, replicates, seed)
    counting = (denominators > 0).sum(axis=0)
    return [
        percentiles(found[:, column], level) if counting[column] > 1 else _none()
        for column in range(numerators.shape[1])
    ]


def percentiles(resampled: Real, level: float) -> Interval:
    """The interval that leaves the same share of the defined resamples on either side.

    There is none if all resamples are equal: more sources might differ, and these cannot tell.
    """
    defined = resampled[~np.isnan(resampled)]
    if not len(defined):
        nothing = Statistic(None, "it is undefined in every resample")
        return Interval(nothing, nothing, 0)
    if len(defined) > 1 and defined.min() == defined.max():
        return Interval(Statistic(None, ALIKE), Statistic(None, ALIKE), len(defined))
    low, high = np.quantile(defined, [(1 - level) / 2, (1 + level) / 2])
    return Interval(Statistic(float(low)), Statistic(float(high)), len(defined))


def _none() -> Interval:
    return Interval(Statistic(None, TOO_FEW), Statistic(None, TOO_FEW), 0)
