"""A corpus to score: sentences in their order, their references, and what each system made of them, block by block."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from typing import Protocol

import attrs

from rubrica.core.errors import InputError, Problem, wrong
from rubrica.exchange.corpus_rows import CorpusRow
from rubrica.metrics.block import Block


class Corpus(Protocol):
    """What can be scored. ``digest`` is the same only for the same texts in the same order under the same names."""

    @property
    def systems(self) -> tuple[str, ...]:
        """The names of the systems, in the order in which they were given."""

    @property
    def sentences(self) -> int:
        """How many sentences there are."""

    @property
    def digest(self) -> str:
        """A fingerprint of all texts."""

    @property
    def references(self) -> tuple[int, int]:
        """The fewest and the most references that a sentence has."""

    @property
    def has_sources(self) -> bool:
        """Whether the sources are known."""

    def blocks(self, size: int) -> Iterator[Block]:
        """The sentences, ``size`` at a time."""


@attrs.define
class Sentence:
    """A source with its references, and its rewrites by system; ``line`` is where it stands in a file."""

    id: str
    source: str
    references: dict[str, None] = attrs.field(factory=dict)
    rewrites: dict[str, str] = attrs.field(factory=dict)
    line: int = 0


@attrs.frozen
class SentenceCorpus:
    """A corpus of a table or a study, held in memory."""

    systems: tuple[str, ...]
    entries: list[Sentence]
    digest: str
    has_sources: bool = True

    @property
    def sentences(self) -> int:
        """How many sentences there are."""
        return len(self.entries)

    @property
    def references(self) -> tuple[int, int]:
        """The fewest and the most references that a sentence has."""
        counts = [len(one.references) for one in self.entries]
        return min(counts), max(counts)

    def blocks(self, size: int) -> Iterator[Block]:
        """The sentences, ``size`` at a time."""
        for first in range(0, len(self.entries), size):
            part = self.entries[first : first + size]
            yield Block(
                first,
                [one.source for one in part],
                [list(one.references) for one in part],
                {system: [one.rewrites.get(system) for one in part] for system in self.systems},
                [one.id for one in part],
            )


def corpus_of(rows: Iterable[CorpusRow], file: str = "", unnamed: str = "system") -> SentenceCorpus:
    """Rows by system as sentences with the systems side by side.

    Rows with the same id, or without ids the same source, are the same sentence; a source that a system rewrote
    several times is as many sentences. Raises InputError if two rewrites of a system claim the same id.
    """
    found: dict[tuple[str, str, int], Sentence] = {}
    seen: dict[tuple[str, str, str], int] = {}
    systems: dict[str, None] = {}
    problems: list[Problem] = []
    for row in rows:
        system = row.system or unnamed
        systems.setdefault(system)
        own = (row.id, row.source)
        time = seen.get((system, *own), 0)
        seen[system, *own] = time + 1
        if time and row.id:
            problems.append(_twice(row, system, file))
        sentence = found.setdefault((*own, time), Sentence(row.id, row.source, line=row.line))
        sentence.references.update(dict.fromkeys(row.references))
        sentence.rewrites[system] = row.rewrite
    if problems:
        raise InputError(*problems)
    if not found:
        raise wrong("there is nothing to score", "empty", "It needs at least one rewrite.", file=file)
    return SentenceCorpus(tuple(systems), list(found.values()), _digest(found.values()))


def _twice(row: CorpusRow, system: str, file: str) -> Problem:
    what = f"{system} has a second rewrite of the sentence {row.id!r}"
    return Problem(what=what, rule="repeated", value=row.id, fix="Give each its own id.", file=file, line=row.line)


def _digest(sentences: Iterable[Sentence]) -> str:
    found = hashlib.sha256()
    for one in sentences:
        found.update(repr((one.id, one.source, list(one.references), sorted(one.rewrites.items()))).encode())
    return found.hexdigest()


def check_references(corpus: SentenceCorpus, file: str) -> None:
    """Refuse a corpus in which a sentence has no reference, naming each line."""
    problems = [
        Problem(
            what=f"the sentence {one.id or one.source[:60]!r} has no reference",
            rule="reference",
            fix="Add one, or ask only for metrics that need none.",
            file=file,
            line=one.line or None,
        )
        for one in corpus.entries
        if not one.references
    ]
    if problems:
        raise InputError(*problems)


def with_references(corpus: SentenceCorpus, known: Mapping[str, Iterable[str]]) -> SentenceCorpus:
    """The corpus with further references, by source."""
    for one in corpus.entries:
        one.references.update(dict.fromkeys(known.get(one.source, ())))
    return attrs.evolve(corpus, digest=_digest(corpus.entries))
