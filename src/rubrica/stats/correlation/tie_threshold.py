"""The best threshold of a tie calibration over all pairs of units, without looking at most of them.

Between which thresholds the best one of a tie calibration lies, from counts of pairs by distance. A threshold gains
the pairs that people tie and loses those in people's order, up to that distance (Deutsch, Foster and Freitag, Ties
Matter, EMNLP 2023). Both counts only grow, so that between two distances the gain is at most the tied pairs up to the
larger minus the ordered ones up to the smaller. With scores rounded to a grid, counts by distance are correlations of
histograms, which a Fourier transform gives without looking at pairs; all but a few thresholds are then known to be
worse than another, and only the rest has to be tried.

Deutsch, Foster and Freitag, Ties Matter: Meta-Evaluating Modern Metrics with Pairwise Accuracy and Tie Calibration,
EMNLP 2023, section 6. With units in the metric's order, a threshold is how far to look ahead: pairs nearer than the
window of thresholds that can be best, and those beyond it, are counted level by level; those inside are tried.
"""

from __future__ import annotations

from collections.abc import Iterator
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


ENOUGH = 500_000
"""So few pairs are tried at once; for more, the window is narrowed again."""
ROUNDS = 6
BLOCK = 1_000_000
"""Pairs that are looked at together."""


class Threshold(NamedTuple):
    """How many pairs are right with it, and the threshold: the smallest of those that are as good."""

    right: int
    epsilon: float


class _Ahead(NamedTuple):
    """For each unit in the metric's order, the places of those whose distance is inside the window."""

    start: Whole
    stop: Whole

    @property
    def pairs(self) -> int:
        """How many pairs are inside."""
        return int((self.stop - self.start).sum())


def best_threshold(people: Real, metric: Real) -> Threshold:
    """The threshold with the most pairs right, of all thresholds. There must be two units at least."""
    # Of equal scores of the metric the higher of people comes first: no pair of them is in people's order.
    order = np.lexsort((-people, metric))
    level, scores = np.unique(people, return_inverse=True)[1][order].astype(np.int64), metric[order]
    ahead = _narrowed(level, scores)
    tied = np.sort(np.concatenate([apart[rise == 0] for apart, rise in _inside(level, scores, ahead)]))
    candidates = np.unique(np.concatenate([tied, [0.0]])) if _from_start(ahead) else np.unique(tied)
    lost = np.zeros(len(candidates) + 1, dtype=np.int64)
    for apart, rise in _inside(level, scores, ahead):
        # In order they are looked up much quicker.
        place = np.searchsorted(candidates, np.sort(apart[rise > 0]))
        lost += np.bincount(place, minlength=len(lost))
    gained = np.searchsorted(tied, candidates, "right") - np.cumsum(lost[:-1])
    best = int(np.argmax(gained))
    return Threshold(_outside(level, ahead.start) + int(gained[best]), float(candidates[best]))


def _narrowed(level: Whole, scores: Real) -> _Ahead:
    everything = float(scores[-1] - scores[0])
    # Where people tie nothing, a threshold gains nothing.
    window = Window(0.0, everything if level.max() + 1 < len(level) else 0.0)
    ahead = _ahead(scores, window)
    for _ in range(ROUNDS):
        if ahead.pairs <= ENOUGH:
            break
        found = tie_window(level, scores, window.high)
        window = Window(max(window.low, found.low), found.high)
        before, ahead = ahead.pairs, _ahead(scores, window)
        if ahead.pairs > 0.9 * before:
            break
    return ahead


def _ahead(scores: Real, window: Window) -> _Ahead:
    after = np.arange(1, len(scores) + 1)
    start = np.maximum(np.searchsorted(scores, scores + window.low), after)
    # The end is taken a little later, since a sum and a difference round differently.
    stop = np.searchsorted(scores, (scores + window.high) + np.abs(scores) * 1e-15, "right")
    return _Ahead(start, np.maximum(stop, start))


def _from_start(ahead: _Ahead) -> bool:
    """Whether nothing is nearer than the window, so that no tie at all is a choice too."""
    return bool((ahead.start == np.arange(1, len(ahead.start) + 1)).all())


def _outside(level: Whole, start: Whole) -> int:
    """Pairs that are right before anything inside the window is tied: tied ones nearer, ordered ones from there on."""
    found = 0
    for number in range(int(level.max()) + 1):
        own = np.flatnonzero(level == number)
        above = np.concatenate([[0], np.cumsum(level > number)])
        found += int((above[-1] - above[start[own]]).sum())
        found += int((np.searchsorted(own, start[own]) - np.arange(1, len(own) + 1)).sum())
    return found


def _inside(level: Whole, scores: Real, ahead: _Ahead) -> Iterator[tuple[Real, Whole]]:
    """Pairs inside the window in blocks: the metric's distance, and by how many levels people put the second higher."""
    for first, second in _blocks(ahead):
        yield np.abs(scores[second] - scores[first]), level[second] - level[first]


def _blocks(ahead: _Ahead) -> Iterator[tuple[Whole, Whole]]:
    """The places of both units of pairs, of as many units at once as have about a block of them."""
    many = ahead.stop - ahead.start
    block = np.cumsum(many) // BLOCK
    for units in np.split(np.arange(len(many)), np.flatnonzero(np.diff(block)) + 1):
        first = np.repeat(units, many[units])
        begin = np.cumsum(many[units]) - many[units]
        second = np.arange(len(first)) + np.repeat(ahead.start[units] - begin, many[units])
        yield first, second
