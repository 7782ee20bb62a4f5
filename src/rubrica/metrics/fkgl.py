"""FKGL, the Flesch-Kincaid grade level, as EASSE computes it: school years that a text in English asks for.

0.39 words per sentence + 11.8 syllables per word - 15.59 (Kincaid, Fishburne, Rogers and Chissom 1975), over all
rewrites of a system at once and never below 0. Words are the tokens of the 13a tokeniser in small letters, punctuation
included, as in EASSE (Alva-Manchego, Martin, Scarton and Specia, EMNLP 2019), which makes its figures lower than those
of other tools; ``readability`` has formulas that count words only.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import numpy.typing as npt

from rubrica.language.syllables_easse import easse_syllables
from rubrica.metrics.block import Block
from rubrica.metrics.metric import LOWER, Figure, Floats, Metric, ratio
from rubrica.metrics.options import Options
from rubrica.metrics.readability import check_language
from rubrica.metrics.sentence_counts import sentence_counts
from rubrica.metrics.tokens import Normalisation


def grade_level(words: npt.ArrayLike, syllables: npt.ArrayLike, sentences: npt.ArrayLike) -> Floats:
    """FKGL from counts, element by element; at least 0, and NaN where there are no words or no sentences."""
    grade = 0.39 * ratio(words, sentences) + 11.8 * ratio(syllables, words) - 15.59
    return np.maximum(grade, 0)


class Fkgl(Metric):
    """Rows are words, syllables and sentences of a rewrite. It looks at no meaning: cutting words lowers it."""

    name = "fkgl"
    figures = (Figure("fkgl", "FKGL", LOWER, 2),)
    needs_sources = False
    undefined = "there are no words"

    def __init__(self, options: Options) -> None:
        check_language(self.name, options.language)
        self._how = Normalisation(options.tokenizer or "13a", True if options.lowercase is None else options.lowercase)

    def statistics(self, block: Block, system: str) -> Floats:
        texts = block.normalised(self._how).rewrites[system]
        words = [text.split() for text in texts]
        rows = [
            [len(own) for own in words],
            [sum(map(easse_syllables, own)) for own in words],
            sentence_counts(block.rewrites[system], texts, self._how),
        ]
        return np.array(rows, dtype=float).T

    def scores(self, sums: Floats) -> Floats:
        return grade_level(sums[..., 0], sums[..., 1], sums[..., 2])[..., np.newaxis]

    def settings(self) -> Mapping[str, object]:
        return {"case": "lc" if self._how.lowercase else "mixed", "tok": self._how.tokenizer}
