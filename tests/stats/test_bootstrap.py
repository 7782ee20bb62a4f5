"""Intervals and tests from resamples: equal to independent tools, of one procedure, refused where they say nothing.

Resampled shares and means: the draws replayed one by one, scipy's bootstrap, undefined cases.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from scipy import stats
from scipy.stats import bootstrap as scipy_bootstrap

from rubrica.stats import bootstrap
from rubrica.stats.bootstrap import (
    BCA,
    FEWEST,
    STUDENT,
    Resampled,
    draws,
    intervals,
    ratio_intervals,
    ratio_resamples,
    ratios,
    sums_of,
    without_each,
)
from rubrica.stats.statistic import AtMost, Statistic


def share(sums: Sequence[float]) -> Statistic:
    """The first sum divided by the second."""
    return Statistic(sums[0] / sums[1]) if sums[1] else Statistic(None, "nothing")


def mean_of(values: np.ndarray, replicates: int = 1000, seed: int = 0, **more: object) -> Resampled:
    """The mean of values with its resamples."""
    sums = sums_of(values[:, None], replicates, seed)
    left = sums.left_out[:, 0] / (len(values) - (1 if len(values) <= bootstrap.GROUPS else len(values) / 200))
    return Resampled(float(values.mean()), sums.drawn[:, 0] / len(values), left, len(values), **more)  # type: ignore[arg-type]


def test_same_seed_same_interval() -> None:
    """The seed decides; another seed gives another interval."""
    table = [(unit % 3, 2) for unit in range(40)]
    first, again = (intervals(table, [share], replicates=200, seed=4)[0] for _ in range(2))
    other = intervals(table, [share], replicates=200, seed=5)[0]
    assert first == again != other
    assert (first.defined, first.method) == (200, BCA)


def test_bca_is_that_of_scipy() -> None:
    """Skewed values: both ends are scipy's but for the noise of resamples; of 400 units Student is hardly wider."""
    values = np.random.default_rng(3).lognormal(0, 0.8, 400)
    found = mean_of(values, 20_000).interval()
    theirs = stats.bootstrap((values,), np.mean, n_resamples=20_000, method="BCa", rng=np.random.default_rng(1))
    wanted = theirs.confidence_interval
    assert (found.low.value, found.high.value) == pytest.approx((wanted.low, wanted.high), abs=0.01)
    plain = np.quantile(sums_of(values[:, None], 20_000, 0).drawn / 400, [0.025, 0.975])
    assert found.high.value > plain[1] + 0.005


def test_few_units_have_a_wider_interval() -> None:
    """Of ten units the ends are those of Student's distribution with nine degrees of freedom: 2.26, not 1.96."""
    values = stats.norm.ppf((np.arange(10) + 0.5) / 10)
    found = mean_of(values, 50_000).interval()
    assert found.high.value is not None
    assert found.high.value / (values.std() / 10**0.5) == pytest.approx(2.262, abs=0.08)


def test_a_difference_has_the_interval_and_the_p_of_a_t_test() -> None:
    """Student's: the same ends and p as scipy's paired t test, but for the noise of the resampled standard error."""
    gaps = np.random.default_rng(5).normal(0.4, 1, 30)
    found = mean_of(gaps, 50_000, difference=True)
    wanted = stats.ttest_1samp(gaps, 0)
    ends = wanted.confidence_interval()
    assert (found.interval().low.value, found.interval().high.value) == pytest.approx((ends.low, ends.high), abs=0.01)
    assert found.p().value == pytest.approx(wanted.pvalue, rel=0.1)
    assert found.interval().method == STUDENT


@pytest.mark.parametrize("difference", [False, True])
def test_p_and_interval_are_of_one_procedure(difference: bool) -> None:
    """Whatever the data, p is below 0.05 exactly where the 95 % interval leaves out 0, and p is 1 less its level."""
    generator = np.random.default_rng(8)
    for number in range(60):
        values = generator.choice([-1.0, 0.0, 1.0, 4.0], 25) + generator.choice([-0.9, -0.4, 0.0])
        found = mean_of(values, 500, number, difference=difference)
        low, high = found.interval()[:2]
        p = found.p()
        assert None not in (low.value, high.value, p.value)
        assert (p.value < 0.05) is not (low.value <= 0 <= high.value)
        if not p.at_most and p.value < 1:
            ends = found.interval(1 - p.value)[:2]
            assert min(abs(end.value) for end in ends) == pytest.approx(0, abs=0.02)


