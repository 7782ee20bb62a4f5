"""Between which thresholds the best one of a tie calibration lies, from counts of pairs by distance.

A threshold gains the pairs that people tie and loses those in people's order, up to that distance (Deutsch, Foster and
Freitag, Ties Matter, EMNLP 2023). Both counts only grow, so that between two distances the gain is at most the tied
pairs up to the larger minus the ordered ones up to the smaller. With scores rounded to a grid, counts by distance are
correlations of histograms, which a Fourier transform gives without looking at pairs; all but a few thresholds are
then known to be worse than another, and only the rest has to be tried.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

Real = npt.NDArray[np.float64]
Whole = npt.NDArray[np.int64]
BINS = 1 << 14
"""Steps of the grid; fewer where people's scores have so many levels that histograms of all would take long."""
WORK = 1 << 20
FEWEST = 1 << 10


class Window(NamedTuple):
    """The best threshold is not below the one nor above the other."""

    low: float
    high: float


class _Counts(NamedTuple):
    """Pairs up to each distance in steps: tied by people; in people's order, at least and at most."""

    tied: Real
    least: Real
    most: Real


def tie_window(level: Whole, metric: Real, within: float = np.inf) -> Window:
    """The window for a metric's scores in ascending order, and people's as ranks of levels.

    ``within`` is how large the threshold is at most, where that is known: wider gaps between neighbours are closed up,
    so that a few scores far off do not make the grid coarse.
    """
    place = np.concatenate([[0.0], np.cumsum(np.minimum(np.diff(metric), 2 * within))])
    bins = int(np.clip(WORK // (int(level.max()) + 1), FEWEST, BINS))
    step = place[-1] / bins
    if not step > 0:
        return Window(0.0, within)
    counts = _counts(level, np.minimum(place / step, bins - 1).astype(np.int64), bins)
    # Rounding to the grid shifts a distance by less than one step; one more is for the rounding of numbers.
    steps = np.arange(bins)
    up, down = np.minimum(steps + 2, bins - 1), steps - 2
    highest = counts.tied[up] - np.where(down >= 0, counts.least[down], 0.0)
    lowest = np.where(down >= 0, counts.tied[down], 0.0) - counts.most[up]
    kept = np.flatnonzero(highest >= max(lowest.max(), _tied_by_both(level, metric)))
    return Window(max(0.0, (kept[0] - 1) * step), min(within, (kept[-1] + 2) * step))


def _tied_by_both(level: Whole, metric: Real) -> int:
    """Pairs that the threshold 0 gains."""
    _, place = np.unique(metric, return_inverse=True)
    counts = np.unique(place * (int(level.max()) + 1) + level, return_counts=True)[1]
    return int((counts * (counts - 1) // 2).sum())


def _counts(level: Whole, place: Whole, bins: int) -> _Counts:
    """Levels from the highest down, each held against itself and against all above it."""
    above = np.zeros(bins)
    tied, ordered = (np.zeros(bins + 1, dtype=complex) for _ in range(2))
    beside = 0.0
    for number in range(int(level.max()), -1, -1):
        own = np.bincount(place[level == number], minlength=bins).astype(float)
        turned = np.fft.rfft(own, 2 * bins)
        tied += turned.real**2 + turned.imag**2
        ordered += turned.conj() * np.fft.rfft(above, 2 * bins)
        beside += float(own @ above)
        above += own
    alike, apart = (np.rint(np.fft.irfft(side, 2 * bins)[:bins]) for side in (tied, ordered))
    # At distance 0 a unit met itself, and others twice; which of two in one step is larger is not known.
    alike[0] = (alike[0] - len(level)) / 2
    apart[0] = 0.0
    least = np.cumsum(apart)
    return _Counts(np.cumsum(alike), least, least + beside)
