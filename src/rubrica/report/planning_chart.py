"""The chart of a plan: power and the width of the difference's interval by items, a line for each number of raters."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from rubrica.report.chart_files import PALETTE, chart_library, chart_title, write_chart
from rubrica.report.planning import Plan

WIDTH, HEIGHT = 300, 220
PANELS = (("width_mean", "width, mean"), ("width_difference", "width, difference"), ("power", "power"))


def write_plan_chart(plan: Plan, folder: Path) -> list[Path]:
    """Write the chart; returns its files. Raises InputError without the libraries that draw."""
    alt = chart_library()
    rows = chart_rows(plan)
    return write_chart(plan_chart(alt, plan, rows), folder, "plan", rows)


def chart_rows(plan: Plan) -> list[dict[str, Any]]:
    """A row for each criterion and study; what is undefined is empty."""
    return [
        {
            "figure": one.measure.title,
            "items": study.items,
            "raters": study.raters,
            **{name: getattr(study, name).value for name, _ in PANELS},
            "cost": plan.cost(study).value,
        }
        for one in plan.planned
        for study in one.studies
    ]


def plan_chart(alt: Any, plan: Plan, rows: list[dict[str, Any]]) -> Any:
    """A row of panels for each criterion, made with altair."""
    lines = [
        alt.hconcat(*(_panel(alt, plan, [row for row in rows if row["figure"] == one], *panel) for panel in PANELS))
        for one in dict.fromkeys(row["figure"] for row in rows)
    ]
    title = chart_title(alt, "What larger studies would find", plan.signature)
    return alt.vconcat(*lines, title=title).resolve_scale(color="shared").configure_view(stroke=None)


def _panel(alt: Any, plan: Plan, rows: list[dict[str, Any]], name: str, title: str) -> Any:
    numbers = [str(number) for number in plan.sizes.raters]
    power = {"scale": alt.Scale(domain=[0, 1]), "axis": alt.Axis(format="%")} if name == "power" else {}
    heading = rows[0]["figure"] if rows else ""
    values = [{**row, "raters": str(row["raters"])} for row in rows if row[name] is not None]
    return (
        alt.Chart(alt.Data(values=values), width=WIDTH, height=HEIGHT, title=f"{heading}: {title}")
        .mark_line(point=True, strokeWidth=2)
        .encode(
            x=alt.X("items:Q", title="items", scale=alt.Scale(zero=False)),
            y=alt.Y(f"{name}:Q", title=title, **power),
            color=alt.Color(
                "raters:N", title="raters", sort=numbers, scale=alt.Scale(domain=numbers, range=_colours(len(numbers)))
            ),
            strokeDash=alt.StrokeDash("raters:N", title="raters", sort=numbers, scale=alt.Scale(domain=numbers)),
            tooltip=["items:Q", "raters:N", alt.Tooltip(f"{name}:Q", format=".3f")],
        )
    )


def _colours(number: int) -> list[str]:
    return [PALETTE[place % len(PALETTE)] for place in range(number)]
