"""BLEU, as sacreBLEU computes it: n-grams that the references have, with a penalty for what is too short.

Papineni, Roukos, Ward, Zhu, ACL 2002; Post, A Call for Clarity in Reporting BLEU Scores, WMT 2018. Tokenisers are
sacreBLEU's own; the counts and the four ways of smoothing (Chen and Cherry, WMT 2014) follow it exactly and are
compared with it in the tests. The documents that Rubrica implements show how little BLEU says about rewrites.
"""

from __future__ import annotations

from collections.abc import Mapping

import attrs
import numpy as np

from rubrica.metrics.block import Block
from rubrica.metrics.metric import Figure, Floats, Metric, mean_of, ratio
from rubrica.metrics.ngrams import ORDERS, Counted, block_grams
from rubrica.metrics.options import SMOOTHING, Options
from rubrica.metrics.tokens import Normalisation

NOTHING = -9999999999.0
"""The logarithm of a precision of 0, as sacreBLEU has it: the score is 0."""


class Bleu(Metric):
    """BLEU of a corpus. Sums are the matches and n-grams of four orders, and both lengths."""

    name = "bleu"
    figures: tuple[Figure, ...] = (Figure("bleu", "BLEU"),)
    needs_references = True
    needs_sources = False

    def __init__(self, options: Options) -> None:
        self.smoothing = options.smoothing or self.custom_smoothing
        self.how = Normalisation(options.tokenizer or "13a", bool(options.lowercase))

    custom_smoothing = "exp"

    def statistics(self, block: Block, system: str) -> Floats:
        """For each sentence: matches of orders 1 to 4, n-grams of orders 1 to 4, its length, the nearest one."""
        grams = block_grams(block, self.how)
        texts = grams.rewrites[system]
        rows = np.zeros((len(block), 2 * ORDERS + 2))
        lengths = grams.grams.lengths[texts]
        for order in range(ORDERS):
            rewrite = grams.grams.of(order, texts)
            most = self._most(block, system, order)
            rows[:, order] = rewrite.per_sentence(np.minimum(rewrite.count, most.at(rewrite.key)), len(block))
            rows[:, ORDERS + order] = np.maximum(lengths - order, 0)
        rows[:, -2] = lengths
        rows[:, -1] = self._nearest(block, system, lengths)
        return rows

    def _most(self, block: Block, system: str, order: int) -> Counted:
        grams, name = block_grams(block, self.how), block.shared_by(system)
        held = grams.references[name]
        return block.once(
            ("bleu", self.how, order, name), lambda: grams.grams.of_references(order, held.owners, held.texts).most
        )

    def _nearest(self, block: Block, system: str, lengths: np.typing.NDArray[np.int64]) -> Floats:
        """The length of the reference whose length is nearest, of two the shorter one."""
        grams = block_grams(block, self.how)
        held = grams.references[block.shared_by(system)]
        own = grams.grams.lengths[held.texts]
        away = np.abs(lengths[held.owners] - own)
        order = np.lexsort((own, away, held.owners))
        found = np.zeros(len(block))
        owners = held.owners[order]
        first = np.flatnonzero(np.r_[True, owners[1:] != owners[:-1]]) if len(owners) else order
        found[owners[first]] = own[order][first]
        return found

    def scores(self, sums: Floats) -> Floats:
        """BLEU of a corpus, 0 to 100; 0 where nothing matches."""
        return self._bleu(sums, effective=False)

    def sentence_scores(self, statistics: Floats) -> Floats:
        """BLEU of each sentence: only orders that the rewrite is long enough for, as sacreBLEU's sentence level."""
        return self._bleu(statistics, effective=True)

    def _bleu(self, sums: Floats, *, effective: bool) -> Floats:
        correct, total = sums[..., :ORDERS], sums[..., ORDERS : 2 * ORDERS]
        length, wanted = sums[..., -2], sums[..., -1]
        any_match = correct.any(axis=-1)
        if self.smoothing == "add-k":
            more = np.array([0.0, *[SMOOTHING["add-k"]] * (ORDERS - 1)])
            correct, total = correct + more, total + more
        there = np.cumprod(total > 0, axis=-1).astype(bool)
        precision = ratio(100 * correct, total, 0.0)
        missed = there & (correct == 0)
        if self.smoothing == "exp":
            halves = 2.0 ** np.cumsum(missed, axis=-1)
            precision = np.where(missed, ratio(100.0, halves * total, 0.0), precision)
        elif self.smoothing == "floor":
            precision = np.where(missed, ratio(100 * SMOOTHING["floor"], total, 0.0), precision)
        precision = np.where(there, precision, 0.0)
        logarithm = np.log(precision, out=np.full(precision.shape, NOTHING), where=precision > 0)
        if effective:
            orders = np.maximum(there.sum(axis=-1), 1)
            mean = np.where(there, logarithm, 0.0).sum(axis=-1) / orders
        else:
            mean = logarithm.sum(axis=-1) / ORDERS
        short = np.where(length < wanted, np.exp(1 - ratio(wanted, length, np.inf)), 1.0)
        return np.where(any_match, short * np.exp(mean), 0.0)[..., None]

    def settings(self) -> Mapping[str, object]:
        """Case, tokeniser and smoothing, as in sacreBLEU's signature."""
        import sacrebleu

        return {
            "case": "lc" if self.how.lowercase else "mixed",
            "tok": self.how.tokenizer,
            "smooth": self.smoothing,
            "sacrebleu": sacrebleu.__version__,
        }


class SentenceBleu(Bleu):
    """The mean of the BLEU of single sentences, smoothed by a floor as EASSE does."""

    name = "sent_bleu"
    figures = (Figure("sent_bleu", "BLEU, mean of sentences"),)
    custom_smoothing = "floor"

    def statistics(self, block: Block, system: str) -> Floats:
        """The BLEU of each sentence, and one."""
        return mean_of(self._bleu(super().statistics(block, system), effective=True))

    def scores(self, sums: Floats) -> Floats:
        """The mean."""
        return ratio(sums[..., :1], sums[..., 1:])

    def sentence_scores(self, statistics: Floats) -> Floats:
        """Each sentence's own."""
        return self.scores(statistics)


class LowercasedBleu(Bleu):
    """BLEU of lowercased texts, as EASSE's command prints it: to stand beside the cased one."""

    name = "bleu_lc"
    figures = (Figure("bleu_lc", "BLEU, lowercased"),)

    def __init__(self, options: Options) -> None:
        super().__init__(attrs.evolve(options, lowercase=True))
