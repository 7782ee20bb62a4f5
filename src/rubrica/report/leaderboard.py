"""Leaderboards of the lexical shared tasks: systems by language and overall, with intervals and clusters.

Instances are drawn with replacement, the same for all systems (``stats.bootstrap``). Two systems differ where the
interval of their difference leaves out 0 after Holm's correction over all pairs of a board; clusters follow as in the
other comparisons (``stats.significance.clusters``). design/044 says why the paired bootstrap decides here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from itertools import combinations
from typing import Any

import attrs
import numpy as np
import numpy.typing as npt

from rubrica import __version__
from rubrica.core.errors import wrong
from rubrica.language.names import language_name
from rubrica.metrics import lexical_scores
from rubrica.report.charts import intervals_chart
from rubrica.report.figures import Figures
from rubrica.report.html import accessible, templates
from rubrica.report.report import Report
from rubrica.report.sections.agreement import in_short
from rubrica.report.sections.answer import systems_table
from rubrica.report.sections.comparison import why_nothing
from rubrica.report.sections.section import Chart, Paragraph, Part, Section
from rubrica.report.tables import DECIMAL, TEXT, WHOLE, Cell, Column, Estimate, Table
from rubrica.stats.bootstrap import Interval, Resampled, no_interval, resample
from rubrica.stats.significance import Rank, holm, ranks
from rubrica.stats.statistic import Statistic

Real = npt.NDArray[np.float64]
ALPHA = 0.05
OFFICIAL = "the official script has no intervals"
NOT_ALL = "it has no answers in some of the languages"


@attrs.frozen(kw_only=True)
class Entry:
    """A system on a board: its figures, intervals of the main ones, its rank if it has one."""

    system: str
    values: Mapping[str, Statistic]
    intervals: Mapping[str, Interval]
    rank: Rank | None = None


@attrs.frozen(kw_only=True)
class Board:
    """Systems on the instances of one language, or of all (``language`` is empty); the best first."""

    language: str
    instances: int
    by: str
    main: tuple[str, ...]
    entries: tuple[Entry, ...]

    def as_json(self) -> dict[str, Any]:
        """What scripts read: figures, ends of intervals and ranks by system."""
        return {
            "instances": self.instances,
            "systems": {
                one.system: {name: value.as_json() for name, value in one.values.items()} for one in self.entries
            },
            "intervals": {
                one.system: {
                    name: {"low": found.low.as_json(), "high": found.high.as_json()}
                    for name, found in one.intervals.items()
                }
                for one in self.entries
            },
            "ranks": [
                {"system": rank.system, **{key: getattr(rank, key) for key in ("place", "best", "worst", "cluster")}}
                for rank in (one.rank for one in self.entries)
                if rank
            ],
        }


@attrs.frozen(kw_only=True)
class Choices:
    """By which figure systems are ordered, and how much is drawn; without ``replicates`` there are no intervals."""

    by: str
    replicates: int = 1000
    seed: int = 0


def complexity_board(gold: Real, predicted: Mapping[str, Real], language: str, choices: Choices) -> Board:
    """Systems that predicted the complexity of the same instances."""
    values = {name: lexical_scores.values(gold, own) for name, own in predicted.items()}
    found: dict[str, dict[str, Resampled]] = {name: {} for name in predicted}
    if choices.replicates and predicted:
        table = np.stack(list(predicted.values()))
        drawn = lexical_scores.resamples(gold, table, choices.replicates, choices.seed)
        for place, name in enumerate(predicted):
            for figure, (draws, left) in drawn.items():
                if values[name][figure].value is not None:
                    value = values[name][figure].value or 0.0
                    found[name][figure] = Resampled(value, draws[:, place], left[:, place], len(gold), "instances")
    return _board(language, len(gold), lexical_scores.FIGURES, values, found, choices)


def substitution_board(
    rows: Mapping[str, lexical_scores.Rows],
    rules: lexical_scores.Rules,
    language: str,
    choices: Choices,
    instances: int,
) -> Board:
    """Systems that gave substitutes for the same instances."""
    values = {name: _statistics(lexical_scores.values_of_substitution(own, rules)) for name, own in rows.items()}
    found: dict[str, dict[str, Resampled]] = {name: {} for name in rows}
    main = tuple(name for name in lexical_scores.MAIN if name in next(iter(values.values()), {}))
    if choices.replicates and rows:
        tables = [lexical_scores.columns(own, rules) for own in rows.values()]
        names = tables[0][0]
        joined = np.concatenate([table for _, table in tables], axis=1)
        generator = np.random.default_rng(choices.seed)
        sums = resample(lambda weights: weights @ joined, np.ones(instances), choices.replicates, generator)
        for place, name in enumerate(rows):
            part = slice(place * len(names), (place + 1) * len(names))
            drawn, left = (lexical_scores.figures(names, side[:, part], rules) for side in (sums.drawn, sums.left_out))
            for figure in {*main, choices.by}:
                value = values[name][figure].value or 0.0
                found[name][figure] = Resampled(value, drawn[figure], left[figure], instances, "instances", sums.times)
    return _board(language, instances, main, values, found, choices)


def official_board(
    values: Mapping[str, Mapping[str, Statistic]], language: str, choices: Choices, instances: int
) -> Board:
    """Systems by the figures of the official script, each on its own rows: without intervals and clusters."""
    main = tuple(name for name in lexical_scores.MAIN if name in next(iter(values.values()), {}))
    return _board(language, instances, main, values, {}, choices)


def _statistics(values: Mapping[str, float]) -> dict[str, Statistic]:
    return {
        name: Statistic(None, "no instance counts") if np.isnan(one) else Statistic(one) for name, one in values.items()
    }


def _board(
    language: str,
    instances: int,
    main: Sequence[str],
    values: Mapping[str, Mapping[str, Statistic]],
    found: Mapping[str, Mapping[str, Resampled]],
    choices: Choices,
) -> Board:
    shown = tuple(dict.fromkeys([choices.by, *main]))
    sign = -1 if choices.by in lexical_scores.LOWER else 1
    known = {name: own[choices.by].value for name, own in values.items()}
    scores = {name: sign * value for name, value in known.items() if value is not None}
    placed = {rank.system: rank for rank in ranks(scores, _better(scores, found, choices.by, sign))}
    ordered = [*placed, *(name for name in values if name not in placed)]
    resampled = any(found.values())
    entries = [
        Entry(
            system=name,
            values=values[name],
            intervals={
                figure: found[name][figure].interval() if figure in found.get(name, {}) else no_interval(OFFICIAL)
                for figure in shown
            }
            if resampled
            else {},
            rank=placed.get(name) if resampled and len(placed) > 1 else None,
        )
        for name in ordered
    ]
    return Board(language=language, instances=instances, by=choices.by, main=shown, entries=tuple(entries))


def _better(
    scores: Mapping[str, float], found: Mapping[str, Mapping[str, Resampled]], by: str, sign: int
) -> dict[tuple[str, str], bool]:
    """Which system is significantly better than which, after Holm's correction over all pairs."""
    drawn = {name: found[name][by] for name in scores if by in found.get(name, {})}
    pairs = list(combinations(drawn, 2))
    tests = [_difference(drawn[one], drawn[other]).p() for one, other in pairs]
    better = {}
    for (one, other), p in zip(pairs, holm(tests), strict=True):
        if p.value is not None and p.value < ALPHA:
            better[(one, other) if scores[one] > scores[other] else (other, one)] = True
    return better


