"""Figure 1 of Zhang et al. 2020: the density of the expert's share for each group of outputs."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from rubrica.report.chart_files import PALETTE, chart_library, write_chart
from rubrica.report.charts import titled, with_style
from rubrica.report.crowd_reliability import CrowdReliability

STEPS = 200
WIDTH, HEIGHT = 460, 260
DASHES = ([1, 0], [6, 3], [2, 2], [8, 3, 2, 3], [1, 3], [10, 4])
"""Lines differ by more than colour."""


def write_reliability_chart(found: CrowdReliability, folder: Path) -> list[Path]:
    """Write the chart; returns its files. Raises InputError without the libraries that draw."""
    alt = chart_library()
    rows = chart_rows(found)
    chart = alt.Chart.from_dict(reliability_chart(found, rows, found.signature))
    return write_chart(chart, folder, "crowd-reliability", rows)


def chart_rows(found: CrowdReliability) -> list[dict[str, Any]]:
    """The densities at even steps from 0 to 1; groups of which an expert judged none have none."""
    shares = [step / STEPS for step in range(STEPS + 1)]
    return [
        {"group": f"{group.said} of {group.of}", "share": share, "density": density}
        for group in found.groups
        if group.share.judged
        for share, density in zip(shares, group.share.density(shares), strict=True)
    ]


def reliability_chart(found: CrowdReliability, rows: Sequence[dict[str, Any]], below: str) -> dict[str, Any]:
    """A line for each group, as Vega-Lite, with a line ``below`` the title."""
    names = [f"{group.said} of {group.of}" for group in found.groups]
    legend = {"field": "group", "type": "nominal", "title": f"raters who say {found.verdict.name}"}
    colours = {"domain": names, "range": [PALETTE[place % len(PALETTE)] for place in range(len(names))]}
    dashes = {"domain": names, "range": [DASHES[place % len(DASHES)] for place in range(len(names))]}
    return with_style(
        {
            "title": titled(f"How often an expert says {found.verdict.name}", below),
            "width": WIDTH,
            "height": HEIGHT,
            "data": {"values": list(rows)},
            "mark": {"type": "line", "strokeWidth": 2},
            "encoding": {
                "x": {
                    "field": "share",
                    "type": "quantitative",
                    "title": "share of outputs",
                    "axis": {"format": "%"},
                    "scale": {"domain": [0, 1]},
                },
                "y": {"field": "density", "type": "quantitative", "title": "density"},
                "color": {**legend, "scale": colours},
                "strokeDash": {**legend, "scale": dashes},
            },
        }
    )
