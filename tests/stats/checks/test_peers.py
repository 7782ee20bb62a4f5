"""A rater beside the others.

Figures on a scale on which they can be compared: their variances against exact sums and simulations.

One rater among the others: the t by hand, how often ordinary raters are called unusual, and what trimming does.

A rater and the others: by hand, and rater by rater with SciPy on a table with gaps.
"""

import math

import numpy as np
import pytest
from scipy.stats import binom, pearsonr, spearmanr, t

from rubrica.stats.checks import peers
from rubrica.stats.checks.peers import (
    HIGH,
    LOW,
    Measured,
    among_peers,
    correlations,
    each_among_peers,
    same_answers,
    share,
)
from rubrica.stats.coded import from_matrix, from_triples


@pytest.mark.parametrize("p", [0.2, 0.5, 0.7])
def test_the_variance_of_a_share_is_the_same_everywhere(p: float) -> None:
    """Summed over SciPy's binomial of 60, the variance of the arcsine is 1 / 242 within 3 %, whatever the share."""
    times = np.arange(61)
    values = np.array([peers.share(int(number), 60).value for number in times])
    chances = binom.pmf(times, 60, p)
    variance = chances @ values**2 - (chances @ values) ** 2
    assert variance == pytest.approx(peers.share(30, 60).variance, rel=0.03)
    assert peers.share(30, 60).variance == 1 / 242


def test_times_are_compared_by_their_logarithm() -> None:
    """The median of 1, e and e squared is e; the variance of 0, 1, 2 is 1, so pi / 2 / 3."""
    found = peers.median_log([1.0, math.e, math.e**2])
    assert found[:2] == pytest.approx((1.0, math.pi / 6))


def test_the_longest_run_of_a_fair_coin() -> None:
    """The standard deviation of the longest run of heads is pi / (sqrt 6 ln 2) = 1.850; simulated, within 5 %."""
    generator = np.random.default_rng(4)
    lengths = []
    for row in generator.random((3000, 400)) < 0.5:
        ends = np.flatnonzero(np.diff(np.concatenate(([0], row.view(np.int8), [0])))).reshape(-1, 2)
        lengths.append(int((ends[:, 1] - ends[:, 0]).max()))
    found = peers.longest_run(8, 0.5)
    assert found.value == pytest.approx(math.log(8))
    assert math.sqrt(found.variance) * 8 == pytest.approx(1.8503, abs=1e-4)
    assert np.std(lengths) == pytest.approx(1.85, rel=0.05)


def measured(*values: float, variance: float = 0.0, usual: float = 0.1) -> list[Measured]:
    """Figures with this much chance in them."""
    return [Measured(value, variance, usual) for value in values]


@pytest.mark.parametrize(("own", "side"), [(9.0, HIGH), (1.5, LOW), (5.0, HIGH), (4.0, LOW)])
def test_four_peers_by_hand(own: float, side: str) -> None:
    """s2 of 3, 4, 5, 7 is 35/12, the usual variance 0.5 squared: (3 s2 + 4 x 0.25) / 7, 3 + 4 degrees of freedom."""
    peers = np.array([3.0, 4.0, 5.0, 7.0])
    variance = (3 * 35 / 12 + 4 * 0.25) / 7
    size = (own - 4.75) / np.sqrt(variance * (1 + 1 / 4))
    [mine] = measured(own, usual=0.5)
    found = among_peers(mine, measured(*peers), side)
    assert found.value == pytest.approx(t.sf(size if side == HIGH else -size, 7), abs=1e-12)


def test_peers_vary_at_least_by_chance_and_the_own_sample_adds_to_it() -> None:
    """Equal peers with variance 0.04 each, own 0.09: (3 x 0.04 + 4 x 0.05) / 7 x 5/4 + 0.05."""
    [mine] = measured(1.8, variance=0.09)
    found = among_peers(mine, measured(*[1.0] * 4, variance=0.04), HIGH)
    total = (3 * 0.04 + 4 * (0.04 + 0.01)) / 7 * 5 / 4 + (0.09 - 0.04)
    assert found.value == pytest.approx(t.sf(0.8 / np.sqrt(total), 7), abs=1e-12)


@pytest.mark.parametrize("peers", [4, 7, 15])
def test_ordinary_raters_are_seldom_unusual(peers: int) -> None:
    """Raters who differ as assumed: of 2,000 studies at most 1.6 % have p below 0.01, and 0.3 % below 0.001."""
    generator = np.random.default_rng(12)
    angles = generator.normal(0.8, 0.1, (2000, peers + 1))
    times = generator.binomial(60, np.sin(angles) ** 2)
    shares = [[share(int(number), 60) for number in row] for row in times]
    found = np.array([among_peers(row[0], row[1:], HIGH).value for row in shares])
    assert (found < 0.01).mean() <= 0.016
    assert (found < 0.001).mean() <= 0.003


