"""Agreement on categories beyond chance: Fleiss' kappa, Cohen's kappa, Gwet's AC1 and AC2.

Fleiss' kappa: agreement of several annotators on categories, beyond what chance would give. Fleiss, Measuring nominal
scale agreement among many raters, Psychological Bulletin 76, 1971, doi:10.1037/h0031619. It asks for the same number
of annotators on every unit; the extension to uneven numbers is that of Gwet, Handbook of Inter-Rater Reliability, 4th
edition, 2014, chapter 2, which is the same where numbers are even.

Cohen's kappa of two raters, plain or weighted; of more, the mean over pairs of raters (Light's kappa). Cohen, A
coefficient of agreement for nominal scales, Educational and Psychological Measurement 20, 1960,
doi:10.1177/001316446002000104; Weighted kappa, Psychological Bulletin 70, 1968, doi:10.1037/h0026256; Light, Measures
of response agreement for qualitative data, Psychological Bulletin 76, 1971, doi:10.1037/h0031643.

Gwet's AC1 and AC2: agreement beyond chance that stays sensible when nearly all answers are the same. Gwet, Computing
inter-rater reliability and its variance in the presence of high agreement, British Journal of Mathematical and
Statistical Psychology 61, 2008, doi:10.1348/000711006X126600; weights and gaps: Handbook of Inter-Rater Reliability,
4th edition, 2014, chapters 2 and 3. AC2 counts answers that are near each other as agreeing in part; its weights
follow the level: ordinal, quadratic for an interval scale, ratio; with none it is AC1.
"""

from __future__ import annotations

from functools import partial

import numpy as np

from rubrica.core.ratings import INTERVAL, NOMINAL, ORDINAL, RATIO
from rubrica.stats.agreement.percent_agreement import shares_agreeing, shares_chosen
from rubrica.stats.agreement.rater_pairs import TwoRaters, mean_of_pairs
from rubrica.stats.agreement.tally import Prepared, Tally, Units, nothing, tally, tally_of
from rubrica.stats.coded import Coded, Real, Whole
from rubrica.stats.statistic import Statistic


def fleiss_kappas(counts: Tally, weights: Real) -> Real:
    """Kappa for each row of ``weights`` (how often each pattern counts); NaN where it is undefined.

    Observed agreement is the mean over units of two or more annotators of the share of pairs who agree. With p_j the
    mean over all units of the share of their annotators who chose j, chance agreement is the sum of p_j squared.
    """
    observed, chosen = shares_agreeing(counts, counts.squares(), weights), shares_chosen(counts, weights)
    expected = np.einsum("ij,ij->i", chosen, chosen)
    varied = (chosen > 0).sum(axis=1) > 1
    kappas: Real = np.where(varied, (observed - expected) / np.where(varied, 1 - expected, 1), np.nan)
    return kappas


def fleiss_kappa(units: Units) -> Statistic:
    """Kappa of units that all have the same number n of annotators, at least two.

    Undefined without units, and where all choices fell on one category: chance alone then explains everything. Raises
    ValueError if n differs.
    """
    counts = tally_of(units)
    sizes = sorted({int(size) for size in counts.sizes})
    if not sizes:
        return Statistic(None, "nothing was judged")
    if len(sizes) > 1:
        raise ValueError(f"Fleiss' kappa needs the same number of annotators for every unit, not {sizes}")
    if sizes[0] < 2:
        return Statistic(None, "there are fewer than two annotators")
    return _statistic(counts)


def prepare_fleiss(answers: Coded, level: str = "", drawn: Real | None = None) -> Prepared:
    """Kappa of these answers, ready for resampling units; ``drawn`` says how often each rater was drawn.

    The level plays no role: answers are the same or not.
    """
    counts = tally(answers, drawn)
    counts = counts.chosen(counts.sizes > 0).patterns()
    return Prepared(counts.times, lambda weights: fleiss_kappas(counts, weights))


def _statistic(counts: Tally) -> Statistic:
    return Prepared(counts.times, lambda weights: fleiss_kappas(counts, weights)).statistic()


PLAIN, LINEAR, QUADRATIC = 0, 1, 2
"""The power of the distance by which a disagreement counts."""
NO_KAPPA = "no variation: in no pair of raters did one choose two categories"


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


def prepare_cohen(power: int, answers: Coded, level: str, drawn: Real | None = None) -> Prepared:
    """The mean kappa over pairs of raters, each on the units that both answered, ready for resampling units."""
    return mean_of_pairs(answers, two_raters(power, answers, level), drawn, NO_KAPPA)


ONE_CATEGORY = "no variation: only one category is known; name all of them with --scale"


def credits(answers: Coded, level: str) -> Real:
    """How far two values agree, from 0 to 1, by the level of the scale."""
    many = len(answers.values)
    if level == ORDINAL:
        steps = np.abs(np.subtract.outer(np.arange(many), np.arange(many)))
        ordinal: Real = 1 - steps * (steps + 1) / (many * (many - 1))
        return ordinal
    if level == INTERVAL:
        # Halves, and proportions before squares, so that large numbers do not overflow.
        apart = np.abs(np.subtract.outer(answers.numbers / 2, answers.numbers / 2))
        interval: Real = 1 - (apart / apart.max()) ** 2
        return interval
    if level == RATIO:
        numbers = answers.numbers
        apart = np.subtract.outer(numbers, numbers)
        both = np.add.outer(numbers, numbers)
        relative = (apart / np.where(apart == 0, 1, both)) ** 2
        ratio: Real = 1 - relative / relative.max()
        return ratio
    return np.eye(many)


def prepare_gwet(answers: Coded, level: str = NOMINAL, drawn: Real | None = None) -> Prepared:
    """AC1 (nominal) or AC2, ready for resampling units. Categories are all values, chosen or not.

    With p_k the mean share of raters who chose k of q categories, chance agreement is the sum of all credits by
    q (q - 1), times the sum of p_k (1 - p_k). Undefined if only one category is known; if there are more and everybody
    chose the same one, there is no chance agreement, and the measure is 1.
    """
    many = len(answers.values)
    if many < 2:
        return nothing(ONE_CATEGORY)
    counts = tally(answers, drawn)
    counts = counts.chosen(counts.sizes > 0).patterns()
    table = credits(answers, level)
    alike = counts.squares() if level == NOMINAL else counts.within(table)
    factor = table.sum() / (many * (many - 1))
    return Prepared(counts.times, lambda weights: _coefficients(counts, alike, factor, weights))


def _coefficients(counts: Tally, alike: Real, factor: float, weights: Real) -> Real:
    observed = shares_agreeing(counts, alike, weights)
    chosen = shares_chosen(counts, weights)
    expected = factor * (chosen * (1 - chosen)).sum(axis=1)
    possible = expected < 1
    found: Real = np.where(possible, (observed - expected) / np.where(possible, 1 - expected, 1), np.nan)
    return found
