"""Tables of rewrites and references as rows to score.

One row may be a rewrite by one system (``system`` says which), or hold the rewrites of several systems in a column
each. References stand in one column or several, or as a list in a cell; blank cells are no reference. Tables with only
sources and references (Wiki-BM: a row for each of one to three rewrites by people) give references by source.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fnmatch import fnmatchcase
from pathlib import Path
from typing import NamedTuple

from rubrica.core.errors import InputError, Problem
from rubrica.exchange.columns import guess_columns, no_column
from rubrica.exchange.corpus_rows import REFERENCE, CorpusRow, texts_of
from rubrica.exchange.judged_ratings import DATASET
from rubrica.exchange.rating_problems import at_most, placed
from rubrica.exchange.tables import Row, Table, read_table
from rubrica.protocols.catalog import load_shipped

FIELDS = ("source", "rewrite", "reference", "system", "id", "author", "dataset")


class TableRows(NamedTuple):
    """The rows of a table, in words which columns were taken for what, and the sheet of a workbook."""

    rows: list[CorpusRow]
    detected: str
    sheet: str = ""


class _Columns(NamedTuple):
    """Which columns hold what. Several columns of rewrites are several systems."""

    source: str
    rewrites: tuple[str, ...]
    references: tuple[str, ...]
    system: str
    id: str
    author: str
    dataset: str


def read_corpus_table(path: Path, given: Mapping[str, str], *, empty_rewrites: bool = False) -> TableRows:
    """The rewrites of a table. Raises InputError with everything that is wrong in it."""
    table = read_table(path)
    columns = _columns(table, given, ("rewrite",))
    problems = list(table.problems)
    rows: list[CorpusRow] = []
    for row in table.rows:
        for column in columns.rewrites:
            one = _row(row, columns, column)
            problems += _wrong(one, columns, column, empty_rewrites)
            rows.append(one)
    if problems:
        raise InputError(*at_most(placed(problems, table)))
    return TableRows(rows, f"{table.detected}; {_said(columns)}", table.sheet)


def read_references(path: Path, given: Mapping[str, str]) -> tuple[dict[str, list[str]], str]:
    """References by source from a table that has both, and which columns were taken."""
    table = read_table(path)
    columns = _columns(table, given, ("source", "reference"))
    found: dict[str, list[str]] = {}
    problems = list(table.problems)
    for row in table.rows:
        one = _row(row, columns, "")
        if not one.source:
            problems.append(_empty(row.line, columns.source))
        if not one.references:
            problems.append(_empty(row.line, ", ".join(columns.references)))
        found.setdefault(one.source, []).extend(one.references)
    if problems:
        raise InputError(*at_most(placed(problems, table)))
    return found, f"{table.detected}; {_said(columns)}"


def _row(row: Row, columns: _Columns, rewrite: str) -> CorpusRow:
    cells = row.values
    several = len(columns.rewrites) > 1
    references = [text for column in columns.references for text in texts_of(cells.get(column, ""))]
    return CorpusRow(
        cells.get(columns.id, "").strip(),
        cells.get(columns.source, "").strip(),
        cells.get(rewrite, "").strip(),
        tuple(references),
        rewrite if several else cells.get(columns.system, "").strip(),
        row.line,
        "" if several else cells.get(columns.author, "").strip(),
        cells.get(columns.dataset, "").strip(),
    )


def _wrong(row: CorpusRow, columns: _Columns, rewrite: str, empty_rewrites: bool) -> list[Problem]:
    found = []
    if columns.source and not row.source:
        found.append(_empty(row.line, columns.source))
    if not row.rewrite and not empty_rewrites:
        found.append(_empty(row.line, rewrite))
    if columns.system and len(columns.rewrites) == 1 and not row.system:
        found.append(_empty(row.line, columns.system))
    return found


def _empty(line: int, column: str) -> Problem:
    what = f"the column {column!r} is empty here"
    return Problem(what=what, rule="empty_cell", fix="Fill it in.", line=line, question=column)


def _columns(table: Table, given: Mapping[str, str], needed: Sequence[str]) -> _Columns:
    """The columns as given, else as their names tell; everything that is wrong with that at once."""
    unknown = [name for name in given if name not in FIELDS]
    problems = [
        Problem(what=f"--map {name}", rule="map", value=name, fix=f"Map one of {', '.join(FIELDS)}.")
        for name in unknown
    ]
    chosen = {name: _matching(table, pattern) for name, pattern in given.items() if name in FIELDS}
    for name, columns in chosen.items():
        if given[name] and not columns:
            what = f"there is no column {given[name]!r} for {name}"
            problems.append(no_column(given[name], table).at(what=what))
        if len(columns) > 1 and name not in ("rewrite", "reference"):
            fix = f"Name one of {', '.join(columns)}."
            problems.append(Problem(what=f"{name} has several columns", rule="column", value=given[name], fix=fix))
    taken = {column for columns in chosen.values() for column in columns}
    guessed = _guessed(table, given, taken)
    found = {name: tuple(chosen.get(name, guessed.get(name, ()))) for name in FIELDS}
    for name in needed:
        if not found[name] and not given.get(name):
            fix = f"Say --map {name}=COLUMN, with one of {', '.join(filter(None, table.columns))}."
            problems.append(Problem(what=f"no column is known for {name}", rule="column", fix=fix, line=1))
    if problems:
        raise InputError(*placed(problems, table))
    first = {name: next(iter(columns), "") for name, columns in found.items()}
    return _Columns(
        *(first["source"], found["rewrite"], found["reference"]),
        *(first[name] for name in ("system", "id", "author", "dataset")),
    )


def _matching(table: Table, pattern: str) -> list[str]:
    """The columns of a comma list of names and patterns; a column whose name has commas is meant as a whole."""
    if pattern in table.columns:
        return [pattern]
    parts = [part.strip() for part in pattern.split(",") if part.strip()]
    every = [[column for column in table.columns if column == part or fnmatchcase(column, part)] for part in parts]
    if not all(every):
        return []
    return list(dict.fromkeys(column for columns in every for column in columns))


def _guessed(table: Table, given: Mapping[str, str], taken: Iterable[str]) -> dict[str, list[str]]:
    """The columns that their names tell, of those that nobody named."""
    used = set(taken)
    references = [name for name in table.columns if REFERENCE.fullmatch(name) and name not in used]
    free = table._replace(columns=tuple(name for name in table.columns if name not in {*used, *references}))
    guessed = guess_columns(free, load_shipped("salsa").protocol, {})
    found = {name: [column] for name, column in guessed.items() if name in FIELDS}
    found["dataset"] = [name for name in free.columns if name.strip().casefold() in DATASET][:1]
    return {**found, "reference": references} if "reference" not in given else found


def _said(columns: _Columns) -> str:
    named = {
        "source": (columns.source,),
        "rewrite": columns.rewrites,
        "reference": columns.references,
        "system": (columns.system,) if len(columns.rewrites) < 2 else (),
        "id": (columns.id,),
        "author": (columns.author,) if len(columns.rewrites) < 2 else (),
        "dataset": (columns.dataset,),
    }
    return ", ".join(f"{name} <- {', '.join(map(repr, own))}" for name, own in named.items() if any(own))
