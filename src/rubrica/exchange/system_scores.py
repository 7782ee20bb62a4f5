"""Scores of whole systems from a table, such as automatic metrics: to be put beside what people said.

One row for each system, or for each system and data set; every other column is a score.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from rubrica.core.errors import InputError, Problem
from rubrica.core.typed import Fault, with_point
from rubrica.exchange.columns import no_column
from rubrica.exchange.sentence_scores import not_a_number
from rubrica.exchange.tables import Table, read_table
from rubrica.stats.statistic import Statistic

SYSTEM, DATASET, SIGNATURE = "system", "dataset", "signature"

NO_DATASET = "(none)"
"""What rewrites are of whose data set nobody says, beside others that have one."""
MOST_DIGITS = 4
"""With more digits after the point, nobody wrote the number down by hand."""


class SystemScore(NamedTuple):
    """A system's score on a data set; without a data set it is of all. ``text`` is as the file has it.

    A score of metrics that are registered in a study also has a ``title``, the number of ``items`` that it is made of,
    of how many others the metric has nothing (``unscored``), how many references were ``left_out`` because they are the
    rewrites themselves, the ``settings`` of its metric, and a ``reason`` where it has no value.
    """

    system: str
    dataset: str
    metric: str
    value: float | None
    text: str = ""
    title: str = ""
    items: int = 0
    unscored: int = 0
    left_out: int = 0
    settings: str = ""
    reason: str = ""

    @property
    def heading(self) -> str:
        """What its column is called; a metric that is registered under several settings has its name, too."""
        numbered = self.title and "-" in self.metric
        return f"{self.title} ({self.metric})" if numbered else self.title or self.metric

    @property
    def shown(self) -> str | Statistic:
        """The score as it stands in the file; one with every digit of a computer has two after the point."""
        if self.value is None:
            return Statistic(None, self.reason)
        return f"{self.value:.2f}" if len(self.text.partition(".")[2]) > MOST_DIGITS else self.text


Counted = tuple[str, str, Sequence[float] | None, int]
"""Of one item: data set, system, the metric's counts of it, and how many references were left out."""


def counted_scores(
    metric: str,
    title: str,
    settings: str,
    made: Callable[[Sequence[Sequence[float] | None]], Statistic],
    items: Iterable[Counted],
    sizes: Mapping[tuple[str, str], int],
) -> list[SystemScore]:
    """What a metric gives each system on each data set, ``made`` of its counts of the items.

    ``sizes`` says how many items each system has on each data set, scored or not.
    """
    groups: dict[tuple[str, str], list[tuple[Sequence[float] | None, int]]] = defaultdict(list)
    for dataset, system, counts, left_out in items:
        groups[dataset, system].append((counts, left_out))
    found = []
    for (dataset, system), own in groups.items():
        value = made([counts for counts, _ in own])
        found.append(
            SystemScore(
                *(system, dataset, metric, value.value),
                text="" if value.value is None else f"{value.value:.2f}",
                title=title,
                items=len(own),
                unscored=max(0, sizes[dataset, system] - len(own)),
                left_out=sum(left_out for _, left_out in own),
                settings=settings,
                reason=value.reason,
            )
        )
    return found


def read_scores(path: Path) -> list[SystemScore]:
    """Every score of the table. Empty cells are no scores. Raises InputError with every problem."""
    table = read_table(path)
    problems = [*table.problems]
    if SYSTEM not in table.columns:
        absent = no_column(SYSTEM, table)
        problems.append(absent.at(fix=f"Name the column of the systems {SYSTEM!r}. {absent.fix}"))
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
            plain = with_point(text)
            if isinstance(plain, Fault):
                problems.append(not_a_number(row, metric, text, plain))
            else:
                found.append(SystemScore(system, dataset, metric, float(plain), plain))
    return problems
