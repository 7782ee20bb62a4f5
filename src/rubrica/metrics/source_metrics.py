"""Metrics of a rewrite and its source, without references: what is kept, added, split, and how complex it is.

Metrics whose figure is the mean over sentences of a number for each: most of those without references. They compare
tokens as EASSE does for its quality estimation: small letters, cut by 13a, so that only what changes beyond capital
letters counts.

Compression ratio: how long a rewrite is for its source, in characters of the tokenised texts. One of the quality
estimation features of EASSE (Martin, Humeau, Mazaré, de La Clergerie, Bordes and Sagot, Reference-less Quality
Estimation of Text Simplification Systems, ATA 2018).

Exact copies: the share of rewrites that are the source, token by token (EASSE's exact matches).

Levenshtein similarity: how much of the characters of source and rewrite stays, in order. The ratio of the same name in
EASSE's quality estimation (Martin et al. 2018): 1 less the insertions and deletions of characters over the characters
of both texts, so that a substitution counts as two.

Words kept: the share of the source's words that its rewrite still has. Words in small letters, without punctuation,
each as often as both texts have it; order does not matter. Unlike SARI's keep it knows no references: a rewrite that
ought to drop a word is not rewarded for it.

Additions and deletions: tokens that only the rewrite has, and tokens that only the source has. Each as a proportion of
the tokens of the longer text, as in EASSE's quality estimation (Martin et al. 2018). A word that moved is neither; one
that was written twice and is now written once is one deletion.

How many sentences texts have for a metric: in tokens where the tokeniser sets stops apart, else in the texts.

Sentence splits: how many sentences a rewrite has for each sentence of its source. One of the quality estimation
features of EASSE (Martin et al. 2018), whose count of sentences it follows: :mod:`rubrica.language.sentences`.

Lexical complexity: how rare the rarer words of a rewrite are. For each rewrite the third quartile of the natural
logarithm of 1 + the rank of its words, as tseval defines the score that EASSE reports (Martin et al. 2018), with the
ranks of wordfreq's list of the language instead of an English word list of its own; so figures are on the same scale
but not the same. The 100 most frequent words (most of them function words) and words that are not among the 50,000
most frequent (names, mostly) do not count.

Dependency depth: how deep the trees of a rewrite's sentences are. Deep trees go with sentences that are hard to read
(Yngve 1960; among the features of Martin et al. 2018 and of ASSET, Alva-Manchego et al. 2020). The figure is as good
as the parser: compare only figures of the same one.
"""

from __future__ import annotations

from abc import abstractmethod
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import log, nan
from typing import NamedTuple

import numpy as np
from rapidfuzz.distance import Indel

from rubrica.core.metric_values import LOWER, NEITHER
from rubrica.core.sentences import count_sentences
from rubrica.language.frequency import WORDS, cut, known_language, list_version, ranks
from rubrica.language.parsing import depths, parser, parser_for, version
from rubrica.language.sentences import token_sentences
from rubrica.metrics.metric import Block, Figure, Floats, Metric, Options, mean_of, ratio
from rubrica.metrics.tokens import Normalisation


class Pair(NamedTuple):
    """A source and its rewrite, each as tokens separated by single spaces."""

    source: str
    rewrite: str


class SentenceMean(Metric):
    """The mean of :meth:`values`. Rows are a sentence's value and one; both 0 where it has no value."""

    def __init__(self, options: Options) -> None:
        lowercase = True if options.lowercase is None else options.lowercase
        self._how = Normalisation(options.tokenizer or "13a", lowercase)

    @abstractmethod
    def values(self, block: Block, system: str) -> Iterable[float]:
        """A number for each sentence, NaN where there is none."""

    def pairs(self, block: Block, system: str) -> Iterator[Pair]:
        """Each source with the rewrite of this system, as tokens."""
        found = block.normalised(self._how)
        return map(Pair, found.sources, found.rewrites[system])

    def statistics(self, block: Block, system: str) -> Floats:
        return mean_of(np.fromiter(self.values(block, system), dtype=float, count=len(block)))

    def scores(self, sums: Floats) -> Floats:
        return ratio(sums[..., :1], sums[..., 1:])

    def settings(self) -> Mapping[str, object]:
        return {"case": "lc" if self._how.lowercase else "mixed", "tok": self._how.tokenizer}


class CompressionRatio(SentenceMean):
    """1 is as long as the source, less is shorter; undefined for an empty source."""

    name = "compression_ratio"
    figures = (Figure("compression_ratio", "compression ratio", NEITHER, 3),)
    undefined = "every source is empty"

    def values(self, block: Block, system: str) -> Iterator[float]:
        return (len(to) / len(source) if source else nan for source, to in self.pairs(block, system))


class ExactCopies(SentenceMean):
    """0 to 1. White space is not compared."""

    name = "exact_copies"
    figures = (Figure("exact_copies", "exact copies", NEITHER, 3),)

    def values(self, block: Block, system: str) -> Iterator[float]:
        return (float(source == to) for source, to in self.pairs(block, system))


class LevenshteinSimilarity(SentenceMean):
    """1 is the source itself, 0 shares no character with it."""

    name = "levenshtein_similarity"
    figures = (Figure("levenshtein_similarity", "Levenshtein similarity", NEITHER, 3),)

    def values(self, block: Block, system: str) -> Iterator[float]:
        return (Indel.normalized_similarity(source, to) for source, to in self.pairs(block, system))


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


LONE_STOPS = {"13a", "intl"}
"""Tokenisers after which every full stop that ends a sentence stands alone."""


def sentence_counts(texts: Sequence[str], tokens: Sequence[str], how: Normalisation) -> list[int]:
    """The sentences of each text, given as it was written and as it was cut."""
    if how.tokenizer in LONE_STOPS:
        return [token_sentences(text) for text in tokens]
    return [count_sentences(text) for text in texts]


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


class DependencyDepth(Metric):
    """The mean over sentences of arcs between the root and the word farthest from it. Rows are sums and sentences."""

    name = "dependency_depth"
    figures = (Figure("dependency_depth", "dependency depth", LOWER, 2),)
    needs_sources = False
    undefined = "there are no words to parse"

    def __init__(self, options: Options) -> None:
        self._parser = parser_for(options.language, options.parser)
        parser(self._parser)

    def statistics(self, block: Block, system: str) -> Floats:
        texts = block.rewrites[system]
        found = dict(zip(different := list(dict.fromkeys(texts)), depths(different, self._parser), strict=True))
        rows = [(sum(found[text]), len(found[text])) for text in texts]
        return np.array(rows, dtype=float).reshape(-1, 2)

    def scores(self, sums: Floats) -> Floats:
        return ratio(sums[..., :1], sums[..., 1:])

    def settings(self) -> Mapping[str, object]:
        return {"parser": version(self._parser)}
