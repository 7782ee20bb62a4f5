"""Resamples of correlations: many metrics against many criteria, on the same draws.

Units by the score they share, ready to add up what units came how often. Tables of draws have a row a unit here, a
column a resample: picking, adding and running through units then goes over whole rows of memory, which is several
times as fast as the other way round.

Pairs in the same order minus pairs in the other, for many sets of weights at once: the part of tau-b that is slow.
Kendall, The treatment of ties in ranking problems, Biometrika 33, 1945. Knight's sort takes one set of weights at a
time; a table of all n x n signs serves all sets, at n^2 a set. Here both orders are cut into bands of about the root
of n units: pairs that are in other bands on both sides are counted from a table of bands, and only pairs that share a
band are looked at, so that a set takes about n^1.5, all in whole numbers, which are exact.

Sources are drawn with replacement and bring all their units (Efron and Tibshirani, An Introduction to the Bootstrap,
1993, chapter 8; BOOT-INPUTS of Deutsch, Dror and Roth, A Statistical Analysis of Summarization Evaluation Metrics
Using Resampling Methods, TACL 9, 2021). A resample is how often each unit came, so that Pearson's r follows from
weighted sums, Spearman's rho from weighted mid-ranks and tau-b from weighted counts of pairs; nothing is copied. Of
systems' means, systems are drawn as well as sources (BOOT-BOTH there): other systems are what the correlation is to
hold for.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, NamedTuple

import attrs
import numpy as np
import numpy.typing as npt

from rubrica.stats.bootstrap import Resampled, Whole, resample
from rubrica.stats.correlation.coefficients import BY_ROW, KENDALL, PEARSON, Real, settled


class Levels(NamedTuple):
    """The different scores in order, which of them each unit has, units in that order, and where each level starts."""

    used: npt.NDArray[Any]
    place: Whole
    order: Whole
    starts: Whole

    def sums(self, times: Real) -> Real:
        """How often each level came, a row each."""
        found: Real = times[self.order]
        return found if len(self.used) == len(found) else np.add.reduceat(found, self.starts, axis=0)


def levels(row: npt.NDArray[Any]) -> Levels:
    """The levels of a row of scores."""
    used, place = np.unique(row, return_inverse=True)
    order = np.argsort(place, kind="stable")
    return Levels(used, place, order, np.searchsorted(place[order], np.arange(len(used))))


class _Band(NamedTuple):
    """Units that are near each other, and the signs of their pairs."""

    units: Whole
    signs: Real


@attrs.frozen(eq=False)
class PairSigns:
    """Two rows of scores, ready to be weighed. ``cells`` are the places of units in the table of bands."""

    cells: Levels
    shape: tuple[int, int]
    near: tuple[_Band, ...]

    def weighed(self, times: Real) -> Real:
        """The sum of signs of ordered pairs (each counts twice) by column of ``times``: how often each unit came."""
        found = self._far(times)
        for band in self.near:
            part = times[band.units]
            found += np.einsum("nr,nr->r", band.signs @ part, part)
        return found

    def _far(self, times: Real) -> Real:
        """Of pairs that are in other bands on both sides."""
        counts = np.zeros((self.shape[0] * self.shape[1], times.shape[1]))
        counts[self.cells.used] = self.cells.sums(times)
        table = counts.reshape(*self.shape, -1)
        below = np.cumsum(table, axis=0) - table
        lower = np.cumsum(below, axis=1)
        # Below in the one and lower in the other order, minus below and higher.
        apart = 2 * lower - below - lower[:, -1:]
        found: Real = 2 * np.einsum("ijr,ijr->r", table, apart)
        return found


def pair_signs(one: Real, other: Real, size: int | None = None) -> PairSigns:
    """Prepare two rows of scores. ``size`` is that of bands; the root of the number of units by default."""
    width = size or max(16, math.isqrt(len(one)))
    first, second = _bands(one, width), _bands(other, width)
    near = [_Band(units, _signs(one, other, units)) for units in _members(first, one)]
    for units in _members(second, other):
        # Pairs that share the band of the first side as well have been counted there.
        elsewhere = np.not_equal.outer(first[units], first[units])
        near.append(_Band(units, _signs(one, other, units) * elsewhere))
    shape = int(first.max()) + 1, int(second.max()) + 1
    return PairSigns(levels(first * shape[1] + second), shape, tuple(near))


def _bands(row: Real, width: int) -> Whole:
    """The number of each unit's band, in order. Equal scores share one, and scores that fill one have it alone."""
    _, level, counts = np.unique(row, return_inverse=True, return_counts=True)
    before = (np.cumsum(counts) - counts) // width
    full = counts > width
    new = full[1:] | full[:-1] | (before[1:] != before[:-1])
    found: Whole = np.concatenate([[0], np.cumsum(new)]).astype(np.int64)[level]
    return found


