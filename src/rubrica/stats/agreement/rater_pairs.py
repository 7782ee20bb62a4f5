"""Measures of two raters: their cells, correlations between them, and some raters against others.

Measures of two raters, averaged over every two raters who share units; each on the units that both answered. For two
raters, what counts is how often each pair of values came together (a *cell*): cells are the sufficient statistics, and
a bootstrap replicate adds up how often the units of each cell were drawn.

The mean correlation over pairs of raters: Pearson's r, Spearman's rho, Kendall's tau-b. Spearman's rho is Pearson's r
of mid-ranks. Tau-b: Kendall, The treatment of ties in ranking problems, Biometrika 33, 1945,
doi:10.1093/biomet/33.3.239. A correlation ignores that one rater is more severe than another.

Some raters against others: every two answers to one unit that are to be compared, as a unit of its own. One rater
against the rest, and one group against another, are then a question for any measure of two raters. Units made of one
unit are drawn together when they are resampled.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from rubrica.stats.agreement.tally import NOTHING, Prepared, nothing
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


PEARSON, SPEARMAN, KENDALL = "pearson", "spearman", "kendall"
NO_CORRELATION = "no variation: in no pair of raters did both give two different answers"
FEW_SHARED = "no two raters share two units, and one unit has no order"
BLOCK = 1000
"""Cells that are compared with all others at once."""
LEAST = 1e-12


def prepare_correlation(kind: str, answers: Coded, level: str, drawn: Real | None = None) -> Prepared:
    """The mean correlation over pairs of raters, each on the units that both answered, ready for resampling units.

    Undefined for two raters of whom one always said the same, or who share fewer than two units.
    """
    scores = answers.scores(level)
    measures: dict[str, TwoRaters] = {PEARSON: partial(_pearson, scores), SPEARMAN: _spearman, KENDALL: _kendall}
    prepared = mean_of_pairs(answers, measures[kind], drawn, NO_CORRELATION)
    return prepared if _share_two(answers) else prepared._replace(reason=FEW_SHARED)


def _share_two(answers: Coded) -> bool:
    """Whether any two raters answered two units together."""
    first, second = together(answers)
    one, other = answers.rater[first], answers.rater[second]
    pairs = np.minimum(one, other) * len(answers.raters) + np.maximum(one, other)
    return bool((np.unique(pairs, return_counts=True)[1] > 1).any())


def _pearson(scores: Real, left: Whole, right: Whole, times: Real) -> Real:
    return _correlation(_centred(scores[left]), _centred(scores[right]), times)


def _centred(scores: Real) -> Real:
    """Around the middle and at most 1, so that squares lose no digits."""
    middle = (scores.min() + scores.max()) / 2
    centred: Real = (scores - middle) / (scores.max() - middle or 1)
    return centred


def _spearman(left: Whole, right: Whole, times: Real) -> Real:
    return _correlation(_ranks(left, times), _ranks(right, times), times)


def _correlation(one: Real, other: Real, times: Real) -> Real:
    """Pearson's r of cells that came so often; scores may differ from row to row of ``times``."""
    units = np.maximum(times.sum(axis=1), 1)[:, None]
    one = one - (times * one).sum(axis=1, keepdims=True) / units
    other = other - (times * other).sum(axis=1, keepdims=True) / units
    spread = (times * one**2).sum(axis=1) / units[:, 0], (times * other**2).sum(axis=1) / units[:, 0]
    together = (times * one * other).sum(axis=1) / units[:, 0]
    defined = (spread[0] > LEAST) & (spread[1] > LEAST)
    found: Real = np.where(defined, together / np.sqrt(np.where(defined, spread[0] * spread[1], 1)), np.nan)
    return np.clip(found, -1, 1)


def _marginal(values: Whole, times: Real) -> tuple[Real, Whole]:
    """How often each value came in each row, and which value each cell has."""
    used, place = np.unique(values, return_inverse=True)
    order = np.argsort(place, kind="stable")
    starts = np.searchsorted(place[order], np.arange(len(used)))
    return np.add.reduceat(times[:, order], starts, axis=1), place


def _ranks(values: Whole, times: Real) -> Real:
    """Mid-ranks of the values of cells, from 0 to 1, in each row."""
    many, place = _marginal(values, times)
    ranks = (np.cumsum(many, axis=1) - many / 2) / np.maximum(times.sum(axis=1), 1)[:, None]
    found: Real = ranks[:, place]
    return found


def _kendall(left: Whole, right: Whole, times: Real) -> Real:
    """Tau-b from ordered pairs of units: those in the same order minus those in the other, by those not tied."""
    apart = np.zeros(len(times))
    for start in range(0, len(left), BLOCK):
        here = slice(start, start + BLOCK)
        signs = np.sign(np.subtract.outer(left, left[here])) * np.sign(np.subtract.outer(right, right[here]))
        apart += np.einsum("ij,ij->i", times @ signs.astype(float), times[:, here])
    pairs = times.sum(axis=1) ** 2
    untied = [pairs - (_marginal(values, times)[0] ** 2).sum(axis=1) for values in (left, right)]
    defined = (untied[0] > 0) & (untied[1] > 0)
    found: Real = np.where(defined, apart / np.sqrt(np.where(defined, untied[0] * untied[1], 1)), np.nan)
    return found


class Comparisons(NamedTuple):
    """Answers of one side and the other, comparison by comparison, and the unit that each comparison is about.

    ``different`` is how many answers were compared at all, each counted once.
    """

    answers: Coded
    unit: Whole
    different: int


def compared(answers: Coded, one: npt.NDArray[np.bool_], other: npt.NDArray[np.bool_]) -> Comparisons:
    """Compare each rater of one side with each of the other, on the units that both answered.

    Sides are given by whether each rater is on them, and share no rater.
    """
    first, second = together(answers)
    swap = one[answers.rater[second]] & other[answers.rater[first]]
    first, second = np.where(swap, second, first), np.where(swap, first, second)
    wanted = one[answers.rater[first]] & other[answers.rater[second]]
    first, second = first[wanted], second[wanted]
    many, unit = len(first), answers.unit[first]
    paired = Coded(
        range(many),
        range(2),
        answers.values,
        np.repeat(np.arange(many), 2),
        np.tile(np.arange(2), many),
        np.stack([answers.code[first], answers.code[second]], axis=1).ravel(),
        made_of=unit,
    )
    return Comparisons(paired, unit, len(np.unique(np.concatenate([first, second]))))
