"""Which sentences a comparison shows: all of a small corpus; of a large one both ends of every figure and a sample.

Sentences pass by in blocks, and only what may still be shown is kept, so a million of them need no more memory than a
few thousand. What is kept depends neither on the order of the blocks nor on how they were cut.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

import attrs
import numpy as np
import numpy.typing as npt

from rubrica.metrics.metric import Figure, Floats
from rubrica.metrics.results import SentenceScores
from rubrica.metrics.tokens import Normalisation

MOST, ENDS = 2000, 10
"""How many sentences a page shows before it chooses, and how many of either end of a figure."""
FEWEST = 3
"""So many of either end are kept however many figures and systems there are."""

_TOKENS = Normalisation("13a", lowercase=True)

Places = npt.NDArray[np.int64]


@attrs.frozen(eq=False)
class KeptSentence:
    """A sentence as it came: its place (from 0), its texts, and a row of figures for each system, NaN is undefined."""

    place: int
    id: str
    source: str
    references: tuple[str, ...]
    outputs: Mapping[str, str | None]
    figures: Mapping[str, Floats]


class End(NamedTuple):
    """One end of a figure: places of its sentences, outermost first, and how many share the outermost value."""

    places: tuple[int, ...]
    sharing: int


@attrs.frozen(eq=False)
class Chosen:
    """What is shown. ``sampled`` are places drawn evenly from all sentences, all of them if there are few.

    ``highest`` and ``lowest`` are by system and key of a figure; ``copies`` counts, by system, rewrites that equal
    their source, ``rewritten`` how many sentences the system rewrote. ``has_sources``: any source is known.
    """

    figures: tuple[Figure, ...]
    systems: tuple[str, ...]
    total: int
    sentences: Mapping[int, KeptSentence]
    sampled: tuple[int, ...]
    highest: Mapping[tuple[str, str], End]
    lowest: Mapping[tuple[str, str], End]
    copies: Mapping[str, int]
    rewritten: Mapping[str, int]
    has_sources: bool = True

    @property
    def whole(self) -> bool:
        """Whether every sentence is shown."""
        return len(self.sentences) == self.total


class SentenceChoice:
    """Sees every block once with :meth:`add`; :meth:`chosen` then says what is shown."""

    def __init__(self, most: int = MOST, ends: int = ENDS, seed: int = 0) -> None:
        self.most, self.ends, self.seed = most, ends, seed
        self._kept: dict[int, KeptSentence] = {}
        self._figures: tuple[Figure, ...] = ()
        self._sample = _Largest(most)
        self._highest: dict[tuple[str, str], _Largest] = {}
        self._lowest: dict[tuple[str, str], _Largest] = {}
        self._copies: dict[str, int] = {}
        self._rewritten: dict[str, int] = {}
        self._total, self._has_sources = 0, False

    def add(self, scored: SentenceScores) -> None:
        """See one block."""
        block = scored.block
        places = np.arange(block.first, block.first + len(block), dtype=np.int64)
        self._total += len(block)
        self._begin(scored)
        self._sample.add(_drawn(places, self.seed), places)
        letters = list(map(_letters, block.sources))
        self._has_sources = self._has_sources or any(letters)
        for system, rows in scored.systems.items():
            for column, figure in enumerate(scored.figures):
                self._highest[system, figure.key].add(rows[:, column], places)
                self._lowest[system, figure.key].add(-rows[:, column], places)
            self._rewritten[system] += sum(output is not None for output in block.outputs[system])
            self._copies[system] += _copies(block.sources, letters, block.outputs[system])
        self._keep(scored)

    def _begin(self, scored: SentenceScores) -> None:
        self._figures = self._figures or scored.figures
        room = self.most // max(1, 2 * len(scored.figures) * len(scored.systems))
        size = min(self.ends, max(FEWEST, room))
        for system in scored.systems:
            if system not in self._copies:
                self._copies[system] = self._rewritten[system] = 0
                for figure in scored.figures:
                    self._highest[system, figure.key] = _Largest(size)
                    self._lowest[system, figure.key] = _Largest(size)

    def _keep(self, scored: SentenceScores) -> None:
        """Take what is wanted from the block, and let go what no longer is."""
        block = scored.block
        wanted = self._ends() | set(self._sample.places.tolist())
        self._kept = {place: one for place, one in self._kept.items() if place in wanted}
        for place in wanted.intersection(range(block.first, block.first + len(block))):
            index = place - block.first
            self._kept[place] = KeptSentence(
                place=place,
                id=block.ids[index] if block.ids else "",
                source=block.sources[index],
                references=tuple(block.references_at(index)) if block.references else (),
                outputs={system: block.outputs[system][index] for system in scored.systems},
                figures={system: np.array(rows[index]) for system, rows in scored.systems.items()},
            )

    def _ends(self) -> set[int]:
        every = (*self._highest.values(), *self._lowest.values())
        return {place for end in every for place in end.places.tolist()}

    def chosen(self) -> Chosen:
        """Everything if there are at most ``most`` sentences; else the ends and a sample, a quarter at the least."""
        ends = self._ends()
        room = self.most if self._total <= self.most else max(self.most // 4, self.most - len(ends))
        sampled = self._sample.places[:room].tolist()
        return Chosen(
            figures=self._figures,
            systems=tuple(self._copies),
            total=self._total,
            sentences={place: self._kept[place] for place in sorted(ends.union(sampled))},
            sampled=tuple(sorted(sampled)),
            highest={name: end.end() for name, end in self._highest.items()},
            lowest={name: end.end() for name, end in self._lowest.items()},
            copies=self._copies,
            rewritten=self._rewritten,
            has_sources=self._has_sources,
        )


def choose(sentences: Iterable[SentenceScores], choice: SentenceChoice) -> Chosen:
    """Let all blocks pass, and say what is shown."""
    for scored in sentences:
        choice.add(scored)
    return choice.chosen()


def is_copy(source: str, output: str | None) -> bool:
    """Whether a rewrite is its source, as the metric ``exact_copies`` has it: capitals and spacing make no difference.

    A sentence that was not rewritten is no copy, nor is one without a source.
    """
    return _copies([source], [_letters(source)], [output]) > 0


def _copies(sources: Sequence[str], letters: Sequence[str], outputs: Sequence[str | None]) -> int:
    """How many outputs are copies. Texts are cut only where their letters are alike, as those of a copy always are."""
    cut = _TOKENS.cutter()
    alike = [
        (source, output)
        for source, known, output in zip(sources, letters, outputs, strict=True)
        if output and known and known == _letters(output)
    ]
    return sum(cut(source) == cut(output) for source, output in alike)


def _letters(text: str) -> str:
    return "".join(text.lower().split())


class _Largest:
    """The places of the largest values seen, largest first; of equal values the earlier places. NaN is not seen."""

    def __init__(self, size: int) -> None:
        self.size = size
        self.values: Floats = np.empty(0)
        self.places: Places = np.empty(0, dtype=np.int64)
        self.sharing = 0

    def add(self, values: Floats, places: Places) -> None:
        full = len(self.values) == self.size
        near = values >= self.values[-1] if full and self.size else ~np.isnan(values)
        if not near.any():
            return
        before = self.values[0] if len(self.values) else -np.inf
        found, where = np.concatenate([self.values, values[near]]), np.concatenate([self.places, places[near]])
        order = np.lexsort((where, -found))[: self.size]
        self.values, self.places = found[order], where[order]
        top = self.values[0] if self.size else np.nan
        self.sharing = (self.sharing if top == before else 0) + int((values[near] == top).sum())

    def end(self) -> End:
        return End(tuple(self.places.tolist()), self.sharing)


def _drawn(places: Places, seed: int) -> Floats:
    """A number from 0 to 1 for each place, by SplitMix64 (Steele et al., 2014): the same whatever block it is in."""
    mixed = places.astype(np.uint64) + np.uint64((seed * 0x9E3779B97F4A7C15 + 0x9E3779B97F4A7C15) % 2**64)
    mixed *= np.uint64(0x9E3779B97F4A7C15)
    mixed = (mixed ^ (mixed >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return (mixed ^ (mixed >> np.uint64(31))) / 2.0**64
