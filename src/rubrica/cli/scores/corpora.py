"""Which texts a command is to score: parallel files, a test set, a table, or a study."""

from __future__ import annotations

import dataclasses
import glob
import re
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from rubrica.cli.options import listed, open_studies, pairs
from rubrica.cli.output import say
from rubrica.core.errors import InputError, Problem, wrong

if TYPE_CHECKING:
    from rubrica.exchange.corpus import Corpus, SentenceCorpus
    from rubrica.metrics.metric import Metric

FORCED = "study:"
TABLES = (".csv", ".tsv", ".jsonl", ".xlsx", ".parquet")


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
    uneven: bool
    allow_empty: bool
    home: Path | None

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
            open_studies(self.home)
            from rubrica.store import studies
            from rubrica.store.corpus import study_corpus

            return corpus_of(study_corpus(studies.find(self.study.removeprefix(FORCED))), unnamed="rewrite")
        if self.table:
            from rubrica.exchange.corpus_tables import read_corpus_table

            read = read_corpus_table(self.table, pairs(list(self.columns), "--map"), empty_rewrites=self.allow_empty)
            say(f"{self.table}: {read.detected}")
            return self._more_references(corpus_of(read.rows, str(self.table), self.table.stem))
        return self._files()

    def _files(self) -> Corpus:
        from rubrica.exchange.text_corpus import read_text_corpus

        source, references = self.source, self._found(self.references, "references")
        if self.test_set or (source and source.is_dir()):
            source, own = self._test_set()
            references = [*own, *references]
        rewrites = self._named()
        tables = [path for path in references if path.suffix.lower() in TABLES]
        lines = [path for path in references if path not in tables]
        if not rewrites:
            raise wrong("there is no rewrite to score", "texts", "Name the output of a system with --rewrite FILE.")
        corpus = read_text_corpus(source, rewrites, lines, uneven=self.uneven, empty_rewrites=self.allow_empty)
        return self._joined(source, rewrites, lines) if tables else corpus

    def _test_set(self) -> tuple[Path, list[Path]]:
        from rubrica.exchange.test_sets import read_test_set

        place = Path(self.test_set) if self.test_set else self.source
        assert place is not None
        folder, name = (place, "") if place.is_dir() else (place.parent, place.name)
        if not folder.is_dir():
            raise wrong("there is no such folder", "file", "Check the name and the folder.", file=str(folder))
        found = read_test_set(folder, name)
        say(f"{found.source.name} with {len(found.references)} references")
        return found.source, found.references

    def _joined(self, source: Path | None, rewrites: dict[str, Path], lines: Sequence[Path]) -> SentenceCorpus:
        """Files of lines, with references that a table gives by source."""
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
        return self._more_references(corpus_of(rows, str(source)))

    def _more_references(self, corpus: SentenceCorpus) -> SentenceCorpus:
        """The corpus with the references of tables that are given beside it."""
        from rubrica.exchange.corpus import with_references
        from rubrica.exchange.corpus_tables import read_references

        for path in self._found(self.references, "references"):
            if path.suffix.lower() not in TABLES:
                if self.table:
                    fix = "Beside --table, references are columns of it, or a table with sources and references."
                    raise wrong("lines of a file cannot be joined with a table", "references", fix, file=str(path))
                continue
            known, detected = read_references(path, _for_references(pairs(list(self.columns), "--map")))
            say(f"{path}: {detected}")
            corpus = with_references(corpus, known)
        return corpus

    def _named(self) -> dict[str, Path]:
        """Files of rewrites by the name of the system: NAME=FILE, else the file's name without .txt."""
        found: dict[str, Path] = {}
        problems = []
        for given in self.rewrites:
            named = re.fullmatch(r"([^/\\=]+)=(.+)", given) if not Path(given).exists() else None
            for path in self._found([named[2] if named else given], "rewrite"):
                name = named[1] if named else path.name.removesuffix(".txt")
                if name in found:
                    fix = "Give each a name: --rewrite NAME=FILE."
                    problems.append(
                        Problem(what=f"two systems are called {name!r}", rule="system", value=given, fix=fix)
                    )
                found[name] = path
        if problems:
            raise InputError(*problems)
        return found

    def _found(self, given: Sequence[str], what: str) -> list[Path]:
        """Files of names, patterns and comma lists, in order; patterns by the numbers in names."""
        found: list[Path] = []
        problems = []
        for one in given:
            for name in [one] if Path(one).exists() else listed(one):
                matching = [name] if Path(name).exists() else sorted(glob.glob(name), key=_by_numbers)
                if not matching:
                    fix = "Check the name and the folder."
                    problems.append(Problem(what="there is no such file", rule="file", file=name, fix=fix, value=what))
                found += map(Path, matching)
        if problems:
            raise InputError(*problems)
        return list(dict.fromkeys(found))

    def check(self, corpus: Corpus, metrics: Sequence[Metric]) -> None:
        """Refuse metrics that need sources or references that are not there, and say where."""
        from rubrica.exchange.corpus import SentenceCorpus, without_reference

        problems = [
            Problem(
                what=f"{one.name} needs the sources", rule="source", fix="Name them: --source FILE.", value=one.name
            )
            for one in metrics
            if one.needs_sources and not corpus.has_sources
        ]
        needing = [one.name for one in metrics if one.needs_references]
        if needing and corpus.references[1] == 0:
            fix = "Name them: --references FILE; or ask only for metrics that need none."
            what = f"{', '.join(needing)} {'needs' if len(needing) == 1 else 'need'} references"
            problems.append(Problem(what=what, rule="reference", fix=fix, value=needing))
        elif needing and isinstance(corpus, SentenceCorpus):
            problems += without_reference(corpus, str(self.table or self.source or self.study))
        if problems:
            raise InputError(*problems)


def _for_references(columns: dict[str, str]) -> dict[str, str]:
    return {name: column for name, column in columns.items() if name in ("source", "reference")}


def _by_numbers(name: str) -> list[tuple[int, str]]:
    """``ref.2`` before ``ref.10``."""
    return [(int(part) if part.isdigit() else -1, part) for part in re.split(r"(\d+)", name)]
