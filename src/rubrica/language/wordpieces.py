"""Words as the pieces that the English parser's encoder knows: WordPiece (Wu et al. 2016), as BERT has it.

Letters are compared without case and accents; how a word is written is told apart, by ``kind``.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Sequence
from functools import lru_cache

BEGIN, END, UNKNOWN = "[CLS]", "[SEP]", "[UNK]"
"""Pieces that stand before a text, behind it, and for what has no pieces."""
KINDS = 5
LONGEST = 60
"""Signs of a word that are looked at: longer ones are no words."""
_INSIDE = "##"
_ASCII_SIGNS = frozenset("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~")


class Pieces:
    """The known pieces, numbered; cuts words into the longest of them, from the left."""

    def __init__(self, pieces: Sequence[str]) -> None:
        self.number = {piece: place for place, piece in enumerate(pieces)}
        self.begin, self.end, self.unknown = (self.number[piece] for piece in (BEGIN, END, UNKNOWN))
        self.of = lru_cache(maxsize=50_000)(self._of)

    def _of(self, word: str) -> tuple[int, ...]:
        """The numbers of a word's pieces, at least one."""
        found = [number for part in parts(word[:LONGEST]) for number in self._cut(part)]
        return tuple(found) or (self.unknown,)

    def _cut(self, part: str) -> list[int]:
        found, start = [], 0
        while start < len(part):
            before = _INSIDE if start else ""
            for end in range(len(part), start, -1):
                number = self.number.get(before + part[start:end])
                if number is not None:
                    found.append(number)
                    start = end
                    break
            else:
                return [self.unknown]
        return found


def parts(word: str) -> Iterable[str]:
    """A word without case and accents, cut at signs and Chinese characters, as BERT's English models see it."""
    plain = "".join(one for one in unicodedata.normalize("NFD", word.lower()) if unicodedata.category(one) != "Mn")
    found = [""]
    for one in plain:
        if _alone(one):
            found += [one, ""]
        elif unicodedata.category(one)[0] not in "CZ":
            found[-1] += one
    return [part for part in found if part]


def _alone(one: str) -> bool:
    return one in _ASCII_SIGNS or unicodedata.category(one)[0] == "P" or "\u4e00" <= one <= "\u9fff"


def kind(word: str) -> int:
    """How a word is written: without capitals, with the first, with all, otherwise; 4 for a single capital."""
    if word == word.lower():
        return 0
    if len(word) == 1:
        return 4
    if word == word.upper():
        return 2
    return 1 if word[1:] == word[1:].lower() else 3