def _members(bands: Whole, row: Real) -> list[Whole]:
    """The units of each band that has different scores: pairs of equal ones have no order."""
    order = np.argsort(bands, kind="stable")
    parts = np.split(order, np.flatnonzero(np.diff(bands[order])) + 1)
    return [part for part in parts if np.ptp(row[part]) > 0]


def _signs(one: Real, other: Real, units: Whole) -> Real:
    sides = (np.sign(np.subtract.outer(row[units], row[units])) for row in (one, other))
    found: Real = next(sides) * next(sides)
    return found


MATRIX = 100
"""Up to so many units tau-b is counted from all n x n signs; beyond, bands of them are quicker."""
FLAT = 1e-12
SMALLER = 4
"""Blocks of draws are by so much smaller than memory asks for: they are gone through several times."""


class Cells(NamedTuple):
    """Coefficients of every criterion (second axis) and metric (third): in resamples, and without each source."""

    drawn: Real
    left_out: Real

    def of(self, value: float, criterion: int, metric: int, sources: int, what: str) -> Resampled:
        """One of them with its resamples."""
        return Resampled(value, self.drawn[:, criterion, metric], self.left_out[:, criterion, metric], sources, what)


def resampled(name: str, people: Real, metrics: Real, clusters: Whole, replicates: int, seed: int) -> Cells:
    """The coefficient ``name`` of criteria (rows of ``people``) and metrics; NaN where a side does not vary.

    ``clusters`` has the number of each unit's source.
    """
    left, right = _standard(people), _standard(metrics)
    many = 1 if name in (PEARSON, KENDALL) else len(people) + len(metrics)
    measure: Callable[[Real, Real, Real], Real] = {PEARSON: _pearson}.get(name, _spearman)
    if name == KENDALL:
        measure = partial(weighed_kendall, signs=prepared_signs(left, right))
    sources, generator = np.ones(int(clusters.max()) + 1), np.random.default_rng(seed)

    def values(times: Real) -> Real:
        return np.moveaxis(measure(np.ascontiguousarray(times.T), left, right), 2, 0)

    found = resample(values, sources, replicates, generator, part_of=clusters, at_once=SMALLER * many)
    return Cells(found.drawn, found.left_out)


class SystemDraws(NamedTuple):
    """Systems' means by score (first axis), resample and system: in resamples, without each source, each system."""

    drawn: Real
    sources: Real
    systems: Real

    def of(self, name: str, one: int, other: int) -> tuple[Real, Real]:
        """The coefficient of two scores in resamples; and without each source or system, as far as it is from usual.

        Both kinds of units that were left out are taken together, each around its own mean (Efron and Tibshirani, An
        Introduction to the Bootstrap, 1993, section 14.4: several samples).
        """
        drawn, sources, systems = (BY_ROW[name](side[one], side[other]) for side in self)
        return drawn, np.concatenate([_centred(sources), _centred(systems)])


