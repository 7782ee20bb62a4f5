"""Fleiss' and Cohen's kappa, Gwet's AC1 and AC2.

Fleiss' kappa against his own example, a derivation by hand, and statsmodels.

Cohen's kappa against scikit-learn and his own example.

Gwet's AC1 and AC2 against the example of his handbook, and a derivation pair by pair.
"""

from __future__ import annotations

from itertools import combinations, permutations

import numpy as np
import pytest
from sklearn.metrics import cohen_kappa_score
from statsmodels.stats.inter_rater import aggregate_raters
from statsmodels.stats.inter_rater import fleiss_kappa as statsmodels_kappa

from rubrica.core.ratings import INTERVAL, NOMINAL, ORDINAL, RATIO
from rubrica.stats.agreement.kappas import (
    LINEAR,
    PLAIN,
    QUADRATIC,
    credits,
    fleiss_kappa,
    prepare_cohen,
    prepare_fleiss,
    prepare_gwet,
)
from rubrica.stats.agreement.tally import units_of
from rubrica.stats.coded import Real, from_triples
from tests.stats.agreement.data import FOUR_OBSERVERS, answers, made


def test_the_published_example() -> None:
    """Fourteen psychiatrists, ten patients, five categories: the worked example gives 0.210."""
    table = [
        (0, 0, 0, 0, 14),
        (0, 2, 6, 4, 2),
        (0, 0, 3, 5, 6),
        (0, 3, 9, 2, 0),
        (2, 2, 8, 1, 1),
        (7, 7, 0, 0, 0),
        (3, 2, 6, 3, 0),
        (2, 5, 3, 2, 2),
        (6, 5, 2, 1, 0),
        (0, 2, 2, 3, 7),
    ]
    assert fleiss_kappa(dict.fromkeys(table, 1)).value == pytest.approx(0.210, abs=5e-4)


def test_two_categories_by_hand() -> None:
    """Three annotators, four tokens, marked by 3, 2, 1 and 0 of them."""
    # Observed: units agree on 3, 1, 1, 3 of 3 pairs: (1 + 1/3 + 1/3 + 1) / 4 = 2/3.
    # Six of twelve choices are marks: expected = 1/4 + 1/4 = 1/2. Kappa = (2/3 - 1/2) / (1/2) = 1/3.
    assert fleiss_kappa({(0, 3): 1, (1, 2): 1, (2, 1): 1, (3, 0): 1}).value == pytest.approx(1 / 3)


def test_equal_units_are_counted_not_repeated() -> None:
    """Units kept once with a number weigh as much as units listed one by one."""
    ratings = [("a", "a"), ("a", "a"), ("a", "b"), ("b", "b")]
    units = units_of(ratings, ["a", "b"])
    assert units == {(2, 0): 2, (1, 1): 1, (0, 2): 1}
    # Observed 3/4; shares 5/8 and 3/8: expected 34/64. Kappa = (48/64 - 34/64) / (30/64) = 14/30.
    assert fleiss_kappa(units).value == pytest.approx(14 / 30)


@pytest.mark.parametrize(
    ("units", "reason"),
    [
        ({}, "nothing was judged"),
        ({(0, 1): 4}, "fewer than two annotators"),
        ({(3, 0): 4}, "the same category every time"),
    ],
)
def test_undefined_with_a_reason(units: dict[tuple[int, ...], int], reason: str) -> None:
    """Without units, annotators or a second category there is no kappa, and it says why."""
    found = fleiss_kappa(units)
    assert found.value is None
    assert reason in found.reason


def test_uneven_numbers_of_annotators_are_refused() -> None:
    """A unit with two and one with three annotators do not belong in one Fleiss' kappa."""
    with pytest.raises(ValueError, match=r"not \[2, 3\]"):
        fleiss_kappa({(1, 1): 1, (2, 1): 1})


def test_equals_statsmodels() -> None:
    """Complete generated ratings: the same kappa as statsmodels."""
    table = made(3, gaps=0.0)
    counts, _ = aggregate_raters(table.astype(int))
    theirs = statsmodels_kappa(counts, method="fleiss")
    assert prepare_fleiss(answers(table)).statistic().value == pytest.approx(theirs, abs=1e-12)