def _difference(one: Resampled, other: Resampled) -> Resampled:
    return Resampled(
        one.value - other.value,
        one.drawn - other.drawn,
        one.left_out - other.left_out,
        one.units,
        one.what,
        one.times,
        difference=True,
    )


def board_table(board: Board, name: str, signature: str) -> Table:
    """A board as people read it: the figure that orders it, ranks and clusters, then the other main figures."""
    ranked = any(one.rank for one in board.entries)
    places = (Column("place", "place", WHOLE), Column("ranks", "ranks"), Column("cluster", "cluster", WHOLE))
    digits = 3 if any(one.intervals for one in board.entries) else 4
    figures = [Column(figure, figure, DECIMAL, digits) for figure in board.main]
    rows = []
    for one in board.entries:
        rank = one.rank
        places_of: list[Cell] = [rank.place, _range(rank), rank.cluster] if rank else [None, "", None]
        first, *others = (_cell(one, figure) for figure in board.main)
        rows.append((one.system, first, *(places_of if ranked else []), *others))
    note = f"{board.instances:,} instances, ordered by {board.by}."
    if ranked:
        note += (
            " 95 % intervals over instances. A new cluster begins where every system above is significantly better than"
            " every one below (paired bootstrap, Holm, 5 %); ranks are those that a system may have."
        )
    return Table(
        id=f"leaderboard_{board.language or 'all'}",
        title=name,
        columns=(Column("system", "system", TEXT), figures[0], *(places if ranked else ()), *figures[1:]),
        rows=tuple(rows),
        note=note,
        signature=signature,
    )


