"""How often people give the same answer.

Percent agreement by hand.

Answers that people have in common, by hand.
"""

from __future__ import annotations

import numpy as np
import pytest

from rubrica.stats.agreement.percent_agreement import (
    SharedAnswers,
    beside_others,
    prepare_percent,
    prepare_pooled,
    shared_answers,
)
from rubrica.stats.agreement.rater_pairs import compared
from tests.stats.agreement.data import FOUR_OBSERVERS, N, answers


def test_uneven_numbers_by_hand() -> None:
    """Each unit has its share of agreeing pairs; units of one answer say nothing."""
    # Three raters of whom two agree: 1/3; two who agree: 1; one alone: left out. Mean (1/3 + 1) / 2 = 2/3.
    assert prepare_percent(answers([[1, 1, 2], [3, N, 3], [N, N, 2]])).statistic().value == pytest.approx(2 / 3)


def test_pooled_pairs_by_hand() -> None:
    """Pooled, each pair counts the same: of the same units 1 of 3 and 1 of 1 pairs agree, which is 2 of 4."""
    assert prepare_pooled(answers([[1, 1, 2], [3, N, 3], [N, N, 2]])).statistic().value == pytest.approx(1 / 2)


def test_a_rater_with_the_rest_counts_each_unit_once() -> None:
    """The first rater agrees with one of two others, with the only other, with nobody else: (1/2 + 1) / 2 = 3/4."""
    data = answers([[1, 1, 2], [3, N, 3], [2, N, N]])
    first = np.arange(len(data.raters)) == 0
    assert prepare_percent(compared(data, first, ~first).answers).statistic().value == pytest.approx(3 / 4)
    others, same = beside_others(data)
    mine = (data.rater == 0) & (others > 0)
    assert (same[mine] / others[mine]).mean() == pytest.approx(3 / 4)


def test_the_published_example() -> None:
    """Gwet's example with gaps: 0.81818 (irrCAC, pa.coeff.raw)."""
    assert prepare_percent(answers(FOUR_OBSERVERS)).statistic().value == pytest.approx(0.81818, abs=5e-6)


def test_defined_without_variation() -> None:
    """All the same is full agreement, whatever chance would give."""
    assert prepare_percent(answers([[3, 3], [3, 3]])).statistic().value == 1


def _sets(*answers: str) -> list[frozenset[str]]:
    return [frozenset(one.split()) for one in answers]


def test_pairs_and_the_most_frequent_answer() -> None:
    """Of three people two share one answer: one of three pairs; the most frequent answer was given by two of three."""
    # Unit 1: {a b} {b} {c}: pairs 1/3, top 2/3. Unit 2: {x} {x}: 1 and 1. Means: 2/3 and 5/6.
    found = shared_answers([_sets("a b", "b", "c"), _sets("x", "x"), _sets("alone")])
    assert found.pairs == pytest.approx(2 / 3)
    assert found.top == pytest.approx(5 / 6)
    assert found.units == 2


def test_nothing_to_compare_is_undefined() -> None:
    """One answer, or none, says nothing about agreement."""
    assert shared_answers([_sets("a")]) == SharedAnswers(None, None, 0)


def test_empty_answers_share_nothing() -> None:
    """Two people who gave nothing have nothing in common."""
    assert shared_answers([_sets("", "")]) == SharedAnswers(0.0, 0.0, 1)
