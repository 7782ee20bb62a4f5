"""Scatter charts of metrics and people, and the page that they are on.

Correlations as one page that needs nothing else: tables and scatter charts, metric by metric.

Scatter charts: each rewrite by a metric and by people, and each system by its means.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from markupsafe import Markup

from rubrica import __version__
from rubrica.report.charts import PALETTE, chart_library, chart_title, write_chart
from rubrica.report.correlation import Correlations
from rubrica.report.correlation_data import NO_SYSTEM, Scope, grid_of
from rubrica.report.correlation_tables import (
    DAGGER,
    metric_table,
    paper_table,
    plain_name,
    short,
    system_table,
    whole_table,
)
from rubrica.report.html import accessible, templates
from rubrica.report.sections.section import Chart
from rubrica.report.tables import Table, retitled


class Picture(NamedTuple):
    """A chart on the page: the name of its files, what it shows, the picture itself."""

    name: str
    title: str
    svg: Markup


class Section(NamedTuple):
    """A part of the page."""

    id: str
    title: str
    tables: tuple[Table, ...]
    pictures: tuple[Picture, ...] = ()


def correlation_page(found: Correlations, pictures: Mapping[str, Mapping[str, tuple[str, str]]]) -> str:
    """The page. ``pictures`` are by metric the charts' files, each with its title and its SVG."""
    return (
        templates()
        .get_template("correlation.html")
        .render(
            title="Metrics and people",
            sections=list(_sections(found, pictures)),
            version=__version__,
        )
    )


def _sections(found: Correlations, pictures: Mapping[str, Mapping[str, tuple[str, str]]]) -> Iterator[Section]:
    for number, metric in enumerate(found.data.metrics, start=1):
        drawn = [
            Picture(name, title, accessible(svg, _described(found, name, title)))
            for name, (title, svg) in pictures.get(metric, {}).items()
        ]
        yield Section(f"metric-{number}", metric, (retitled(paper_table(found, metric)),), tuple(drawn))
    for name, title, table in (
        ("sentences", "Sentences, all together", whole_table(found)),
        ("systems", "Systems", system_table(found)),
        ("metrics", "Which metric agrees better", metric_table(found)),
    ):
        if table.rows:
            yield Section(name, title, (retitled(table),))


def _described(found: Correlations, name: str, title: str) -> Chart:
    points = "a point for each rewrite" if name.startswith("rewrites") else "a point for each system"
    panels = ", ".join(found.data.titles)
    return Chart(
        name, title, f"{points}, the metric across and people's score up, in a panel for each of {panels}", {}, ""
    )


PAGE = "correlation.html"
SIZE, COLUMNS = 240, 3
"""Dots of a panel, and panels beside each other."""
SHAPES = ("circle", "square", "triangle-up", "diamond", "cross")
"""More systems than colours differ by shape as well."""
SIGNS = {"pearson": "r", "spearman": "ρ", "kendall": "τ"}


def write_correlation_charts(found: Correlations, folder: Path) -> list[Path]:
    """Two charts for each metric, rewrites and systems, each as SVG, PNG, Vega-Lite and CSV, and a page with all.

    Returns the files. Raises InputError without the libraries that draw, or if the folder cannot be written.
    """
    alt = chart_library()
    written: list[Path] = []
    pictures: dict[str, dict[str, tuple[str, str]]] = {}
    for metric in found.data.metrics:
        kinds = {"rewrites": (sentence_rows(found, metric), "each rewrite")}
        if len(found.data.systems) > 1:
            kinds["systems"] = system_rows(found, metric), "means of systems"
        for kind, (rows, what) in kinds.items():
            if rows:
                name, title = f"{kind}-{plain_name(found, metric)}", f"{metric} and people, {what}"
                chart = _chart(alt, found, metric, rows, title, named=kind == "systems")
                files = write_chart(chart, folder, name, rows)
                pictures.setdefault(metric, {})[name] = title, files[0].read_text(encoding="utf-8")
                written += files
    page = folder / PAGE
    page.write_text(correlation_page(found, pictures), encoding="utf-8")
    return [*written, page]


