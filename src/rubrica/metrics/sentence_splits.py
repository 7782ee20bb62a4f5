"""Sentence splits: how many sentences a rewrite has for each sentence of its source.

One of the quality estimation features of EASSE (Martin et al. 2018), whose count of sentences it follows:
:mod:`rubrica.language.sentences`.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import nan

from rubrica.metrics.block import Block
from rubrica.metrics.metric import NEITHER, Figure
from rubrica.metrics.sentence_counts import sentence_counts
from rubrica.metrics.sentence_mean import SentenceMean


class SentenceSplits(SentenceMean):
    """1 is as many sentences as the source, 2 twice as many, 0 an empty rewrite; undefined for an empty source."""

    name = "sentence_splits"
    figures = (Figure("sentence_splits", "sentence splits", NEITHER, 3),)
    undefined = "every source is empty"

    def values(self, block: Block, system: str) -> Iterator[float]:
        tokens = block.normalised(self._how)
        before = block.once((self.name, self._how), lambda: sentence_counts(block.sources, tokens.sources, self._how))
        after = sentence_counts(block.rewrites[system], tokens.rewrites[system], self._how)
        return (new / old if old else nan for old, new in zip(before, after, strict=True))
