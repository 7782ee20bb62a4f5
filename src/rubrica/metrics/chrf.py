"""chrF and chrF++: how far the character n-grams of a rewrite are those of its references.

Popović, chrF: character n-gram F-score for automatic MT evaluation, WMT 2015; chrF++, WMT 2017. The counts of each
sentence are sacreBLEU's, of the reference with the best score; what follows from their sums is computed here for many
sums at once.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from rubrica.metrics.block import Block
from rubrica.metrics.metric import Figure, Floats, Metric, ratio
from rubrica.metrics.options import Options

BETA = 2
"""How much more recall counts than precision."""


class Chrf(Metric):
    """chrF of a corpus, 0 to 100. Sums are n-grams of the rewrite, of the reference, and of both, for each order."""

    name = "chrf"
    figures: tuple[Figure, ...] = (Figure("chrf", "chrF"),)
    needs_references = True
    needs_sources = False
    words = 0

    def __init__(self, options: Options) -> None:
        self.lowercase = bool(options.lowercase)

    def statistics(self, block: Block, system: str) -> Floats:
        """Counts of each sentence with its best reference."""
        chrf = self._sacrebleu()
        every = block.references_of(system)
        known = block.once(
            (self.name, self.lowercase, block.shared_by(system)),
            lambda: [self._known(chrf, own or [""]) for own in every],
        )
        texts = block.rewrites[system]
        # sacreBLEU gives counts only by this method, which its own significance tests use; its version is bound.
        return np.array(
            [
                chrf._compute_segment_statistics(chrf._preprocess_segment(text), own)
                for text, own in zip(texts, known, strict=True)
            ],
            dtype=float,
        ).reshape(len(block), -1)

    def _known(self, chrf: Any, references: Any) -> Any:
        return chrf._extract_reference_info([chrf._preprocess_segment(text) for text in references])

    def _sacrebleu(self) -> Any:
        from sacrebleu.metrics.chrf import CHRF

        return CHRF(word_order=self.words, beta=BETA, lowercase=self.lowercase)

    def scores(self, sums: Floats) -> Floats:
        """F of the mean precision and recall over the orders that both have; 0 where they share nothing."""
        counts = sums.reshape(*sums.shape[:-1], sums.shape[-1] // 3, 3)
        rewrite, reference, both = counts[..., 0], counts[..., 1], counts[..., 2]
        there = (rewrite > 0) & (reference > 0)
        orders = there.sum(axis=-1)
        precision = ratio(np.where(there, ratio(both, rewrite, 0.0), 0.0).sum(axis=-1), orders, 0.0)
        recall = ratio(np.where(there, ratio(both, reference, 0.0), 0.0).sum(axis=-1), orders, 0.0)
        return 100 * ratio((1 + BETA**2) * precision * recall, BETA**2 * precision + recall, 0.0)[..., None]

    def settings(self) -> Mapping[str, object]:
        """Case, orders and the version of sacreBLEU."""
        import sacrebleu

        return {
            "case": "lc" if self.lowercase else "mixed",
            "nc": 6,
            "nw": self.words,
            "sacrebleu": sacrebleu.__version__,
        }


class ChrfPlusPlus(Chrf):
    """chrF++: one and two words count as well."""

    name = "chrfpp"
    figures = (Figure("chrfpp", "chrF++"),)
    words = 2
