"""A metric and people beside the mean of people."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import kendalltau, pearsonr, spearmanr

from rubrica.stats.correlation.beside_people import Answers, mean_of, of_metric, of_raters
from rubrica.stats.statistic import Statistic


def answers_of(table: list[list[float]], people: list[bool]) -> Answers:
    """Answers of a table with a row for each unit, NaN where there is none."""
    values = np.array(table)
    unit, rater = np.nonzero(~np.isnan(values))
    return Answers(unit, rater, values[unit, rater], np.array(people), len(values))


GAP = float("nan")
TABLE = [[1, 2, 1], [2, 2, GAP], [3, 5, 2], [4, 4, 5], [5, GAP, 4], [GAP, GAP, 5]]
METRIC = np.array([0.1, 0.4, 0.2, GAP, 0.9, 0.5])
ALONE = np.arange(6)


def test_by_hand() -> None:
    """A metric with the mean of people equals scipy's coefficients on the means worked out by hand."""
    answers = answers_of(TABLE, [True, True, False])
    # The third rater is no person. Means of the first two: 1.5, 2, 4, (4, without a score), 5; the last has none.
    mean, own = [1.5, 2, 4, 5], [0.1, 0.4, 0.2, 0.9]
    found = of_metric(METRIC, answers, ALONE, 200, 1)
    assert found.units == 4
    assert found.pearson.value == pytest.approx(pearsonr(mean, own).statistic)
    # Ranks 1, 2, 3, 4 and 1, 3, 2, 4: rho is 1 - 6 * 2 / (4 * 15) = 0.8, tau (5 - 1) / 6.
    assert found.spearman.value == pytest.approx(0.8)
    assert found.kendall.value == pytest.approx(2 / 3)
    assert found.interval.low.reason == "an interval needs at least 10 sources"


def test_each_with_the_others() -> None:
    """People are compared with the mean of other people, somebody who is none with the mean of all people."""
    one, other, model = of_raters(answers_of(TABLE, [True, True, False]), ALONE, 0, 0)
    assert one.units == other.units == 4
    assert one.spearman.value == other.spearman.value == pytest.approx(spearmanr([1, 2, 3, 4], [2, 2, 5, 4]).statistic)
    assert one.interval.low.reason == "no resamples were asked for"
    # Units 1, 3, 4 and 5, with the means 1.5, 4, 4, 5 of the two people; nobody answered the last but the model.
    assert model.units == 4
    assert model.kendall.value == pytest.approx(kendalltau([1, 2, 5, 4], [1.5, 4, 4, 5]).statistic)


def test_undefined() -> None:
    """Too few units, answers that are all the same and a metric without variation say so."""
    same = answers_of([[3, 3], [3, 3], [3, 2]], [True, True])
    assert of_metric(np.array([1.0, 1.0, 1.0]), same, ALONE[:3], 10, 0).spearman.reason == (
        "the metric's values do not vary"
    )
    assert of_metric(np.array([1.0, GAP, 2.0]), same, ALONE[:3], 10, 0).pearson.reason == (
        "fewer than 3 units that both have"
    )
    one, other = of_raters(same, ALONE[:3], 10, 0)
    assert one.kendall.reason == "the rater's answers do not vary"
    assert other.kendall.reason == "the people's means do not vary"
    assert mean_of([one.kendall, other.kendall]) == Statistic(None, "the rater's answers do not vary")
    assert mean_of([one.kendall, Statistic(0.25), Statistic(0.75)]) == Statistic(0.5)
    assert mean_of([]).value is None


def test_sources_are_drawn_whole() -> None:
    """With every unit of one source there is nothing to draw; pairs of a source make the interval another one."""
    rng = np.random.default_rng(3)
    table = rng.integers(1, 6, size=(20, 3)).astype(float)
    answers, scores = answers_of(table.tolist(), [True] * 3), table.mean(axis=1) + rng.normal(size=20)
    alone = of_metric(scores, answers, np.arange(20), 300, 0)
    pairs = of_metric(scores, answers, np.arange(20) // 2, 300, 0)
    assert alone.spearman == pairs.spearman
    assert alone.interval != pairs.interval
    assert alone.interval.low.value < alone.spearman.value < alone.interval.high.value
    one = of_metric(scores, answers, np.zeros(20, dtype=np.int64), 300, 0)
    assert one.interval.low.reason == "an interval needs at least 10 sources"
