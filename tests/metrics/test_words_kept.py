"""Words kept, by hand."""

from __future__ import annotations

from math import isnan

import pytest

from tests.metrics.blocks import figure, of_sentences, pairs


def test_words_of_the_source_are_counted_without_punctuation() -> None:
    """Each word as often as both texts have it, in any order and any case."""
    # "the": twice in the source, once in the rewrite; kept: the, ship, left of the, ship, left, the, port.
    block = pairs(("The ship left the port.", "Left: the ship!"))
    assert figure("words_kept", block) == pytest.approx(3 / 5)


def test_sources_without_words_are_left_out() -> None:
    """A source of punctuation has no share; an empty rewrite keeps nothing."""
    found = of_sentences("words_kept", pairs(("...", "Fine."), ("It rains.", "")))
    assert isnan(found[0])
    assert found[1] == 0
