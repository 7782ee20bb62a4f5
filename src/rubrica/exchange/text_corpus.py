"""Parallel text files as a corpus: the n-th line of every file belongs to the n-th sentence.

Files are read twice, first to check them as a whole (nothing is scored if anything is wrong), then block by block, so
that memory does not grow with them.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path

import attrs

from rubrica.core.errors import InputError, Problem
from rubrica.exchange.text_lines import Checked, check_lines, empty_lines, lines_of
from rubrica.metrics.block import Block


@attrs.frozen
class TextCorpus:
    """Checked files. ``uneven`` says that an empty line of a reference file is no reference."""

    source: Path | None
    rewrites: Mapping[str, Path]
    reference_files: tuple[Path, ...]
    sentences: int
    digest: str
    references: tuple[int, int]

    @property
    def systems(self) -> tuple[str, ...]:
        """The names of the systems."""
        return tuple(self.rewrites)

    @property
    def has_sources(self) -> bool:
        """Whether there is a file of sources."""
        return self.source is not None

    def blocks(self, size: int) -> Iterator[Block]:
        """The sentences, ``size`` at a time; an empty line of a reference file is no reference."""
        sources = lines_of(self.source) if self.source else iter([""] * self.sentences)
        rewrites = {name: lines_of(path) for name, path in self.rewrites.items()}
        references = [lines_of(path) for path in self.reference_files]
        for first in range(0, self.sentences, size):
            own = list(islice(sources, size))
            beside = [list(islice(lines, size)) for lines in references]
            yield Block(
                first,
                own,
                [[text for text in texts if text] for texts in zip(*beside, strict=True)]
                if beside
                else [[]] * len(own),
                {name: list(islice(lines, size)) for name, lines in rewrites.items()},
            )


def read_text_corpus(
    source: Path | None,
    rewrites: Mapping[str, Path],
    references: Sequence[Path],
    *,
    uneven: bool = False,
    empty_rewrites: bool = False,
) -> TextCorpus:
    """Check files of one sentence a line. Raises InputError with everything that is wrong in all of them.

    ``uneven`` allows empty lines in reference files where another has a reference, ``empty_rewrites`` empty rewrites.
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
