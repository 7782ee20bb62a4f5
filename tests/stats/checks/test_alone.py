"""What can be told of one rater alone: tails against SciPy's distributions, reading times by hand."""

import numpy as np
import pytest
from scipy.integrate import dblquad
from scipy.stats import binom, norm

from rubrica.stats.checks import alone
from rubrica.stats.checks.alone import Given, fewer_than, least_seconds, more_than, one_answer, words


def test_shares_are_held_against_the_binomial() -> None:
    """6 or more of 10 where 0.2 are usual, 2 or fewer of 8 where 0.8 are: SciPy's tails; parts are rounded up."""
    assert more_than(6, 10, 0.2) == pytest.approx(binom.sf(5, 10, 0.2))
    assert fewer_than(2, 8, 0.8) == pytest.approx(binom.cdf(2, 8, 0.8))
    assert fewer_than(1.5, 8, 0.8) == pytest.approx(binom.cdf(2, 8, 0.8))
    assert more_than(0, 10, 0.2) == 1


def test_one_answer_is_the_mean_over_what_questions_and_raters_are_like() -> None:
    """Without others: the integral of the binomial tail over two normal variables, by SciPy's quadrature."""

    def tail(lenient: float, like: float) -> float:
        share = norm.cdf(like + alone.LENIENCY * lenient)
        chance = binom.sf(27, 30, share)
        return float(chance * norm.pdf(lenient) * norm.pdf(like, alone.ONE_QUESTION, alone.BETWEEN))

    expected, _ = dblquad(tail, -2, 4, -4, 4)
    assert one_answer(Given(28, 30), []) == pytest.approx(expected, rel=0.02)


def test_what_others_do_is_taken_in() -> None:
    """40 of 40 is nothing where others do the same, and unheard of where they do it half of the time."""
    same, half = [Given(39, 40)] * 2, [Given(20, 40)] * 2
    assert one_answer(Given(40, 40), same) > 0.1
    assert one_answer(Given(40, 40), half) < 0.002
    assert one_answer(Given(260, 260), []) < 0.001
    assert one_answer(Given(0, 40), half) == pytest.approx(1)


@pytest.mark.parametrize("share", [0.5, 0.7, 0.849])
def test_careful_raters_are_seldom_called_unusual(share: float) -> None:
    """Alone, with answers of one kind as often as the paper's systems and people have them: fewer than 1 in 100."""
    generator = np.random.default_rng(3)
    like = norm.ppf(share) * np.sqrt(1 + 0.3**2)
    raters = norm.cdf(like + 0.3 * generator.standard_normal(3000))
    times = generator.binomial(60, raters)
    most = next(number for number in range(61) if one_answer(Given(number, 60), []) < 0.01)
    assert np.mean(times >= most) < 0.01


def test_reading_takes_time() -> None:
    """Twenty words at ten a second and two questions at half a second: three seconds. Two kana are a word."""
    assert least_seconds(["one two three four five"] * 4, 2) == pytest.approx(3.0)
    assert words("きょうは晴れ OK") == pytest.approx(4.0)
    assert words("") == 0
