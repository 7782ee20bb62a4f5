"""How far verdicts of a crowd can be trusted.

The Beta distribution of an expert's share: closed forms, scipy, undefined without judgements.

What fewer raters are worth: chances by hand and by counting all draws; bounds of all raters are those of a group.
"""

from __future__ import annotations

import math
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import beta, hypergeom

from rubrica.stats.reliability import MAJORITY, UNANIMOUS, Reliability, drawn_correct, expert_share, fewer_raters


def test_all_correct_in_closed_form() -> None:
    """Beta(n + 1, 1) has the distribution x^(n + 1): its 10th percentile is 0.1^(1 / 17) for 16 of 16."""
    found = expert_share(16, 16)
    assert found.mean.value == pytest.approx(17 / 18)
    assert found.above.value == pytest.approx(0.1 ** (1 / 17), abs=1e-12)
    assert found.below.value == pytest.approx(0.9 ** (1 / 17), abs=1e-12)


def test_none_correct_is_the_mirror_image() -> None:
    """Beta(1, n + 1): its 90th percentile is 1 - 0.1^(1 / 17)."""
    found = expert_share(0, 16)
    assert found.below.value == pytest.approx(1 - 0.1 ** (1 / 17), abs=1e-12)
    assert found.mean.value == pytest.approx(1 / 18)


@given(st.integers(1, 60).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))), st.floats(0.5, 0.99))
def test_bounds_are_those_of_scipy(counts: tuple[int, int], confidence: float) -> None:
    """For any counts and confidence."""
    correct, judged = counts
    found = expert_share(correct, judged, confidence)
    expected = beta(correct + 1, judged - correct + 1)
    assert found.above.value == pytest.approx(expected.ppf(1 - confidence), abs=1e-9)
    assert found.below.value == pytest.approx(expected.ppf(confidence), abs=1e-9)
    assert found.mean.value == pytest.approx(expected.mean(), abs=1e-12)


def test_density_by_hand() -> None:
    """1 of 2 is Beta(2, 2), whose density is 6 x (1 - x); it has a surface of 1."""
    shares = [step / 1000 for step in range(1001)]
    found = expert_share(1, 2).density(shares)
    assert found[250] == pytest.approx(6 * 0.25 * 0.75)
    assert math.fsum(found) / 1000 == pytest.approx(1, abs=1e-5)


def test_without_judgements_it_is_undefined() -> None:
    """A prior alone is no finding."""
    found = expert_share(0, 0)
    assert found.mean.value is None
    assert found.mean.reason == "no expert judged any"
    assert found.density([0.5]) == []


OUTPUTS, CORRECT, JUDGED = [40, 10, 20, 130], [1, 2, 10, 15], [16, 16, 16, 16]


def found(raters: int, rule: str = UNANIMOUS, seed: int = 0) -> Reliability:
    """One row of the table."""
    rows = fewer_raters(OUTPUTS, CORRECT, JUDGED, confidence=0.9, seed=seed)
    return next(one for one in rows if (one.raters, one.rule) == (raters, rule))


@pytest.mark.parametrize("group", range(4))
@pytest.mark.parametrize("drawn", [1, 2, 3])
def test_chances_are_counts_of_all_draws(group: int, drawn: int) -> None:
    """Of three raters, so many of whom say correct, every draw is equally likely; scipy agrees."""
    raters = [1] * group + [0] * (3 - group)
    draws = [sum(chosen) for chosen in combinations(raters, drawn)]
    expected = [draws.count(correct) / len(draws) for correct in range(drawn + 1)]
    assert drawn_correct(group, 3, drawn) == pytest.approx(expected)
    assert drawn_correct(group, 3, drawn) == pytest.approx(hypergeom(3, group, drawn).pmf(range(drawn + 1)))


def test_all_raters_who_agree_are_a_group() -> None:
    """With all three drawn, a unanimous yes is group 3 of 3 and has its Beta distribution, up to the noise of draws."""
    group = expert_share(CORRECT[3], JUDGED[3])
    row = found(3)
    assert row.yes_agrees.value == pytest.approx(group.mean.value, abs=0.003)
    assert row.yes_above.value == pytest.approx(group.above.value, abs=0.005)
    # Weights are Dirichlet with one added to each group: (130 + 1) / (200 + 4).
    assert row.yes.value == pytest.approx(131 / 204, abs=0.002)
    assert row.undecided.value == pytest.approx((11 + 21) / 204, abs=0.002)


def test_one_rater_by_hand() -> None:
    """One rater says correct with chance b / 3 in group b; the expert's share is the mixture of the groups' means."""
    weights = np.array([41, 11, 21, 131]) / 204
    shares = np.array([2, 3, 11, 16]) / 18
    chance = np.arange(4) / 3
    row = found(1)
    assert row.yes.value == pytest.approx(float(weights @ chance), abs=0.002)
    # A ratio of means is close to the mean of ratios with so many outputs.
    assert row.yes_agrees.value == pytest.approx(float((weights * shares) @ chance / (weights @ chance)), abs=0.003)
    assert row.undecided.value == pytest.approx(0, abs=1e-12)
    assert row.yes.value + row.no.value == pytest.approx(1)


def test_more_raters_who_agree_are_worth_more() -> None:
    """Where groups differ as they do here, agreement of three beats that of two, and two beats one."""
    values = [found(raters).yes_agrees.value for raters in (1, 2, 3)]
    assert values == sorted(values)


def test_a_majority_of_three_decides_everything() -> None:
    """Two of three are enough, so that nothing is left undecided."""
    row = found(3, MAJORITY)
    assert row.undecided.value == pytest.approx(0, abs=1e-12)
    assert row.yes.value == pytest.approx((131 + 21) / 204, abs=0.002)


def test_the_seed_decides() -> None:
    """The same for the same seed."""
    assert found(2) == found(2)
    assert found(2) != found(2, seed=1)


def test_a_group_without_expert_is_undefined() -> None:
    """Its share would be the prior alone; a group without outputs is no obstacle."""
    rows = fewer_raters([5, 5], [1, 0], [2, 0], confidence=0.9, seed=0)
    assert {row.right.reason for row in rows} == {"an expert judged none of a group"}
    assert fewer_raters([0, 5], [0, 3], [0, 4], confidence=0.9, seed=0)[0].right.value is not None
    assert "so many ratings" in fewer_raters([0, 0], [0, 0], [0, 0], confidence=0.9, seed=0)[0].right.reason


def test_one_rater_is_never_undecided() -> None:
    """The chances of yes and no add up to 1, and rounding makes no share below 0."""
    assert found(1).undecided.value == pytest.approx(0, abs=1e-12)
    assert all((found(1, seed=seed).undecided.value or 0.0) >= 0 for seed in range(5))