def test_one_bad_rater_does_not_hide_another() -> None:
    """Two of eight at 9 where the others are about 1: the farthest peer is left out, so either is found."""
    peers = measured(1.0, 1.1, 0.9, 1.05, 0.95, 1.02, 9.0)
    found = among_peers(Measured(9.0, 0.0, 0.1), peers, HIGH)
    assert found.value is not None
    assert found.value < 0.0001


def test_sides() -> None:
    """The two sides add up to 1, and among equals nobody is on either."""
    peers, [mine] = measured(1.0, 2.0, 3.0, 4.0, 5.0), measured(4.5)
    high, low = among_peers(mine, peers, HIGH).value, among_peers(mine, peers, LOW).value
    assert high is not None
    assert low == pytest.approx(1 - high)
    [equal] = measured(2.0)
    assert among_peers(equal, measured(*[2.0] * 5), HIGH).value == 0.5


def test_few_peers_cannot_tell() -> None:
    """With three others there is no p-value, and the reason says so."""
    [mine] = measured(9.0)
    found = among_peers(mine, measured(1.0, 1.0, 1.0), HIGH)
    assert found == (None, "3 others to compare with, and it takes 4: it cannot be told")


def test_many_at_once_are_as_one_by_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """Standing raters are no peers of themselves, one who is left out has all for peers; few rows at a time as well."""
    generator = np.random.default_rng(3)
    raters = [Measured(*row) for row in generator.uniform(0.01, 1, (9, 3))]
    outside = Measured(2.0, 0.1, 0.2)
    expected = [among_peers(one, raters[:place] + raters[place + 1 :], LOW) for place, one in enumerate(raters)]
    expected.append(among_peers(outside, raters, LOW))
    for chunk in (peers.CHUNK, 20):
        monkeypatch.setattr(peers, "CHUNK", chunk)
        found = each_among_peers([*raters, outside], raters, [*range(9), None], LOW)
        assert [one.value for one in found] == pytest.approx([one.value for one in expected], abs=1e-14)
    few = each_among_peers(raters[:4], raters[:4], [0, 1, 2, None], LOW)
    assert [one.value is None for one in few] == [True, True, True, False]


@pytest.mark.parametrize("ranks", [False, True])
def test_correlation_with_the_mean_of_the_others(ranks: bool) -> None:
    """The same as SciPy's for each rater, gaps left out, units that nobody else rated too."""
    generator = np.random.default_rng(2)
    table = (generator.normal(3, 1, (60, 1)) + generator.normal(0, 1, (60, 5))).round()
    table[generator.random(table.shape) < 0.4] = math.nan
    table = table[~np.isnan(table).all(axis=1)]
    for rater, found in enumerate(correlations(from_matrix(table), ranks)):
        others = np.delete(table, rater, axis=1)
        both = ~np.isnan(table[:, rater]) & ~np.isnan(others).all(axis=1)
        measure = spearmanr if ranks else pearsonr
        expected = measure(table[both, rater], np.nanmean(others[both], axis=1))
        assert found.units == both.sum()
        assert found.value.value == pytest.approx(expected.statistic, abs=1e-10)


def test_undefined_without_variation_or_units() -> None:
    """Always 3, or two units only: there is no correlation, and the reason says why."""
    flat = correlations(from_matrix(np.array([[3.0, 1.0], [3.0, 2.0], [3.0, 5.0], [3.0, 4.0]])), ranks=False)
    assert [found.value.reason for found in flat] == [
        "no variation in the rater's own answers",
        "no variation in the others' means",
    ]
    few = correlations(from_matrix(np.array([[3.0, 1.0], [2.0, 2.0]])), ranks=False)
    assert few[0].value.reason == "fewer than 4 units that somebody else rated"


def test_share_of_the_same_answers() -> None:
    """Unit u: a, a, b; unit v: a, b; unit w: one rater. x has 1/2 of two others, then 0 of one: a mean of 1/4."""
    triples = [("u", "x", "a"), ("u", "y", "a"), ("u", "z", "b"), ("v", "x", "a"), ("v", "z", "b"), ("w", "q", "a")]
    found = same_answers(from_triples(triples, ("a", "b")))
    assert [(one.value.value, one.units) for one in found] == [(0.25, 2), (0.5, 1), (0.0, 2), (None, 0)]
    # x says a, which of the others (1/2 of two, then none of one) 1/4 say: no more than chance.
    assert found[0].beyond_chance.value == pytest.approx(0)


def test_without_answers_there_is_nobody() -> None:
    """No ratings, no raters: nothing for either kind of question."""
    assert same_answers(from_triples([], ("a", "b"))) == []
    assert correlations(from_triples([], (1, 2)), ranks=True) == []
