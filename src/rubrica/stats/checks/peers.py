"""A rater beside the others: whether one stands out among them, and how far the answers go together.

A rater's figure on a scale on which figures of different raters can be compared, with its sampling variance.

Whether one rater stands out among the others: the chance of a figure as extreme, if they were one of them. The idea is
that of Crawford and Howell (Comparing an Individual's Test Score Against Norms Derived from Small Samples, 1998): the
peers are a sample of how raters are, however few, and raters differ for good reasons; only who is far outside of what
they differ by is unusual. Three things are added.

- The tenth of the peers (of five or more, at least one) that is farthest from their median does not count, so that
  one bad rater does not hide another. The variance of the others is corrected for that.
- Peers cannot vary less than chance makes them: the variance is at least that of their samples.
- A variance of few peers is a guess. As in Smyth's moderated t (Linear Models and Empirical Bayes Methods, 2004) it is
  averaged with a usual one (chance, and what raters differ by at least: :attr:`Measured.usual`), which counts as much
  as five peers do.

t = (own - mean) / sqrt(variance (1 + 1 / peers) + what the own sample varies more by), with Student's distribution.

How far a rater's answers go with those of the others on the same units: figures to be shown, without a test. For
numbers: the correlation with the mean of the others (leave-one-out), Pearson's or of ranks. For labels: the mean share
of the others who gave the same answer; beyond chance (of the rater's own shares), as Cohen's kappa is. Units that
nobody else rated do not count. What the figures mean together is asked by ``attention``.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from rubrica.stats.agreement.percent_agreement import beside_others
from rubrica.stats.coded import Coded, Real, Whole
from rubrica.stats.statistic import Statistic


class Measured(NamedTuple):
    """A figure, how much it would vary by chance if the rater did the same work again, and what is usual.

    ``usual`` is how much honest raters differ at least, as a standard deviation on this scale. It is our assumption: a
    share of a half is between 0.4 and 0.6 for two of three raters, and one rater takes a fifth longer than another. It
    matters where peers are few.
    """

    value: float
    variance: float
    usual: float


def share(times: float, of: int) -> Measured:
    """A share, as the arcsine of its root: Anscombe, The Transformation of Poisson, Binomial Data, 1948.

    The variance is then the same wherever the share lies, nearly 1 / (4 n + 2).
    """
    return Measured(math.asin(math.sqrt((times + 3 / 8) / (of + 3 / 4))), 1 / (4 * of + 2), 0.1)


def median_log(values: Sequence[float]) -> Measured:
    """The median of positive values (times) as its logarithm; its variance is pi / 2 times that of a mean."""
    logs = np.log(np.asarray(values, dtype=float))
    spread = float(logs.var(ddof=1)) if len(logs) > 1 else 0.0
    return Measured(float(np.median(logs)), math.pi / 2 * spread / len(logs), 0.2)


def longest_run(length: int, likeliest: float) -> Measured:
    """The longest of all runs, as its logarithm; ``likeliest`` is the share of the most frequent answer, below 1.

    The standard deviation of the longest run is pi / (sqrt 6 ln(1 / p)): Gordon, Schilling and Waterman, An Extreme
    Value Theory for Long Head Runs, 1986.
    """
    deviation = math.pi / (math.sqrt(6) * math.log(1 / likeliest))
    return Measured(math.log(length), (deviation / length) ** 2, 0.2)


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


FEWEST = 4


class WithOthers(NamedTuple):
    """The figure, the same beyond chance (0 is chance; of correlations it is the figure), on how many units."""

    value: Statistic
    beyond_chance: Statistic
    units: int


def correlations(answers: Coded, ranks: bool) -> list[WithOthers]:
    """For each rater the correlation with the mean of the others; undefined without variation or four units."""
    values = answers.numbers[answers.code]
    sums = np.bincount(answers.unit, values, minlength=len(answers.units))
    others = answers.per_unit[answers.unit] - 1
    shared = others > 0
    rest = np.where(shared, (sums[answers.unit] - values) / np.maximum(others, 1), np.nan)
    return [_correlation(values[places], rest[places], ranks) for places in _by_rater(answers, shared)]


def _by_rater(answers: Coded, shared: npt.NDArray[np.bool_]) -> list[Whole]:
    """For each rater the places of their answers to units that somebody else rated."""
    places = np.flatnonzero(shared)
    places = places[np.argsort(answers.rater[places], kind="stable")]
    ends = np.cumsum(np.bincount(answers.rater[places], minlength=len(answers.raters)))
    return np.split(places, ends[:-1]) if len(answers.raters) else []


def _correlation(own: Real, others: Real, ranks: bool) -> WithOthers:
    if len(own) < FEWEST:
        nothing = Statistic(None, f"fewer than {FEWEST} units that somebody else rated")
        return WithOthers(nothing, nothing, len(own))
    for values, whose in ((own, "the rater's own answers"), (others, "the others' means")):
        if np.ptp(values) < 1e-12 * max(1.0, float(np.abs(values).max())):
            nothing = Statistic(None, f"no variation in {whose}")
            return WithOthers(nothing, nothing, len(own))
    one, two = (_middle_ranks(own), _middle_ranks(others)) if ranks else (own, others)
    found = Statistic(float(np.clip(np.corrcoef(one, two)[0, 1], -1, 1)))
    return WithOthers(found, found, len(own))


def _middle_ranks(values: Real) -> Real:
    """Ranks from 1; equal values share the mean of theirs (means of others are equal up to rounding)."""
    _, place, times = np.unique(values.round(9), return_inverse=True, return_counts=True)
    ends = np.cumsum(times)
    found: Real = (ends - (times - 1) / 2)[place]
    return found


def same_answers(answers: Coded) -> list[WithOthers]:
    """For each rater the mean share of the others, unit by unit, who gave the same answer."""
    table = np.zeros((len(answers.units), len(answers.values)))
    np.add.at(table, (answers.unit, answers.code), 1)
    others, same = beside_others(answers)
    shared = others > 0
    share = same / np.maximum(others, 1)
    nothing = Statistic(None, "nobody else rated the same units")
    found = []
    for places in _by_rater(answers, shared):
        if not len(places):
            found.append(WithOthers(nothing, nothing, 0))
            continue
        unit, code = answers.unit[places], answers.code[places]
        rest = table[unit]
        rest[np.arange(len(places)), code] -= 1
        rest /= others[places][:, None]
        own = np.bincount(code, minlength=len(answers.values)) / len(code)
        chance, mean = float(own @ rest.mean(axis=0)), float(share[places].mean())
        certain = Statistic(None, "everybody always says the same")
        beyond = Statistic((mean - chance) / (1 - chance)) if chance < 1 - 1e-12 else certain
        found.append(WithOthers(Statistic(mean), beyond, len(places)))
    return found
