"""Figures on a scale on which they can be compared: their variances against exact sums and simulations."""

import math

import numpy as np
import pytest
from scipy.stats import binom

from rubrica.stats.checks import measured


@pytest.mark.parametrize("p", [0.2, 0.5, 0.7])
def test_the_variance_of_a_share_is_the_same_everywhere(p: float) -> None:
    """Summed over SciPy's binomial of 60, the variance of the arcsine is 1 / 242 within 3 %, whatever the share."""
    times = np.arange(61)
    values = np.array([measured.share(int(number), 60).value for number in times])
    chances = binom.pmf(times, 60, p)
    variance = chances @ values**2 - (chances @ values) ** 2
    assert variance == pytest.approx(measured.share(30, 60).variance, rel=0.03)
    assert measured.share(30, 60).variance == 1 / 242


def test_times_are_compared_by_their_logarithm() -> None:
    """The median of 1, e and e squared is e; the variance of 0, 1, 2 is 1, so pi / 2 / 3."""
    found = measured.median_log([1.0, math.e, math.e**2])
    assert found[:2] == pytest.approx((1.0, math.pi / 6))


def test_the_longest_run_of_a_fair_coin() -> None:
    """The standard deviation of the longest run of heads is pi / (sqrt 6 ln 2) = 1.850; simulated, within 5 %."""
    generator = np.random.default_rng(4)
    lengths = []
    for row in generator.random((3000, 400)) < 0.5:
        ends = np.flatnonzero(np.diff(np.concatenate(([0], row.view(np.int8), [0])))).reshape(-1, 2)
        lengths.append(int((ends[:, 1] - ends[:, 0]).max()))
    found = measured.longest_run(8, 0.5)
    assert found.value == pytest.approx(math.log(8))
    assert math.sqrt(found.variance) * 8 == pytest.approx(1.8503, abs=1e-4)
    assert np.std(lengths) == pytest.approx(1.85, rel=0.05)