def test_a_p_that_no_resample_reaches_is_a_bound() -> None:
    """All resamples of 40 positive numbers are above 0: p is at most what the least share of a thousand gives."""
    p = mean_of(np.arange(1.0, 41.0)).p()
    assert isinstance(p, AtMost)
    assert 0 < p.value < 0.01
    assert not mean_of(np.arange(-20.0, 21.0)).p().at_most


def test_units_that_are_alike_have_no_interval() -> None:
    """Twenty of twenty is no certainty: an interval from 1 to 1 would claim it, and its test too."""
    found = intervals([(1, 1)] * 20, [share], replicates=50, seed=0)[0]
    assert found.low.value is found.high.value is None
    assert found.low.reason == "all units are alike, so that they cannot show how uncertain it is"
    assert mean_of(np.ones(20)).p().value is None
    assert mean_of(np.zeros(20), difference=True).p().value == 1
    assert mean_of(np.full(20, 0.1) + np.arange(20) * 1e-18).interval().low.value is None


def test_a_statistic_that_hangs_on_few_units_has_no_interval() -> None:
    """One unit of twelve counts at all: without it nothing is defined, which happens in a third of the resamples."""
    table = [(1, 1), (0, 1)] + [(0, 0)] * 18
    (few,) = intervals(table, [share], replicates=300, seed=2)
    assert few.low.reason == f"an interval needs at least {FEWEST} units"
    (often,) = intervals(table, [share], replicates=300, seed=2, bearing=lambda row: True)
    # Neither of two is drawn in twenty draws with probability (18/20)^20 = 0.12.
    assert often.low.reason.startswith("it is undefined in 1")


@pytest.mark.parametrize(
    ("table", "replicates", "reason"),
    [
        ([], 10, "at least 10 units"),
        ([(1, 2)] * 4 + [(0, 2)] * 5, 10, "at least 10 units"),
        ([(1, 2)] * 10 + [(0, 2)] * 5, 0, "no resamples were asked for"),
        ([(0, 0)] * 20, 10, "at least 10 units"),
    ],
)
def test_no_interval_has_a_reason(table: list[tuple[int, int]], replicates: int, reason: str) -> None:
    """Too few units, no resamples, nothing that counts."""
    found = intervals(table, [share], replicates=replicates, seed=0)[0]
    assert found.low.value is None
    assert reason in found.low.reason


