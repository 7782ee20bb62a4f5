"""Cohen's kappa against scikit-learn and his own example."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from sklearn.metrics import cohen_kappa_score

from rubrica.core.ratings import NOMINAL, ORDINAL
from rubrica.stats.agreement.cohen_kappa import LINEAR, PLAIN, QUADRATIC, prepare
from rubrica.stats.coded import from_triples
from tests.stats.agreement.data import answers, made


def test_two_raters_by_hand() -> None:
    """Fifty decisions of two raters: 20 both yes, 15 both no, 5 and 10 apart."""
    # Observed 35/50 = 0.7; yes of one 25/50, of the other 30/50: expected 0.5 x 0.6 + 0.5 x 0.4 = 0.5. Kappa = 0.4.
    table = [[1, 1]] * 20 + [[1, 0]] * 5 + [[0, 1]] * 10 + [[0, 0]] * 15
    assert prepare(PLAIN, answers(table), NOMINAL).statistic().value == pytest.approx(0.4)


@pytest.mark.parametrize(("power", "weights"), [(PLAIN, None), (LINEAR, "linear"), (QUADRATIC, "quadratic")])
@pytest.mark.parametrize("raters", [2, 4])
def test_equals_scikit_learn(power: int, weights: str | None, raters: int) -> None:
    """The mean over pairs of raters of scikit-learn's kappa, each on the units that both answered."""
    table = made(2, raters=raters)
    theirs = []
    for one, other in combinations(range(raters), 2):
        both = ~np.isnan(table[:, [one, other]]).any(axis=1)
        theirs.append(cohen_kappa_score(table[both, one], table[both, other], weights=weights))
    assert prepare(power, answers(table), ORDINAL).statistic().value == pytest.approx(np.mean(theirs), abs=1e-12)


def test_labels_in_an_order_count_by_their_places() -> None:
    """Weights of labels on a scale are those of their places."""
    words = ("bad", "fair", "good")
    rows = [(0, 0), (0, 1), (1, 1), (2, 2), (2, 0), (1, 2)]
    found = [
        (str(unit), rater, words[code]) for unit, row in enumerate(rows) for rater, code in zip("ab", row, strict=True)
    ]
    theirs = cohen_kappa_score(*zip(*rows, strict=True), weights="linear")
    assert prepare(LINEAR, from_triples(found, words), ORDINAL).statistic().value == pytest.approx(theirs)


def test_a_pair_without_variation_is_left_out_and_said() -> None:
    """Two raters who always say the same one thing have no kappa; the others have."""
    table = [[1, 1, 1], [1, 1, 2], [1, 1, 2]]
    found = prepare(PLAIN, answers(table), NOMINAL)
    assert found.remark == "mean of 2 pairs of raters; undefined for 1 more"
    assert found.statistic().value == 0
