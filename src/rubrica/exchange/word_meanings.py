"""Knowledge of meaning from files: a table of synonyms, or word vectors as text. Each is named by its content."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterator
from pathlib import Path

from rubrica.core.errors import InputError, Problem, wrong
from rubrica.edits.suggesting.similarity import Synonyms, Vectors
from rubrica.edits.suggesting.words import compared
from rubrica.engine.limits import LONGEST_LINE
from rubrica.exchange.decoding import FIX
from rubrica.exchange.tables import read_table


def read_synonyms(path: Path) -> Synonyms:
    """Synonyms from a table without a header: the words of a row mean the same."""
    table = read_table(path, header=False)
    if table.problems:
        raise InputError(*table.problems)
    rows = ([text.strip() for text in row.values.values() if text.strip()] for row in table.rows)
    return Synonyms(rows, f"synonyms:{_digest(path)}")


def read_vectors(path: Path, wanted: Collection[str]) -> Vectors:
    """Vectors from a text file with a word and its numbers on each line, as word2vec and GloVe write them.

    Only vectors of ``wanted`` words (as they are compared) are kept: such files are large.
    """
    if not path.is_file():
        raise wrong("there is no such file", "file", "Check the name and the folder.", file=str(path))
    return Vectors(_vectors(path, wanted), f"vectors:{_digest(path)}")


def _vectors(path: Path, wanted: Collection[str]) -> Iterator[tuple[str, list[float]]]:
    size = 0
    problems = []
    for number, line in enumerate(_lines(path), start=1):
        word, *cells = line.rstrip().split(" ")
        if not cells or (number == 1 and len(cells) == 1):
            continue
        size = size or len(cells)
        if len(cells) != size:
            what = f"{word!r} has {len(cells)} numbers, the first word has {size}"
            problems.append(Problem(what=what, rule="width", fix="Correct or remove the line.", line=number))
        elif compared(word) in wanted:
            try:
                yield word, [float(cell) for cell in cells]
            except ValueError as error:
                problems.append(Problem(what=str(error), rule="number", fix="Correct or remove the line.", line=number))
    if problems:
        raise InputError(*(problem.at(file=str(path)) for problem in problems))


def _lines(path: Path) -> Iterator[str]:
    """The lines, one at a time: such files are larger than what is read whole."""
    with path.open("rb") as file:
        for number, data in enumerate(iter(lambda: file.readline(LONGEST_LINE), b""), start=1):
            try:
                yield data.decode("utf-8-sig" if number == 1 else "utf-8")
            except UnicodeDecodeError as error:
                what = f"this is not UTF-8: byte {data[error.start]:#04x}"
                raise wrong(what, "encoding", FIX, file=str(path), line=number) from error


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()[:12]
