"""A corpus to score: sentences in their order, their references, and what each system made of them, block by block."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import NamedTuple, Protocol

import attrs

from rubrica.core.errors import InputError, Problem, wrong
from rubrica.core.human_rewrites import HumanRewrites, human_systems
from rubrica.exchange.corpus_rows import CorpusRow, held_against, without_marks
from rubrica.exchange.rating_problems import at_most
from rubrica.metrics.metric import Block


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
        """The fewest and the most references of a rewrite that has any."""

    @property
    def datasets(self) -> tuple[str, ...]:
        """The data sets, in the order of the sentences; one without a name where nothing says it."""

    @property
    def human(self) -> HumanRewrites:
        """The systems whose rewrites are people's."""

    @property
    def by_people(self) -> bool:
        """Whether no references are given, and people's rewrites are those of the others."""

    def held_back(self, dataset: str | None = None) -> dict[str, HeldBack]:
        """What was left out of references and what has none, by system; of a data set, or (None) of all."""

    @property
    def has_sources(self) -> bool:
        """Whether the sources are known."""

    def blocks(self, size: int) -> Iterator[Block]:
        """The sentences, ``size`` at a time, none of two data sets."""


class HeldBack(NamedTuple):
    """Of a system's rewrites: references that were left out because they are the rewrite, rewrites without any left."""

    left_out: int = 0
    unreferenced: int = 0

    def plus(self, left_out: int, references: int) -> HeldBack:
        """With one more rewrite."""
        return HeldBack(self.left_out + left_out, self.unreferenced + (not references))


class Rewrite(NamedTuple):
    """A text, its own id if it has one, the references that it is held against, and where it stands in a file.

    Two people who wrote the same reference are two references: SARI weighs what each of them kept.
    """

    text: str
    id: str
    references: tuple[str, ...] = ()
    left_out: int = 0
    line: int = 0


@attrs.define
class Sentence:
    """A source and its rewrites by system."""

    id: str
    source: str
    rewrites: dict[str, Rewrite] = attrs.field(factory=dict)
    dataset: str = ""


class Repeated(NamedTuple):
    """How many rows say again what an earlier one says, as in a table with a row for every rating.

    With ids they count ``once``; without, a text may stand in a corpus twice, and each counts.
    """

    rows: int = 0
    once: bool = True


@attrs.frozen
class SentenceCorpus:
    """A corpus of a table or a study, held in memory, data set by data set; ``sheet`` is that of a workbook.

    ``by_people`` says that no row has a reference, and people's rewrites are the references of the others. ``authors``
    are the people who are named.
    """

    systems: tuple[str, ...]
    entries: list[Sentence]
    digest: str
    has_sources: bool = True
    sheet: str = ""
    repeated: Repeated = attrs.field(factory=Repeated)
    human: HumanRewrites = attrs.field(factory=HumanRewrites)
    by_people: bool = False
    authors: frozenset[str] = frozenset()

    @property
    def called_human(self) -> tuple[str, ...]:
        """The systems whose rewrites are people's, without the name of any person."""
        names = [name for name in self.human.systems if name not in self.authors]
        return (*names, *(["authors"] if len(names) < len(self.human.systems) else []))

    @property
    def copies_of_references(self) -> tuple[str, ...]:
        """Systems that are not called people's although all their rewrites are among their references, word for word.

        A few short ones may be right; more are hardly any system's work.
        """
        found = {name: True for name in self.systems if name not in self.human.systems}
        for one in self.entries:
            for name, own in one.rewrites.items():
                found[name] = found.get(name, False) and own.text in own.references
        return tuple(name for name, copied in found.items() if copied)

    @property
    def sentences(self) -> int:
        """How many sentences there are."""
        return len(self.entries)

    @property
    def datasets(self) -> tuple[str, ...]:
        """The data sets, in the order in which sentences come."""
        return tuple(dict.fromkeys(one.dataset for one in self.entries))

    @property
    def references(self) -> tuple[int, int]:
        """The fewest and the most references of a rewrite that has any."""
        counts = [len(own.references) for one in self.entries for own in one.rewrites.values() if own.references]
        return min(counts, default=0), max(counts, default=0)

    def held_back(self, dataset: str | None = None) -> dict[str, HeldBack]:
        """What was left out of references and what has none, by system; of a data set, or (None) of all."""
        found = dict.fromkeys(self.systems, HeldBack())
        for one in self.entries:
            if dataset in (None, one.dataset):
                for name, own in one.rewrites.items():
                    found[name] = found[name].plus(own.left_out, len(own.references))
        return found

    def blocks(self, size: int) -> Iterator[Block]:
        """The sentences, ``size`` at a time, none of two data sets."""
        first = 0
        for _, own in groupby(self.entries, lambda one: one.dataset):
            entries = list(own)
            for begins in range(0, len(entries), size):
                part = entries[begins : begins + size]
                yield self._block(first, part)
                first += len(part)

    def _block(self, first: int, part: list[Sentence]) -> Block:
        outputs = {name: [one.rewrites.get(name) for one in part] for name in self.systems}
        shared = [next((own.references for own in one.rewrites.values()), ()) for one in part]
        apart = {
            name: [one.references if one else () for one in own]
            for name, own in outputs.items()
            if any(one and one.references != usual for one, usual in zip(own, shared, strict=True))
        }
        return Block(
            first,
            [one.source for one in part],
            shared,
            {name: [one.text if one else None for one in own] for name, own in outputs.items()},
            [one.id or str(number) for number, one in enumerate(part, start=first + 1)],
            {name: [one.id if one else "" for one in own] for name, own in outputs.items()},
            apart,
            part[0].dataset,
        )


