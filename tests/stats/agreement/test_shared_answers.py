"""Answers that people have in common, by hand."""

from __future__ import annotations

import pytest

from rubrica.stats.agreement.shared_answers import SharedAnswers, shared_answers


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
