"""The mean correlation over pairs of raters: Pearson's r, Spearman's rho, Kendall's tau-b.

Spearman's rho is Pearson's r of mid-ranks. Tau-b: Kendall, The treatment of ties in ranking problems, Biometrika 33,
1945, doi:10.1093/biomet/33.3.239. A correlation ignores that one rater is more severe than another.
"""

from __future__ import annotations

from functools import partial

import numpy as np

from rubrica.stats.agreement.prepared import Prepared
from rubrica.stats.agreement.rater_pairs import TwoRaters, mean_of_pairs, together
from rubrica.stats.coded import Coded, Real, Whole

PEARSON, SPEARMAN, KENDALL = "pearson", "spearman", "kendall"
REASON = "no variation: in no pair of raters did both give two different answers"
FEW_SHARED = "no two raters share two units, and one unit has no order"
BLOCK = 1000
"""Cells that are compared with all others at once."""
LEAST = 1e-12


def prepare(kind: str, answers: Coded, level: str, drawn: Real | None = None) -> Prepared:
    """The mean correlation over pairs of raters, each on the units that both answered, ready for resampling units.

    Undefined for two raters of whom one always said the same, or who share fewer than two units.
    """
    scores = answers.scores(level)
    measures: dict[str, TwoRaters] = {PEARSON: partial(_pearson, scores), SPEARMAN: _spearman, KENDALL: _kendall}
    prepared = mean_of_pairs(answers, measures[kind], drawn, REASON)
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
