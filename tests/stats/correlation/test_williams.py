"""Williams' test: a published value, a hand derivation, chance, undefined cases."""

from __future__ import annotations

import numpy as np
import pytest

from rubrica.stats.correlation.williams import williams


def test_published_example() -> None:
    """The example of `r.test` in Revelle's R package psych: n = 103, r = .4 and .5, .1 between: t = -0.89, p = 0.37.

    By hand: K = 1 - .16 - .25 - .01 + .04 = .62; t = -.1 x sqrt(102 x 1.1) / sqrt(2 x .62 x 102 / 100 + .45^2 x .9^3).
    """
    found = williams(0.4, 0.5, 0.1, 103)
    assert found.t.value == pytest.approx(-0.1 * (102 * 1.1) ** 0.5 / (1.2648 + 0.2025 * 0.729) ** 0.5)
    assert found.t.value == pytest.approx(-0.89, abs=0.005)
    assert found.p.value == pytest.approx(0.37, abs=0.005)


def test_rejects_as_often_as_it_says() -> None:
    """Two equally good metrics: about 5 % of samples are below 0.05."""
    generator = np.random.default_rng(1)
    below = 0
    for _ in range(300):
        people = generator.normal(size=50)
        one, other = people + generator.normal(size=(2, 50))
        r = np.corrcoef([people, one, other])
        p = williams(r[0, 1], r[0, 2], r[1, 2], 50).p.value
        below += p is not None and p < 0.05
    assert 0.02 < below / 300 < 0.09


def test_undefined_has_a_reason() -> None:
    """Too few units, or a metric against itself."""
    assert williams(0.4, 0.5, 0.1, 3).p.reason == "fewer than 4 units"
    assert williams(0.4, 0.4, 1.0, 50).t.reason == "the two metrics say the same"
