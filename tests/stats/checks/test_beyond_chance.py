"""Agreement beyond chance: every order of a few judgements, kappa by hand, and whether p-values keep what they say."""

import itertools
import math

import numpy as np
import pytest
from scipy.stats import norm, pearsonr

from rubrica.stats.checks.beyond_chance import Relation, Together, far_below, of_labels, of_numbers, together
from rubrica.stats.checks.beyond_chance import usual_weights as weights_of

UNITS = np.arange(6)
NUMBERS = np.array([1.0, 2, 2, 5, 4, 3])
MEANS = np.array([2.0, 1.5, 3, 4, 4.5, 1])
LABELS = np.array([0, 1, 1, 2, 0, 1])
SHARES = np.array([[1, 0, 0], [0.5, 0.5, 0], [0, 1, 0], [0, 0.5, 0.5], [0.5, 0, 0.5], [0, 1, 0]])


def _labels(order: list[int]) -> Relation:
    found = of_labels(UNITS, LABELS[order], SHARES)
    assert found is not None
    return found


def test_a_correlation_and_kappa() -> None:
    """Numbers: SciPy's. Labels: Cohen's kappa with the others' shares in place of a second rater."""
    assert of_numbers(UNITS, NUMBERS, MEANS).value == pytest.approx(pearsonr(NUMBERS, MEANS).statistic)
    seen = (1 + 0.5 + 1 + 0.5 + 0.5 + 1) / 6
    chance = 2 / 6 * (2 / 6) + 3 / 6 * (3 / 6) + 1 / 6 * (1 / 6)
    assert _labels(list(range(6))).value == pytest.approx((seen - chance) / (1 - chance))


def test_mean_and_variance_over_every_order() -> None:
    """All 720 orders of six whole judgements, of which both questions are moved at once: mean 0, and the variance."""
    weights = {"scale": 2.0, "label": 1.0}
    found = [
        together({"scale": of_numbers(UNITS, NUMBERS[order], MEANS), "label": _labels(order)}, weights)
        for order in map(list, itertools.permutations(range(6)))
    ]
    values = np.array([one.value for one in found])
    assert values.mean() == pytest.approx(0, abs=1e-12)
    assert found[0].variance == pytest.approx(values.var())
    assert all(one.variance == pytest.approx(found[0].variance) for one in found[:20])


def test_the_same_answer_to_two_questions_is_one_witness() -> None:
    """Where two questions have the same answers and the same others, they say what one does, whatever the weights."""
    one = of_numbers(UNITS, NUMBERS, MEANS)
    twice = together({"a": one, "b": one}, {"a": 0.2, "b": 0.7})
    assert twice == pytest.approx(together({"a": one}, {"a": 1.0}))
    assert twice.variance == pytest.approx(1 / 5)


def test_questions_on_different_units_are_independent() -> None:
    """Without a unit in common the variance of a mean of two is a quarter of the sum of theirs."""
    one = of_numbers(UNITS, NUMBERS, MEANS)
    found = together({"a": one, "b": one._replace(unit=UNITS + 100)}, {"a": 1.0, "b": 1.0})
    assert found.variance == pytest.approx((1 / 5 + 1 / 5) / 4)


def test_nothing_goes_together_without_variation() -> None:
    """One label only, or others who all say the same: undefined. Weights are 0 below chance, and then all are equal."""
    assert of_labels(UNITS, np.zeros(6, dtype=np.int64), SHARES) is None
    assert of_labels(UNITS, LABELS, np.tile([1.0, 0, 0], (6, 1))) is None
    assert weights_of({"a": [0.1, 0.3, 0.5], "b": [-0.2, -0.1, 0.4], "c": []}) == {"a": 0.3, "b": 0.0, "c": 0.0}
    one = of_numbers(UNITS, NUMBERS, MEANS)
    assert together({"a": one}, {"a": 0.0}).value == pytest.approx(one.value)


def test_far_below_by_hand() -> None:
    """Usual is 0.6, two thirds of it 0.4; the others' spread of 0.01 adds 4/9 pi/2 0.01/3 to the variance of 0.01."""
    others = [Together(value, 0.005) for value in (0.5, 0.6, 0.7)]
    error = math.sqrt(0.01 + 4 / 9 * math.pi / 2 * 0.01 / 3)
    assert far_below(Together(0.05, 0.01), others).value == pytest.approx(norm.cdf((0.05 - 0.4) / error))
    assert far_below(Together(0.24, 0.01), others).value == 1, "0.24 is told from chance: 2.4 deviations above 0"
    assert far_below(Together(0.0, 0.01), others[:1]).reason.startswith("1 others to compare with, and it takes 2")


def test_who_agrees_two_thirds_as_well_is_rarely_far_below() -> None:
    """Of 4,000 raters at the edge of the hypothesis, at most 1 % have p below 0.01, though the usual is uncertain."""
    generator = np.random.default_rng(5)
    low = 0
    for _ in range(4000):
        own = Together(generator.normal(0.2, 0.1), 0.01)
        others = [Together(value, 0.01) for value in generator.normal(0.3, 0.1, 5)]
        low += (far_below(own, others).value or 0.0) < 0.01
    assert low <= 40 + 3 * math.sqrt(40)
