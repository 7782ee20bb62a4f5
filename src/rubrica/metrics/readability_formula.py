"""What readability formulas share: counts of the rewrites, added up, go into one equation.

A formula says how long words and sentences are, on a scale that was fitted to readers of its time and language. It
knows nothing of grammar or sense; a text cut into pieces at random scores well.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping

import numpy as np

from rubrica.language.names import base_language
from rubrica.language.syllables import NO_RULE
from rubrica.metrics.block import Block
from rubrica.metrics.metric import HIGHER, LOWER, Figure, Floats, Metric, ratio
from rubrica.metrics.options import Options
from rubrica.metrics.readability import check_language
from rubrica.metrics.readability_counts import Counts, counts_of


class Formula(Metric):
    """A formula of the counts of all rewrites of a system. Rows are :class:`Counts`."""

    title: str
    better = LOWER
    """Grades and difficulties are better low, scales of ease are better high."""
    needs_sources = False
    undefined = f"there are no words to count, or {NO_RULE}"

    def __init__(self, options: Options) -> None:
        check_language(self.name, options.language)
        self._language = base_language(options.language)
        self.figures = (Figure(self.name, self.title, self.better, 2),)

    @abstractmethod
    def value(self, counts: Counts) -> Floats:
        """The formula, element by element; NaN where a count that it divides by is 0."""

    def statistics(self, block: Block, system: str) -> Floats:
        return counts_of(block, system, self._language)

    def scores(self, sums: Floats) -> Floats:
        return self.value(Counts(*np.moveaxis(sums, -1, 0)))[..., np.newaxis]

    def settings(self) -> Mapping[str, object]:
        return {"language": self._language}


class Ease(Formula):
    """Flesch's form with the constants of a language: a constant less so much for each word and each syllable."""

    better = HIGHER
    constant: float
    per_word: float
    """Points that each word of the mean sentence takes."""
    per_syllable: float
    """Points that each syllable of the mean word takes."""

    def value(self, counts: Counts) -> Floats:
        found: Floats = (
            self.constant - self.per_word * words_per_sentence(counts) - self.per_syllable * syllables_per_word(counts)
        )
        return found


def words_per_sentence(counts: Counts) -> Floats:
    """The mean length of sentences."""
    return ratio(counts.words, counts.sentences)


def syllables_per_word(counts: Counts) -> Floats:
    """The mean length of words whose syllables are known."""
    return ratio(counts.syllables, counts.syllabic)


def letters_per_word(counts: Counts) -> Floats:
    """The mean length of words, figures included."""
    return ratio(counts.letters, counts.words)
