"""Mean correlations over pairs of raters against scipy."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from scipy import stats

from rubrica.core.ratings import INTERVAL, ORDINAL
from rubrica.stats.agreement import correlations
from rubrica.stats.agreement.correlations import KENDALL, PEARSON, SPEARMAN, prepare
from tests.stats.agreement.data import answers, made

SCIPY = {PEARSON: stats.pearsonr, SPEARMAN: stats.spearmanr, KENDALL: stats.kendalltau}


@pytest.mark.parametrize("kind", [PEARSON, SPEARMAN, KENDALL])
@pytest.mark.parametrize("points", [2, 5, 1000])
def test_equals_scipy(kind: str, points: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """The mean over pairs of raters, each on the units that both answered, with many ties and with hardly any."""
    monkeypatch.setattr(correlations, "BLOCK", 7)
    table = made(6, points=points)
    theirs = []
    for one, other in combinations(range(4), 2):
        both = ~np.isnan(table[:, [one, other]]).any(axis=1)
        theirs.append(SCIPY[kind](table[both, one], table[both, other])[0])
    level = INTERVAL if kind == PEARSON else ORDINAL
    assert prepare(kind, answers(table), level).statistic().value == pytest.approx(np.mean(theirs), abs=1e-12)


@pytest.mark.parametrize("kind", [PEARSON, SPEARMAN, KENDALL])
def test_one_who_always_says_the_same(kind: str) -> None:
    """Without variation of one rater there is no correlation, and it says why."""
    found = prepare(kind, answers([[1, 3], [2, 3], [5, 3]]), INTERVAL).statistic()
    assert found.value is None
    assert "no variation" in found.reason


def test_severity_does_not_matter() -> None:
    """One who gives a point less than the other every time correlates perfectly, though they never agree."""
    assert prepare(PEARSON, answers([[1, 2], [3, 4], [4, 5]]), INTERVAL).statistic().value == pytest.approx(1)
