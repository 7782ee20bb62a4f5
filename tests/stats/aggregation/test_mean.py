"""Means of units: hand derivations, and SciPy's interval."""

import math

import numpy as np
import pytest
from scipy.stats import sem, t

from rubrica.stats.aggregation.mean import means
from rubrica.stats.coded import from_matrix

GAP = math.nan


def test_mean_with_its_standard_error() -> None:
    """Of 2, 4, 6 the mean is 4, the variance (4 + 0 + 4) / 2 = 4, the standard error 2 / sqrt(3)."""
    [gold] = means(from_matrix(np.array([[2.0, 4.0, 6.0]])))
    assert gold.value == 4
    assert gold.raters == 3
    assert gold.uncertainty.value == pytest.approx(2 / math.sqrt(3), abs=1e-12)
    assert gold.support is None


def test_one_rater_has_no_standard_error() -> None:
    """The mean of one answer is the answer; how sure it is cannot be told."""
    one, _ = means(from_matrix(np.array([[GAP, 4.0], [1.0, 2.0]])))
    assert one.value == 4
    assert (one.uncertainty.value, one.uncertainty.reason) == (None, "one rater")
    assert one.low.value is None


def test_same_as_scipy_with_gaps() -> None:
    """Standard error and Student's interval are those of SciPy, unit by unit, whatever is missing."""
    generator = np.random.default_rng(5)
    table = generator.integers(1, 6, (40, 6)).astype(float)
    table[generator.random(table.shape) < 0.3] = GAP
    table = table[(~np.isnan(table)).sum(axis=1) > 1]
    for gold, row in zip(means(from_matrix(table)), table, strict=True):
        values = row[~np.isnan(row)]
        assert gold.value == pytest.approx(values.mean(), abs=1e-12)
        assert gold.uncertainty.value == pytest.approx(sem(values), abs=1e-12)
        if values.std():
            low, high = t.interval(0.95, len(values) - 1, values.mean(), sem(values))
            assert (gold.low.value, gold.high.value) == pytest.approx((low, high), abs=1e-9)
