"""Which texts a command is to score: parallel files, a test set, a table, or a study.

Texts that come through a pipe: stdin as ``-``, or what a shell gives for ``<(…)``. Lines are checked as a whole before
any is scored, so they are read twice, which no pipe allows: it is copied first.
"""

from __future__ import annotations

import dataclasses
import glob
import re
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from rubrica.cli.options import find_study, input_file, listed, pairs
from rubrica.cli.output import say
from rubrica.core.errors import InputError, Problem, wrong

if TYPE_CHECKING:
    from rubrica.exchange.corpus import Corpus, SentenceCorpus
    from rubrica.exchange.corpus_rows import CorpusRow
    from rubrica.metrics.metric import Metric


STDIN = Path("-")
STDIN_NAME = "stdin"
"""What a system is called whose rewrites come from there."""


class Pipes:
    """Copies of pipes, removed at the end. A context manager, in which errors tell names as they were given."""

    def __init__(self) -> None:
        self._folder: TemporaryDirectory[str] | None = None
        self._copies: dict[Path, Path] = {}

    def __enter__(self) -> Pipes:
        return self

    def file(self, path: Path) -> Path:
        """The path itself if it is a file, its copy if it is a pipe. Raises InputError if stdin is used up."""
        if path != STDIN and not path.is_fifo():
            return path
        if path in self._copies:
            fix = "A pipe can be read once: save it to a file."
            raise wrong("this pipe is given twice", "stdin", fix, file=str(path))
        if self._folder is None:
            self._folder = TemporaryDirectory()
        copy = Path(self._folder.name) / f"{len(self._copies)}-{path.name}"
        with copy.open("wb") as to:
            if path == STDIN:
                shutil.copyfileobj(sys.stdin.buffer, to)
            else:
                with path.open("rb") as pipe:
                    shutil.copyfileobj(pipe, to)
        self._copies[path] = copy
        return copy

    def __exit__(self, kind: object, error: object, trace: object) -> None:
        if self._folder is not None:
            self._folder.cleanup()
        given = {str(copy): str(path) for path, copy in self._copies.items()}
        if isinstance(error, InputError) and given:
            raise InputError(*(one.at(file=given.get(one.file, one.file)) for one in error.problems)) from error


TABLES = (".csv", ".tsv", ".jsonl", ".xlsx", ".parquet")
SEVERAL = ("rewrite", "reference")
"""Fields that several columns may hold."""


