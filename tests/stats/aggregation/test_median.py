"""Medians of units, derived by hand."""

import math

import numpy as np
import pytest
from scipy.stats import binom

from rubrica.stats.aggregation.median import medians
from rubrica.stats.coded import from_matrix


def test_median_of_odd_and_even_numbers() -> None:
    """Of 1, 2, 5 it is 2, given once, distances 1 + 0 + 3 by 3; of 1, 2, 4, 5 it is 3, which nobody gave."""
    odd, even = medians(from_matrix(np.array([[1.0, 2.0, 5.0, math.nan], [1.0, 2.0, 4.0, 5.0]])))
    assert (odd.value, odd.support, odd.raters) == (2, 1, 3)
    assert odd.uncertainty.value == pytest.approx(4 / 3)
    assert (even.value, even.support) == (3, 0)
    assert even.low.reason == "an interval of a median needs 6 raters"


@pytest.mark.parametrize("raters", [6, 8, 9, 15, 30])
def test_interval_covers_with_95_per_cent(raters: int) -> None:
    """The ends are the tightest order statistics whose tails are at most 2.5 % each, as SciPy's binomial says."""
    values = np.arange(1.0, raters + 1)
    [gold] = medians(from_matrix(values[None, :]))
    assert gold.low.value is not None
    rank = int(gold.low.value)
    assert gold.high.value == raters + 1 - rank
    assert binom.cdf(rank - 1, raters, 0.5) <= 0.025 < binom.cdf(rank, raters, 0.5)
