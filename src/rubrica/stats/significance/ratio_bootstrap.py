"""Resampling of shares and means, which are all a sum divided by a sum, over clusters of ratings.

Ratings of one source are not independent, so sources are drawn with replacement and each brings all its ratings
(Efron and Tibshirani, An Introduction to the Bootstrap, 1993, chapters 8 and 13). A cluster is only its sums, and all
figures are computed from the same draws, so that one figure minus another is resampled in pairs.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from rubrica.stats.bootstrap import Interval, Resampled, draws
from rubrica.stats.statistic import Statistic

Real = npt.NDArray[np.float64]
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
