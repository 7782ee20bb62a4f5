"""Intraclass correlations against Shrout and Fleiss's table, statsmodels' and scipy's analyses of variance."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from scipy import stats
from statsmodels.formula.api import ols
from statsmodels.stats.anova import anova_lm

from rubrica.stats.agreement.intraclass import FORMS, prepare
from rubrica.stats.bootstrap import Interval
from tests.stats.agreement.data import FOUR_JUDGES, N, answers, made


@pytest.mark.parametrize(
    ("form", "published"),
    list(zip(FORMS, [0.17, 0.29, 0.71, 0.44, 0.62, 0.91], strict=True)),
    ids=str,
)
def test_the_published_table(form: tuple[int, bool], published: float) -> None:
    """Four judges on six targets: the six values of their Table 4."""
    assert prepare(*form, answers(FOUR_JUDGES)).statistic().value == pytest.approx(published, abs=5e-3)


INTERVALS = [(-0.13, 0.72), (0.02, 0.76), (0.34, 0.95), (-0.88, 0.91), (0.07, 0.93), (0.68, 0.99)]
"""What R's psych prints for the same four judges (Revelle, psych, function ICC), after McGraw and Wong."""


@pytest.mark.parametrize(("form", "ends"), list(zip(FORMS, INTERVALS, strict=True)), ids=str)
def test_the_intervals_of_mcgraw_and_wong(form: tuple[int, bool], ends: tuple[float, float]) -> None:
    """All six forms of the same table, to the digits that are printed."""
    found = interval(*form, FOUR_JUDGES)
    assert (found.low.value, found.high.value) == pytest.approx(ends, abs=6e-3)
    assert found.method == "F (McGraw and Wong)"


def interval(model: int, mean: bool, table: np.ndarray) -> Interval:
    """The interval of a form."""
    formula = prepare(model, mean, answers(table)).formula
    assert formula is not None
    return formula()


def rated(generator: np.random.Generator, units: int, raters: int, spread: float) -> np.ndarray:
    """Units that differ by 1, raters by so much, noise by 0.7: raters are drawn anew for every study."""
    lenient = generator.normal(0, spread, raters)
    return generator.normal(0, 1, (units, 1)) + lenient + generator.normal(0, 0.7, (units, raters))


@pytest.mark.parametrize(("units", "raters"), [(20, 3), (50, 5), (200, 3), (200, 10)])
def test_other_raters_are_covered(units: int, raters: int) -> None:
    """Of 300 studies with raters who differ by half, 92 to 98 % of ICC(2,1)'s intervals hold 1 / (1 + 0.25 + 0.49).

    Drawing units alone holds it in 85 % of studies of 20 units by three raters, and in 62 % of 200.
    """
    generator = np.random.default_rng(units + raters)
    held = 0
    for _ in range(300):
        found = interval(2, False, rated(generator, units, raters, 0.5))
        held += found.low.value <= 1 / 1.74 <= found.high.value
    assert 0.92 <= held / 300 <= 0.985


def test_few_raters_of_many_units_have_the_generalised_interval() -> None:
    """With more than ten units for each rater but one; of the mean of raters it is Spearman and Brown's."""
    table = rated(np.random.default_rng(3), 60, 3, 0.5)
    one, every = interval(2, False, table), interval(2, True, table)
    assert one.method == "generalised (Tian and Cappelleri)"
    stepped = [3 * end.value / (1 + 2 * end.value) for end in one[:2]]
    assert [end.value for end in every[:2]] == pytest.approx(stepped)
    assert interval(2, False, table[:21]).method == "F (McGraw and Wong)"
    assert interval(3, False, table).method == "F (McGraw and Wong)"


def test_uneven_numbers_of_ratings_have_an_interval_of_their_own() -> None:
    """Where all units have three ratings by others it is McGraw and Wong's; with gaps it covers as it should."""
    generator = np.random.default_rng(7)
    held = 0
    for _ in range(200):
        table = generator.normal(0, 1, (30, 1)) + generator.normal(0, 0.8, (30, 8))
        table[np.arange(30)[:, None], np.argsort(generator.random((30, 8)), axis=1)[:, 4:]] = np.nan
        table[np.arange(0, 30, 2), np.nanargmax(table[::2], axis=1)] = np.nan
        found = interval(1, False, table)
        held += found.low.value <= found.high.value <= 1
    assert held == 200
    assert found.method == "F (Thomas and Hultquist)"
    even = generator.normal(0, 1, (30, 1)) + generator.normal(0, 0.8, (30, 3))
    wide = np.full((30, 90), np.nan)
    wide[np.repeat(np.arange(30), 3), np.arange(90)] = even.ravel()
    assert [end.value for end in interval(1, False, wide)[:2]] == pytest.approx(
        [end.value for end in interval(1, False, even)[:2]], abs=1e-9
    )


def test_full_agreement_has_no_interval() -> None:
    """A correlation of 1 is no certainty: there is no error to compare with."""
    found = interval(3, True, np.repeat(np.arange(1.0, 13.0)[:, None], 3, axis=1))
    assert found.low == (None, "all answers to a unit are alike, so that they cannot show how uncertain it is")


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


@pytest.mark.parametrize("fives", [30, 31])
def test_answers_that_pile_up_have_no_interval(fives: int) -> None:
    """Where 31 of 60 answers are the same one, they are too far from normal for the formula; 30 of 60 are not."""
    flat = np.array([5.0] * fives + [float(1 + place % 4) for place in range(60 - fives)])
    table = np.random.default_rng(2).permutation(flat).reshape(20, 3)
    for model in (1, 2, 3):
        low = prepare(model, False, answers(table)).formula().low
        assert (low.value is None, "more than half" in low.reason) == (fives > 30, fives > 30)
