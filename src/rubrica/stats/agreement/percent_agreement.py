"""Percent agreement: how often two raters of the same unit gave the same answer.

Each unit that two or more raters answered has the share of its pairs of raters who agree; the measure is the mean over
these units (Gwet, Handbook of Inter-Rater Reliability, 4th edition, 2014, chapter 2). It says nothing about chance.
"""

from __future__ import annotations

import numpy as np

from rubrica.stats.agreement.prepared import Prepared
from rubrica.stats.agreement.tally import Tally, tally
from rubrica.stats.coded import Coded, Real


def shares_agreeing(counts: Tally, alike: Real, weights: Real) -> Real:
    """The mean over units of the share of pairs who agree, for each row of weights; NaN without a pair.

    ``alike`` is how many ordered pairs of answers of each pattern are the same, answers paired with themselves
    included; where answers may agree in part, the sum of how far they do.
    """
    comparable = counts.pairs > 0
    share = np.where(comparable, (alike - counts.own) / np.where(comparable, counts.pairs, 1), 0)
    units = weights @ comparable
    found: Real = np.where(units > 0, (weights @ share) / np.where(units > 0, units, 1), np.nan)
    return found


def shares_chosen(counts: Tally, weights: Real) -> Real:
    """The mean over units of the share of their raters who chose each value, for each row of weights."""
    answered = counts.sizes > 0
    units = weights @ answered
    shares: Real = counts.totals(weights / np.where(answered, counts.sizes, 1)) / np.where(units > 0, units, 1)[:, None]
    return shares


def prepare(answers: Coded, level: str = "", drawn: Real | None = None) -> Prepared:
    """Percent agreement, from 0 to 1, ready for resampling units. Always defined where two raters share a unit.

    The level plays no role: answers are the same or not.
    """
    counts = tally(answers, drawn).pairable().patterns()
    alike = counts.squares()
    return Prepared(counts.times, lambda weights: shares_agreeing(counts, alike, weights))
