"""Cohen's kappa of two raters, plain or weighted; of more, the mean over pairs of raters (Light's kappa).

Cohen, A coefficient of agreement for nominal scales, Educational and Psychological Measurement 20, 1960,
doi:10.1177/001316446002000104; Weighted kappa, Psychological Bulletin 70, 1968, doi:10.1037/h0026256; Light, Measures
of response agreement for qualitative data, Psychological Bulletin 76, 1971, doi:10.1037/h0031643.
"""

from __future__ import annotations

from functools import partial

import numpy as np

from rubrica.core.ratings import ORDINAL
from rubrica.stats.agreement.prepared import Prepared
from rubrica.stats.agreement.rater_pairs import TwoRaters, mean_of_pairs
from rubrica.stats.coded import Coded, Real, Whole

PLAIN, LINEAR, QUADRATIC = 0, 1, 2
"""The power of the distance by which a disagreement counts."""
REASON = "no variation: in no pair of raters did one choose two categories"


def two_raters(power: int, answers: Coded, level: str) -> TwoRaters:
    """Kappa of two raters: disagreements count the distance of the answers to this power; with 0, all the same.

    The distance is that of the numbers; of labels in an order, of their places on the scale.
    """
    scores = np.arange(len(answers.values), dtype=float) if power == PLAIN else answers.scores(level or ORDINAL)
    return partial(_kappas, scores, power)


def _kappas(scores: Real, power: int, left: Whole, right: Whole, times: Real) -> Real:
    """Kappa for each row of ``times``, how often each cell came: 1 - observed / expected disagreement.

    Undefined without a shared unit, and where both raters always chose the same one category.
    """
    used, place = np.unique(np.concatenate([left, right]), return_inverse=True)
    one, other = np.eye(len(used))[place[: len(left)]], np.eye(len(used))[place[len(left) :]]
    # Halves, so that the largest numbers there are can still be subtracted; only proportions of distances count.
    apart = np.abs(np.subtract.outer(scores[used] / 2, scores[used] / 2))
    distance = (apart > 0).astype(float) if power == PLAIN else (apart / (apart.max() or 1)) ** power
    units = times.sum(axis=1)
    observed = units * (times @ distance[place[: len(left)], place[len(left) :]])
    expected = np.einsum("ij,ij->i", times @ one @ distance, times @ other)
    defined = expected > 0
    kappas: Real = np.where(defined, 1 - observed / np.where(defined, expected, 1), np.nan)
    return kappas


def prepare(power: int, answers: Coded, level: str, drawn: Real | None = None) -> Prepared:
    """The mean kappa over pairs of raters, each on the units that both answered, ready for resampling units."""
    return mean_of_pairs(answers, two_raters(power, answers, level), drawn, REASON)
