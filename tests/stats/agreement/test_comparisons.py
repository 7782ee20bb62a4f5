"""One rater against the rest, and groups against each other: which answers are compared."""

from __future__ import annotations

import numpy as np

from rubrica.stats.agreement.comparisons import compared
from tests.stats.agreement.data import N, answers


def test_which_answers_are_compared() -> None:
    """The second rater against the rest: one comparison for each other answer to a unit, their answer first."""
    data = answers(np.array([[1, 2, 3], [4, N, 4], [N, 5, 1]]))
    one = np.array([False, True, False])
    found = compared(data, one, ~one)
    numbers = np.array(data.values)[found.answers.code].reshape(-1, 2)
    assert sorted(map(tuple, numbers.tolist())) == [(2, 1), (2, 3), (5, 1)]
    assert sorted(found.unit.tolist()) == [0, 0, 2]
    assert found.answers.made_of is found.unit
    assert found.different == 5


def test_groups_leave_out_the_rest() -> None:
    """Two groups of a third: only pairs across the two count."""
    data = answers(np.array([[1, 2, 3, 4]]))
    found = compared(data, np.array([True, False, False, False]), np.array([False, False, True, True]))
    assert np.array(data.values)[found.answers.code].reshape(-1, 2).tolist() == [[1, 3], [1, 4]]
