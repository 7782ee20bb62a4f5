"""Whether one rater stands out among the others: the chance of a figure as extreme, if they were one of them.

The idea is that of Crawford and Howell (Comparing an Individual's Test Score Against Norms Derived from Small Samples,
1998): the peers are a sample of how raters are, however few, and raters differ for good reasons; only who is far
outside of what they differ by is unusual. Two things are added. The tenth of the peers (of five or more, at least one)
that is farthest from their median does not count, so that one bad rater does not hide another. And peers cannot vary
less than chance makes them.

t = (own - mean of the kept peers) / their standard deviation. Its distribution under normality depends on the number of
peers alone and is simulated once for each, with a seed; a share of k of N draws gives p = (k + 1) / (N + 1).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from rubrica.stats.checks.measured import Measured
from rubrica.stats.coded import Real
from rubrica.stats.statistic import Statistic

FEWEST_PEERS = 4
"""With fewer it cannot be told how much raters differ."""
MOST_PEERS = 60
"""With more, the distribution for so many is used: it differs little, and on the side of caution."""
TRIMMED, TRIMMED_FROM = 0.1, 5
DRAWS, BATCH = 200_000, 20_000
HIGH, LOW = "high", "low"
"""Which side is suspicious."""


def among_peers(own: Measured, peers: Sequence[Measured], side: str, seed: int = 0) -> Statistic:
    """The one-sided p-value of a rater among their peers; undefined with fewer than four."""
    if len(peers) < FEWEST_PEERS:
        return Statistic(None, f"{len(peers)} others to compare with, and it takes {FEWEST_PEERS}: it cannot be told")
    null = _null(min(len(peers), MOST_PEERS), seed)
    centre, deviation = _trimmed(np.array([[peer.value for peer in peers]]))
    chance = float(np.median([peer.variance for peer in peers]))
    smaller = null.kept_variance
    variance = max(float(deviation[0]) ** 2, smaller * chance) + smaller * max(0.0, own.variance - chance)
    apart = own.value - float(centre[0])
    if variance == 0:
        return Statistic(0.5 if apart == 0 else null.tail(np.inf) if (apart > 0) == (side == HIGH) else 1.0)
    t = apart / variance**0.5 if side == HIGH else -apart / variance**0.5
    return Statistic(null.tail(t) if t >= 0 else 1 - null.tail(-t))


class _Null:
    """The distribution of t for one number of peers."""

    def __init__(self, peers: int, seed: int) -> None:
        generator = np.random.default_rng(seed)
        found, variances = [], []
        for _ in range(DRAWS // BATCH):
            drawn = generator.standard_normal((BATCH, peers + 1))
            centre, deviation = _trimmed(drawn[:, 1:])
            found.append(np.abs(drawn[:, 0] - centre) / deviation)
            variances.append(float((deviation**2).mean()))
        self.sizes = np.sort(np.concatenate(found))
        self.kept_variance = float(np.mean(variances))
        """The variance of the kept peers, of a population with variance 1."""

    def tail(self, t: float) -> float:
        """The chance of more than this on one side; the distribution is symmetric."""
        beyond = len(self.sizes) - int(np.searchsorted(self.sizes, t))
        return (beyond + 1) / (len(self.sizes) + 1) / 2


@lru_cache(maxsize=64)
def _null(peers: int, seed: int) -> _Null:
    return _Null(peers, seed)


def _trimmed(figures: Real) -> tuple[Real, Real]:
    """By row, the mean and standard deviation of the figures that are nearest to their median."""
    peers = figures.shape[1]
    kept = peers - max(1, int(TRIMMED * peers)) if peers >= TRIMMED_FROM else peers
    distance = np.abs(figures - np.median(figures, axis=1, keepdims=True))
    nearest = np.take_along_axis(figures, np.argsort(distance, axis=1, kind="stable")[:, :kept], axis=1)
    return nearest.mean(axis=1), nearest.std(axis=1, ddof=1)
