"""Metrics of how near a rewrite is to its references: BLEU, chrF, TER and token F1; SARI has a file of its own.

BLEU, as sacreBLEU computes it: n-grams that the references have, with a penalty for what is too short. Papineni,
Roukos, Ward, Zhu, ACL 2002; Post, A Call for Clarity in Reporting BLEU Scores, WMT 2018. Tokenisers are sacreBLEU's
own; the counts and the four ways of smoothing (Chen and Cherry, WMT 2014) follow it exactly and are compared with it
in the tests. The documents that Rubrica implements show how little BLEU says about rewrites.

chrF and chrF++: how far the character n-grams of a rewrite are those of its references. Popović, chrF: character
n-gram F-score for automatic MT evaluation, WMT 2015; chrF++, WMT 2017. The counts of each sentence are sacreBLEU's, of
the reference with the best score; what follows from their sums is computed here for many sums at once.

TER: how many edits, moves of phrases included, make a rewrite into its nearest reference. Snover, Dorr, Schwartz,
Micciulla, Makhoul, A Study of Translation Edit Rate with Targeted Human Annotation, AMTA 2006, as sacreBLEU computes
it. Lower is better. The search for moves makes it the slowest of these metrics, so it is left out wherever it cannot
change the result: :func:`fewest_edits` says why the figure is the same.

Token F1: how far the words of a rewrite are those of its nearest reference, in whatever order. As in EASSE
(Alva-Manchego et al., EMNLP 2019), after Filippova et al., EMNLP 2015, for sentence compression: F1 of the tokens with
each reference, the best of them for each sentence, the mean over sentences; lowercased, cut by 13a.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import attrs
import numpy as np

from rubrica.core.metric_values import LOWER
from rubrica.metrics.metric import SMOOTHING, Block, Figure, Floats, Metric, Options, mean_of, ratio
from rubrica.metrics.ngrams import ORDERS, Counted, block_grams
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
        from sacrebleu.tokenizers.tokenizer_ter import TercomTokenizer

        cut = TercomTokenizer(normalized=False, no_punct=False, asian_support=False, case_sensitive=not self.lowercase)
        every, name = block.references_of(system), block.shared_by(system)
        references = block.once(
            (self.name, self.lowercase, name),
            lambda: [[cut(text.rstrip()).split() for text in own or [""]] for own in every],
        )
        known: dict[tuple[int, str], int] = block.once((self.name, self.lowercase, name, "edits"), dict)
        rows = np.zeros((len(block), 2))
        for place, (text, own) in enumerate(zip(block.rewrites[system], references, strict=True)):
            if (place, text) not in known:
                known[place, text] = fewest_edits(cut(text.rstrip()).split(), own)
            rows[place] = known[place, text], sum(map(len, own)) / len(own)
        return rows

    def scores(self, sums: Floats) -> Floats:
        """The rate; 100 for words where the references have none, 0 where neither has any."""
        edits, length = sums[..., :1], sums[..., 1:]
        return 100 * np.where(length > 0, ratio(edits, length, 0.0), (edits > 0).astype(float))

    def settings(self) -> Mapping[str, object]:
        """Case and the version of sacreBLEU."""
        import sacrebleu

        return {"case": "lc" if self.lowercase else "mixed", "tok": "tercom", "sacrebleu": sacrebleu.__version__}


class _Reference(NamedTuple):
    """A reference: the least edits that any order of the rewrite's words needs, those without moves, its words."""

    least: int
    unmoved: int
    words: list[str]


def fewest_edits(rewrite: list[str], references: Sequence[list[str]]) -> int:
    """The edits to the nearest reference, as sacreBLEU finds them, searching for moves only where they may help.

    No order of the words needs fewer edits than ``least``: the words that one text has and the other lacks. A move is
    an edit itself, and is made only if it saves one. So moves give at least ``least + 1``, and at most ``unmoved``:
    where these meet, or another reference is as near, nothing is searched.
    """
    from sacrebleu.metrics.lib_ter import BeamEditDistance, translation_edit_rate

    bag = Counter(rewrite)
    found = []
    for words in references:
        least = max(len(rewrite), len(words)) - (bag & Counter(words)).total()
        found.append(_Reference(least, BeamEditDistance(words)(rewrite)[0] if words else len(rewrite), words))
    best = min(one.unmoved for one in found)
    for one in sorted(found, key=lambda one: one.least):
        if one.least + 1 < min(best, one.unmoved):
            best = min(best, translation_edit_rate(rewrite, one.words)[0])
    return best


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
