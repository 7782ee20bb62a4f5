"""How disputed each unit is: how far its answers are apart, by how far any two answers are.

This is the observed disagreement of Krippendorff's alpha before it is averaged: 0 where all agree, 1 where raters are
as far apart as by chance, and alpha is 1 minus the mean over units, weighted by their numbers of answers.
"""

from __future__ import annotations

import numpy as np

from rubrica.stats.agreement.krippendorff_alpha import Disagreement
from rubrica.stats.agreement.tally import tally
from rubrica.stats.coded import Coded, Real


def disputes(answers: Coded, level: str) -> Real:
    """The disagreement of each unit in the order of ``answers.units``; NaN without two answers, or any variation."""
    counts = tally(answers)
    found = np.full(len(answers.units), np.nan)
    pairable = counts.pairs > 0
    if pairable.any():
        found[pairable] = Disagreement(counts, answers, level).relative()
    return found
