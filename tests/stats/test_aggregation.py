"""What raters together say of each unit.

Majorities: support, interval and entropy by hand, and every rule for ties.

Means of units: hand derivations, and SciPy's interval.

Medians of units, derived by hand.

z-scores: a hand derivation, raters without variation, and SciPy.

Counts of short answers.
"""

import math

import numpy as np
import pytest
from scipy.stats import binom, entropy, sem, t, zscore
from statsmodels.stats.proportion import proportion_confint

from rubrica.core.answers import compared, simpler_words
from rubrica.stats.aggregation import TIES, counts, gold_of, majorities, means, medians, z_scores
from rubrica.stats.coded import Coded, from_matrix, from_triples


def answers(*labels: str) -> Coded:
    """One unit with these answers, each of another rater; the order of labels is the alphabet's."""
    return from_triples([("u", f"r{index}", label) for index, label in enumerate(labels)], tuple(sorted(set(labels))))


def test_support_and_uncertainty() -> None:
    """Three of four: share 3/4; entropy -(3/4 log 3/4 + 1/4 log 1/4) = 0.811278 bits; Wilson as statsmodels has it."""
    [gold] = majorities(answers("yes", "no", "yes", "yes"))
    assert (gold.value, gold.support, gold.raters, gold.probability.value) == ("yes", 3, 4, 0.75)
    assert gold.uncertainty.value == pytest.approx(entropy([3, 1], base=2), abs=1e-12)
    assert (gold.low.value, gold.high.value) == pytest.approx(proportion_confint(3, 4, method="wilson"), abs=1e-9)


def test_a_tie_is_undefined_unless_a_rule_settles_it() -> None:
    """Of c, a, c, a, b: nothing, c (given first), a (lowest), c (highest)."""
    tied = answers("c", "a", "c", "a", "b")
    found = {rule: majorities(tied, rule)[0] for rule in TIES}
    assert (found["none"].value, found["none"].reason) == (None, "tie")
    assert [found[rule].value for rule in ("first", "lowest", "highest")] == ["c", "a", "c"]
    assert all(gold.support == 2 for gold in found.values())


def test_random_ties_are_repeatable_and_take_only_tied_answers() -> None:
    """The same seed gives the same answers; over many units both tied answers are drawn, the third never."""
    triples = [(f"u{unit}", f"r{index}", label) for unit in range(60) for index, label in enumerate("aabbc")]
    many = from_triples(triples, ("a", "b", "c"))
    drawn = [gold.value for gold in majorities(many, "random", seed=1)]
    assert drawn == [gold.value for gold in majorities(many, "random", seed=1)]
    assert set(drawn) == {"a", "b"}


GAP = math.nan


def test_mean_with_its_standard_error() -> None:
    """Of 2, 4, 6 the mean is 4, the variance (4 + 0 + 4) / 2 = 4, the standard error 2 / sqrt(3)."""
    [gold] = means(from_matrix(np.array([[2.0, 4.0, 6.0]])))
    assert gold.value == 4
    assert gold.raters == 3
    assert gold.uncertainty.value == pytest.approx(2 / math.sqrt(3), abs=1e-12)
    assert gold.support is None


def test_one_rater_has_no_standard_error() -> None:
    """The mean of one answer is the answer; how sure it is cannot be told."""
    one, _ = means(from_matrix(np.array([[GAP, 4.0], [1.0, 2.0]])))
    assert one.value == 4
    assert (one.uncertainty.value, one.uncertainty.reason) == (None, "one rater")
    assert one.low.value is None


def test_same_as_scipy_with_gaps() -> None:
    """Standard error and Student's interval are those of SciPy, unit by unit, whatever is missing."""
    generator = np.random.default_rng(5)
    table = generator.integers(1, 6, (40, 6)).astype(float)
    table[generator.random(table.shape) < 0.3] = GAP
    table = table[(~np.isnan(table)).sum(axis=1) > 1]
    for gold, row in zip(means(from_matrix(table)), table, strict=True):
        values = row[~np.isnan(row)]
        assert gold.value == pytest.approx(values.mean(), abs=1e-12)
        assert gold.uncertainty.value == pytest.approx(sem(values), abs=1e-12)
        if values.std():
            low, high = t.interval(0.95, len(values) - 1, values.mean(), sem(values))
            assert (gold.low.value, gold.high.value) == pytest.approx((low, high), abs=1e-9)


