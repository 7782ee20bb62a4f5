"""Figure 1 of Zhang et al. 2020: the density of the expert's share for each group of outputs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from rubrica.report.chart_files import PALETTE, chart_library, chart_title, write_chart
from rubrica.report.crowd_reliability import CrowdReliability

STEPS = 200
WIDTH, HEIGHT = 460, 260


def write_reliability_chart(found: CrowdReliability, folder: Path) -> list[Path]:
    """Write the chart; returns its files. Raises InputError without the libraries that draw."""
    alt = chart_library()
    rows = chart_rows(found)
    return write_chart(reliability_chart(alt, found, rows), folder, "crowd-reliability", rows)


def chart_rows(found: CrowdReliability) -> list[dict[str, Any]]:
    """The densities at even steps from 0 to 1; groups of which an expert judged none have none."""
    shares = [step / STEPS for step in range(STEPS + 1)]
    return [
        {"group": f"{group.said} of {group.of}", "share": share, "density": density}
        for group in found.groups
        if group.share.judged
        for share, density in zip(shares, group.share.density(shares), strict=True)
    ]


def reliability_chart(alt: Any, found: CrowdReliability, rows: list[dict[str, Any]]) -> Any:
    """A line for each group, made with altair."""
    names = [f"{group.said} of {group.of}" for group in found.groups]
    said = f"raters who say {found.verdict.name}"
    title = f"How often an expert says {found.verdict.name}"
    return (
        alt.Chart(alt.Data(values=rows), width=WIDTH, height=HEIGHT, title=chart_title(alt, title, found.signature))
        .mark_line(strokeWidth=2)
        .encode(
            x=alt.X("share:Q", title="share of outputs", axis=alt.Axis(format="%"), scale=alt.Scale(domain=[0, 1])),
            y=alt.Y("density:Q", title="density"),
            color=alt.Color(
                "group:N",
                title=said,
                scale=alt.Scale(domain=names, range=list(PALETTE[: len(names)])),
            ),
            strokeDash=alt.StrokeDash("group:N", title=said, scale=alt.Scale(domain=names)),
            tooltip=["group:N", alt.Tooltip("share:Q", format=".1%"), alt.Tooltip("density:Q", format=".2f")],
        )
        .configure_view(stroke=None)
    )
