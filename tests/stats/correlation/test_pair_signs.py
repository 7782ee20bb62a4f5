"""Signs of pairs under many weights: against comparing all pairs, and against scipy's tau-b."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import kendalltau

from rubrica.stats.correlation.pair_signs import Real, pair_signs

GENERATOR = np.random.default_rng(11)
MANY = 300
ROWS = {
    "no ties": GENERATOR.normal(size=MANY),
    "few levels": GENERATOR.integers(4, size=MANY).astype(float),
    "one level has most": np.where(GENERATOR.random(MANY) < 0.8, 0.5, GENERATOR.normal(size=MANY)),
    "constant": np.ones(MANY),
    "rounded": GENERATOR.normal(size=MANY).round(1),
}


def compared(one: Real, other: Real, times: Real) -> Real:
    """The definition: every unit with every other."""
    signs = np.sign(np.subtract.outer(one, one)) * np.sign(np.subtract.outer(other, other))
    return np.einsum("ri,ij,rj->r", times, signs, times)


@pytest.mark.parametrize("size", [None, 1, 7, MANY])
@pytest.mark.parametrize("first", ROWS)
def test_equal_to_all_pairs(first: str, size: int | None) -> None:
    """Whatever ties there are and however wide bands are, exactly."""
    times = GENERATOR.integers(4, size=(5, MANY)).astype(float)
    for other in ROWS.values():
        one = ROWS[first]
        assert pair_signs(one, other, size).weighed(times.T).tolist() == compared(one, other, times).tolist()


def test_equal_to_scipy() -> None:
    """With each unit once, the sum by the number of ordered pairs is tau-b of scores without ties."""
    one, other = ROWS["no ties"], ROWS["no ties"] + GENERATOR.normal(size=MANY)
    found = pair_signs(one, other).weighed(np.ones((MANY, 1)))[0] / (MANY * (MANY - 1))
    assert found == pytest.approx(kendalltau(one, other).statistic, abs=1e-14)