@dataclasses.dataclass(frozen=True, kw_only=True)
class Texts:
    """What was named on the command line."""

    study: str
    source: Path | None
    rewrites: Sequence[str]
    references: Sequence[str]
    test_set: str
    table: Path | None
    columns: Sequence[str]
    dataset: str
    human: Sequence[str]
    uneven: bool
    allow_empty: bool
    home: Path | None
    pipes: Pipes

    def read(self) -> Corpus:
        """The corpus. Raises InputError with everything that is wrong."""
        self._one_way()
        return self._corpus()

    def _one_way(self) -> None:
        """Exactly one kind of texts may be named."""
        files = bool(self.source or self.rewrites or self.test_set)
        ways = [name for name, given in (("a study", self.study), ("--table", self.table), ("files", files)) if given]
        if len(ways) == 1:
            return
        what = f"{' and '.join(ways)} are given" if ways else "nothing to score is given"
        fix = "Name a study, or --table FILE, or --source F --rewrite F --references F."
        raise wrong(what, "texts", fix)

    def _corpus(self) -> Corpus:
        from rubrica.exchange.corpus import corpus_of

        if self.study:
            tables = self._tables_only()
            study = find_study(self.study, self.home)
            from rubrica.store.ratings import study_corpus

            rows = study_corpus(study, self.dataset)
            return corpus_of(self._with_tables(rows, tables), unnamed="rewrite", human=self.human)
        return self._tabled() if self.table else self._files()

    def _tabled(self) -> Corpus:
        from rubrica.exchange.corpus import corpus_of
        from rubrica.exchange.corpus_tables import read_corpus_table

        assert self.table is not None
        tables = self._tables_only()
        with input_file(self.table) as path:
            assert path is not None
            read = read_corpus_table(path, self._map(), empty_rewrites=self.allow_empty)
        say(f"{self.table}: {read.detected}")
        name = STDIN_NAME if self.table == STDIN else self.table.stem
        rows = self._with_tables(read.rows, tables)
        corpus = corpus_of(rows, str(self.table), name, read.sheet, self.human)
        if corpus.repeated.rows:
            each = "counted once" if corpus.repeated.once else "each counts, unless --map id=COLUMN names the sentences"
            say(f"{self.table}: {corpus.repeated.rows:,} rows say what an earlier row says; {each}")
        return corpus

    def _tables_only(self) -> list[Path]:
        """References beside rows that have no lines. Raises InputError for files that are no tables."""
        found = self._found(self.references)
        lines = [_not_beside(path) for path in found if path.suffix.lower() not in TABLES]
        if lines:
            raise InputError(*lines)
        return found

    def _files(self) -> Corpus:
        """Files of lines; everything that is wrong with any of them is told at once."""
        from rubrica.exchange.text_corpus import read_text_corpus

        source, references = self.source, self._found(self.references)
        if self.test_set or (source and source.is_dir()):
            source, own = self._test_set()
            references = [*own, *references]
        rewrites, problems = self._named()
        tables = [path for path in references if path.suffix.lower() in TABLES]
        lines = [path for path in references if path not in tables]
        problems += [_twice(path) for path in dict.fromkeys(references) if references.count(path) > 1]
        if self.columns and not tables:
            what, fix = "--map names columns, and there is no table", "Name it with --table FILE, or leave --map out."
            problems.append(Problem(what=what, rule="map", fix=fix, value=list(self.columns)))
        if self.dataset:
            what, fix = "files of lines have no data sets", "Score each by itself, or give a table with --table FILE."
            problems.append(Problem(what=what, rule="dataset", fix=fix, value=self.dataset))
        if not rewrites and not problems:
            raise wrong("there is no rewrite to score", "texts", "Name the output of a system with --rewrite FILE.")
        source = self.pipes.file(source) if source else None
        rewrites = {name: self.pipes.file(path) for name, path in rewrites.items()}
        lines = [self.pipes.file(path) for path in dict.fromkeys(lines)]
        try:
            corpus = read_text_corpus(
                source, rewrites, lines, uneven=self.uneven, empty_rewrites=self.allow_empty, human=self.human
            )
        except InputError as error:
            raise InputError(*problems, *error.problems) from error
        if problems:
            raise InputError(*problems)
        return self._joined(source, rewrites, lines, tables) if tables else corpus

    def _test_set(self) -> tuple[Path, list[Path]]:
        from rubrica.exchange.text_lines import read_test_set

        place = Path(self.test_set) if self.test_set else self.source
        assert place is not None
        folder, name = (place, "") if place.is_dir() else (place.parent, place.name)
        if not folder.is_dir():
            raise wrong("there is no such folder", "file", "Check the name and the folder.", file=str(folder))
        found = read_test_set(folder, name)
        say(f"{found.source.name} with {len(found.references)} references")
        return found.source, found.references

    def _joined(
        self, source: Path | None, rewrites: dict[str, Path], lines: Sequence[Path], tables: Sequence[Path]
    ) -> SentenceCorpus:
        """Files of lines as sentences, whose references in tables are found by source."""
        from rubrica.exchange.corpus import corpus_of
        from rubrica.exchange.corpus_rows import CorpusRow
        from rubrica.exchange.text_lines import lines_of

        if source is None:
            raise wrong("a table of references is joined by source", "source", "Name the sources with --source FILE.")
        beside = [list(lines_of(path)) for path in lines]
        sources = list(lines_of(source))
        rows = [
            CorpusRow(
                str(number + 1), text, rewrite, tuple(own[number] for own in beside if own[number]), name, number + 1
            )
            for name, path in rewrites.items()
            for number, (text, rewrite) in enumerate(zip(sources, lines_of(path), strict=True))
        ]
        return corpus_of(self._with_tables(rows, tables), str(source), human=self.human)

    def _with_tables(self, rows: list[CorpusRow], tables: Sequence[Path]) -> list[CorpusRow]:
        """The rows with the references of tables that are given beside them."""
        from rubrica.exchange.corpus import with_references
        from rubrica.exchange.corpus_tables import read_references

        columns = {name: column for name, column in self._map().items() if name in ("source", "reference")}
        for path in tables:
            known, detected = read_references(path, columns)
            say(f"{path}: {detected}")
            rows = with_references(rows, known)
        return rows

    def _map(self) -> dict[str, str]:
        """The columns of each field; those of rewrites and references may be named one by one."""
        several: dict[str, list[str]] = {}
        others = []
        for one in self.columns:
            name, _, column = one.partition("=")
            if name.strip() in SEVERAL and column:
                several.setdefault(name.strip(), []).append(column)
            else:
                others.append(one)
        named = {"dataset": self.dataset} if self.dataset else {}
        return {**pairs(others, "--map"), **{name: ",".join(columns) for name, columns in several.items()}, **named}

    def _named(self) -> tuple[dict[str, Path], list[Problem]]:
        """Files of rewrites by the name of the system: NAME=FILE, else the file's name without .txt."""
        found: dict[str, Path] = {}
        problems = []
        for given in self.rewrites:
            named = re.fullmatch(r"([^/\\=]+)=(.+)", given) if not Path(given).exists() else None
            for path in self._found([named[2] if named else given]):
                own = STDIN_NAME if path == STDIN else path.name.removesuffix(".txt")
                name = named[1] if named else own
                if name in found:
                    fix = "Give each a name: --rewrite NAME=FILE."
                    what = f"two systems are called {name!r}"
                    problems.append(Problem(what=what, rule="system", value=given, fix=fix))
                found[name] = path
        return found, problems

    def _found(self, given: Sequence[str]) -> list[Path]:
        """Files of names, patterns and comma lists, in order; patterns by the numbers in names.

        A name that fits no file stays as it is: whoever reads it says that it is not there.
        """
        found: list[Path] = []
        for one in given:
            for name in [one] if Path(one).exists() else listed(one):
                matching = [name] if Path(name).exists() else sorted(glob.glob(name), key=_by_numbers)
                found += map(Path, matching or [name])
        return found

    def check(self, corpus: Corpus, metrics: Sequence[Metric]) -> None:
        """Refuse metrics that need sources or references that are not there; say what is left out of references."""
        from rubrica.exchange.corpus import SentenceCorpus, without_reference

        problems = [
            Problem(
                what=f"{one.name} needs the sources", rule="source", fix="Name them: --source FILE.", value=one.name
            )
            for one in metrics
            if one.needs_sources and not corpus.has_sources
        ]
        needing = [one.name for one in metrics if one.needs_references]
        held_back = corpus.held_back().values() if needing else ()
        if needing and corpus.references[1] == 0 and not any(one.left_out for one in held_back):
            fix = "Name them: --references FILE; or ask only for metrics that need none."
            what = f"{', '.join(needing)} {'needs' if len(needing) == 1 else 'need'} references"
            problems.append(Problem(what=what, rule="reference", fix=fix, value=needing))
        elif needing and isinstance(corpus, SentenceCorpus) and not self.uneven:
            problems += without_reference(corpus, str(self.table or self.source or self.study))
        if problems:
            raise InputError(*problems)
        if needing:
            _say_held_back(corpus)


