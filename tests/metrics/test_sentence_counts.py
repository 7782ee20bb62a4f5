"""Sentences are counted in what the tokeniser leaves."""

from __future__ import annotations

from rubrica.metrics.sentence_counts import sentence_counts
from rubrica.metrics.tokens import Normalisation


def test_tokens_count_where_stops_stand_alone() -> None:
    """Otherwise the texts do, with what is known of abbreviations."""
    texts = ["Mr. Gray left. It rained."]
    cut = ["mr . gray left . it rained ."]
    assert sentence_counts(texts, cut, Normalisation("13a", True)) == [3]
    assert sentence_counts(texts, ["mr. gray left. it rained."], Normalisation("none", True)) == [2]
