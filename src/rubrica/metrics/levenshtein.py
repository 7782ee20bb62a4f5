"""Levenshtein similarity: how much of the characters of source and rewrite stays, in order.

The ratio of the same name in EASSE's quality estimation (Martin et al. 2018): 1 less the insertions and deletions of
characters over the characters of both texts, so that a substitution counts as two.
"""

from __future__ import annotations

from collections.abc import Iterator

from rapidfuzz.distance import Indel

from rubrica.metrics.block import Block
from rubrica.metrics.metric import NEITHER, Figure
from rubrica.metrics.sentence_mean import SentenceMean


class LevenshteinSimilarity(SentenceMean):
    """1 is the source itself, 0 shares no character with it."""

    name = "levenshtein_similarity"
    figures = (Figure("levenshtein_similarity", "Levenshtein similarity", NEITHER, 3),)

    def values(self, block: Block, system: str) -> Iterator[float]:
        return (Indel.normalized_similarity(source, to) for source, to in self.pairs(block, system))
