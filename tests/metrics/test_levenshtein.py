"""Levenshtein similarity, by hand and against difflib on texts where both find the same matches."""

from __future__ import annotations

from difflib import SequenceMatcher

import pytest

from rubrica.metrics.options import Options
from tests.metrics.blocks import figure, of_sentences, pairs


def test_a_substitution_counts_as_two() -> None:
    """1 less insertions and deletions over the characters of both texts."""
    # "cat" to "cut": one deletion and one insertion of 6 characters.
    assert figure("levenshtein_similarity", pairs(("cat", "cut"))) == pytest.approx(1 - 2 / 6)


def test_it_equals_the_ratio_of_the_longest_common_subsequence() -> None:
    """2 x common characters over all characters, as difflib has it where its greedy blocks are the longest."""
    source, rewrite = "the old pier was closed", "the pier closed"
    expected = SequenceMatcher(None, source, rewrite, autojunk=False).ratio()
    assert figure("levenshtein_similarity", pairs((source, rewrite))) == pytest.approx(expected)


def test_capitals_matter_only_if_asked_for() -> None:
    """As in EASSE's reports, texts are made small first."""
    block = pairs(("Rain", "rain"))
    assert figure("levenshtein_similarity", block) == 1
    assert figure("levenshtein_similarity", block, Options(lowercase=False)) == pytest.approx(0.75)


def test_empty_texts_are_compared_as_texts() -> None:
    """Nothing in common with a source is 0; two empty texts are the same."""
    assert of_sentences("levenshtein_similarity", pairs(("rain", ""), ("", ""))) == [0, 1]
