"""Compression ratio: how long a rewrite is for its source, in characters of the tokenised texts.

One of the quality estimation features of EASSE (Martin, Humeau, Mazaré, de La Clergerie, Bordes and Sagot,
Reference-less Quality Estimation of Text Simplification Systems, ATA 2018).
"""

from __future__ import annotations

from collections.abc import Iterator
from math import nan

from rubrica.metrics.block import Block
from rubrica.metrics.metric import NEITHER, Figure
from rubrica.metrics.sentence_mean import SentenceMean


class CompressionRatio(SentenceMean):
    """1 is as long as the source, less is shorter; undefined for an empty source."""

    name = "compression_ratio"
    figures = (Figure("compression_ratio", "compression ratio", NEITHER, 3),)
    undefined = "every source is empty"

    def values(self, block: Block, system: str) -> Iterator[float]:
        return (len(to) / len(source) if source else nan for source, to in self.pairs(block, system))