def resampled_systems(sums: Real, counts: Real, replicates: int, seed: int) -> SystemDraws:
    """Means of systems when sources and systems are drawn. ``sums`` are by score, source and system.

    ``counts`` is how many units they are of, by source and system. A system that has no source in a resample has no
    mean there, and the resample no coefficient.
    """
    sources, systems = counts.shape
    generator = np.random.default_rng(seed)

    def values(times: Real) -> Real:
        return np.moveaxis(_means(times, sums, counts), 1, 0)

    found = resample(values, np.ones(sources), replicates, generator, at_once=SMALLER)
    chosen = generator.integers(systems, size=(replicates, systems))
    means = np.take_along_axis(np.moveaxis(found.drawn, 0, 1), chosen[None], axis=2)
    others = np.array([[place for place in range(systems) if place != out] for out in range(systems)], dtype=np.int64)
    whole = _means(np.ones((1, sources)), sums, counts)[:, 0]
    return SystemDraws(means, np.moveaxis(found.left_out, 0, 1), whole[:, others])


def _means(times: Real, sums: Real, counts: Real) -> Real:
    total = times @ counts
    present = total > 0
    found = [np.where(present, (times @ one) / np.where(present, total, 1.0), np.nan) for one in sums]
    return settled(np.stack(found))


def _centred(values: Real) -> Real:
    """Around the mean of those that are defined."""
    known = values[~np.isnan(values)]
    found: Real = values - known.mean() if len(known) else values
    return found


def _standard(rows: Real) -> Real:
    """Rows around 0 with variance 1, so that sums of squares lose no digits."""
    centred = rows - rows.mean(axis=1, keepdims=True)
    spread = centred.std(axis=1, keepdims=True)
    found: Real = centred / np.where(spread > 0, spread, 1.0)
    return found


def _pearson(times: Real, left: Real, right: Real) -> Real:
    total = np.maximum(times.sum(axis=0), 1.0)
    means = [side @ times / total for side in (left, right)]
    spread = [side**2 @ times / total - mean**2 for side, mean in zip((left, right), means, strict=True)]
    together = np.stack([(row * right) @ times / total for row in left])
    together -= means[0][:, None] * means[1][None]
    varied = (spread[0] > FLAT)[:, None] & (spread[1] > FLAT)[None]
    below = np.where(varied, spread[0][:, None] * spread[1][None], 1.0)
    found: Real = np.where(varied, np.clip(together / np.sqrt(below), -1, 1), np.nan)
    return found


def _spearman(times: Real, left: Real, right: Real) -> Real:
    total, root = np.maximum(times.sum(axis=0), 1.0), np.sqrt(times)
    ranked = [[_standard_ranks(row, times, total, root) for row in side] for side in (left, right)]
    return np.array([[np.einsum("nr,nr->r", one, other) for other in ranked[1]] for one in ranked[0]])


def _standard_ranks(row: Real, times: Real, total: Real, root: Real) -> Real:
    """Mid-ranks in each resample around 0 with weighted variance 1, times the root of the weight; NaN if constant."""
    known = levels(row)
    many = known.sums(times)
    ranks: Real = ((np.cumsum(many, axis=0) - many / 2) / total - 0.5)[known.place]
    ranks *= root
    spread = np.einsum("nr,nr->r", ranks, ranks)
    ranks /= np.sqrt(np.where(spread > FLAT, spread, np.nan))
    return ranks


def weighed_kendall(times: Real, left: Real, right: Real, signs: Sequence[Sequence[PairSigns]]) -> Real:
    """tau-b by row of ``left``, of ``right`` and column of ``times`` (how often each unit came); NaN without order."""
    pairs = times.sum(axis=0) ** 2
    untied = [np.stack([pairs - (levels(row).sums(times) ** 2).sum(axis=0) for row in side]) for side in (left, right)]
    apart = np.array([[one.weighed(times) for one in row] for row in signs])
    varied = (untied[0] > 0)[:, None] & (untied[1] > 0)[None]
    below = np.where(varied, untied[0][:, None] * untied[1][None], 1.0)
    found: Real = np.where(varied, apart / np.sqrt(below), np.nan)
    return found


def prepared_signs(left: Real, right: Real) -> list[list[PairSigns]]:
    """The signs of pairs of each cell, once for all resamples."""
    units = left.shape[1]
    return [[pair_signs(one, other, units if units <= MATRIX else None) for other in right] for one in left]