def test_draws_are_as_many_as_units(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every resample has as many units as there are, in blocks or not."""
    whole = np.concatenate(list(draws(np.ones(7), 20, np.random.default_rng(1))))
    assert (whole.sum(axis=1) == 7).all()
    monkeypatch.setattr(bootstrap, "BLOCK", 20)
    assert np.array_equal(np.concatenate(list(draws(np.ones(7), 20, np.random.default_rng(1)))), whole)


def test_each_unit_is_left_out_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """One of each kind, standing for all of that kind; of very many, groups that have every unit once."""
    (few,) = without_each(np.array([3.0, 2.0]))
    assert few.weights.tolist() == [[2, 2], [3, 1]]
    assert few.times.tolist() == [3, 2]
    times = np.array([1.0, 2.0] * 250)
    monkeypatch.setattr(bootstrap, "BLOCK", 500 * 30)
    many = list(without_each(times))
    gone = times - np.concatenate([one.weights for one in many])
    assert (len(many), len(gone)) == (7, bootstrap.GROUPS)
    assert (gone.sum(axis=0) == times).all()
    assert set(gone.sum(axis=1)) == {3.0, 4.0}


def test_groups_of_units_show_the_same_skewness() -> None:
    """Of 2,000 skewed values the interval by groups of ten is that by single units, to a hundredth of its width."""
    values = np.random.default_rng(6).exponential(1, 2000)
    sums = sums_of(values[:, None], 4000, 1)
    alone = (values.sum() - values) / 1999
    single = Resampled(float(values.mean()), sums.drawn[:, 0] / 2000, alone, 2000).interval()
    grouped = Resampled(float(values.mean()), sums.drawn[:, 0] / 2000, sums.left_out[:, 0] / 1990, 2000).interval()
    width = single.high.value - single.low.value
    assert grouped.low.value == pytest.approx(single.low.value, abs=0.01 * width)
    assert grouped.high.value == pytest.approx(single.high.value, abs=0.01 * width)


def test_means_of_few_skewed_units_are_covered() -> None:
    """Of 400 studies of 20 shares around 0.8, 92 to 98 % hold it; the percentile interval holds 90 %."""
    generator = np.random.default_rng(20)
    held = 0
    for number in range(400):
        values = generator.binomial(3, generator.beta(4, 1, 20)) / 3
        low, high = mean_of(values, 400, number).interval()[:2]
        held += low.value is not None and low.value <= 0.8 <= high.value
    assert 0.92 <= held / 400 <= 0.98


ABOVE = np.array([[3.0, 1.0], [0.0, 1.0], [2.0, 0.0], [5.0, 0.0]])
BELOW = np.array([[4.0, 1.0], [1.0, 1.0], [2.0, 0.0], [7.0, 0.0]])


def test_ratio_of_sums() -> None:
    """(3 + 0 + 2 + 5) / (4 + 1 + 2 + 7) = 10 / 14; the other 2 / 2; nothing below the line is undefined."""
    first, second = ratios(ABOVE, BELOW)
    assert first.value == pytest.approx(10 / 14)
    assert second.value == 1
    assert ratios(np.zeros((2, 1)), np.zeros((2, 1)))[0].value is None


def test_resamples_are_sums_over_the_drawn_clusters(monkeypatch: pytest.MonkeyPatch) -> None:
    """Replaying the draws with the same generator and adding up rows gives the same ratios, in blocks or not."""
    whole = np.stack([one.drawn for one in ratio_resamples(ABOVE, BELOW, 50, seed=9)], axis=1)
    for row, times in zip(whole, next(bootstrap.draws(np.ones(4), 50, np.random.default_rng(9))), strict=True):
        drawn = np.repeat(np.arange(4), times.astype(int))
        below = BELOW[drawn].sum(axis=0)
        expected = [
            top / bottom if bottom else np.nan for top, bottom in zip(ABOVE[drawn].sum(axis=0), below, strict=True)
        ]
        assert row == pytest.approx(expected, nan_ok=True, abs=1e-12)
    monkeypatch.setattr(bootstrap, "BLOCK", 12)
    again = np.stack([one.drawn for one in ratio_resamples(ABOVE, BELOW, 50, seed=9)], axis=1)
    assert np.array_equal(again, whole, equal_nan=True)


def test_what_is_left_without_a_cluster() -> None:
    """Without the first: (0 + 2 + 5) / (1 + 2 + 7); clusters in which nothing is counted bear on nothing."""
    first, second = ratio_resamples(ABOVE, BELOW, 5, seed=0)
    assert first.left_out == pytest.approx([7 / 10, 10 / 13, 8 / 12, 5 / 7])
    assert second.left_out == pytest.approx([1, 1])
    assert (first.units, second.units) == (4, 2)


def test_interval_of_a_mean_is_that_of_scipy() -> None:
    """With one rating a cluster the interval is scipy's BCa interval, up to Student and the noise of resamples."""
    values = np.random.default_rng(1).normal(3, 1, 80)
    (found,) = ratio_intervals(values[:, None], np.ones((80, 1)), replicates=20_000, seed=0)
    expected = scipy_bootstrap(
        (values,), np.mean, n_resamples=20_000, method="BCa", rng=np.random.default_rng(5)
    ).confidence_interval
    assert found.low.value == pytest.approx(expected.low, abs=0.015)
    assert found.high.value == pytest.approx(expected.high, abs=0.015)
    assert found.defined == 20_000


def test_no_interval_without_enough_clusters() -> None:
    """Nine sources, or nine sources that count, have no interval, and the reason is said."""
    marks = np.arange(20.0)[:, None]
    (few,) = ratio_intervals(marks[:9], np.ones((9, 1)), replicates=10, seed=0)
    counted = (np.arange(20)[:, None] < 9).astype(float)
    (counting,) = ratio_intervals(marks * counted, counted, replicates=10, seed=0)
    (none,) = ratio_intervals(marks, np.ones((20, 1)), replicates=0, seed=0)
    assert few.low.reason == counting.low.reason == "an interval needs at least 10 sources"
    assert none.low.reason == "no resamples were asked for"


def test_sources_that_are_alike_have_no_interval() -> None:
    """Twelve right of twelve is no certainty: an interval from 1 to 1 would claim it."""
    (found,) = ratio_intervals(np.ones((12, 1)), np.ones((12, 1)), replicates=50, seed=0)
    assert found.low.value is found.high.value is None
    assert "all sources are alike" in found.low.reason
