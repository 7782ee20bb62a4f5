"""Why a measure of agreement has no value: the reasons, in one wording for all measures."""

from __future__ import annotations

from rubrica.stats.coded import Coded

NO_ANSWER = "there is no answer"
ONE_RATER = "there is one rater only"
NOTHING = "no overlap: nothing was judged by two annotators"
NO_VARIATION = "no variation: every annotator chose the same category every time"


def not_pairable(answers: Coded) -> str:
    """Why no two answers can be compared; empty if they can."""
    if not len(answers.unit):
        return NO_ANSWER
    if answers.present_raters < 2:
        return ONE_RATER
    return "" if (answers.per_unit > 1).any() else NOTHING
