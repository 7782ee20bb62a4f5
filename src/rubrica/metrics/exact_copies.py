"""Exact copies: the share of rewrites that are the source, token by token (EASSE's exact matches)."""

from __future__ import annotations

from collections.abc import Iterator

from rubrica.metrics.block import Block
from rubrica.metrics.metric import NEITHER, Figure
from rubrica.metrics.sentence_mean import SentenceMean


class ExactCopies(SentenceMean):
    """0 to 1. White space is not compared."""

    name = "exact_copies"
    figures = (Figure("exact_copies", "exact copies", NEITHER, 3),)

    def values(self, block: Block, system: str) -> Iterator[float]:
        return (float(source == to) for source, to in self.pairs(block, system))
