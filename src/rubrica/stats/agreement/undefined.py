"""Why a measure of agreement has no value, or no interval: the reasons, in one wording for all measures."""

from __future__ import annotations

import numpy as np

from rubrica.stats.coded import Coded

NO_ANSWER = "there is no answer"
ONE_RATER = "there is one rater only"
NOTHING = "no overlap: nothing was judged by two annotators"
NO_OTHER = "no unit has two answers other than the most frequent one, so that units cannot show how uncertain it is"
NO_VARIATION = "no variation: every annotator chose the same category every time"


def not_pairable(answers: Coded) -> str:
    """Why no two answers can be compared; empty if they can."""
    if not len(answers.unit):
        return NO_ANSWER
    if answers.present_raters < 2:
        return ONE_RATER
    return "" if (answers.per_unit > 1).any() else NOTHING


def too_uniform(answers: Coded) -> str:
    """Why agreement beyond chance has no interval although it has a value; empty if it has one.

    What raters agree on beyond the answer that is nearly always given shows only where two of them gave another one.
    Without such a unit no resample has one either, and the interval leaves out what is true (design/022).
    """
    pairable = answers.pairable
    usual = np.bincount(pairable.code).argmax() if len(pairable.code) else 0
    other = np.bincount(pairable.unit[pairable.code != usual], minlength=1)
    return "" if other.max() > 1 else NO_OTHER
