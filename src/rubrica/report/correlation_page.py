"""Correlations as one page that needs nothing else: tables and scatter charts, metric by metric."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from markupsafe import Markup

from rubrica import __version__
from rubrica.report.correlation import Correlations
from rubrica.report.correlation_tables import metric_table, paper_table, system_table, whole_table
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
