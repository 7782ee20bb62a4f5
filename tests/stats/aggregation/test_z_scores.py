"""z-scores: a hand derivation, raters without variation, and SciPy."""

import math

import numpy as np
import pytest
from scipy.stats import zscore

from rubrica.stats.aggregation.z_scores import z_scores
from rubrica.stats.coded import from_matrix


def test_a_harsh_rater_and_a_mild_one() -> None:
    """1, 2, 3 and 3, 4, 5 have standard deviation 1 each: both are -1, 0, 1, and so are the means."""
    found = z_scores(from_matrix(np.array([[1.0, 3.0], [2.0, 4.0], [3.0, 5.0]])))
    assert [gold.value for gold in found.gold] == pytest.approx([-1, 0, 1])
    assert found.mean == [2, 4]
    assert [one.value for one in found.deviation] == [1, 1]


def test_a_rater_without_variation_is_left_out_with_the_reason() -> None:
    """Always 5, or one answer only: no standard deviation, and a unit that only they rated has no z-score."""
    gap = math.nan
    found = z_scores(from_matrix(np.array([[1.0, 5.0, gap], [2.0, 5.0, gap], [3.0, gap, 2.0], [gap, 5.0, gap]])))
    assert [one.reason for one in found.deviation] == ["", "always the same answer", "one answer"]
    assert [gold.value for gold in found.gold[:3]] == pytest.approx([-1, 0, 1])
    assert (found.gold[3].value, found.gold[3].reason) == (None, "only raters without variation")
    assert [gold.raters for gold in found.gold] == [1, 1, 1, 0]


def test_same_as_scipy_with_gaps() -> None:
    """SciPy's z-scores by column, gaps left out, averaged by row."""
    generator = np.random.default_rng(3)
    table = generator.normal(50, 20, (30, 5)).round()
    table[generator.random(table.shape) < 0.2] = math.nan
    expected = np.nanmean(zscore(table, axis=0, ddof=1, nan_policy="omit"), axis=1)
    assert [gold.value for gold in z_scores(from_matrix(table)).gold] == pytest.approx(expected.tolist(), abs=1e-10)
