"""Charts of a comparison by metrics: figures of systems with intervals, and how figures of sentences are spread."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rubrica.metrics.metric import Figure
from rubrica.metrics.results import Scores
from rubrica.report.charts import ACCENT, STEP, WIDTH, intervals_chart, with_style
from rubrica.report.sections.section import Chart
from rubrica.report.system_comparison_tables import QUANTILES, titled
from rubrica.report.tables import Table, flat_rows

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
