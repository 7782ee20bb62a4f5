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
from rubrica.stats.coded import Real, Whole
from rubrica.stats.statistic import Statistic

FEWEST_PEERS = 4
"""With fewer it cannot be told how much raters differ."""
PRIOR = 4
"""Degrees of freedom of the usual variance."""
TRIMMED, TRIMMED_FROM = 0.1, 5
CHUNK = 2_000_000
"""How many figures of peers are held at once."""
HIGH, LOW = "high", "low"
"""Which side is suspicious."""


def among_peers(own: Measured, peers: Sequence[Measured], side: str) -> Statistic:
    """The one-sided p-value of a rater among their peers; undefined with fewer than four."""
    [found] = each_among_peers([own], peers, [None], side)
    return found


def each_among_peers(
    own: Sequence[Measured], raters: Sequence[Measured], places: Sequence[int | None], side: str
) -> list[Statistic]:
    """The same for several raters at once. ``places`` says which of ``raters`` each of them is, if any: no own peer."""
    found: dict[int, Statistic] = {}
    values = np.array([one.value for one in raters], dtype=float)
    variances = np.array([one.variance for one in raters], dtype=float)
    for present in (True, False):
        peers = len(raters) - present
        rows = [index for index, place in enumerate(places) if (place is not None) == present]
        if peers < FEWEST_PEERS:
            few = Statistic(None, f"{peers} others to compare with, and it takes {FEWEST_PEERS}: it cannot be told")
            found |= dict.fromkeys(rows, few)
            continue
        step = max(1, CHUNK // peers)
        for start in range(0, len(rows), step):
            part = rows[start : start + step]
            others = _others(len(raters), [places[index] for index in part])
            p = _p_values([own[index] for index in part], values[others], variances[others], side)
            found |= zip(part, map(Statistic, p.tolist()), strict=True)
    return [found[index] for index in range(len(own))]


def _others(raters: int, places: Sequence[int | None]) -> Whole:
    """A row for each rater: the places of the others."""
    if places[0] is None:
        return np.tile(np.arange(raters), (len(places), 1))
    columns = np.arange(raters - 1)[None, :]
    found: Whole = columns + (columns >= np.array(places, dtype=np.int64)[:, None])
    return found


def _p_values(own: Sequence[Measured], peers: Real, variances: Real, side: str) -> Real:
    """By row, one rater and the figures of their peers."""
    from scipy.special import stdtr

    value, own_variance, own_usual = np.array(own, dtype=float).T
    kept = _kept(peers)
    freedom = kept.number - 1
    chance = np.median(variances, axis=1)
    between = np.maximum(kept.variance / _shrinkage(peers.shape[1]), chance)
    usual = chance + own_usual**2
    variance = (freedom * between + PRIOR * usual) / (freedom + PRIOR)
    total = variance * (1 + 1 / kept.number) + np.maximum(0.0, own_variance - chance)
    t = (value - kept.mean) / np.sqrt(total)
    p: Real = stdtr(freedom + PRIOR, -t if side == HIGH else t)
    return p


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
