"""Measures of two raters.

Mean correlations over pairs of raters against scipy.

One rater against the rest, and groups against each other: which answers are compared.
"""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from scipy import stats

from rubrica.core.ratings import INTERVAL, ORDINAL
from rubrica.stats.agreement import rater_pairs
from rubrica.stats.agreement.rater_pairs import KENDALL, PEARSON, SPEARMAN, compared, prepare_correlation
from tests.stats.agreement.data import N, answers, made

SCIPY = {PEARSON: stats.pearsonr, SPEARMAN: stats.spearmanr, KENDALL: stats.kendalltau}


@pytest.mark.parametrize("kind", [PEARSON, SPEARMAN, KENDALL])
@pytest.mark.parametrize("points", [2, 5, 1000])
def test_equals_scipy(kind: str, points: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """The mean over pairs of raters, each on the units that both answered, with many ties and with hardly any."""
    monkeypatch.setattr(rater_pairs, "BLOCK", 7)
    table = made(6, points=points)
    theirs = []
    for one, other in combinations(range(4), 2):
        both = ~np.isnan(table[:, [one, other]]).any(axis=1)
        theirs.append(SCIPY[kind](table[both, one], table[both, other])[0])
    level = INTERVAL if kind == PEARSON else ORDINAL
    assert prepare_correlation(kind, answers(table), level).statistic().value == pytest.approx(
        np.mean(theirs), abs=1e-12
    )


@pytest.mark.parametrize("kind", [PEARSON, SPEARMAN, KENDALL])
def test_one_who_always_says_the_same(kind: str) -> None:
    """Without variation of one rater there is no correlation, and it says why."""
    found = prepare_correlation(kind, answers([[1, 3], [2, 3], [5, 3]]), INTERVAL).statistic()
    assert found.value is None
    assert "no variation" in found.reason


def test_severity_does_not_matter() -> None:
    """One who gives a point less than the other every time correlates perfectly, though they never agree."""
    assert prepare_correlation(PEARSON, answers([[1, 2], [3, 4], [4, 5]]), INTERVAL).statistic().value == pytest.approx(
        1
    )


def test_which_answers_are_compared() -> None:
    """The second rater against the rest: one comparison for each other answer to a unit, their answer first."""
    data = answers(np.array([[1, 2, 3], [4, N, 4], [N, 5, 1]]))
    one = np.array([False, True, False])
    found = compared(data, one, ~one)
    numbers = np.array(data.values)[found.answers.code].reshape(-1, 2)
    assert sorted(map(tuple, numbers.tolist())) == [(2, 1), (2, 3), (5, 1)]
    assert sorted(found.unit.tolist()) == [0, 0, 2]
    assert found.answers.made_of is found.unit
    assert found.different == 5


def test_groups_leave_out_the_rest() -> None:
    """Two groups of a third: only pairs across the two count."""
    data = answers(np.array([[1, 2, 3, 4]]))
    found = compared(data, np.array([True, False, False, False]), np.array([False, False, True, True]))
    assert np.array(data.values)[found.answers.code].reshape(-1, 2).tolist() == [[1, 3], [1, 4]]
