"""How disputed units are: by hand, and adding up to alpha."""

from __future__ import annotations

import numpy as np
import pytest

from rubrica.core.ratings import INTERVAL, NOMINAL, ORDINAL, RATIO
from rubrica.stats.agreement.disputes import disputes
from rubrica.stats.agreement.krippendorff_alpha import krippendorff_alpha
from tests.stats.agreement.data import N, answers, made


def test_two_units_by_hand() -> None:
    """Nominal: a unit in full agreement has 0, one in disagreement 1 by what chance gives; one answer has none."""
    # Answers 1, 1 | 1, 2: of 4 x 3 ordered pairs, 2 x 3 x 1 = 6 differ: chance 1/2. The second unit differs always.
    found = disputes(answers(np.array([[1, 1], [1, 2], [2, N]])), NOMINAL)
    assert found[:2] == pytest.approx([0, 2])
    assert np.isnan(found[2])


@pytest.mark.parametrize("level", [NOMINAL, ORDINAL, INTERVAL, RATIO])
def test_alpha_is_one_minus_their_mean(level: str) -> None:
    """Weighted by the number of answers."""
    data = answers(made(3))
    found = disputes(data, level)
    counted = ~np.isnan(found)
    mean = np.average(found[counted], weights=data.per_unit[counted])
    assert 1 - mean == pytest.approx(krippendorff_alpha(data, level).value, abs=1e-12)


def test_nothing_to_dispute() -> None:
    """Unanimous units have 0; without variation there is no measure of how far apart answers are."""
    assert disputes(answers(np.array([[1, 1], [2, 2]])), ORDINAL).tolist() == [0, 0]
    assert np.isnan(disputes(answers(np.array([[1, 1], [1, 1]])), ORDINAL)).all()
    assert np.isnan(disputes(answers(np.array([[1, N], [N, 2]])), ORDINAL)).all()
