"""The percentile bootstrap: repeatable, from sums, honest about what is undefined."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from rubrica.stats.bootstrap import intervals
from rubrica.stats.statistic import Statistic


def share(sums: Sequence[float]) -> Statistic:
    """The first sum divided by the second."""
    return Statistic(sums[0] / sums[1]) if sums[1] else Statistic(None, "nothing")


def test_same_seed_same_interval() -> None:
    """The seed decides; another seed gives another interval."""
    table = [(unit % 3, 2) for unit in range(40)]
    first, again = (intervals(table, [share], replicates=200, seed=4)[0] for _ in range(2))
    other = intervals(table, [share], replicates=200, seed=5)[0]
    assert first == again != other
    assert first.defined == 200


def test_units_that_are_alike_leave_no_doubt() -> None:
    """When every unit has the same sums, every resample has the same statistic."""
    low, high, _ = intervals([(1, 4)] * 10, [share], replicates=50, seed=0)[0]
    assert low.value == high.value == pytest.approx(0.25)


def test_interval_is_near_the_normal_one() -> None:
    """For the mean of 400 coins the 95 % interval is about 0.5 +- 1.96 x 0.025."""
    # Standard error of a mean of 400 fair coins: 0.5 / 20 = 0.025.
    low, high, _ = intervals([(unit % 2, 1) for unit in range(400)], [share], replicates=2000, seed=1)[0]
    assert low.value == pytest.approx(0.5 - 1.96 * 0.025, abs=0.006)
    assert high.value == pytest.approx(0.5 + 1.96 * 0.025, abs=0.006)


def test_undefined_resamples_are_left_out_and_counted() -> None:
    """A statistic that hangs on one unit is undefined in the resamples without it."""
    found = intervals([(1, 1), (0, 0), (0, 0)], [share], replicates=300, seed=2)[0]
    # The unit is missing from a resample of three with probability (2/3)^3 = 0.30.
    assert 180 < found.defined < 240
    assert (found.low.value, found.high.value) == (1.0, 1.0)


@pytest.mark.parametrize("table", [[], [(1, 2)], [(0, 0), (0, 0)]])
def test_no_interval_has_a_reason(table: list[tuple[int, int]]) -> None:
    """One unit, or nothing defined: no interval, and why."""
    found = intervals(table, [share], replicates=10, seed=0)[0]
    assert found.low.value is None
    assert found.low.reason
