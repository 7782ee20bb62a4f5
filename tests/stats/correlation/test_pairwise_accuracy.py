"""Pairwise accuracy of systems, by hand."""

from __future__ import annotations

import numpy as np
import pytest

from rubrica.stats.correlation.pairwise_accuracy import pairwise_accuracy


def test_by_hand() -> None:
    """People order a < b < c < d, the metric a < c = d < b: ab, ac and ad are in the same order, bc and bd are not.

    cd is tied by the metric only, which is wrong: 3 of 6.
    """
    found = pairwise_accuracy(np.array([1.0, 2, 3, 4]), np.array([10.0, 20, 15, 15]))
    assert found.accuracy.value == pytest.approx(3 / 6)
    assert found.pairs == 6


def test_undefined_for_one_system() -> None:
    """One system has nothing to be ordered with."""
    assert pairwise_accuracy(np.array([1.0]), np.array([1.0])).accuracy.reason == "there are no two systems to compare"
