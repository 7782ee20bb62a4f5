"""Gwet's AC1 and AC2 against the example of his handbook, and a derivation pair by pair."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest

from rubrica.core.ratings import INTERVAL, NOMINAL, ORDINAL, RATIO
from rubrica.stats.agreement.gwet_ac import credits, prepare
from rubrica.stats.coded import Real
from tests.stats.agreement.data import FOUR_OBSERVERS, answers, made


def test_the_published_example() -> None:
    """Four raters, twelve subjects, gaps: AC1 is 0.77544, AC2 with quadratic weights 0.91400 (Gwet, irrCAC)."""
    data = answers(FOUR_OBSERVERS)
    assert prepare(data, NOMINAL).statistic().value == pytest.approx(0.77544, abs=5e-6)
    assert prepare(data, INTERVAL).statistic().value == pytest.approx(0.91400, abs=5e-6)


def test_published_weights() -> None:
    """Ordinal weights of three categories are 1, 2/3 and 0, quadratic ones 1, 3/4 and 0 (Gwet 2014, chapter 3)."""
    data = answers(np.array([[1, 2], [3, 3]]))
    assert credits(data, ORDINAL)[0] == pytest.approx([1, 2 / 3, 0])
    assert credits(data, INTERVAL)[0] == pytest.approx([1, 3 / 4, 0])
    # Ratio: (1/3)^2 by (2/4)^2 for 1 and 2; 2 and 3 have (1/5)^2 by (2/4)^2.
    assert credits(data, RATIO)[0] == pytest.approx([1, 1 - (1 / 9) / (1 / 4), 0])
    assert credits(data, RATIO)[1, 2] == pytest.approx(1 - (1 / 25) / (1 / 4))


def _pair_by_pair(table: Real, weights: Real, values: list[float]) -> float:
    """The definition, one unit and pair at a time."""
    observed, shares = [], []
    for row in table:
        given = [values.index(value) for value in row if not np.isnan(value)]
        if given:
            shares.append([given.count(index) / len(given) for index in range(len(values))])
        if len(given) > 1:
            observed.append(np.mean([weights[one, other] for one, other in permutations(given, 2)]))
    chosen = np.mean(shares, axis=0)
    many = len(values)
    expected = weights.sum() / (many * (many - 1)) * (chosen * (1 - chosen)).sum()
    return float((np.mean(observed) - expected) / (1 - expected))


@pytest.mark.parametrize("level", [NOMINAL, ORDINAL, INTERVAL, RATIO])
def test_generated_ratings_pair_by_pair(level: str) -> None:
    """The quick way through counts equals the definition."""
    table = made(5, gaps=0.4)
    data = answers(table)
    expected = _pair_by_pair(table, credits(data, level), [1.0, 2.0, 3.0, 4.0, 5.0])
    assert prepare(data, level).statistic().value == pytest.approx(expected, abs=1e-12)


def test_categories_that_nobody_chose_count() -> None:
    """Agreement on two of five possible categories is worth more than on two of two."""
    table = np.array([[1, 1], [1, 2], [2, 2], [1, 1]], dtype=float)
    two = prepare(answers(table)).statistic().value
    five = prepare(answers(table).widened((1, 2, 3, 4, 5))).statistic().value
    # Observed 3/4; shares 5/8, 3/8; 2 x (15/64) = 30/64 by (q - 1): 30/64 and 30/256.
    assert two == pytest.approx((48 - 30) / (64 - 30))
    assert five == pytest.approx((192 - 30) / (256 - 30))


def test_one_category() -> None:
    """With one known category there is nothing to agree on; with five, choosing the same one always is agreement."""
    data = answers(np.array([[3, 3], [3, 3]], dtype=float))
    assert "only one category" in prepare(data).statistic().reason
    assert prepare(data.widened((1, 2, 3, 4, 5))).statistic().value == 1