def test_median_of_odd_and_even_numbers() -> None:
    """Of 1, 2, 5 it is 2, given once, distances 1 + 0 + 3 by 3; of 1, 2, 4, 5 it is 3, which nobody gave."""
    odd, even = medians(from_matrix(np.array([[1.0, 2.0, 5.0, math.nan], [1.0, 2.0, 4.0, 5.0]])))
    assert (odd.value, odd.support, odd.raters) == (2, 1, 3)
    assert odd.uncertainty.value == pytest.approx(4 / 3)
    assert (even.value, even.support) == (3, 0)
    assert even.low.reason == "an interval of a median needs 6 raters"


@pytest.mark.parametrize("raters", [6, 8, 9, 15, 30])
def test_interval_covers_with_95_per_cent(raters: int) -> None:
    """The ends are the tightest order statistics whose tails are at most 2.5 % each, as SciPy's binomial says."""
    values = np.arange(1.0, raters + 1)
    [gold] = medians(from_matrix(values[None, :]))
    assert gold.low.value is not None
    rank = int(gold.low.value)
    assert gold.high.value == raters + 1 - rank
    assert binom.cdf(rank - 1, raters, 0.5) <= 0.025 < binom.cdf(rank, raters, 0.5)


def test_a_harsh_rater_and_a_mild_one() -> None:
    """1, 2, 3 and 3, 4, 5 have standard deviation 1 each: both are -1, 0, 1, and so are the means."""
    found = z_scores(from_matrix(np.array([[1.0, 3.0], [2.0, 4.0], [3.0, 5.0]])))
    assert [gold.value for gold in found.gold] == pytest.approx([-1, 0, 1])
    assert found.mean == [2, 4]
    assert [one.value for one in found.deviation] == [1, 1]


def test_a_rater_without_variation_is_left_out_with_the_reason() -> None:
    """Always 5, or one answer only: no standard deviation, and a unit that only they rated has no z-score."""
    gap = math.nan
    found = z_scores(from_matrix(np.array([[1.0, 5.0, gap], [2.0, 5.0, gap], [3.0, gap, 2.0], [gap, 5.0, gap]])))
    assert [one.reason for one in found.deviation] == ["", "always the same answer", "one answer"]
    assert [gold.value for gold in found.gold[:3]] == pytest.approx([-1, 0, 1])
    assert (found.gold[3].value, found.gold[3].reason) == (None, "only raters without variation")
    assert [gold.raters for gold in found.gold] == [1, 1, 1, 0]


def test_same_as_scipy_with_gaps_of_z_scores() -> None:
    """SciPy's z-scores by column, gaps left out, averaged by row."""
    generator = np.random.default_rng(3)
    table = generator.normal(50, 20, (30, 5)).round()
    table[generator.random(table.shape) < 0.2] = math.nan
    expected = np.nanmean(zscore(table, axis=0, ddof=1, nan_policy="omit"), axis=1)
    assert [gold.value for gold in z_scores(from_matrix(table)).gold] == pytest.approx(expected.tolist(), abs=1e-10)


def test_most_frequent_first_then_the_alphabet() -> None:
    """Twice "easy" (once in capitals), once "plain" and "basic"; the word itself and blank are no answer."""
    said = [("Easy", "plain"), ("easy", "basic"), (), ("simple ",), ("easy",)]
    found = [simpler_words(words, "simple") for words in said]
    counted = counts(found, compared)
    assert counted == [("easy", 3), ("basic", 1), ("plain", 1)]
    gold = gold_of(found, counted)
    assert (gold.value, gold.raters, gold.support) == (("easy", "basic", "plain"), 5, 3)


def test_nothing_simpler() -> None:
    """If all say that nothing is simpler, the list is empty and has their support; without raters there is no gold."""
    gold = gold_of([simpler_words((), "easy"), simpler_words(("EASY",), "easy")], [])
    assert (gold.value, gold.support, gold.raters) == ((), 2, 2)
    assert gold_of([], []).reason == "no answer"