def _range(rank: Rank) -> str:
    return f"{rank.best}–{rank.worst}" if rank.best < rank.worst else str(rank.best)


def _cell(one: Entry, figure: str) -> Cell:
    interval = one.intervals.get(figure)
    return Estimate(one.values[figure], interval.low, interval.high) if interval else one.values[figure]


def board_report(
    boards: Sequence[Board],
    notes: Sequence[str],
    *,
    title: str,
    gold: str,
    now: datetime,
    signed: str,
    judged: Sequence[Part] = (),
) -> Report:
    """The boards as one page: the first with what people ``judged``, languages folded, then what differs."""
    sections: list[Section] = []
    for board in boards:
        name = board_title(board)
        table = board_table(board, f"Systems by {board.by}", signed)
        chart = _chart(board, table)
        beside = () if sections else judged
        sections.append(Section(table.id.replace("_", "-"), name, (table, *beside, *([chart] if chart else []))))
    if notes:
        said = tuple(Paragraph(note, "list") for note in notes)
        sections.append(Section("differences", "What differs from the official scripts", said))
    return Report(title=title, name=gold, source="Gold", made=now, origin=signed, sections=tuple(sections))


def judged_parts(figures: Figures) -> tuple[Part, ...]:
    """What people said of the systems, beside what was computed: the table of the report, and how far they agree.

    Raises InputError where fewer than two systems were judged.
    """
    found = figures.comparison
    if found is None or why_nothing(figures, found):
        why = why_nothing(figures, found).rstrip(".")
        raise wrong(why, "judged", "Give a study or an export in which systems were judged.")
    table = attrs.evolve(systems_table(figures, found), id="judged", title="Systems as people judged them")
    said = [in_short(figures), *found.remarks]
    return (table, *(Paragraph(text) for text in said if text))


def board_title(board: Board) -> str:
    """What a board is of."""
    return language_name(board.language) if board.language else "Leaderboard"


def page(report: Report, pictures: Mapping[str, str]) -> str:
    """The page of a leaderboard, as ``folder.write`` wants it."""
    drawn = {chart.id: accessible(pictures[chart.id], chart) for chart in report.charts if chart.id in pictures}
    return templates().get_template("leaderboard.html").render(report=report, pictures=drawn, version=__version__)


def _chart(board: Board, table: Table) -> Chart | None:
    """The figure that orders systems, with its interval; None where there are no intervals."""
    rows = []
    for one in board.entries:
        value, found = one.values[board.by].value, one.intervals.get(board.by)
        if value is not None and found and found.low.value is not None:
            ends = {"low": found.low.value, "high": found.high.value}
            rows.append({"panel": board.by, "system": one.system, "mean": value, **ends})
    if not rows:
        return None
    names, title = [one.system for one in board.entries], f"{board_title(board)}: {board.by} with intervals"
    subtitle = "point: all instances; line: 95 % interval over instances"
    spec = intervals_chart(rows, names=names, what=title, subtitle=subtitle, axis=f"{board.by}, with 95 % interval")
    alt = f"A point and its interval for each of {len(rows)} systems, by {board.by}."
    return Chart(f"{table.id}_chart", title, alt, spec, table.id, table.signature)
