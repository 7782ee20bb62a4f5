"""Exact copies, by hand."""

from __future__ import annotations

from rubrica.metrics.options import Options
from tests.metrics.blocks import figure, of_sentences, pairs


def test_copies_are_compared_as_tokens() -> None:
    """White space and capitals make no difference unless capitals are asked for."""
    block = pairs(("It rains.", "it  rains ."), ("It rains.", "It rained."), ("It rains.", ""))
    assert of_sentences("exact_copies", block) == [1, 0, 0]
    assert figure("exact_copies", block) == 1 / 3
    assert figure("exact_copies", block, Options(lowercase=False)) == 0
