"""Coefficients after exchanges: each equals scipy's on the exchanged scores; criteria together equal each alone."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from rubrica.stats.correlation.exchanges import exchange
from rubrica.stats.correlation.metric_permutation import metric_permutations

SCIPY = {"pearson": stats.pearsonr, "spearman": stats.spearmanr, "kendall": stats.kendalltau}


@pytest.mark.parametrize("digits", [0, 12])
@pytest.mark.parametrize("many", [5, 130])
@pytest.mark.parametrize("name", SCIPY)
def test_equal_to_scipy_on_exchanged_scores(name: str, many: int, digits: int) -> None:
    """For both metrics and both criteria, with many ties and with none."""
    generator = np.random.default_rng(many + digits)
    people = np.stack([np.arange(many) % 4, generator.normal(size=many)])
    left, right = (people[0] + generator.normal(size=(2, many))).round(digits)
    swapped = generator.random((6, many)) < 0.5
    found = exchange(name, people, left, right)(swapped)
    sides = np.where(swapped, right, left), np.where(swapped, left, right)
    for coefficients, scores in zip(found, sides, strict=True):
        for (row, criterion), value in np.ndenumerate(coefficients):
            wanted = SCIPY[name](people[criterion], scores[row]).statistic
            assert value == pytest.approx(wanted, abs=1e-12)


@pytest.mark.parametrize("name", SCIPY)
def test_criteria_together_equal_each_alone(name: str) -> None:
    """Sharing exchanges changes no p-value; a criterion without variation is undefined by itself."""
    generator = np.random.default_rng(9)
    people = np.stack([*generator.integers(1, 5, size=(2, 50)).astype(float), np.ones(50)])
    one, other = people[0] + generator.normal(size=(2, 50))
    found = metric_permutations(name, people, one, other, 60, 3)
    assert found == [metric_permutations(name, row[None], one, other, 60, 3)[0] for row in people]
    assert "not defined" in found[2].reason
