"""Scores of systems as tables and charts.

Scores of systems as tables: figures with intervals, tests between systems, how figures of sentences are spread.

Charts of a comparison by metrics: figures of systems with intervals, and how figures of sentences are spread.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from rubrica.core.metric_values import HIGHER, LOWER, NEITHER
from rubrica.metrics.metric import Figure
from rubrica.metrics.results import Score, Scores, SystemScores
from rubrica.report.charts import ACCENT, STEP, WIDTH, intervals_chart, with_style
from rubrica.report.sections.section import Chart
from rubrica.report.system_comparison_choice import Chosen
from rubrica.report.tables import (
    DECIMAL,
    PROBABILITY,
    SYSTEMS,
    UNDEFINED,
    WHOLE,
    Cell,
    Column,
    Estimate,
    Table,
    flat_rows,
    shown,
    without_interval,
)
from rubrica.stats.bootstrap import NO_RESAMPLES
from rubrica.stats.statistic import Statistic

ARROWS = {HIGHER: " ↑", LOWER: " ↓", NEITHER: ""}
MARKS = "↑ higher is better, ↓ lower is better; without an arrow a figure describes and does not judge."
RESAMPLED = "Intervals: 95 %, BCa bootstrap over sentences."
ALL_DATASETS = "all data sets"
QUANTILES = {"p5": 0.05, "p25": 0.25, "median": 0.5, "p75": 0.75, "p95": 0.95}
NO_SENTENCE = Statistic(None, "no sentence that is shown has this figure")


def _parts_of(scores: Scores) -> list[tuple[tuple[str, ...], Scores]]:
    """What rows are named by besides the system: each data set and all of them, or nothing where there is none."""
    if not scores.datasets:
        return [((), scores)]
    return [*(((name,), part) for name, part in scores.datasets.items()), ((ALL_DATASETS,), scores)]


def _named(scores: Scores) -> tuple[Column, ...]:
    return (Column("dataset", "Data set"),) if scores.datasets else ()


def systems_table(scores: Scores) -> Table:
    """A row for each system, a column for each figure; the best of several systems is set in bold."""
    first = (*_named(scores), Column("system", "System"), Column("sentences", "Sentences", WHOLE))
    named = titles(scores.figures)
    columns = tuple(Column(one.key, titled(one, named[one.key]), DECIMAL, one.digits) for one in scores.figures)
    rows: list[tuple[Cell, ...]] = []
    best: set[tuple[int, int]] = set()
    for dataset, part in _parts_of(scores):
        best |= {
            (len(rows) + row, column + len(first))
            for column, one in enumerate(scores.figures)
            for row in best_systems(part, one)
        }
        rows += [
            (*dataset, system.name, system.sentences, *(_estimate(system, figure) for figure in scores.figures))
            for system in part.systems
        ]
    note = _note(scores)
    title = "Figures of each system"
    return Table("systems", title, (*first, *columns), tuple(rows), note, scores.signature, frozenset(best))


def figures_table(scores: Scores) -> Table:
    """The same the other way round, for many figures: a row for each figure, a column for each system."""
    names = tuple(Column(f"{SYSTEMS}{system.name}", system.name) for system in scores.systems)
    rows: list[tuple[Cell, ...]] = []
    best: set[tuple[int, int]] = set()
    named = titles(scores.figures)
    for dataset, part in _parts_of(scores):
        own = {system.name: system for system in part.systems}
        places = [place for place, system in enumerate(scores.systems) if system.name in own]
        for figure in scores.figures:
            column = Column(figure.key, figure.title, DECIMAL, figure.digits)
            best |= {(len(rows), len(dataset) + 1 + places[place]) for place in best_systems(part, figure)}
            texts = (
                shown(_estimate(own[system.name], figure), column) if system.name in own else UNDEFINED
                for system in scores.systems
            )
            rows.append((*dataset, titled(figure, named[figure.key]), *texts))
    columns = (*_named(scores), Column("figure", "Figure"), *names)
    title = "Figures of each system"
    return Table("figures", title, columns, tuple(rows), _note(scores), scores.signature, frozenset(best))


def _note(scores: Scores) -> str:
    """How to read figures, and which rewrites are held against fewer references than were given."""
    out = [f"{one.left_out:,} of {one.name}" for one in scores.systems if one.left_out]
    lost = [f"{one.unreferenced:,} of {one.name}" for one in scores.systems if one.unreferenced]
    notes = [MARKS, _resampled(scores)]
    notes += [f"References left out, being the rewrite itself: {', '.join(out)}."] if out else []
    notes += [f"Without a reference, and in no figure that needs one: {', '.join(lost)}."] if lost else []
    return " ".join(filter(None, notes))


def differences_table(scores: Scores) -> Table:
    """A row for each figure and pair of systems, with both tests."""
    named = titles(scores.figures)
    columns = (
        *_named(scores),
        Column("figure", "Figure"),
        Column("one", "System"),
        Column("other", "minus"),
        Column("difference", "Difference", DECIMAL, max((one.digits for one in scores.figures), default=2)),
        Column("p_bootstrap", "p, bootstrap", PROBABILITY, 3),
        Column("p_permutation", "p, permutation", PROBABILITY, 3),
        Column("p_holm", "p, Holm", PROBABILITY, 3),
    )
    rows: list[tuple[Cell, ...]] = [
        (
            *dataset,
            named[one.figure],
            one.one,
            one.other,
            Estimate(*_parts(one.difference)),
            one.p_bootstrap,
            one.p_permutation,
            one.p_holm,
        )
        for dataset, part in _parts_of(scores)
        for one in part.differences
    ]
    note = (
        "Paired over the sentences that both systems rewrote, two-sided. The last column is the permutation test after "
        f"Holm's correction for all pairs of systems on that figure. {_resampled(scores)}"
    )
    return Table("differences", "Differences between systems", columns, tuple(rows), note.strip(), scores.signature)


def spread_table(chosen: Chosen, figures: Sequence[Figure], signature: str) -> Table:
    """Quantiles of the figures of single sentences, over the sentences that were drawn evenly."""
    columns = (
        Column("figure", "Figure"),
        Column("system", "System"),
        Column("sentences", "Sentences", WHOLE),
        *(Column(name, title, DECIMAL, 2) for name, title in zip(QUANTILES, _QUANTILE_TITLES, strict=True)),
    )
    rows: list[tuple[Cell, ...]] = []
    for figure in figures:
        place = chosen.figures.index(figure)
        for system in chosen.systems:
            values = np.array([chosen.sentences[one].figures[system][place] for one in chosen.sampled], dtype=float)
            known = values[~np.isnan(values)]
            found = np.quantile(known, list(QUANTILES.values())).tolist() if known.size else ()
            cells = [Statistic(value) for value in found] or [NO_SENTENCE] * len(QUANTILES)
            rows.append((figure.title, system, int(known.size), *cells))
    few = len(chosen.sampled) < chosen.total
    note = f"Over {len(chosen.sampled):,} sentences drawn evenly from all {chosen.total:,}." if few else ""
    return Table("sentence_figures", "Figures of single sentences", columns, tuple(rows), note, signature)


_QUANTILE_TITLES = ("5 % below", "25 % below", "Median", "25 % above", "5 % above")


def best_systems(scores: Scores, figure: Figure) -> list[int]:
    """Which systems have the best value, by index; none if the figure does not judge, or all are equal or alone.

    What is written alike is equal.
    """
    column = Column(figure.key, "", DECIMAL, figure.digits)
    values = [system.scores[figure.key].value for system in scores.systems]
    known = [one for one in values if one.value is not None]
    if figure.better == NEITHER or len(scores.systems) < 2 or len({shown(one, column) for one in known}) < 2:
        return []
    top = (max if figure.better == HIGHER else min)(known, key=lambda one: one.value or 0.0)
    return [index for index, one in enumerate(values) if shown(one, column) == shown(top, column)]


def titles(figures: Sequence[Figure]) -> dict[str, str]:
    """What each figure is called by itself, by its key: a part has the name of its metric before its own."""
    found, whole = {}, ""
    for figure in figures:
        whole = whole if figure.part else figure.title
        found[figure.key] = f"{whole}, {figure.title}" if figure.part and whole else figure.title
    return found


def titled(figure: Figure, title: str = "") -> str:
    """The title, or another one, with an arrow that says which way is better."""
    return (title or figure.title) + ARROWS[figure.better]


def _estimate(system: SystemScores, figure: Figure) -> Estimate:
    return Estimate(*_parts(system.scores[figure.key]))


def _parts(score: Score) -> tuple[Statistic, Statistic, Statistic]:
    return score.value, score.low, score.high


def _resampled(scores: Scores) -> str:
    """How intervals were made, and why figures have none; nothing where none were asked for."""
    estimates = [Estimate(*_parts(one)) for system in scores.systems for one in system.scores.values()]
    made = [RESAMPLED] if any(one.low.value is not None for one in estimates) else []
    asked = [one for one in estimates if one.low.reason != NO_RESAMPLES]
    return " ".join([*made, *without_interval(asked)])


SUBTITLE = "point: the corpus; line: 95 % interval over sentences"


def scores_chart(scores: Scores, figures: Sequence[Figure], table: str) -> Chart | None:
    """A panel for each figure, a point with its interval for each system; None if there is no value to draw."""
    rows = []
    for figure in figures:
        for system in scores.systems:
            found = system.scores[figure.key]
            if found.value.value is None:
                continue
            low, high = found.low.value, found.high.value
            ends = (low, high) if low is not None and high is not None else (found.value.value,) * 2
            rows.append(_row(titled(figure), system.name, found.value.value, ends))
    if not rows:
        return None
    names = [system.name for system in scores.systems]
    title = "Figures of each system, with intervals"
    spec = intervals_chart(rows, names=names, what=title, subtitle=SUBTITLE, axis="value, with 95 % interval")
    alt = f"A panel for each of {len(figures)} figures, with a point and its interval for each system."
    return Chart("systems", title, alt, spec, table, scores.signature)


def _row(panel: str, system: str, mean: float, ends: tuple[float, float]) -> dict[str, Any]:
    return {"panel": panel, "system": system, "mean": mean, "low": ends[0], "high": ends[1]}


def spread_chart(table: Table, systems: Sequence[str]) -> Chart | None:
    """A panel for each figure, a box for each system, from the quantiles of the table; None without any."""
    rows = [row for row in flat_rows(table) if row["median"] is not None]
    panels = [
        _boxes(figure, [row for row in rows if row["figure"] == figure], systems)
        for figure in dict.fromkeys(row["figure"] for row in rows)
    ]
    if not panels:
        return None
    title = "How figures of single sentences are spread"
    subtitle = "line: 5 % to 95 % of the sentences; box: the middle half; bar in it: the median"
    head = {"text": title, "subtitle": subtitle, "subtitleColor": "#555555", "subtitleFontSize": 11, "offset": 14}
    spec = with_style({"title": head, "vconcat": panels, "spacing": 22})
    alt = f"A panel for each of {len(panels)} figures, with a box from the first to the third quarter for each system."
    return Chart("sentence_figures", title, alt, spec, table.id, table.signature)


def _boxes(figure: str, rows: Sequence[Mapping[str, Any]], systems: Sequence[str]) -> dict[str, Any]:
    x = {"type": "quantitative", "title": "value of a sentence", "scale": {"zero": False}, "axis": {"tickCount": 6}}
    kept = ("system", *QUANTILES)
    axis = {"domain": False, "ticks": False}

    def layer(mark: Mapping[str, Any], start: str, end: str = "") -> dict[str, Any]:
        ends = {"x2": {"field": end}} if end else {}
        return {"mark": dict(mark), "encoding": {"x": {**x, "field": start}, **ends}}

    return {
        "title": figure,
        "width": WIDTH,
        "height": {"step": STEP},
        "data": {"values": [{name: row[name] for name in kept} for row in rows]},
        "encoding": {"y": {"field": "system", "type": "nominal", "title": None, "sort": list(systems), "axis": axis}},
        "layer": [
            layer({"type": "rule", "color": ACCENT, "strokeWidth": 1.5}, "p5", "p95"),
            layer({"type": "bar", "color": "#c6dbef", "stroke": ACCENT, "height": 14}, "p25", "p75"),
            layer({"type": "tick", "color": "#08306b", "thickness": 3, "size": 14}, "median"),
        ],
    }
