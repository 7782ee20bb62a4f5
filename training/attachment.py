"""How good tags, trees and lemmas are, beside those of a treebank: what is right in each sentence, to be resampled.

Words and ends of sentences are the treebank's, as in the field's tables of attachment scores: UAS is the share of words
with the right head, LAS of those with the right label, too (Nivre et al. 2020; labels whole, punctuation counted).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from training.treebank import Sentence

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from spacy.language import Language
    from spacy.tokens import Doc
    from spacy.vocab import Vocab

FIGURES = ("upos", "uas", "las", "lemma")


def counts(nlp: Language, sentences: Sequence[Sentence]) -> NDArray[np.int64]:
    """For each sentence its words, then how many of them are right in each of FIGURES."""
    docs = [bare(nlp.vocab, [sentence]) for sentence in sentences]
    for doc in docs:
        for token in doc:
            token.is_sent_start = token.i == 0
    rows = []
    for doc, sentence in zip(nlp.pipe(docs), sentences, strict=True):
        right = [
            (
                token.pos_ == word.upos,
                token.head.i == word.head,
                token.head.i == word.head and token.dep_.replace("ROOT", "root") == word.label,
                token.lemma_ == word.lemma,
            )
            for token, word in zip(doc, sentence, strict=True)
        ]
        rows.append([len(sentence), *np.sum(right, axis=0)])
    return np.array(rows, dtype=np.int64)


def bare(vocab: Vocab, sentences: Sequence[Sentence]) -> Doc:
    """Sentences one after another as a document with nothing but words; a space follows all but the last at least."""
    from spacy.tokens import Doc

    apart = [(*sentence[:-1], sentence[-1]._replace(space=True)) for sentence in sentences[:-1]]
    words = [word for sentence in (*apart, sentences[-1]) for word in sentence]
    return Doc(vocab, words=[word.text for word in words], spaces=[word.space for word in words])


def shares(rows: NDArray[np.int64]) -> dict[str, float]:
    """Each of FIGURES in percent of the words of all sentences."""
    words, *right = rows.sum(axis=0)
    return {name: 100 * float(count) / float(words) for name, count in zip(FIGURES, right, strict=True)}
