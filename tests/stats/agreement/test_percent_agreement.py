"""Percent agreement by hand."""

from __future__ import annotations

import numpy as np
import pytest

from rubrica.stats.agreement.comparisons import compared
from rubrica.stats.agreement.percent_agreement import beside_others, prepare, prepare_pooled
from tests.stats.agreement.data import FOUR_OBSERVERS, N, answers


def test_uneven_numbers_by_hand() -> None:
    """Each unit has its share of agreeing pairs; units of one answer say nothing."""
    # Three raters of whom two agree: 1/3; two who agree: 1; one alone: left out. Mean (1/3 + 1) / 2 = 2/3.
    assert prepare(answers([[1, 1, 2], [3, N, 3], [N, N, 2]])).statistic().value == pytest.approx(2 / 3)


def test_pooled_pairs_by_hand() -> None:
    """Pooled, each pair counts the same: of the same units 1 of 3 and 1 of 1 pairs agree, which is 2 of 4."""
    assert prepare_pooled(answers([[1, 1, 2], [3, N, 3], [N, N, 2]])).statistic().value == pytest.approx(1 / 2)


def test_a_rater_with_the_rest_counts_each_unit_once() -> None:
    """The first rater agrees with one of two others, with the only other, with nobody else: (1/2 + 1) / 2 = 3/4."""
    data = answers([[1, 1, 2], [3, N, 3], [2, N, N]])
    first = np.arange(len(data.raters)) == 0
    assert prepare(compared(data, first, ~first).answers).statistic().value == pytest.approx(3 / 4)
    others, same = beside_others(data)
    mine = (data.rater == 0) & (others > 0)
    assert (same[mine] / others[mine]).mean() == pytest.approx(3 / 4)


def test_the_published_example() -> None:
    """Gwet's example with gaps: 0.81818 (irrCAC, pa.coeff.raw)."""
    assert prepare(answers(FOUR_OBSERVERS)).statistic().value == pytest.approx(0.81818, abs=5e-6)


def test_defined_without_variation() -> None:
    """All the same is full agreement, whatever chance would give."""
    assert prepare(answers([[3, 3], [3, 3]])).statistic().value == 1
