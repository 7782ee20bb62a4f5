"""Words kept: the share of the source's words that its rewrite still has.

Words in small letters, without punctuation, each as often as both texts have it; order does not matter. Unlike SARI's
keep it knows no references: a rewrite that ought to drop a word is not rewarded for it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from math import nan

from rubrica.metrics.block import Block
from rubrica.metrics.metric import NEITHER, Figure
from rubrica.metrics.sentence_mean import SentenceMean


class WordsKept(SentenceMean):
    """0 to 1; undefined where the source has no word."""

    name = "words_kept"
    figures = (Figure("words_kept", "words kept", NEITHER, 3),)
    undefined = "no source has a word"

    def values(self, block: Block, system: str) -> Iterator[float]:
        texts = block.normalised(self._how)
        sources = block.once((self.name, self._how), lambda: [_words(text) for text in texts.sources])
        for source, rewrite in zip(sources, texts.rewrites[system], strict=True):
            total = source.total()
            yield (source & Counter(rewrite.split())).total() / total if total else nan


def _words(text: str) -> Counter[str]:
    return Counter(token for token in text.split() if any(map(str.isalnum, token)))
