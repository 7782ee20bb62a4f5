"""The model of bias, noise and attention: by hand where it can be, else on answers whose raters are known."""

import numpy as np
import pytest

from rubrica.stats.checks import attention as model
from rubrica.stats.checks.attention import LIKELY, Question, attention
from rubrica.stats.coded import Real


def answers(seed: int, raters: int = 8, units: int = 40, noise: float = 0.7, points: int = 5) -> Real:
    """Units (rows) with a quality, seen by raters with a leniency and some noise, as points from 0."""
    generator = np.random.default_rng(seed)
    quality = generator.normal(0, 1, (units, 1)) + generator.normal(0, 0.4, (1, raters))
    seen = quality + generator.normal(0, noise, (units, raters))
    return np.clip(np.rint(seen + (points - 1) / 2), 0, points - 1)


def question(table: Real, labels: int = 5, ordered: bool = True) -> Question:
    """A table with a row for each unit and NaN where there is no answer."""
    unit, rater = np.nonzero(~np.isnan(table))
    return Question(unit, rater, table[unit, rater].astype(np.int64), labels, ordered)


def test_the_careful_are_probably_careful() -> None:
    """Eight people, forty units: nobody is likely not to look, whether lenient or not."""
    found = attention([question(answers(1))], 8, 40)
    assert found.probability.max() < 0.05
    assert found.attention.min() > 0.95
    assert found.told.all()


@pytest.mark.parametrize("kind", ["random", "constant", "shuffled", "three_of_four"])
def test_who_does_not_look_is_found(kind: str) -> None:
    """At random, always the same, one's own answers in another order, or three of four at random."""
    generator = np.random.default_rng(5)
    table = answers(2)
    own = table[:, 3].copy()
    any_point = generator.integers(0, 5, 40).astype(float)
    table[:, 3] = {
        "random": any_point,
        "constant": np.full(40, 4.0),
        "shuffled": generator.permutation(own),
        "three_of_four": np.where(generator.random(40) < 0.75, any_point, own),
    }[kind]
    found = attention([question(table)], 8, 40)
    assert found.probability[3] > LIKELY
    assert np.delete(found.probability, 3).max() < LIKELY
    assert found.attention[3] < 0.8


def test_bias_and_noise_are_told_from_each_other() -> None:
    """Who gives a point more has a bias, who wavers more has noise, and neither answers without a look."""
    generator = np.random.default_rng(8)
    table = answers(3, units=80, points=7)
    table[:, 0] = np.minimum(table[:, 0] + 1, 6)
    table[:, 1] = np.clip(table[:, 1] + np.rint(generator.normal(0, 0.8, 80)), 0, 6)
    found = attention([question(table, 7)], 8, 80)
    assert found.bias.argmax() == 0
    assert found.noise.argmax() == 1
    assert found.probability[:2].max() < LIKELY


def test_labels_without_an_order() -> None:
    """Four labels; who chooses at random is found, others are not; there is no bias."""
    generator = np.random.default_rng(4)
    true = generator.integers(0, 4, (40, 1))
    table = np.where(generator.random((40, 6)) < 0.8, true, generator.integers(0, 4, (40, 6))).astype(float)
    table[:, 5] = generator.integers(0, 4, 40)
    found = attention([question(table, 4, ordered=False)], 6, 40)
    assert found.probability[5] > 0.9
    assert found.probability[:5].max() < LIKELY
    assert np.isnan(found.bias).all()


def test_gaps_and_few_raters() -> None:
    """Three raters, each with two thirds of the units: one at random is mostly found among them, the others never."""
    found = []
    for seed in range(5):
        table = answers(seed, raters=3, units=120, noise=0.5)
        table[:, 2] = np.random.default_rng(seed).integers(0, 5, 120)
        table[np.arange(120), np.arange(120) % 3] = np.nan
        found.append(attention([question(table)], 3, 120).probability)
    assert sum(one[2] > LIKELY for one in found) >= 4
    assert max(one[:2].max() for one in found) < LIKELY


def test_where_nobody_agrees_nothing_is_told() -> None:
    """Unrelated answers of everybody: the probability stays near what it is beforehand, and nothing can be told."""
    generator = np.random.default_rng(9)
    found = attention([question(generator.integers(0, 5, (30, 5)).astype(float))], 5, 30)
    assert found.probability.max() < 0.5
    assert not found.told.any()


def test_a_question_that_everybody_answers_alike_tells_nothing() -> None:
    """Nobody varies, in this question or in that beside it: every figure is a number, and nobody is suspected."""
    alike = question(np.zeros((30, 4)), labels=2)
    for asked in ([alike], [alike, question(answers(15, raters=4, units=30))]):
        found = attention(asked, 4, 30)
        assert np.isfinite(found.probability).all()
        assert np.isfinite(found.questions).all()
        assert not found.unusual.any()


def test_one_question_of_several() -> None:
    """Who looks but for one question is found, and the question is named."""
    generator = np.random.default_rng(11)
    one, two = answers(12), answers(13)
    two[:, 6] = generator.integers(0, 5, 40)
    found = attention([question(one), question(two)], 8, 40)
    assert found.probability[6] > LIKELY
    assert found.questions[1, 6] > 0.5 > found.questions[0, 6]
    assert np.delete(found.probability, 6).max() < LIKELY


def test_a_question_asked_twice_is_no_second_witness() -> None:
    """Two questions with the same answers say as much as one."""
    table = answers(2)
    table[:, 3] = np.random.default_rng(14).integers(0, 5, 40)
    same = [question(table), question(table)]
    assert model._independent(same, 8) == pytest.approx(1)
    assert model._independent([question(table), question(answers(30))], 8) > 1.9


def test_the_classes_are_bayes_rule() -> None:
    """Of one question and one rater, by hand: likelihoods e^-10, e^-9, e^-12 and 0.85, 0.075, 0.075 beforehand."""
    row = [np.array([value]) for value in (-10.0, -9.0, -12.0)]
    likely = model._Likely(*row, np.array([0.0]), np.array([1.0]))
    weights = np.array([0.85 * np.exp(-10), 0.075 * np.exp(-9), 0.075 * np.exp(-12)])
    assert model._classes([likely], 1.0, 0.15)[:, 0] == pytest.approx(weights / weights.sum())


def test_the_same_answers_give_the_same_probabilities() -> None:
    """In any order of rows."""
    table = answers(2)
    first = question(table)
    order = np.random.default_rng(0).permutation(len(first.code))
    other = Question(first.unit[order], first.rater[order], first.code[order], 5, ordered=True)
    assert attention([first], 8, 40).probability == pytest.approx(attention([other], 8, 40).probability, abs=1e-9)
