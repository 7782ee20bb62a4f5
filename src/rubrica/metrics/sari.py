"""SARI: how well a rewrite adds, keeps and deletes what the references add, keep and delete.

Xu, Napoles, Pavlick, Chen, Callison-Burch, Optimizing Statistical Machine Translation for Text Simplification, TACL
2016. The field's reference implementation is EASSE (Alva-Manchego, Martin, Scarton, Specia, EMNLP 2019), whose choices
are the defaults here: lowercased, cut by 13a, counts summed over sentences, F1 also for deletion, the mean over orders
of n-grams taken of each operation's F1. Every sentence may have its own number of references.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from rubrica.metrics.metric import Block, Figure, Floats, Metric, Options, mean_of, ratio
from rubrica.metrics.ngrams import ORDERS, Counted, Ints, block_grams
from rubrica.metrics.tokens import Normalisation

ADD, KEEP, DELETE = 0, 1, 2
CORRECT, BY_SYSTEM, BY_REFERENCES = 0, 1, 2


class Sari(Metric):
    """SARI of a corpus, with its three operations. Sums have 3 operations x 4 orders x 3 counts."""

    name = "sari"
    figures: tuple[Figure, ...] = (
        Figure("sari", "SARI"),
        Figure("sari_add", "add", part=True),
        Figure("sari_keep", "keep", part=True),
        Figure("sari_del", "delete", part=True),
    )
    needs_references = True

    def __init__(self, options: Options) -> None:
        self.deletion, self.averaging = options.deletion, options.averaging
        lowercase = True if options.lowercase is None else options.lowercase
        self.how = Normalisation(options.tokenizer or "13a", lowercase)

    def statistics(self, block: Block, system: str) -> Floats:
        """For each sentence the correct, the system's and the references' additions, kept and deleted n-grams."""
        grams = block_grams(block, self.how)
        rows = np.zeros((len(block), 3, ORDERS, 3))
        for order in range(ORDERS):
            rewrite = grams.grams.of(order, grams.rewrites[system])
            rows[:, :, order] = _operations(_without_system(block, system, self.how, order), rewrite, block)
        return rows.reshape(len(block), -1)

    def scores(self, sums: Floats) -> Floats:
        """SARI and its parts, 0 to 100; an operation that nobody did counts 0, as in EASSE."""
        counts = sums.reshape(*sums.shape[:-1], 3, ORDERS, 3)
        precision = ratio(counts[..., CORRECT], counts[..., BY_SYSTEM], 0.0)
        recall = ratio(counts[..., CORRECT], counts[..., BY_REFERENCES], 0.0)
        if self.averaging == "operations":
            precision, recall = precision.mean(axis=-1), recall.mean(axis=-1)
            parts = ratio(2 * precision * recall, precision + recall, 0.0)
        else:
            parts = ratio(2 * precision * recall, precision + recall, 0.0).mean(axis=-1)
            precision = precision.mean(axis=-1)
        if self.deletion == "precision":
            parts[..., DELETE] = precision[..., DELETE]
        found: Floats = 100 * np.concatenate([parts.mean(axis=-1, keepdims=True), parts], axis=-1)
        return found

    def settings(self) -> Mapping[str, object]:
        """Case, tokeniser, deletion and averaging."""
        return {
            "case": "lc" if self.how.lowercase else "mixed",
            "tok": self.how.tokenizer,
            "deletion": self.deletion,
            "averaging": self.averaging,
        }


class SentenceSari(Sari):
    """The mean of the SARI of single sentences."""

    name = "sent_sari"
    figures = (Figure("sent_sari", "SARI, mean of sentences"),)

    def statistics(self, block: Block, system: str) -> Floats:
        """The SARI of each sentence, and one."""
        return mean_of(super().scores(super().statistics(block, system))[:, 0])

    def scores(self, sums: Floats) -> Floats:
        """The mean."""
        return ratio(sums[..., :1], sums[..., 1:])


class _WithoutSystem(NamedTuple):
    """What systems with the same references share: n-grams of sources and references, those kept, how many added."""

    source: Counted
    references: Counted
    there: Ints
    """How often an n-gram of the source could be kept: once for each reference."""
    kept: Ints
    """How often it was kept by the references."""
    added: Floats
    """How many n-grams references add, for each sentence."""


def _without_system(block: Block, system: str, how: Normalisation, order: int) -> _WithoutSystem:
    name = block.shared_by(system)

    def made() -> _WithoutSystem:
        grams = block_grams(block, how)
        held = grams.references[name]
        source = grams.grams.of(order, grams.source)
        references = grams.grams.of_references(order, held.owners, held.texts).total
        there = source.count * held.times[source.sentence]
        added = references.per_sentence(source.at(references.key) == 0, len(block))
        return _WithoutSystem(source, references, there, np.minimum(there, references.at(source.key)), added)

    return block.once(("sari", how, order, name), made)


def _operations(without: _WithoutSystem, rewrite: Counted, block: Block) -> Floats:
    """Counts of one order for each sentence: operations x (correct, by the system, by the references).

    What is kept and deleted is counted as often as there are references; what is added counts once.
    """
    sentences, source = len(block), without.source
    found = np.zeros((sentences, 3, 3))
    added = source.at(rewrite.key) == 0
    found[:, ADD, BY_SYSTEM] = rewrite.per_sentence(added, sentences)
    found[:, ADD, CORRECT] = rewrite.per_sentence(added & (without.references.at(rewrite.key) > 0), sentences)
    found[:, ADD, BY_REFERENCES] = without.added
    times = without.there // np.maximum(source.count, 1)
    kept = np.minimum(without.there, rewrite.at(source.key) * times)
    for operation, by_system, by_references in (
        (KEEP, kept, without.kept),
        (DELETE, without.there - kept, without.there - without.kept),
    ):
        found[:, operation, BY_SYSTEM] = source.per_sentence(by_system, sentences)
        found[:, operation, BY_REFERENCES] = source.per_sentence(by_references, sentences)
        found[:, operation, CORRECT] = source.per_sentence(np.minimum(by_system, by_references), sentences)
    return found
