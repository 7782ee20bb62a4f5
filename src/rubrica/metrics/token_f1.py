"""Token F1: how far the words of a rewrite are those of its nearest reference, in whatever order.

As in EASSE (Alva-Manchego et al., EMNLP 2019), after Filippova et al., EMNLP 2015, for sentence compression: F1 of the
tokens with each reference, the best of them for each sentence, the mean over sentences; lowercased, cut by 13a.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from rubrica.metrics.block import Block
from rubrica.metrics.metric import Figure, Floats, Metric, mean_of, ratio
from rubrica.metrics.ngrams import block_grams
from rubrica.metrics.options import Options
from rubrica.metrics.tokens import Normalisation


class TokenF1(Metric):
    """The mean over sentences of the best F1 with a reference, 0 to 100."""

    name = "token_f1"
    figures = (Figure("token_f1", "token F1"),)
    needs_references = True
    needs_sources = False

    def __init__(self, options: Options) -> None:
        lowercase = True if options.lowercase is None else options.lowercase
        self.how = Normalisation(options.tokenizer or "13a", lowercase)

    def statistics(self, block: Block, system: str) -> Floats:
        """The best F1 of each sentence, and one; 0 where rewrite and references share no token."""
        found = block_grams(block, self.how)
        held = found.references[block.shared_by(system)]
        texts, pairs = found.rewrites[system][held.owners], len(held.owners)
        rewrite, reference = found.grams.of(0, texts), found.grams.of(0, held.texts)
        same = rewrite.per_sentence(np.minimum(rewrite.count, reference.at(rewrite.key)), pairs)
        lengths = found.grams.lengths[texts] + found.grams.lengths[held.texts]
        best = np.zeros(len(block))
        np.maximum.at(best, held.owners, ratio(2 * same, lengths, 0.0))
        return mean_of(100 * best)

    def scores(self, sums: Floats) -> Floats:
        """The mean."""
        return ratio(sums[..., :1], sums[..., 1:])

    def settings(self) -> Mapping[str, object]:
        """Case and tokeniser."""
        return {"case": "lc" if self.how.lowercase else "mixed", "tok": self.how.tokenizer}
