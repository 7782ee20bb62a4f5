"""Tests of two metrics.

Williams' test: a published value, a hand derivation, chance, undefined cases.

Coefficients after exchanges: each equals scipy's on the exchanged scores; criteria together equal each alone.

The permutation test of two metrics: against all exchanges by hand, chance, undefined cases.
"""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from scipy import stats

from rubrica.stats.correlation.metric_differences import exchange, metric_permutations, williams


def test_published_example() -> None:
    """The example of `r.test` in Revelle's R package psych: n = 103, r = .4 and .5, .1 between: t = -0.89, p = 0.37.

    By hand: K = 1 - .16 - .25 - .01 + .04 = .62; t = -.1 x sqrt(102 x 1.1) / sqrt(2 x .62 x 102 / 100 + .45^2 x .9^3).
    """
    found = williams(0.4, 0.5, 0.1, 103)
    assert found.t.value == pytest.approx(-0.1 * (102 * 1.1) ** 0.5 / (1.2648 + 0.2025 * 0.729) ** 0.5)
    assert found.t.value == pytest.approx(-0.89, abs=0.005)
    assert found.p.value == pytest.approx(0.37, abs=0.005)


def test_rejects_as_often_as_it_says() -> None:
    """Two equally good metrics: about 5 % of samples are below 0.05."""
    generator = np.random.default_rng(1)
    below = 0
    for _ in range(300):
        people = generator.normal(size=50)
        one, other = people + generator.normal(size=(2, 50))
        r = np.corrcoef([people, one, other])
        p = williams(r[0, 1], r[0, 2], r[1, 2], 50).p.value
        below += p is not None and p < 0.05
    assert 0.02 < below / 300 < 0.09


def test_undefined_has_a_reason() -> None:
    """Too few units, or a metric against itself."""
    assert williams(0.4, 0.5, 0.1, 3).p.reason == "fewer than 4 units"
    assert williams(0.4, 0.4, 1.0, 50).t.reason == "the two metrics say the same"


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


def test_equal_to_all_exchanges() -> None:
    """With seven units all 128 exchanges can be tried; random ones come near the exact share."""
    generator = np.random.default_rng(6)
    people = generator.normal(size=7)
    one, other = people + generator.normal(scale=[[0.3], [2.0]], size=(2, 7))
    left, right = stats.zscore(one), stats.zscore(other)

    def difference(first: np.ndarray, second: np.ndarray) -> float:
        return abs(stats.pearsonr(people, first).statistic - stats.pearsonr(people, second).statistic)

    observed = difference(left, right)
    swaps = [np.array(signs) for signs in product((False, True), repeat=7)]
    exact = np.mean([difference(np.where(s, right, left), np.where(s, left, right)) >= observed - 1e-12 for s in swaps])
    (found,) = metric_permutations("pearson", people[None], one, other, 8_000, seed=1)
    assert found.value == pytest.approx(exact, abs=0.02)


def test_finds_a_difference_and_not_itself() -> None:
    """A metric against noise is found; against itself p is 1; the same for the same seed."""
    generator = np.random.default_rng(7)
    people = generator.normal(size=45)
    good, noise = people + 0.3 * generator.normal(size=45), generator.normal(size=45)
    for name in ("pearson", "spearman", "kendall"):
        (found,) = metric_permutations(name, people[None], good, noise, 49, seed=1)
        assert found.value == pytest.approx(0.02)
        assert metric_permutations(name, people[None], good, good, 49, seed=1)[0].value == pytest.approx(1.0)


def test_systems() -> None:
    """Scores of units are exchanged, and systems' means correlated."""
    generator = np.random.default_rng(8)
    systems = np.repeat(np.arange(6), 20)
    quality = generator.normal(size=6)
    good = quality[systems] + generator.normal(scale=0.1, size=120)
    noise = generator.normal(size=120)
    member = np.eye(6)[systems] / 20
    (found,) = metric_permutations("pearson", quality[None], good, noise, 199, 1, summed=lambda rows: rows @ member)
    assert found.value is not None
    assert found.value < 0.1


def test_undefined_has_a_reason_of_metric_permutation() -> None:
    """A constant metric, or no permutations."""
    varied = np.arange(5.0)
    assert "does not vary" not in metric_permutations("pearson", varied[None], varied, varied[::-1], 9, 1)[0].reason
    assert "do not vary" in metric_permutations("pearson", varied[None], np.ones(5), varied, 9, 1)[0].reason
    assert "no permutations" in metric_permutations("pearson", varied[None], varied, varied, 0, 1)[0].reason
