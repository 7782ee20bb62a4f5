"""One rater among the others: the t by hand, how often ordinary raters are called unusual, and what trimming does."""

import numpy as np
import pytest
from scipy.stats import t

from rubrica.stats.checks import peers
from rubrica.stats.checks.measured import Measured, share
from rubrica.stats.checks.peers import HIGH, LOW, among_peers, each_among_peers


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
