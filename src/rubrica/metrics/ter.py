"""TER: how many edits, moves of phrases included, make a rewrite into its nearest reference.

Snover, Dorr, Schwartz, Micciulla, Makhoul, A Study of Translation Edit Rate with Targeted Human Annotation, AMTA 2006,
as sacreBLEU computes it. Lower is better; the search for moves makes it the slowest of these metrics.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from rubrica.metrics.block import Block
from rubrica.metrics.metric import LOWER, Figure, Floats, Metric, ratio
from rubrica.metrics.options import Options


class Ter(Metric):
    """Edits for each word of the references, times 100. Sums are edits and the mean lengths of references."""

    name = "ter"
    figures = (Figure("ter", "TER", LOWER),)
    needs_references = True
    needs_sources = False

    def __init__(self, options: Options) -> None:
        self.lowercase = True if options.lowercase is None else options.lowercase

    def statistics(self, block: Block, system: str) -> Floats:
        """Edits to the nearest reference and the mean length of the references, of each sentence."""
        from sacrebleu.metrics.ter import TER

        ter = TER(case_sensitive=not self.lowercase)
        found = [
            ter.sentence_score(text, list(own))
            for text, own in zip(block.rewrites[system], block.references, strict=True)
        ]
        rows = [(one.num_edits, one.ref_length) for one in found]
        return np.array(rows, dtype=float).reshape(len(block), 2)

    def scores(self, sums: Floats) -> Floats:
        """The rate; 100 for words where the references have none, 0 where neither has any."""
        edits, length = sums[..., :1], sums[..., 1:]
        return 100 * np.where(length > 0, ratio(edits, length, 0.0), (edits > 0).astype(float))

    def settings(self) -> Mapping[str, object]:
        """Case and the version of sacreBLEU."""
        import sacrebleu

        return {"case": "lc" if self.lowercase else "mixed", "tok": "tercom", "sacrebleu": sacrebleu.__version__}
