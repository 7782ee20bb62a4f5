"""Scores from tables, or written to them: of single sentences, and of whole systems.

Scores of single sentences as a file: written by `rubrica score --per-sentence`, read from anybody's table. Scores of
single sentences from a table: what `rubrica score --per-sentence` writes, or anybody's. Wide: a column for each
metric. Long: a column says which metric a row has the score of. Without names, every column of numbers is a metric,
but those that name what was scored.

The figures of every sentence as a file: CSV, TSV or JSON lines, a row for each sentence and system. Rows are written
as blocks come.

Scores of whole systems from a table, such as automatic metrics: to be put beside what people said. One row for each
system, or for each system and data set; every other column is a score.
"""

from __future__ import annotations

import csv
import json
import math
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple, Protocol

import attrs

from rubrica.core.errors import InputError, Problem, wrong
from rubrica.core.text_helpers import shortened
from rubrica.core.typed import DECIMAL, Fault, number, with_point
from rubrica.exchange.columns import no_column
from rubrica.exchange.rating_problems import at_most, placed
from rubrica.exchange.rating_values import MISSING
from rubrica.exchange.tables import Row, Table, read_table, with_nested
from rubrica.exchange.whole_files import Encoded
from rubrica.metrics.metric import Figure
from rubrica.metrics.results import SentenceScores
from rubrica.stats.statistic import Statistic

NAMING = ("id", "item", "system", "dataset", "line", "annotator", "source", "rewrite", "signature")
"""Columns that say what was scored, in tables that Rubrica writes: never metrics unless asked for."""
INFINITE = ("inf", "infinity", "∞")
"""What programs write for a number that is none: a column of them holds scores that went wrong."""
SHOWN = 60


@attrs.frozen(eq=False)
class ScoreTable:
    """The rows of the table, and beside each the scores it has, by metric; an empty cell is no score."""

    file: str
    digest: str
    columns: tuple[str, ...]
    metrics: tuple[str, ...]
    rows: tuple[Row, ...]
    scores: tuple[dict[str, float], ...]


def sentence_scores(
    read: Table,
    *,
    wanted: Sequence[str] = (),
    metric: str = "",
    unit: Sequence[str] = (),
    taken: Collection[str] = (),
) -> ScoreTable:
    """The scores of a table. ``wanted`` are the columns of scores; ``metric`` is the column of a long table's metrics.

    ``unit`` are the columns that name what was scored, ``taken`` those that are something else: neither is a metric by
    itself. Raises InputError with every problem: columns that are not there, scores that are no numbers.
    """
    table = with_nested(read, [*wanted, *unit, *([metric] if metric else [])])
    problems = [*table.problems, *_layout_problems(table, wanted, metric, unit)]
    if problems:
        raise InputError(*placed(problems, table))
    if not table.rows:
        what, fix = "there are no rows of scores below the header", "Give a row for each rewrite."
        raise InputError(*placed([Problem(what=what, rule="empty", line=1, fix=fix)], table))
    columns = list(wanted) or _numeric(table, {*NAMING, *unit, *taken, metric})
    if not columns:
        fix = f"Name it: --score COLUMN. Columns: {', '.join(table.columns)}."
        raise InputError(*placed([Problem(what="no column holds scores", rule="scores", line=1, fix=fix)], table))
    problems = _without_metric(table, metric) if metric else []
    scores: list[dict[str, float]] = []
    for row in table.rows:
        named = {column: row.values.get(metric, "").strip() if metric else column for column in columns}
        scores.append({})
        for column, name in named.items():
            text = row.values.get(column, "").strip()
            if text in MISSING:
                continue
            value = number(text)
            if isinstance(value, Fault):
                problems.append(not_a_number(row, column, text, value))
            else:
                scores[-1][name] = float(value)
    if problems:
        raise InputError(*placed(at_most(problems), table))
    metrics = tuple(dict.fromkeys(name for row_scores in scores for name in row_scores)) if metric else tuple(columns)
    return ScoreTable(table.file, table.digest, table.columns, metrics, tuple(table.rows), tuple(scores))


def _layout_problems(table: Table, wanted: Sequence[str], metric: str, unit: Sequence[str]) -> list[Problem]:
    if metric and len(wanted) != 1:
        what = f"--metric says which metric a row has, so there is one column of scores, and {len(wanted)} are named"
        return [Problem(what=what, rule="layout", fix="Name it: --score COLUMN.", value=", ".join(wanted))]
    problems = []
    for column in dict.fromkeys([*unit, *wanted, *([metric] if metric else [])]):
        if column not in table.columns:
            problems.append(no_column(column, table))
    return problems


