"""Gwet's AC1 and AC2: agreement beyond chance that stays sensible when nearly all answers are the same.

Gwet, Computing inter-rater reliability and its variance in the presence of high agreement, British Journal of
Mathematical and Statistical Psychology 61, 2008, doi:10.1348/000711006X126600; weights and gaps: Handbook of
Inter-Rater Reliability, 4th edition, 2014, chapters 2 and 3. AC2 counts answers that are near each other as agreeing in
part; its weights follow the level: ordinal, quadratic for an interval scale, ratio; with none it is AC1.
"""

from __future__ import annotations

import numpy as np

from rubrica.core.ratings import INTERVAL, NOMINAL, ORDINAL, RATIO
from rubrica.stats.agreement.percent_agreement import shares_agreeing, shares_chosen
from rubrica.stats.agreement.prepared import Prepared, nothing
from rubrica.stats.agreement.tally import Tally, tally
from rubrica.stats.coded import Coded, Real

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


def prepare(answers: Coded, level: str = NOMINAL, drawn: Real | None = None) -> Prepared:
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
