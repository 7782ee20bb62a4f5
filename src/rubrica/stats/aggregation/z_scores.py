"""Standardised answers: how far above their own usual answer raters put each unit, on average.

Each rater's answers are centred at their mean and divided by their standard deviation (n - 1), as direct assessment
does (Graham et al., Continuous Measurement Scales in Human Evaluation of Machine Translation, 2013), so that a harsh
rater and a mild one count alike. A rater who always gave the same answer, or only one, has no standard deviation: their
answers cannot be standardised and are left out.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from rubrica.stats.aggregation.gold import Gold
from rubrica.stats.aggregation.mean import means_of
from rubrica.stats.coded import Coded
from rubrica.stats.statistic import Statistic


class Standardised(NamedTuple):
    """A unit's mean z-score, and by rater the mean and standard deviation it was taken from."""

    gold: list[Gold]
    mean: list[float]
    deviation: list[Statistic]


def z_scores(answers: Coded) -> Standardised:
    """The mean z-score of each unit; the standard deviation of a rater without variation is undefined."""
    values, raters = answers.numbers[answers.code], len(answers.raters)
    count = np.bincount(answers.rater, minlength=raters)
    mean = np.bincount(answers.rater, values, minlength=raters) / np.maximum(count, 1)
    squares = np.bincount(answers.rater, (values - mean[answers.rater]) ** 2, minlength=raters)
    deviation = np.sqrt(squares / np.maximum(count - 1, 1))
    varied = deviation > 1e-12 * np.maximum(1.0, np.abs(mean))
    kept = varied[answers.rater]
    rater = answers.rater[kept]
    standard = (values[kept] - mean[rater]) / deviation[rater]
    gold = means_of(answers.unit[kept], standard, len(answers.units), "only raters without variation")
    return Standardised(
        gold,
        mean.tolist(),
        [
            Statistic(float(one)) if many else Statistic(None, "one answer" if number < 2 else "always the same answer")
            for one, many, number in zip(deviation, varied, count, strict=True)
        ],
    )