def corpus_of(
    rows: Iterable[CorpusRow],
    file: str = "",
    unnamed: str = "system",
    sheet: str = "",
    human: Sequence[str] = (),
) -> SentenceCorpus:
    """Rows by system as sentences with the systems side by side, each rewrite with the references of its own row.

    Where several systems have rows with the same id, or rows with one id are all alike, an id is a sentence; otherwise
    sentences are told by their source, and one that a system rewrote several times is as many sentences. The same in
    another data set is another sentence. ``human`` names the systems whose rewrites are people's, as
    :func:`human_systems` reads it. Marks of splits are no part of a text. Raises InputError if a system has two
    different rows with one id (people may have several), or without a row.
    """
    given = [_plain(row, unnamed) for row in rows]
    if not given:
        raise wrong("there is nothing to score", "empty", "It needs at least one rewrite.", file=file)
    written: dict[str, bool] = {}
    for row in given:
        written[row.system] = bool(row.author) and written.get(row.system, True)
    people = human_systems(written, human)
    by_id = _ids_are_sentences(given)
    first: dict[CorpusRow, CorpusRow] = {}
    for row in given:
        first.setdefault(row.said(), row)
    every = list(first.values()) if by_id else given
    entries, problems = _sentences(every, people.systems, by_id)
    if problems:
        raise InputError(*at_most([problem.at(file=file, **_cell(problem.line or 0, sheet)) for problem in problems]))
    return SentenceCorpus(
        tuple(dict.fromkeys(row.system for row in every)),
        entries,
        _digest(entries),
        any(row.source for row in every),
        sheet,
        Repeated(len(given) - len(first), once=by_id),
        people,
        bool(people.systems) and not any(row.references for row in every),
        frozenset(row.author for row in every if row.author),
    )


def _sentences(rows: Sequence[CorpusRow], human: Collection[str], by_id: bool) -> tuple[list[Sentence], list[Problem]]:
    """Rows as sentences, data set by data set, and a problem for each row that a sentence has no place for."""

    def own(row: CorpusRow) -> tuple[str, str]:
        return row.dataset, row.id if by_id else row.source

    found: dict[tuple[tuple[str, str], int], Sentence] = {}
    times: Counter[tuple[str, tuple[str, str]]] = Counter()
    problems: list[Problem] = []
    # Without source and shared ids nobody knows which rewrites are of one sentence, so that each row is alone.
    held = held_against(rows, human, lambda row: own(row) if by_id or row.source else row)
    for row, kept in zip(rows, held, strict=True):
        time = times[row.system, own(row)]
        times[row.system, own(row)] += 1
        if time and by_id and row.system not in human:
            problems.append(_twice(row))
        sentence = found.setdefault((own(row), time), Sentence(row.id, row.source, dataset=row.dataset))
        sentence.rewrites[row.system] = Rewrite(row.rewrite, row.id, *kept, row.line)
    order = {name: place for place, name in enumerate(dict.fromkeys(row.dataset for row in rows))}
    return sorted(found.values(), key=lambda one: order[one.dataset]), problems


def _plain(row: CorpusRow, unnamed: str) -> CorpusRow:
    """The row with the name of a system, and with texts as they were written."""
    texts = tuple(map(without_marks, row.references))
    return row._replace(system=row.system or unnamed, rewrite=without_marks(row.rewrite), references=texts)


def _ids_are_sentences(rows: Sequence[CorpusRow]) -> bool:
    """Whether ids name sentences and not single rewrites: every row has one, and systems or equal rows share them."""
    if not all(row.id for row in rows):
        return False
    first: dict[tuple[str, str], str] = {}
    if any(first.setdefault((row.dataset, row.id), row.system) != row.system for row in rows):
        return True
    return len({row.said() for row in rows}) == len({(row.system, row.dataset, row.id) for row in rows}) < len(rows)


def _twice(row: CorpusRow) -> Problem:
    what = f"{row.system} has a second, different row for the sentence {row.id!r}"
    fix = "Give each its own id; several references of a sentence stand in one row."
    return Problem(what=what, rule="repeated", value=row.id, fix=fix, line=row.line)


def _digest(sentences: Iterable[Sentence]) -> str:
    found = hashlib.sha256()
    for one in sentences:
        texts = [(name, own.text, own.id, own.references) for name, own in sorted(one.rewrites.items())]
        found.update(repr((one.dataset, one.id, one.source, texts)).encode())
    return found.hexdigest()


def without_reference(corpus: SentenceCorpus, file: str) -> list[Problem]:
    """A problem for each rewrite that has no reference, but not thousands; of people's, nobody expects one."""
    fix = "Add one, say --uneven to leave such rewrites out, or ask only for metrics that need none."
    problems = [
        Problem(
            what=f"the sentence {one.id or one.source[:60]!r} has no reference, for {name}",
            rule="reference",
            fix=fix,
            file=file,
            line=own.line or None,
            **_cell(own.line, corpus.sheet),
        )
        for one in corpus.entries
        for name, own in one.rewrites.items()
        if not own.references and name not in corpus.human.systems
    ]
    return at_most(problems)


def _cell(line: int, sheet: str) -> dict[str, str]:
    """The place of a row in a workbook, by its first cell; nothing for other files."""
    return {"sheet": sheet, "cell": f"A{line}"} if sheet else {}


def with_references(rows: Iterable[CorpusRow], known: Mapping[str, Sequence[str]]) -> list[CorpusRow]:
    """The rows with further references, by source."""
    return [row._replace(references=(*row.references, *known.get(row.source, ()))) for row in rows]
