"""What fewer raters are worth: chances by hand and by counting all draws; bounds of all raters are those of a group."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from scipy.stats import hypergeom

from rubrica.stats.reliability.expert_share import expert_share
from rubrica.stats.reliability.fewer_raters import MAJORITY, UNANIMOUS, Reliability, drawn_correct, fewer_raters

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
