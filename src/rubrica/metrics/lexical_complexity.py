"""Lexical complexity: how rare the rarer words of a rewrite are.

For each rewrite the third quartile of the natural logarithm of 1 + the rank of its words, as tseval defines the score
that EASSE reports (Martin et al. 2018), with the ranks of wordfreq's list of the language instead of an English word
list of its own; so figures are on the same scale but not the same. The 100 most frequent words (most of them function
words) and words that are not among the 50,000 most frequent (names, mostly) do not count.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import log, nan

from rubrica.language.frequency import WORDS, cut, known_language, list_version, ranks
from rubrica.metrics.block import Block
from rubrica.metrics.metric import LOWER, Figure
from rubrica.metrics.options import Options
from rubrica.metrics.sentence_mean import SentenceMean

FUNCTION_WORDS = 100
"""How many of the most frequent words are left out."""


class LexicalComplexity(SentenceMean):
    """The mean over rewrites; about 5 to 11 (the rarest rank), undefined for one without words that count."""

    name = "lexical_complexity"
    figures = (Figure("lexical_complexity", "lexical complexity", LOWER, 2),)
    needs_sources = False
    undefined = "no rewrite has a word that counts"

    def __init__(self, options: Options) -> None:
        super().__init__(options)
        self._language = known_language(options.language)

    def values(self, block: Block, system: str) -> Iterator[float]:
        known = ranks(self._language)
        for text in block.rewrites[system]:
            found = (known.get(word, -1) for word in cut(text, self._language))
            yield third_quartile([log(1 + rank) for rank in found if rank >= FUNCTION_WORDS])

    def settings(self) -> Mapping[str, object]:
        return {"language": self._language, "list": list_version(), "words": WORDS, "without": FUNCTION_WORDS}


def third_quartile(values: Sequence[float]) -> float:
    """The value below which three quarters lie, interpolated between neighbours; NaN for none."""
    if not values:
        return nan
    ordered = sorted(values)
    place = 0.75 * (len(ordered) - 1)
    low = int(place)
    high = min(low + 1, len(ordered) - 1)
    return ordered[low] + (place - low) * (ordered[high] - ordered[low])
