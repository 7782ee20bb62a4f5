"""Intraclass correlations against Shrout and Fleiss's table, statsmodels' and scipy's analyses of variance."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from scipy import stats
from statsmodels.formula.api import ols
from statsmodels.stats.anova import anova_lm

from rubrica.stats.agreement.intraclass import FORMS, prepare
from tests.stats.agreement.data import FOUR_JUDGES, N, answers, made


@pytest.mark.parametrize(
    ("form", "published"),
    list(zip(FORMS, [0.17, 0.29, 0.71, 0.44, 0.62, 0.91], strict=True)),
    ids=str,
)
def test_the_published_table(form: tuple[int, bool], published: float) -> None:
    """Four judges on six targets: the six values of their Table 4."""
    assert prepare(*form, answers(FOUR_JUDGES)).statistic().value == pytest.approx(published, abs=5e-3)


def test_generated_ratings_from_statsmodels_mean_squares() -> None:
    """All six forms from the mean squares of a two-way analysis of variance."""
    table = made(8, gaps=0.0, points=101)
    units, raters = table.shape
    long = pd.DataFrame(
        {
            "unit": np.repeat(np.arange(units), raters),
            "rater": np.tile(np.arange(raters), units),
            "value": table.ravel(),
        }
    )
    squares = anova_lm(ols("value ~ C(unit) + C(rater)", long).fit())["mean_sq"]
    between, by_rater, residual = squares["C(unit)"], squares["C(rater)"], squares["Residual"]
    within = anova_lm(ols("value ~ C(unit)", long).fit())["mean_sq"]["Residual"]
    severity = (by_rater - residual) / units
    expected = [
        (between - within) / (between + (raters - 1) * within),
        (between - residual) / (between + (raters - 1) * residual + raters * severity),
        (between - residual) / (between + (raters - 1) * residual),
        (between - within) / between,
        (between - residual) / (between + severity),
        (between - residual) / between,
    ]
    found = [prepare(*form, answers(table)).statistic().value for form in FORMS]
    assert found == pytest.approx(expected, abs=1e-9)


def test_only_complete_units_count() -> None:
    """A unit that a rater left out is left out of all forms, and that is said."""
    table = np.vstack([FOUR_JUDGES, [[5, N, 5, 5]]])
    found = prepare(2, False, answers(table))
    assert found.remark == "6 complete units; 1 other units left out"
    assert found.statistic().value == prepare(2, False, answers(FOUR_JUDGES)).statistic().value


def test_raters_who_never_meet_all() -> None:
    """Where no two units are complete, the first model takes each unit's own raters; the others are undefined."""
    groups = [[5, 4, N, N], [N, 1, 2, 1], [3, N, N, 3], [N, N, 5, 4], [2, 2, 1, N]]
    numbers = [[value for value in row if not np.isnan(value)] for row in groups]
    ratio = stats.f_oneway(*numbers).statistic
    sizes = np.array([len(row) for row in numbers])
    each = (sizes.sum() - (sizes**2).sum() / sizes.sum()) / (len(sizes) - 1)
    data = answers(np.array(groups))
    assert prepare(1, False, data).statistic().value == pytest.approx((ratio - 1) / (ratio + each - 1))
    assert prepare(1, True, data).statistic().value == pytest.approx((ratio - 1) / ratio)
    assert "rated by all 4 raters" in prepare(2, False, data).statistic().reason


def test_no_variation() -> None:
    """If all ratings are the same there is no variance to share out."""
    assert "no variation" in prepare(3, False, answers([[4, 4], [4, 4], [4, 4]])).statistic().reason
