"""What readability formulas count in a text: sentences, words, their letters and syllables, each text once.

Words are what stands between spaces, dashes and slashes, if it has a letter or a figure; *well-known* and *l'eau* are
one word each. Sentences are those of :mod:`rubrica.language.abbreviations`. Words whose syllables no rule can count
(figures, other scripts) are left out of whatever concerns syllables, numerator and denominator.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from rubrica.language.abbreviations import count_sentences_in
from rubrica.language.syllables import syllables
from rubrica.metrics.block import Block
from rubrica.metrics.metric import Floats

_BETWEEN = str.maketrans(dict.fromkeys("—–―/…", " "))
LONG = 7
"""Letters of a long word: more than six (Björnsson 1968)."""

_INFLECTED = re.compile(r"e[sd]$")


class Counts(NamedTuple):
    """Counts of a text, or their sums over texts."""

    sentences: Floats
    words: Floats
    letters: Floats
    long: Floats
    syllabic: Floats
    """Words whose syllables are known."""
    syllables: Floats
    one: Floats
    """Words of one syllable."""
    three: Floats
    """Words of three or more."""
    hard: Floats
    """Words of three or more without those that -es or -ed makes so, for Gunning's fog index."""


class _Words(dict[str, int]):
    """The place of each different word in a table of what is counted of it; the table grows as words are asked for."""

    def __init__(self, language: str) -> None:
        super().__init__()
        self.language = language
        self.rows: list[tuple[int, ...]] = []

    def __missing__(self, word: str) -> int:
        place = self[word] = len(self.rows)
        self.rows.append(_word(word, self.language))
        return place


def counts_of(block: Block, system: str, language: str) -> Floats:
    """A row of :class:`Counts` for each rewrite of a system; zeros for an empty one."""
    words = block.once(("words of", language), lambda: _Words(language))
    return block.once(("readability", language, system), lambda: _counted(block.rewrites[system], words))


def _counted(texts: Sequence[str], words: _Words) -> Floats:
    cut = [text.translate(_BETWEEN).split() for text in texts]
    places = np.fromiter((words[word] for text in cut for word in text), dtype=np.int64)
    owners = np.repeat(np.arange(len(texts)), [len(text) for text in cut])
    found = np.zeros((len(texts), len(Counts._fields)))
    found[:, 0] = [count_sentences_in(text, words.language) for text in texts]
    table = np.array(words.rows, dtype=float).reshape(-1, len(Counts._fields) - 1)
    for column in range(table.shape[1]):
        found[:, column + 1] = np.bincount(owners, weights=table[places, column], minlength=len(texts))
    return found


def _word(token: str, language: str) -> tuple[int, ...]:
    """The counts of one word, those of sentences left out; all 0 for punctuation."""
    letters = sum(map(str.isalnum, token))
    if not letters:
        return (0,) * (len(Counts._fields) - 1)
    spoken = syllables(token, language)
    long = int(letters >= LONG)
    if spoken is None:
        return 1, letters, long, 0, 0, 0, 0, 0
    three = int(spoken >= 3)
    hard = int(three and not (spoken == 3 and _INFLECTED.search(token.lower().rstrip(".,;:!?\"')”’"))))
    return 1, letters, long, 1, spoken, int(spoken == 1), three, hard
