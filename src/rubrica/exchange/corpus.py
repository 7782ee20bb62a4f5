"""A corpus to score: sentences in their order, their references, and what each system made of them, block by block."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple, Protocol

import attrs

from rubrica.core.errors import InputError, Problem, wrong
from rubrica.exchange.corpus_rows import CorpusRow, without_marks
from rubrica.exchange.rating_problems import at_most
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


class Rewrite(NamedTuple):
    """A text, and its own id if it has one."""

    text: str
    id: str


@attrs.define
class Sentence:
    """A source with its references, and its rewrites by system; ``line`` is where it stands in a file.

    Two people who wrote the same reference are two references: SARI weighs what each of them kept.
    """

    id: str
    source: str
    references: list[str] = attrs.field(factory=list)
    rewrites: dict[str, Rewrite] = attrs.field(factory=dict)
    line: int = 0

    def know(self, references: Iterable[str]) -> None:
        """Add the references of another row of this sentence, each as often as the row that has it most often."""
        left = Counter(self.references)
        for text in references:
            if left[text]:
                left[text] -= 1
            else:
                self.references.append(text)


class Repeated(NamedTuple):
    """How many rows say again what an earlier one says, as in a table with a row for every rating.

    With ids they count ``once``; without, a text may stand in a corpus twice, and each counts.
    """

    rows: int = 0
    once: bool = True


@attrs.frozen
class SentenceCorpus:
    """A corpus of a table or a study, held in memory; ``sheet`` is that of a workbook."""

    systems: tuple[str, ...]
    entries: list[Sentence]
    digest: str
    has_sources: bool = True
    sheet: str = ""
    repeated: Repeated = attrs.field(factory=Repeated)

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
            outputs = {name: [one.rewrites.get(name) for one in part] for name in self.systems}
            yield Block(
                first,
                [one.source for one in part],
                [list(one.references) for one in part],
                {name: [one.text if one else None for one in own] for name, own in outputs.items()},
                [one.id or str(number) for number, one in enumerate(part, start=first + 1)],
                {name: [one.id if one else "" for one in own] for name, own in outputs.items()},
            )


def corpus_of(rows: Iterable[CorpusRow], file: str = "", unnamed: str = "system", sheet: str = "") -> SentenceCorpus:
    """Rows by system as sentences with the systems side by side.

    Where several systems have rows with the same id, or rows with one id are all alike, an id is a sentence; otherwise
    sentences are told by their source, and one that a system rewrote several times is as many sentences. Marks of
    splits are no part of a text. Raises InputError if a system has two different rows with one id, or without a row.
    """
    given = [row._replace(system=row.system or unnamed) for row in rows]
    if not given:
        raise wrong("there is nothing to score", "empty", "It needs at least one rewrite.", file=file)
    by_id = _ids_are_sentences(given)
    first: dict[CorpusRow, CorpusRow] = {}
    for row in given:
        first.setdefault(_said(row), row)
    every = list(first.values()) if by_id else given
    found: dict[tuple[str, int], Sentence] = {}
    times: Counter[tuple[str, str]] = Counter()
    problems: list[Problem] = []
    for row in every:
        own = row.id if by_id else row.source
        time = times[row.system, own]
        times[row.system, own] += 1
        if time and by_id:
            problems.append(_twice(row, file).at(**_cell(row.line, sheet)))
        sentence = found.setdefault((own, time), Sentence(row.id, row.source, line=row.line))
        sentence.know(map(without_marks, row.references))
        sentence.rewrites[row.system] = Rewrite(without_marks(row.rewrite), row.id)
    if problems:
        raise InputError(*at_most(problems))
    systems = tuple(dict.fromkeys(row.system for row in every))
    has_sources = any(row.source for row in every)
    repeated = Repeated(len(given) - len(first), once=by_id)
    return SentenceCorpus(systems, list(found.values()), _digest(found.values()), has_sources, sheet, repeated)


def _said(row: CorpusRow) -> CorpusRow:
    """Everything that a row says, wherever it stands."""
    return row._replace(line=0)


def _ids_are_sentences(rows: Sequence[CorpusRow]) -> bool:
    """Whether ids name sentences and not single rewrites: every row has one, and systems or equal rows share them."""
    if not all(row.id for row in rows):
        return False
    first: dict[str, str] = {}
    if any(first.setdefault(row.id, row.system) != row.system for row in rows):
        return True
    return len({_said(row) for row in rows}) == len({(row.system, row.id) for row in rows}) < len(rows)


def _twice(row: CorpusRow, file: str) -> Problem:
    what = f"{row.system} has a second, different row for the sentence {row.id!r}"
    fix = "Give each its own id; several references of a sentence stand in one row."
    return Problem(what=what, rule="repeated", value=row.id, fix=fix, file=file, line=row.line)


def _digest(sentences: Iterable[Sentence]) -> str:
    found = hashlib.sha256()
    for one in sentences:
        found.update(repr((one.id, one.source, one.references, sorted(one.rewrites.items()))).encode())
    return found.hexdigest()


def without_reference(corpus: SentenceCorpus, file: str) -> list[Problem]:
    """A problem for each sentence that has no reference, but not thousands."""
    fix = "Add one, or ask only for metrics that need none."
    problems = [
        Problem(
            what=f"the sentence {one.id or one.source[:60]!r} has no reference",
            rule="reference",
            fix=fix,
            file=file,
            line=one.line or None,
            **_cell(one.line, corpus.sheet),
        )
        for one in corpus.entries
        if not one.references
    ]
    return at_most(problems)


def _cell(line: int, sheet: str) -> dict[str, str]:
    """The place of a row in a workbook, by its first cell; nothing for other files."""
    return {"sheet": sheet, "cell": f"A{line}"} if sheet else {}


def with_references(corpus: SentenceCorpus, known: Mapping[str, Iterable[str]]) -> SentenceCorpus:
    """The corpus with further references, by source."""
    for one in corpus.entries:
        one.references += known.get(one.source, ())
    return attrs.evolve(corpus, digest=_digest(corpus.entries))
