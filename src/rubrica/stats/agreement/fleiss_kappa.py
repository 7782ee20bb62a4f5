"""Fleiss' kappa: agreement of several annotators on categories, beyond what chance would give.

Fleiss, Measuring nominal scale agreement among many raters, Psychological Bulletin 76, 1971, doi:10.1037/h0031619. It
asks for the same number of annotators on every unit; the extension to uneven numbers is that of Gwet, Handbook of
Inter-Rater Reliability, 4th edition, 2014, chapter 2, which is the same where numbers are even.
"""

from __future__ import annotations

import numpy as np

from rubrica.stats.agreement.percent_agreement import shares_agreeing, shares_chosen
from rubrica.stats.agreement.prepared import Prepared
from rubrica.stats.agreement.tally import Tally, tally, tally_of
from rubrica.stats.agreement.units import Units
from rubrica.stats.coded import Coded, Real
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


def prepare(answers: Coded, level: str = "", drawn: Real | None = None) -> Prepared:
    """Kappa of these answers, ready for resampling units; ``drawn`` says how often each rater was drawn.

    The level plays no role: answers are the same or not.
    """
    counts = tally(answers, drawn)
    counts = counts.chosen(counts.sizes > 0).patterns()
    return Prepared(counts.times, lambda weights: fleiss_kappas(counts, weights))


def _statistic(counts: Tally) -> Statistic:
    return Prepared(counts.times, lambda weights: fleiss_kappas(counts, weights)).statistic()
