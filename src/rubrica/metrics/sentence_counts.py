"""How many sentences texts have for a metric: in tokens where the tokeniser sets stops apart, else in the texts."""

from __future__ import annotations

from collections.abc import Sequence

from rubrica.core.sentences import count_sentences
from rubrica.language.sentences import token_sentences
from rubrica.metrics.tokens import Normalisation

LONE_STOPS = {"13a", "intl"}
"""Tokenisers after which every full stop that ends a sentence stands alone."""


def sentence_counts(texts: Sequence[str], tokens: Sequence[str], how: Normalisation) -> list[int]:
    """The sentences of each text, given as it was written and as it was cut."""
    if how.tokenizer in LONE_STOPS:
        return [token_sentences(text) for text in tokens]
    return [count_sentences(text) for text in texts]
