"""Pairs in the same order minus pairs in the other, for many sets of weights at once: the part of tau-b that is slow.

Kendall, The treatment of ties in ranking problems, Biometrika 33, 1945. Knight's sort takes one set of weights at a
time; a table of all n x n signs serves all sets, at n^2 a set. Here both orders are cut into bands of about the root
of n units: pairs that are in other bands on both sides are counted from a table of bands, and only pairs that share a
band are looked at, so that a set takes about n^1.5, all in whole numbers, which are exact.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import attrs
import numpy as np
import numpy.typing as npt

from rubrica.stats.correlation.levels import Levels, levels

Real = npt.NDArray[np.float64]
Whole = npt.NDArray[np.int64]


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
