"""Percent agreement by hand."""

from __future__ import annotations

import pytest

from rubrica.stats.agreement.percent_agreement import prepare
from tests.stats.agreement.data import FOUR_OBSERVERS, N, answers


def test_uneven_numbers_by_hand() -> None:
    """Each unit has its share of agreeing pairs; units of one answer say nothing."""
    # Three raters of whom two agree: 1/3; two who agree: 1; one alone: left out. Mean (1/3 + 1) / 2 = 2/3.
    assert prepare(answers([[1, 1, 2], [3, N, 3], [N, N, 2]])).statistic().value == pytest.approx(2 / 3)


def test_the_published_example() -> None:
    """Gwet's example with gaps: 0.81818 (irrCAC, pa.coeff.raw)."""
    assert prepare(answers(FOUR_OBSERVERS)).statistic().value == pytest.approx(0.81818, abs=5e-6)


def test_defined_without_variation() -> None:
    """All the same is full agreement, whatever chance would give."""
    assert prepare(answers([[3, 3], [3, 3]])).statistic().value == 1
