"""A report as one page that needs nothing else: no script, no outside file, readable on a phone and on paper."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from typing import TYPE_CHECKING

from jinja2 import ChoiceLoader, Environment, PackageLoader, StrictUndefined
from markupsafe import Markup, escape

from rubrica import __version__
from rubrica.report.sections.section import Asked, Case, Chart, Heading, Paragraph
from rubrica.report.tables import TEXT, Table, shown, sort_key

if TYPE_CHECKING:
    from rubrica.report.report import Report

KINDS = {Paragraph: "paragraph", Heading: "heading", Table: "table", Chart: "chart", Case: "case", Asked: "asked"}
NO_BREAK = "\u00a0"
_CODE = re.compile(r"`([^`]+)`")
_OPENING = re.compile(r"<svg\b[^>]*>")


def unbroken(title: str) -> str:
    """The title of a column whose scale and unit stand on one line: *(1 to 5)*, *facts %*."""
    head, bracket, scale = title.partition("(")
    return (head + bracket + scale.replace(" ", NO_BREAK)).replace(" %", f"{NO_BREAK}%")


@cache
def templates() -> Environment:
    """The templates of reports; everything that is put into them is escaped."""
    found = Environment(
        loader=ChoiceLoader([PackageLoader("rubrica.report", folder) for folder in ("templates", "styles", "scripts")]),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    found.filters["kind"] = lambda part: KINDS[type(part)]
    found.filters["shown"] = shown
    found.filters["prose"] = prose_html
    found.filters["sort_key"] = sort_key
    found.filters["unbroken"] = unbroken
    found.filters["is_number"] = lambda column: column.kind != TEXT
    return found


def load() -> None:
    """Read the templates, which takes as long as filling them."""
    for name in ("report.html", "page.html"):
        templates().get_template(name)


def prose_html(text: str) -> Markup:
    """Prose, escaped; what stands between backquotes is code."""
    return Markup(_CODE.sub(r"<code>\1</code>", str(escape(text))))  # noqa: S704 (escaped before; only tags of ours are added)


def as_html(report: Report, pictures: Mapping[str, str]) -> str:
    """The page. ``pictures`` are the charts as SVG, by their id; a chart without one shows only its description."""
    drawn = {chart.id: accessible(pictures[chart.id], chart) for chart in report.charts if chart.id in pictures}
    return templates().get_template("report.html").render(report=report, pictures=drawn, version=__version__)


def as_page(report: Report, links: str, *, charts: bool) -> str:
    """The report as a part of another page, which has the style: charts and files of tables are under ``links``."""
    picture = Markup('<img src="{}charts/{}.svg" alt="{}">')
    drawn = {chart.id: picture.format(links, chart.id, chart.alt) for chart in report.charts} if charts else {}
    return templates().get_template("page.html").render(report=report, pictures=drawn, links=links)


def table_html(table: Table) -> str:
    """One table, as the page shows it."""
    return str(templates().get_template("table.html").module.table(table))  # type: ignore[attr-defined]


def accessible(svg: str, chart: Chart) -> Markup:
    """The picture with a title and a description that a screen reader finds, wide as it is or as its place allows."""
    named = f"chart-{chart.id}"
    opening = _OPENING.search(svg)
    assert opening is not None, "what draws makes SVG"
    tag = opening.group(0)
    size = re.search(r'width="([\d.]+)"', tag)
    shape = re.sub(r'\s(width|height|class)="[^"]*"', "", tag)
    width = f' style="max-width:{float(size.group(1)):.0f}px"' if size else ""
    start = shape.replace("<svg", f'<svg role="img" aria-labelledby="{named}-title {named}-desc"{width}', 1)
    words = Markup('<title id="{0}-title">{1}</title><desc id="{0}-desc">{2}</desc>').format(
        named, escape(chart.title), escape(chart.alt)
    )
    return Markup(start) + words + Markup(svg[opening.end() :])  # noqa: S704 (drawn by vl-convert, which escapes texts)
