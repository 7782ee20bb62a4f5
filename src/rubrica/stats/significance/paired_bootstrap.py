"""The paired bootstrap: how sure the sign of a difference between two systems is.

After Koehn, Statistical Significance Tests for Machine Translation Evaluation, EMNLP 2004, two-sided: sources are
resampled, and the p-value is twice the share of resamples in which the difference is zero or on the other side. One is
added to count and total, so that p is never 0 (Davison and Hinkley, Bootstrap Methods, 1997, section 4.2).
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from rubrica.stats.statistic import Statistic


def paired_bootstrap(resampled: npt.NDArray[np.float64]) -> Statistic:
    """The p-value of a mean difference from its resamples; NaN are resamples without any pair."""
    defined = resampled[~np.isnan(resampled)]
    if not len(defined):
        return Statistic(None, "no resample has a pair")
    other_side = min(np.count_nonzero(defined <= 0), np.count_nonzero(defined >= 0))
    return Statistic(min(1.0, 2 * (int(other_side) + 1) / (len(defined) + 1)))
