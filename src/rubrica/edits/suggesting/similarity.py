"""How alike a word of the source and one of the rewrite are, and by what: equal, number, form, spelling, meaning.

Where knowledge of meaning plugs in: synonyms from a list, closeness from word vectors. Rubrica ships neither. Words
are linked by spelling, stems, numbers and place without it. Whoever has a list of synonyms or a file of vectors for
the language can hand it in; the version that is recorded with each suggestion then names it.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable, Sequence
from math import hypot
from operator import mul
from typing import NamedTuple, Protocol

from rubrica.edits.suggesting.words import Grammar, Word, compared, family, number_in, stem

SAME, NUMBER, FORM, SPELLING, MEANING = "same", "number", "form", "spelling", "meaning"
STRENGTH = {SAME: 4.0, NUMBER: 3.0, FORM: 3.0, SPELLING: 2.5, MEANING: 3.0}
SMALL = 0.2
"""What a small word (*the*, *of*) is worth beside a content word."""

MOST, MANY_WORDS, MOST_OF_MANY = 64, 2000, 8
"""A word is compared with at most so many places of the source, the likeliest; fewer where texts are very long."""


class Match(NamedTuple):
    """A word of the other text that a word may stand for."""

    place: int
    strength: float
    kind: str


def matches(
    source: Sequence[Word], rewrite: Sequence[Word], grammar: Grammar, meanings: Meanings | None = None
) -> list[list[Match]]:
    """For each word of the rewrite, the words of the source that it resembles."""
    index = _Index(source, grammar, meanings)
    most = MOST if len(source) + len(rewrite) <= MANY_WORDS else MOST_OF_MANY
    known: dict[str, list[Match]] = {}
    found = []
    for number, word in enumerate(rewrite):
        if word.key not in known:
            known[word.key] = sorted(index.like(word.key), key=_place)
        alike = known[word.key]
        if len(alike) > most:
            middle = bisect_left(alike, number * len(source) // len(rewrite), key=_place)
            first = max(0, min(middle - most // 2, len(alike) - most))
            alike = alike[first : first + most]
        found.append(alike)
    return found


def _place(match: Match) -> int:
    return match.place


class _Index:
    """The words of the source, to be found by key, stem, number and first letter."""

    def __init__(self, source: Sequence[Word], grammar: Grammar, meanings: Meanings | None) -> None:
        self.grammar, self.meanings = grammar, meanings
        self.places: dict[str, list[int]] = defaultdict(list)
        for place, word in enumerate(source):
            self.places[word.key].append(place)
        self.by_stem: dict[str, list[str]] = defaultdict(list)
        self.by_number: dict[str, list[str]] = defaultdict(list)
        self.by_letter: dict[str, list[str]] = defaultdict(list)
        self.content: list[str] = []
        for key in self.places:
            self.by_stem[self._stem(key)].append(key)
            if number := number_in(key, grammar.language):
                self.by_number[number].append(key)
            if not grammar.is_small(key):
                self.by_letter[key[0]].append(key)
                self.content.append(key)

    def like(self, key: str) -> list[Match]:
        small = self.grammar.is_small(key)
        kinds = {key: SAME} if key in self.places else {}
        for other in self.by_number.get(number_in(key, self.grammar.language), ()):
            kinds.setdefault(other, NUMBER)
        for other in self.by_stem.get(self._stem(key), ()):
            kinds.setdefault(other, FORM)
        if not small:
            for other in self.by_letter.get(key[0], ()):
                if other not in kinds and spelt_alike(key, other):
                    kinds[other] = SPELLING
            if self.meanings is not None:
                for other in self.content:
                    if other not in kinds and self.meanings.alike(key, other):
                        kinds[other] = MEANING
        worth = SMALL if small else 1.0
        return [
            Match(place, STRENGTH[kind] * worth, kind) for other, kind in kinds.items() for place in self.places[other]
        ]

    def _stem(self, key: str) -> str:
        """Small words have no endings to take off; only *is* and *was*, *has* and *had* are forms of one word."""
        language = self.grammar.language
        return family(key, language) if self.grammar.is_small(key) else stem(key, language)


def spelt_alike(one: str, other: str) -> bool:
    """Whether two words begin alike for most of their length, or differ by one letter."""
    longer, shorter = max(len(one), len(other)), min(len(one), len(other))
    if shorter < 4 or shorter * 2 < longer or one[0] != other[0] or one[0].isdigit():
        return False
    head = 1
    while head < shorter and one[head] == other[head]:
        head += 1
    if head >= 4 and head >= 0.6 * longer:
        return True
    tail = 0
    while tail < shorter - head and one[-1 - tail] == other[-1 - tail]:
        tail += 1
    return shorter >= 5 and head + tail >= longer - 1


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
