"""Additions and deletions, by hand."""

from __future__ import annotations

from math import isnan

import pytest

from tests.metrics.blocks import figure, of_sentences, pairs


def test_shares_are_of_the_longer_text() -> None:
    """Tokens that only one text has, each as often as it has it more than the other."""
    # the the big dog barked . (6) and the dog barked at us loudly . (7); shared: the dog barked . = 4.
    block = pairs(("The the big dog barked.", "The dog barked at us loudly."))
    assert figure("additions", block) == pytest.approx(3 / 7)
    assert figure("deletions", block) == pytest.approx(2 / 7)


def test_moved_words_are_neither() -> None:
    """Order does not matter."""
    block = pairs(("Today it rains", "It rains today"))
    assert figure("additions", block) == figure("deletions", block) == 0


def test_empty_texts() -> None:
    """Nothing left deletes everything; two empty texts have no share."""
    block = pairs(("It rains.", ""), ("", ""))
    assert of_sentences("deletions", block)[0] == 1
    assert of_sentences("additions", block)[0] == 0
    assert isnan(of_sentences("additions", block)[1])
    assert figure("deletions", block) == 1
