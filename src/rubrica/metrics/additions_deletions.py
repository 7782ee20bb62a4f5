"""Additions and deletions: tokens that only the rewrite has, and tokens that only the source has.

Each as a proportion of the tokens of the longer text, as in EASSE's quality estimation (Martin et al. 2018). A word
that moved is neither; one that was written twice and is now written once is one deletion.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from math import nan
from typing import NamedTuple

from rubrica.metrics.block import Block
from rubrica.metrics.metric import NEITHER, Figure
from rubrica.metrics.sentence_mean import SentenceMean


class Lengths(NamedTuple):
    """Tokens of a source and its rewrite, and how many of them they share."""

    source: int
    rewrite: int
    shared: int


class _Changes(SentenceMean):
    undefined = "sources and rewrites are empty"

    def lengths(self, block: Block, system: str) -> Sequence[Lengths]:
        """The tokens of each pair, counted once for both metrics."""
        return block.once(("changes", self._how, system), lambda: list(self._counted(block, system)))

    def _counted(self, block: Block, system: str) -> Iterator[Lengths]:
        texts = block.normalised(self._how)
        sources = block.once(("bags", self._how), lambda: [Counter(text.split()) for text in texts.sources])
        for source, text in zip(sources, texts.rewrites[system], strict=True):
            words = text.split()
            yield Lengths(source.total(), len(words), (source & Counter(words)).total())


class Additions(_Changes):
    """0 to 1: tokens that the rewrite has more often than its source."""

    name = "additions"
    figures = (Figure("additions", "additions", NEITHER, 3),)

    def values(self, block: Block, system: str) -> Iterator[float]:
        return (_share(one.rewrite - one.shared, one) for one in self.lengths(block, system))


class Deletions(_Changes):
    """0 to 1: tokens that the source has more often than its rewrite."""

    name = "deletions"
    figures = (Figure("deletions", "deletions", NEITHER, 3),)

    def values(self, block: Block, system: str) -> Iterator[float]:
        return (_share(one.source - one.shared, one) for one in self.lengths(block, system))


def _share(changed: int, lengths: Lengths) -> float:
    longer = max(lengths.source, lengths.rewrite)
    return changed / longer if longer else nan
