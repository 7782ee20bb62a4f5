"""Whether one rater stands out among the others: the chance of a figure as extreme, if they were one of them.

The idea is that of Crawford and Howell (Comparing an Individual's Test Score Against Norms Derived from Small Samples,
1998): the peers are a sample of how raters are, however few, and raters differ for good reasons; only who is far
outside of what they differ by is unusual. Three things are added.

- The tenth of the peers (of five or more, at least one) that is farthest from their median does not count, so that
  one bad rater does not hide another. The variance of the others is corrected for that.
- Peers cannot vary less than chance makes them: the variance is at least that of their samples.
- A variance of few peers is a guess. As in Smyth's moderated t (Linear Models and Empirical Bayes Methods, 2004) it is
  averaged with a usual one (chance, and what raters differ by at least: :attr:`Measured.usual`), which counts as much
  as five peers do.

t = (own - mean) / sqrt(variance (1 + 1 / peers) + what the own sample varies more by), with Student's distribution.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from rubrica.stats.checks.measured import Measured
from rubrica.stats.coded import Real
from rubrica.stats.statistic import Statistic

FEWEST_PEERS = 4
"""With fewer it cannot be told how much raters differ."""
PRIOR = 4
"""Degrees of freedom of the usual variance."""
TRIMMED, TRIMMED_FROM = 0.1, 5
HIGH, LOW = "high", "low"
"""Which side is suspicious."""


def among_peers(own: Measured, peers: Sequence[Measured], side: str) -> Statistic:
    """The one-sided p-value of a rater among their peers; undefined with fewer than four."""
    from scipy.special import stdtr

    if len(peers) < FEWEST_PEERS:
        return Statistic(None, f"{len(peers)} others to compare with, and it takes {FEWEST_PEERS}: it cannot be told")
    kept = _kept(np.array([[peer.value for peer in peers]]))
    freedom = kept.number - 1
    chance = float(np.median([peer.variance for peer in peers]))
    between = max(float(kept.variance[0]) / _shrinkage(len(peers)), chance)
    usual = chance + own.usual**2
    variance = (freedom * between + PRIOR * usual) / (freedom + PRIOR)
    total = variance * (1 + 1 / kept.number) + max(0.0, own.variance - chance)
    t = (own.value - float(kept.mean[0])) / total**0.5
    return Statistic(float(stdtr(freedom + PRIOR, -t if side == HIGH else t)))


class _Kept(NamedTuple):
    """By row, the mean and variance of the figures nearest to their median, and how many these are."""

    mean: Real
    variance: Real
    number: int


def _kept(figures: Real) -> _Kept:
    peers = figures.shape[1]
    number = peers - max(1, int(TRIMMED * peers)) if peers >= TRIMMED_FROM else peers
    distance = np.abs(figures - np.median(figures, axis=1, keepdims=True))
    nearest = np.take_along_axis(figures, np.argsort(distance, axis=1, kind="stable")[:, :number], axis=1)
    return _Kept(nearest.mean(axis=1), nearest.var(axis=1, ddof=1), number)


@lru_cache(maxsize=256)
def _shrinkage(peers: int) -> float:
    """How much of the variance the kept peers have, on average, of a normal population: a constant, by simulation."""
    if peers < TRIMMED_FROM:
        return 1.0
    drawn = np.random.default_rng(0).standard_normal((2_000_000 // max(peers, 100), peers))
    return float(_kept(drawn).variance.mean())
