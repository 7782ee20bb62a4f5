"""Parallel text files as a corpus: the n-th line of every file belongs to the n-th sentence.

Files are read twice, first to check them as a whole (nothing is scored if anything is wrong), then block by block, so
that memory does not grow with them.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from itertools import islice
from pathlib import Path

import attrs

from rubrica.core.errors import InputError, Problem
from rubrica.core.human_rewrites import HumanRewrites, human_systems
from rubrica.exchange.corpus import HeldBack
from rubrica.exchange.corpus_rows import spaced, without_own
from rubrica.exchange.text_lines import Checked, check_lines, empty_lines, lines_of
from rubrica.metrics.metric import Block

AT_A_TIME = 2048
"""Sentences that are looked at together to see whose rewrites are references."""


@attrs.frozen(slots=False)
class TextCorpus:
    """Checked files; an empty line of a reference file is no reference. ``human`` are systems that are people."""

    source: Path | None
    rewrites: Mapping[str, Path]
    reference_files: tuple[Path, ...]
    sentences: int
    digest: str
    references: tuple[int, int]
    human: HumanRewrites = attrs.field(factory=HumanRewrites)
    datasets: tuple[str, ...] = ("",)
    by_people: bool = False

    @property
    def systems(self) -> tuple[str, ...]:
        """The names of the systems."""
        return tuple(self.rewrites)

    @property
    def has_sources(self) -> bool:
        """Whether there is a file of sources."""
        return self.source is not None

    @cached_property
    def _own_references(self) -> tuple[str, ...]:
        """Systems that are people and among the references: by their file, or with every line.

        A file of another person is none of them, although some of its lines may be the same.
        """
        given = {path.resolve() for path in self.reference_files}
        return tuple(
            name
            for name in (self.human.systems if given else ())
            if self.rewrites[name].resolve() in given or self._is_among(self.rewrites[name])
        )

    def _is_among(self, path: Path) -> bool:
        beside = zip(*(lines_of(other) for other in self.reference_files), strict=True)
        lines = zip(lines_of(path), beside, strict=True)
        return all(spaced(text) in map(spaced, texts) for text, texts in lines)

    @cached_property
    def _held_back(self) -> dict[str, HeldBack]:
        found = dict.fromkeys(self.systems, HeldBack())
        if not self._own_references:
            return found
        for block in self.blocks(AT_A_TIME):
            for name in self._own_references:
                for before, after in zip(block.references, block.references_of(name), strict=True):
                    found[name] = found[name].plus(len(before) - len(after), len(after))
        return found

    def held_back(self, dataset: str | None = None) -> dict[str, HeldBack]:
        """What was left out of references and what has none, by system; files have no data sets."""
        return self._held_back

    def blocks(self, size: int) -> Iterator[Block]:
        """The sentences, ``size`` at a time; an empty line of a reference file is no reference."""
        sources = lines_of(self.source) if self.source else iter([""] * self.sentences)
        rewrites = {name: lines_of(path) for name, path in self.rewrites.items()}
        references = [lines_of(path) for path in self.reference_files]
        for first in range(0, self.sentences, size):
            own = list(islice(sources, size))
            beside = [list(islice(lines, size)) for lines in references]
            every = [[text for text in texts if text] for texts in zip(*beside, strict=True)] or [[]] * len(own)
            outputs = {name: list(islice(lines, size)) for name, lines in rewrites.items()}
            yield Block(first, own, every, outputs, apart=self._without_own(outputs, every))

    def _without_own(
        self, outputs: Mapping[str, Sequence[str]], references: Sequence[Sequence[str]]
    ) -> dict[str, Sequence[Sequence[str]]]:
        """The references of systems that are among them, each without its own."""
        return {
            name: [without_own(text, every).references for text, every in zip(outputs[name], references, strict=True)]
            for name in self._own_references
        }


def read_text_corpus(
    source: Path | None,
    rewrites: Mapping[str, Path],
    references: Sequence[Path],
    *,
    uneven: bool = False,
    empty_rewrites: bool = False,
    human: Sequence[str] = (),
) -> TextCorpus:
    """Check files of one sentence a line. Raises InputError with everything that is wrong in all of them.

    ``uneven`` allows empty lines in reference files where another has a reference, ``empty_rewrites`` empty rewrites.
    ``human`` names systems that are people, as :func:`human_systems` reads it; so is one whose own file is a reference.
    """
    paths = [*([source] if source else []), *rewrites.values(), *references]
    checked = {path: check_lines(path) for path in dict.fromkeys(paths)}
    problems = [problem for one in checked.values() for problem in one.problems]
    problems += _lengths(paths, checked)
    if source:
        problems += empty_lines(source, checked[source], "the source")
    for name, path in rewrites.items():
        if not empty_rewrites:
            problems += empty_lines(path, checked[path], f"the rewrite of {name}")
    problems += _references(references, checked, uneven)
    known = {path.resolve() for path in references}
    people = HumanRewrites()
    try:
        people = human_systems({name: path.resolve() in known for name, path in rewrites.items()}, human)
    except InputError as error:
        problems += error.problems
    if problems:
        raise InputError(*problems)
    missing = _missing(references, checked)
    most = len(references) - (min(missing.values()) if len(missing) == checked[paths[0]].lines else 0)
    return TextCorpus(
        source,
        rewrites,
        tuple(references),
        checked[paths[0]].lines,
        _digest(source, rewrites, references, checked),
        (len(references) - max(missing.values(), default=0), most),
        people,
    )


def _lengths(paths: Sequence[Path], checked: Mapping[Path, Checked]) -> list[Problem]:
    """Every file that is shorter or longer than the first, at the line where they part."""
    first = checked[paths[0]]
    found = []
    for path in dict.fromkeys(paths[1:]):
        own = checked[path].lines
        if own != first.lines and own and first.lines:
            what = f"it has {own:,} {'line' if own == 1 else 'lines'}, {paths[0]} has {first.lines:,}"
            fix = "One line for each sentence in every file, in the same order; split sentences stay on one line."
            line = min(own, first.lines) + 1
            found.append(Problem(what=what, rule="length", fix=fix, file=str(path), line=line, value=own))
    return found


def _missing(references: Sequence[Path], checked: Mapping[Path, Checked]) -> dict[int, int]:
    """How many references are missing, by line, where any is."""
    found: dict[int, int] = {}
    for path in references:
        for line in checked[path].empty:
            found[line] = found.get(line, 0) + 1
    return found


def _references(references: Sequence[Path], checked: Mapping[Path, Checked], uneven: bool) -> list[Problem]:
    if not uneven:
        return [problem for path in references for problem in empty_lines(path, checked[path], "a reference")]
    none = [line for line, count in sorted(_missing(references, checked).items()) if count == len(references)]
    fix = "Each sentence needs at least one reference."
    return [
        Problem(
            what="no file has a reference on this line", rule="reference", fix=fix, file=str(references[0]), line=line
        )
        for line in none
    ]


def _digest(
    source: Path | None, rewrites: Mapping[str, Path], references: Sequence[Path], checked: Mapping[Path, Checked]
) -> str:
    parts = [checked[source].digest if source else "", *(checked[path].digest for path in references)]
    parts += [f"{name}={checked[path].digest}" for name, path in rewrites.items()]
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()