def sentence_rows(found: Correlations, metric: str) -> list[dict[str, Any]]:
    """What the chart of rewrites shows: a row for each unit and criterion that both have a score of."""
    data = found.data
    scores = data.scores[data.metrics.index(metric)]
    return [
        {
            "criterion": title,
            "dataset": unit.dataset,
            "system": unit.system or NO_SYSTEM,
            "unit": unit.key,
            "metric": float(scores[place]),
            "people": float(row[place]),
        }
        for title, row in zip(data.titles, data.people, strict=True)
        for place, unit in enumerate(data.units)
        if not np.isnan(scores[place]) and not np.isnan(row[place])
    ]


def system_rows(found: Correlations, metric: str) -> list[dict[str, Any]]:
    """What the chart of systems shows: the means of each system, by criterion."""
    data, rows = found.data, []
    for criterion, title in enumerate(data.titles):
        grid = grid_of(data, data.of(Scope()), criterion, data.metrics.index(metric))
        for system, people, mean in zip(grid.systems, *grid.means, strict=True):
            rows.append(
                {"criterion": title, "system": system or NO_SYSTEM, "metric": float(mean), "people": float(people)}
            )
    return rows


def _chart(
    alt: Any, found: Correlations, metric: str, rows: Sequence[Mapping[str, Any]], title: str, *, named: bool
) -> Any:
    systems = [system or NO_SYSTEM for system in found.data.systems]
    panels = [
        _panel(alt, [row for row in rows if row["criterion"] == one], _heading(found, metric, criterion, one, named))
        for criterion, one in zip(found.data.criteria, found.data.titles, strict=True)
        if any(row["criterion"] == one for row in rows)
    ]
    colours = alt.Scale(domain=systems, range=[PALETTE[place % len(PALETTE)] for place in range(len(systems))])
    legend = alt.Legend(orient="bottom", columns=4, labelLimit=220, title=None) if len(systems) > 1 else None
    by_system = {"color": alt.Color("system:N", scale=colours, legend=legend, sort=systems)}
    if len(systems) > len(PALETTE):
        shapes = alt.Scale(
            domain=systems, range=[SHAPES[place // len(PALETTE) % len(SHAPES)] for place in range(len(systems))]
        )
        by_system["shape"] = alt.Shape("system:N", scale=shapes, legend=legend, sort=systems)
    scale = alt.Scale(zero=False, padding=8)
    encoded = [
        panel.encode(
            x=alt.X("metric:Q", title=metric, scale=scale, axis=alt.Axis(tickCount=5)),
            y=alt.Y("people:Q", title="people" if not place % COLUMNS else None, scale=scale),
            **by_system,
        )
        for place, panel in enumerate(panels)
    ]
    lines = [alt.hconcat(*encoded[start : start + COLUMNS], spacing=28) for start in range(0, len(encoded), COLUMNS)]
    return alt.vconcat(*lines, title=chart_title(alt, title, _wrapped(found.signature)), spacing=24).configure_view(
        stroke=None
    )


def _heading(found: Correlations, metric: str, criterion: str, title: str, named: bool) -> str:
    """The criterion with its coefficient, and how many points there are."""
    name = found.choices.statistic
    one = (
        next(r for r in found.systems if (r.scope, r.criterion, r.metric) == (Scope(), criterion, metric))
        if named
        else found.sentence(Scope(), criterion, metric)
    )
    value = one.values[name].value.value
    if value is None:
        return f"{title}, n = {one.n}"
    mark = "" if one.significant(name, found.choices.alpha) else DAGGER
    return f"{title}: {SIGNS[name]} = {short(value)}{mark}, n = {one.n}"


def _panel(alt: Any, rows: Sequence[Mapping[str, Any]], heading: str) -> Any:
    few = len(rows) <= len(PALETTE) * 3
    return (
        alt.Chart(alt.Data(values=list(rows)), width=SIZE, height=SIZE, title=alt.TitleParams(heading, fontSize=12))
        .mark_point(filled=True, shape="circle", size=70 if few else 34, opacity=0.9 if few else 0.55)
        .encode(tooltip=["system:N", *(["unit:N"] if "unit" in rows[0] else []), "metric:Q", "people:Q"])
    )


def _wrapped(signature: str, width: int = 110) -> list[str]:
    """The signature in lines that are no wider than the chart."""
    lines = [""]
    for part in signature.split("|"):
        joined = f"{lines[-1]}|{part}" if lines[-1] else part
        if len(joined) > width and lines[-1]:
            lines.append(part)
        else:
            lines[-1] = joined
    return lines