def _numeric(table: Table, others: Collection[str]) -> list[str]:
    """Columns most of whose cells are numbers; what is no number in them is then a problem, not a silent gap."""
    found = []
    for column in table.columns:
        if column and column not in others:
            texts = [text for row in table.rows if (text := row.values.get(column, "").strip()) not in MISSING]
            if texts and 2 * sum(map(_like_a_number, texts)) > len(texts):
                found.append(column)
    return found


def _like_a_number(text: str) -> bool:
    """Whether a text is a number, or would be with a point for its comma or without being infinite."""
    found = number(text)
    return not isinstance(found, Fault) or found.rule == DECIMAL or text.lower().lstrip("+-−") in INFINITE


def not_a_number(row: Row, column: str, text: str, why: Fault) -> Problem:
    """That a cell among scores is none."""
    shown = shortened(text, SHOWN)
    what = f"{column}: {shown!r} {why.what}"
    return Problem(what=what, rule=why.rule, line=row.line, value=shown, fix=why.fix, question=column)


def _without_metric(table: Table, metric: str) -> list[Problem]:
    what = f"the column {metric!r} does not say which metric this is a score of"
    return [
        Problem(what=what, rule="metric", line=row.line, fix="Fill it in.", question=metric)
        for row in table.rows
        if not row.values.get(metric, "").strip()
    ]


TEXTS = ("id", "system", "source", "rewrite")
DATASET = "dataset"
SIGNATURE = "signature"
FORMATS = (".csv", ".tsv", ".jsonl")


class Writer(Protocol):
    """What takes blocks of scored sentences."""

    def __call__(self, scored: SentenceScores) -> None:
        """Write the sentences of a block."""


def check_format(path: Path) -> None:
    """Refuse a file that is none of the formats, before anything is computed."""
    if path.suffix.lower() not in FORMATS:
        fix = f"End its name in one of {', '.join(FORMATS)}."
        raise wrong(
            f"scores of sentences are not written to {path.suffix or 'such'} files", "format", fix, file=str(path)
        )


def sentence_writer(file: Encoded, path: Path, figures: tuple[Figure, ...], *, datasets: bool = False) -> Writer:
    """What writes blocks of sentences to an open file, in the format that the name of ``path`` tells.

    ``datasets`` says that sentences are of data sets, which have a column then.
    """
    first = [DATASET] if datasets else []
    names = [*first, *TEXTS, *(figure.key for figure in figures), SIGNATURE]
    if path.suffix.lower() == ".jsonl":

        def as_lines(scored: SentenceScores) -> None:
            for row in rows_of(scored, datasets):
                file.write(json.dumps(row, ensure_ascii=False) + "\n")

        return as_lines
    table = csv.DictWriter(file, names, delimiter="\t" if path.suffix.lower() == ".tsv" else ",", lineterminator="\n")
    table.writeheader()

    def as_table(scored: SentenceScores) -> None:
        table.writerows(rows_of(scored, datasets))

    return as_table


def rows_of(scored: SentenceScores, datasets: bool = False) -> Iterator[dict[str, Any]]:
    """A row for each sentence and system that rewrote it; None where a figure is undefined."""
    block = scored.block
    for place, source in enumerate(block.sources):
        for system, figures in scored.systems.items():
            text = block.outputs[system][place]
            if text is None:
                continue
            own = block.keys[system][place] if block.keys else ""
            name = own or (block.ids[place] if block.ids else str(block.first + place + 1))
            values = (None if math.isnan(value) else value for value in map(float, figures[place]))
            texts = dict(zip(TEXTS, (name, system, source, text), strict=True))
            named = {figure.key: value for figure, value in zip(scored.figures, values, strict=True)}
            yield {**({DATASET: block.dataset} if datasets else {}), **texts, **named, SIGNATURE: scored.signature}


SYSTEM, SYSTEM_SCORES_DATASET, SYSTEM_SCORES_SIGNATURE = "system", "dataset", "signature"

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
    metrics = [
        column for column in table.columns if column not in (SYSTEM, SYSTEM_SCORES_DATASET, SYSTEM_SCORES_SIGNATURE)
    ]
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
        system, dataset = (row.values.get(column, "").strip() for column in (SYSTEM, SYSTEM_SCORES_DATASET))
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
