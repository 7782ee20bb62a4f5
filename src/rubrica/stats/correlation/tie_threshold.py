"""The best threshold of a tie calibration over all pairs of units, without looking at most of them.

Deutsch, Foster and Freitag, Ties Matter: Meta-Evaluating Modern Metrics with Pairwise Accuracy and Tie Calibration,
EMNLP 2023, section 6. With units in the metric's order, a threshold is how far to look ahead: pairs nearer than the
window of thresholds that can be best, and those beyond it, are counted level by level; those inside are tried.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from rubrica.stats.correlation.tie_window import Real, Whole, Window, tie_window

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
