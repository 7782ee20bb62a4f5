"""A plain comparison of the words of two texts, without case and punctuation: what the diff baseline knows."""

from __future__ import annotations

from difflib import SequenceMatcher

from rubrica.core.edits import SIDES
from rubrica.edits.space_tokens import space_tokens
from rubrica.edits.tagging.tags import Pair

PUNCTUATION = ".,;:!?()[]{}\"'“”‘’«»…-–—"


def plain_words(text: str) -> list[str]:
    """The tokens without case and without punctuation at their ends; a sign that is nothing else stays."""
    tokens = [span.of(text) for span in space_tokens(text)]
    return [token.strip(PUNCTUATION).casefold() or token for token in tokens]


def changed_words(pair: Pair) -> list[bool]:
    """Of every token, source first, whether it has no equal in the other text."""
    source, rewrite = (plain_words(pair.text(side)) for side in SIDES)
    changed = {"source": [True] * len(source), "rewrite": [True] * len(rewrite)}
    for here, there, length in SequenceMatcher(None, source, rewrite, autojunk=False).get_matching_blocks():
        changed["source"][here : here + length] = [False] * length
        changed["rewrite"][there : there + length] = [False] * length
    return [*changed["source"], *changed["rewrite"]]