def _say_held_back(corpus: Corpus) -> None:
    """Where references come from that nobody gave, which were left out, and how many rewrites have none."""
    from rubrica.exchange.corpus import SentenceCorpus

    remark = corpus.human.remark("which are never their own reference")
    if remark:
        say(remark)
    copied = corpus.copies_of_references if isinstance(corpus, SentenceCorpus) else ()
    if copied:
        say(f"{', '.join(copied)}: every rewrite is one of its references; if people wrote them, say --human")
    if corpus.by_people:
        say("no row has a reference: people's rewrites of a sentence are the references of all others of it")
    for name, held in corpus.held_back().items():
        if held.left_out:
            say(f"{name}: left out of its own references, being the rewrite itself: {held.left_out:,}")
        if held.unreferenced:
            say(f"{name}: {held.unreferenced:,} without a reference, not scored by metrics that need one")


def _twice(path: Path) -> Problem:
    fix = "Name each file of references once."
    return Problem(what="this file is given twice as references", rule="repeated", file=str(path), fix=fix)


def _not_beside(path: Path) -> Problem:
    fix = "Give a table with sources and references, which are joined by source."
    return Problem(
        what="lines of a file cannot be joined with rows of a table or study",
        rule="references",
        file=str(path),
        fix=fix,
    )


def _by_numbers(name: str) -> list[tuple[int, str]]:
    """``ref.2`` before ``ref.10``."""
    return [(int(part) if part.isdigit() else -1, part) for part in re.split(r"(\d+)", name)]