def test_uneven_numbers_as_in_the_handbook() -> None:
    """Gwet's example with gaps: 0.76117 (irrCAC, fleiss.kappa.raw)."""
    assert prepare_fleiss(answers(FOUR_OBSERVERS)).statistic().value == pytest.approx(0.76117, abs=5e-6)


def test_two_raters_by_hand() -> None:
    """Fifty decisions of two raters: 20 both yes, 15 both no, 5 and 10 apart."""
    # Observed 35/50 = 0.7; yes of one 25/50, of the other 30/50: expected 0.5 x 0.6 + 0.5 x 0.4 = 0.5. Kappa = 0.4.
    table = [[1, 1]] * 20 + [[1, 0]] * 5 + [[0, 1]] * 10 + [[0, 0]] * 15
    assert prepare_cohen(PLAIN, answers(table), NOMINAL).statistic().value == pytest.approx(0.4)


@pytest.mark.parametrize(("power", "weights"), [(PLAIN, None), (LINEAR, "linear"), (QUADRATIC, "quadratic")])
@pytest.mark.parametrize("raters", [2, 4])
def test_equals_scikit_learn(power: int, weights: str | None, raters: int) -> None:
    """The mean over pairs of raters of scikit-learn's kappa, each on the units that both answered."""
    table = made(2, raters=raters)
    theirs = []
    for one, other in combinations(range(raters), 2):
        both = ~np.isnan(table[:, [one, other]]).any(axis=1)
        theirs.append(cohen_kappa_score(table[both, one], table[both, other], weights=weights))
    assert prepare_cohen(power, answers(table), ORDINAL).statistic().value == pytest.approx(np.mean(theirs), abs=1e-12)


def test_labels_in_an_order_count_by_their_places() -> None:
    """Weights of labels on a scale are those of their places."""
    words = ("bad", "fair", "good")
    rows = [(0, 0), (0, 1), (1, 1), (2, 2), (2, 0), (1, 2)]
    found = [
        (str(unit), rater, words[code]) for unit, row in enumerate(rows) for rater, code in zip("ab", row, strict=True)
    ]
    theirs = cohen_kappa_score(*zip(*rows, strict=True), weights="linear")
    assert prepare_cohen(LINEAR, from_triples(found, words), ORDINAL).statistic().value == pytest.approx(theirs)


def test_a_pair_without_variation_is_left_out_and_said() -> None:
    """Two raters who always say the same one thing have no kappa; the others have."""
    table = [[1, 1, 1], [1, 1, 2], [1, 1, 2]]
    found = prepare_cohen(PLAIN, answers(table), NOMINAL)
    assert found.remark == "mean of 2 pairs of raters; undefined for 1 more"
    assert found.statistic().value == 0


def test_the_published_example_of_gwet_ac() -> None:
    """Four raters, twelve subjects, gaps: AC1 is 0.77544, AC2 with quadratic weights 0.91400 (Gwet, irrCAC)."""
    data = answers(FOUR_OBSERVERS)
    assert prepare_gwet(data, NOMINAL).statistic().value == pytest.approx(0.77544, abs=5e-6)
    assert prepare_gwet(data, INTERVAL).statistic().value == pytest.approx(0.91400, abs=5e-6)


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
    assert prepare_gwet(data, level).statistic().value == pytest.approx(expected, abs=1e-12)


def test_categories_that_nobody_chose_count() -> None:
    """Agreement on two of five possible categories is worth more than on two of two."""
    table = np.array([[1, 1], [1, 2], [2, 2], [1, 1]], dtype=float)
    two = prepare_gwet(answers(table)).statistic().value
    five = prepare_gwet(answers(table).widened((1, 2, 3, 4, 5))).statistic().value
    # Observed 3/4; shares 5/8, 3/8; 2 x (15/64) = 30/64 by (q - 1): 30/64 and 30/256.
    assert two == pytest.approx((48 - 30) / (64 - 30))
    assert five == pytest.approx((192 - 30) / (256 - 30))


def test_one_category() -> None:
    """With one known category there is nothing to agree on; with five, choosing the same one always is agreement."""
    data = answers(np.array([[3, 3], [3, 3]], dtype=float))
    assert "only one category" in prepare_gwet(data).statistic().reason
    assert prepare_gwet(data.widened((1, 2, 3, 4, 5))).statistic().value == 1
