"""Scores of whole systems from a table, such as automatic metrics: to be put beside what people said.

One row for each system, or for each system and data set; every other column is a score.
"""

from __future__ import annotations

import math
from pathlib import Path
from typing import NamedTuple

from rubrica.core.errors import InputError, Problem
from rubrica.exchange.tables import Row, Table, read_table

SYSTEM, DATASET, SIGNATURE = "system", "dataset", "signature"

MOST_DIGITS = 4
"""With more digits after the point, nobody wrote the number down by hand."""


class SystemScore(NamedTuple):
    """A system's score on a data set; without a data set it holds for all. ``text`` is as the file has it."""

    system: str
    dataset: str
    metric: str
    value: float
    text: str

    @property
    def shown(self) -> str:
        """The score as it stands in the file; one with every digit of a computer has two after the point."""
        return f"{self.value:.2f}" if len(self.text.partition(".")[2]) > MOST_DIGITS else self.text


def read_scores(path: Path) -> list[SystemScore]:
    """Every score of the table. Empty cells are no scores. Raises InputError with every problem."""
    table = read_table(path)
    problems = [*table.problems]
    if SYSTEM not in table.columns:
        fix = f"Name the column of the systems {SYSTEM!r}. Columns: {', '.join(table.columns)}."
        problems.append(Problem(what=f"there is no column {SYSTEM!r}", rule="column", line=1, fix=fix, value=SYSTEM))
    metrics = [column for column in table.columns if column not in (SYSTEM, DATASET, SIGNATURE)]
    if not metrics:
        fix = "Add a column for each metric."
        problems.append(Problem(what="there is no column of scores", rule="column", line=1, fix=fix))
    found: list[SystemScore] = []
    if not problems:
        problems += _rows(table, metrics, found)
    if problems:
        raise InputError(*(problem.at(file=table.file) for problem in problems))
    return found


def _rows(table: Table, metrics: list[str], found: list[SystemScore]) -> list[Problem]:
    problems = []
    seen: dict[tuple[str, str], int] = {}
    for row in table.rows:
        system, dataset = (row.values.get(column, "").strip() for column in (SYSTEM, DATASET))
        if (system, dataset) in seen:
            what = f"{' on '.join(filter(None, (system, dataset)))} has scores already in line {seen[system, dataset]}"
            problems.append(Problem(what=what, rule="repeated", line=row.line, value=system, fix="Remove one."))
        seen.setdefault((system, dataset), row.line)
        for metric in metrics:
            text = row.values.get(metric, "").strip()
            if not text:
                continue
            value = _number(text)
            if value is None:
                problems.append(_not_a_number(row, metric, text))
            else:
                found.append(SystemScore(system, dataset, metric, value, text))
    return problems


def _number(text: str) -> float | None:
    try:
        value = float(text)
    except ValueError:
        return None
    return value if math.isfinite(value) else None


def _not_a_number(row: Row, metric: str, text: str) -> Problem:
    fix = "Write a number, or leave the cell empty."
    return Problem(what=f"{metric}: {text!r} is not a number", rule="number", line=row.line, value=text, fix=fix)
