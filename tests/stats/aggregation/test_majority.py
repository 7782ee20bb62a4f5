"""Majorities: support, interval and entropy by hand, and every rule for ties."""

import pytest
from scipy.stats import entropy
from statsmodels.stats.proportion import proportion_confint

from rubrica.stats.aggregation.majority import TIES, majorities
from rubrica.stats.coded import Coded, from_triples


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
