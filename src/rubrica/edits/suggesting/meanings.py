"""Where knowledge of meaning plugs in: synonyms from a list, closeness from word vectors. Rubrica ships neither.

Words are linked by spelling, stems, numbers and place without it. Whoever has a list of synonyms or a file of vectors
for the language can hand it in; the version that is recorded with each suggestion then names it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import hypot
from operator import mul
from typing import Protocol

from rubrica.edits.suggesting.tokens import compared

LEAST_COSINE = 0.6
"""How close two vectors must be for their words to be alike, as a cosine."""


class Meanings(Protocol):
    """What knows whether two words are alike in meaning.

    ``name`` goes into the version of the suggestions, so it must tell one source from another.
    """

    name: str

    def alike(self, one: str, other: str) -> bool:
        """Whether one word may stand for the other; False for words that it does not know."""
        ...


class Synonyms:
    """Words that mean the same: those that stand in one row."""

    def __init__(self, rows: Iterable[Sequence[str]], name: str) -> None:
        self.name = name
        self._rows: dict[str, set[int]] = {}
        for number, row in enumerate(rows):
            for word in row:
                self._rows.setdefault(compared(word.strip()), set()).add(number)

    def alike(self, one: str, other: str) -> bool:
        return not self._rows.get(one, set()).isdisjoint(self._rows.get(other, set()))


class Vectors:
    """Words with vectors: two are alike if the cosine of their angle is large enough."""

    def __init__(self, rows: Iterable[tuple[str, Sequence[float]]], name: str) -> None:
        self.name = name
        self._units: dict[str, list[float]] = {}
        for word, numbers in rows:
            if length := hypot(*numbers):
                self._units.setdefault(compared(word), [number / length for number in numbers])

    def alike(self, one: str, other: str) -> bool:
        here, there = self._units.get(one), self._units.get(other)
        return here is not None and there is not None and sum(map(mul, here, there)) >= LEAST_COSINE


class Several:
    """Several sources of meaning: words are alike if one of them says so."""

    def __init__(self, sources: Sequence[Meanings]) -> None:
        self.name = "+".join(source.name for source in sources)
        self._sources = tuple(sources)

    def alike(self, one: str, other: str) -> bool:
        return any(source.alike(one, other) for source in self._sources)
