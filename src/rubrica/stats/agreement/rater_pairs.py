"""Measures of two raters, averaged over every two raters who share units; each on the units that both answered.

For two raters, what counts is how often each pair of values came together (a *cell*): cells are the sufficient
statistics, and a bootstrap replicate adds up how often the units of each cell were drawn.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from rubrica.stats.agreement.prepared import Prepared, nothing
from rubrica.stats.agreement.undefined import NOTHING
from rubrica.stats.coded import Coded, Real, Whole

TwoRaters = Callable[[Whole, Whole, Real], Real]
"""A measure of two raters: values of one, values of the other, and how often these came together in each replicate."""


class RaterPair(NamedTuple):
    """Two raters, the values that came together (cells), and the units both answered, sorted by cell.

    ``starts`` is where the units of each cell begin.
    """

    one: int
    other: int
    left: Whole
    right: Whole
    units: Whole
    starts: Whole

    def times(self, weights: Real) -> Real:
        """How often each cell came, for each row of weights of units."""
        return np.add.reduceat(weights[:, self.units], self.starts, axis=1)


def rater_pairs(answers: Coded) -> list[RaterPair]:
    """Every two raters who share a unit, in the order of raters."""
    first, second = together(answers)
    swapped = answers.rater[first] > answers.rater[second]
    first, second = np.where(swapped, second, first), np.where(swapped, first, second)
    key = answers.rater[first] * len(answers.raters) + answers.rater[second]
    order = np.argsort(key, kind="stable")
    bounds = np.flatnonzero(np.diff(key[order])) + 1
    return [_pair(answers, first[part], second[part]) for part in np.split(order, bounds) if len(part)]


def together(answers: Coded) -> tuple[Whole, Whole]:
    """Both answers of every two answers to one unit."""
    sizes = answers.per_unit
    starts = np.cumsum(sizes) - sizes
    first, second = [np.zeros(0, dtype=np.int64)], [np.zeros(0, dtype=np.int64)]
    for size in np.unique(sizes[sizes > 1]):
        one, other = np.triu_indices(int(size), 1)
        begin = starts[sizes == size][:, None]
        first.append((begin + one).ravel())
        second.append((begin + other).ravel())
    return np.concatenate(first), np.concatenate(second)


def _pair(answers: Coded, first: Whole, second: Whole) -> RaterPair:
    many = len(answers.values)
    cell = answers.code[first] * many + answers.code[second]
    order = np.argsort(cell, kind="stable")
    found, starts = np.unique(cell[order], return_index=True)
    one, other = int(answers.rater[first[0]]), int(answers.rater[second[0]])
    return RaterPair(one, other, found // many, found % many, answers.unit[first][order], starts.astype(np.int64))


def mean_of_pairs(answers: Coded, measure: TwoRaters, drawn: Real | None, reason: str) -> Prepared:
    """The mean of a measure over pairs of raters, ready for resampling units.

    Every pair counts the same; pairs for which the measure is undefined are left out, which is said. ``drawn`` is how
    often each rater was drawn: pairs then count as often as both were drawn together.
    """
    answers = _without_lone(answers)
    pairs = rater_pairs(answers)
    if not pairs:
        return nothing(NOTHING)
    share = [1.0 if drawn is None else float(drawn[pair.one] * drawn[pair.other]) for pair in pairs]

    def values(weights: Real) -> Real:
        total, counted = np.zeros(len(weights)), np.zeros(len(weights))
        for pair, part in zip(pairs, share, strict=True):
            found = measure(pair.left, pair.right, pair.times(weights))
            defined = ~np.isnan(found)
            total[defined] += part * found[defined]
            counted[defined] += part
        means: Real = np.where(counted > 0, total / np.where(counted > 0, counted, 1), np.nan)
        return means

    once = np.ones((1, len(answers.units)))
    left_out = sum(bool(np.isnan(measure(pair.left, pair.right, pair.times(once))[0])) for pair in pairs)
    remark = f"mean of {len(pairs) - left_out} pairs of raters" if len(pairs) > 1 and left_out < len(pairs) else ""
    remark += f"; undefined for {left_out} more" if remark and left_out else ""
    return Prepared(np.ones(len(answers.units)), values, reason, remark)


def _without_lone(answers: Coded) -> Coded:
    """Units that two raters answered, numbered anew."""
    kept = answers.pairable
    used, unit = np.unique(kept.unit, return_inverse=True)
    names = [answers.units[index] for index in used.tolist()]
    return Coded(names, kept.raters, kept.values, unit.astype(np.int64), kept.rater, kept.code)
