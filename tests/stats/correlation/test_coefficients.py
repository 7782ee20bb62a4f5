"""Pearson, Spearman and Kendall: equal to scipy's and to a hand derivation; undefined with a reason."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from rubrica.stats.correlation.coefficients import BY_ROW, COEFFICIENTS

SCIPY = {"pearson": stats.pearsonr, "spearman": stats.spearmanr, "kendall": stats.kendalltau}


@pytest.mark.parametrize("name", COEFFICIENTS)
def test_equal_to_scipy(name: str) -> None:
    """Values and p-values are scipy's, with ties and without."""
    generator = np.random.default_rng(1)
    for people in (generator.normal(size=60), generator.integers(1, 5, size=60).astype(float)):
        metric = people + generator.normal(size=60)
        found, wanted = COEFFICIENTS[name](people, metric), SCIPY[name](people, metric)
        assert found.value.value == pytest.approx(wanted.statistic, abs=1e-12)
        assert found.p.value == pytest.approx(wanted.pvalue, abs=1e-12)


def test_by_hand() -> None:
    """Four points with one tie.

    x = 1, 2, 3, 4 and y = 1, 3, 2, 3. r: deviations of x -1.5, -.5, .5, 1.5 and of y -1.25, .75, -.25, .75; products
    sum to 1.875 - .375 - .125 + 1.125 = 2.5; squares to 5 and 2.75: r = 2.5 / sqrt(13.75). Ranks of y are 1, 3.5, 2,
    3.5; products of deviations 2.25 - .5 - .25 + 1.5 = 3, squares 5 and 4.5: rho = 3 / sqrt(22.5). Of six pairs four
    are in the same order, one in the other, one is tied in y: tau-b = (4 - 1) / sqrt(6 x 5).
    """
    x, y = np.array([1.0, 2, 3, 4]), np.array([1.0, 3, 2, 3])
    wanted = {"pearson": 2.5 / 13.75**0.5, "spearman": 3 / 22.5**0.5, "kendall": 3 / 30**0.5}
    for name, value in wanted.items():
        assert COEFFICIENTS[name](x, y).value.value == pytest.approx(value)
        assert BY_ROW[name](x[None], y[None])[0] == pytest.approx(value)


@pytest.mark.parametrize("name", COEFFICIENTS)
def test_undefined_has_a_reason(name: str) -> None:
    """Too few pairs, or a side that does not vary, which rounding does not hide."""
    measure = COEFFICIENTS[name]
    varied, flat = np.array([1.0, 2, 3]), np.array([0.3, 0.1 + 0.2, 0.3])
    assert "fewer than 3" in measure(varied[:2], varied[:2]).value.reason
    assert measure(flat, varied).value == (None, "people's scores do not vary")
    assert measure(varied, flat).p == (None, "the metric's scores do not vary")


@pytest.mark.parametrize("name", COEFFICIENTS)
@pytest.mark.parametrize("width", [7, 50])
def test_rows_equal_one_by_one(name: str, width: int) -> None:
    """Many rows at once are the same as each by itself; a row that does not vary is NaN."""
    generator = np.random.default_rng(2)
    rows, people = generator.integers(5, size=(6, width)).astype(float), generator.normal(size=width)
    found = BY_ROW[name](rows, people[None])
    assert found == pytest.approx([SCIPY[name](row, people).statistic for row in rows], abs=1e-12)
    assert np.isnan(BY_ROW[name](np.ones((1, width)), people[None])).all()
