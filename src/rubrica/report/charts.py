"""Charts as Vega-Lite, and drawing them: SVG for the page, PNG for slides. Colours are told apart by everybody.

What is drawn is always a table of the report; a chart only shows it. Drawing needs the extra `charts`.

Charts as files: a picture as SVG and PNG, the Vega-Lite that it was drawn from, and its data as CSV.
"""

from __future__ import annotations

import csv
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from rubrica.core.errors import InputError, wrong

FONT = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', 'DejaVu Sans', sans-serif"
ORDERED = {
    2: ("#c6dbef", "#2171b5"),
    3: ("#c6dbef", "#6baed6", "#08519c"),
    4: ("#deebf7", "#9ecae1", "#4292c6", "#084594"),
    5: ("#deebf7", "#9ecae1", "#6baed6", "#2171b5", "#08306b"),
}
"""Steps of one colour, light to dark, for answers in order (ColorBrewer, Blues)."""
ACCENT = "#08519c"
STEP, WIDTH = 26, 540
BESIDE, IN_A_ROW = 190, 3
"""The width of panels that stand side by side, and how many of them do."""
SCALE = 2
"""How many dots of a PNG one dot of the SVG is."""

_CONFIG: Mapping[str, Any] = {
    "font": FONT,
    "background": "#ffffff",
    "view": {"stroke": None},
    "axis": {
        "labelFontSize": 12,
        "titleFontSize": 12,
        "titleFontWeight": "normal",
        "labelLimit": 220,
        "gridColor": "#e5e5e5",
        "labelFlush": False,
    },
    "legend": {"labelFontSize": 12, "titleFontSize": 12, "titleFontWeight": "normal", "labelLimit": 260},
    "title": {"fontSize": 13, "anchor": "start", "fontWeight": 600},
    "header": {"labelFontSize": 12, "labelFontWeight": 600, "titleFontSize": 12, "labelLimit": 260},
}
SCHEMA = "https://vega.github.io/schema/vega-lite/v5.json"


def with_style(spec: Mapping[str, Any]) -> dict[str, Any]:
    """A chart with the look that all of them share."""
    return {"$schema": SCHEMA, **spec, "config": {**_CONFIG, **spec.get("config", {})}}


def colours(number: int, ordered: bool) -> list[str]:
    """So many colours: steps of one for answers in order, different ones otherwise."""
    if ordered and number in ORDERED:
        return list(ORDERED[number])
    if ordered:
        return [_shade(index / max(1, number - 1)) for index in range(number)]
    return [PALETTE[index % len(PALETTE)] for index in range(number)]


def _shade(share: float) -> str:
    """A blue between the lightest and the darkest of five."""
    ends = ((222, 8), (235, 48), (247, 107))
    return "#" + "".join(f"{round(light + (dark - light) * share):02x}" for light, dark in ends)


def titled(what: str, subtitle: str) -> dict[str, Any]:
    """A title with a line in small letters below it."""
    return {"text": what, "subtitle": subtitle, "subtitleColor": "#555555", "subtitleFontSize": 11, "offset": 14}


def _rows_axis(names: Sequence[str], field: str = "system", *, labels: bool = True) -> dict[str, Any]:
    axis = {"domain": False, "ticks": False} if labels else None
    return {"field": field, "type": "nominal", "title": None, "sort": list(names), "axis": axis}


def shares_chart(
    rows: Sequence[Mapping[str, Any]],
    *,
    answers: Sequence[str],
    systems: Sequence[str],
    ordered: bool,
    what: str,
    subtitle: str,
    means: Sequence[Mapping[str, Any]] = (),
    scale: tuple[float, float] | None = None,
) -> dict[str, Any]:
    """Shares of answers as stacked bars, one for each system, a panel for each question; means with intervals beside.

    ``rows`` have question, system, answer, share, order; ``means`` have question, system, mean, low, high.
    """
    questions = list(dict.fromkeys(row["question"] for row in rows))
    panels = [
        _question(question, rows, means, answers, systems, ordered, scale, index == 0)
        for index, question in enumerate(questions)
    ]
    return with_style(
        {
            "title": {
                "text": what,
                "subtitle": subtitle,
                "subtitleColor": "#555555",
                "subtitleFontSize": 11,
                "offset": 14,
            },
            "vconcat": panels,
            "spacing": 22,
        }
    )


def _question(
    question: str,
    rows: Sequence[Mapping[str, Any]],
    means: Sequence[Mapping[str, Any]],
    answers: Sequence[str],
    systems: Sequence[str],
    ordered: bool,
    scale: tuple[float, float] | None,
    first: bool,
) -> dict[str, Any]:
    legend = {"orient": "top", "title": None, "columns": 6 if max(map(len, answers)) < 14 else 2} if first else None
    bars = {
        "width": 420,
        "height": {"step": STEP},
        "title": question,
        "data": {"values": [dict(row) for row in rows if row["question"] == question]},
        "mark": {"type": "bar", "stroke": "#ffffff", "strokeWidth": 1},
        "encoding": {
            "y": _rows_axis(systems),
            "x": {
                "field": "share",
                "type": "quantitative",
                "stack": "zero",
                "title": "share of judgements (%)",
                "scale": {"domain": [0, 100]},
            },
            "color": {
                "field": "answer",
                "type": "nominal",
                "scale": {"domain": list(answers), "range": colours(len(answers), ordered)},
                "legend": legend,
                "sort": list(answers),
            },
            "order": {"field": "order", "type": "quantitative"},
        },
    }
    own = [dict(row) for row in means if row["question"] == question]
    if not own:
        return bars
    return {
        "hconcat": [bars, _points(own, systems, "mean, with 95 % interval", scale, 180, labels=False)],
        "spacing": 18,
    }


def _points(
    rows: Sequence[Mapping[str, Any]],
    systems: Sequence[str],
    title: str,
    scale: tuple[float, float] | None,
    width: int,
    *,
    labels: bool = True,
) -> dict[str, Any]:
    domain = {"domain": list(scale), "zero": False} if scale else {"zero": False}
    x = {"type": "quantitative", "title": title, "scale": domain, "axis": {"tickCount": 5}}
    return {
        "width": width,
        "height": {"step": STEP},
        "data": {"values": list(rows)},
        "encoding": {"y": _rows_axis(systems, labels=labels)},
        "layer": [
            {
                "mark": {"type": "rule", "color": ACCENT, "strokeWidth": 2},
                "encoding": {"x": {**x, "field": "low"}, "x2": {"field": "high"}},
            },
            {
                "mark": {"type": "point", "filled": True, "size": 55, "color": ACCENT, "opacity": 1},
                "encoding": {"x": {**x, "field": "mean"}},
            },
        ],
    }


def intervals_chart(
    rows: Sequence[Mapping[str, Any]],
    *,
    names: Sequence[str],
    what: str,
    subtitle: str,
    axis: str,
    scales: Mapping[str, tuple[float, float]] | None = None,
    beside: bool = False,
) -> dict[str, Any]:
    """Points with their intervals: ``rows`` have panel, system, mean, low, high; panels stand one below the other.

    ``scales`` has the ends of the axis by panel, so that a small difference does not look large. ``beside`` puts panels
    side by side, three in a row, with what the axis is in the subtitle.
    """
    panels = []
    for place, panel in enumerate(dict.fromkeys(row["panel"] for row in rows)):
        own = [dict(row) for row in rows if row["panel"] == panel]
        width, title = (BESIDE, "") if beside else (WIDTH, axis)
        labels = not beside or place % IN_A_ROW == 0
        panels.append({"title": panel, **_points(own, names, title, (scales or {}).get(panel), width, labels=labels)})
    if not beside:
        return with_style({"title": titled(what, subtitle), "vconcat": panels, "spacing": 22})
    below = f"{axis}; {subtitle}"
    return with_style({"title": titled(what, below), "concat": panels, "columns": IN_A_ROW, "spacing": 22})


def bars_chart(
    rows: Sequence[Mapping[str, Any]], *, names: Sequence[str], what: str, subtitle: str, axis: str
) -> dict[str, Any]:
    """Plain bars: ``rows`` have name and value."""
    return with_style(
        {
            "title": titled(what, subtitle),
            "width": WIDTH,
            "height": {"step": STEP},
            "data": {"values": list(rows)},
            "mark": {"type": "bar", "color": ACCENT},
            "encoding": {
                "y": {
                    "field": "name",
                    "type": "nominal",
                    "title": None,
                    "sort": list(names),
                    "axis": {"domain": False, "ticks": False},
                },
                "x": {"field": "value", "type": "quantitative", "title": axis},
            },
        }
    )


def drawing() -> Any:
    """What draws. Raises InputError, naming what to install, if it is not there."""
    try:
        import vl_convert
    except ImportError as error:
        fix = "Install it: pip install 'rubrica[charts]', or leave the charts out: --no-charts."
        raise wrong(f"charts need vl-convert: {error}", "not_installed", fix, value=error.name) from error
    return vl_convert


def can_draw() -> bool:
    """Whether what draws is installed."""
    try:
        drawing()
    except InputError:
        return False
    return True


def as_svg(spec: Mapping[str, Any]) -> str:
    """The picture as SVG."""
    return str(drawing().vegalite_to_svg(dict(spec)))


def as_png(svg: str) -> bytes:
    """A picture of :func:`as_svg` as PNG, twice its size."""
    return bytes(drawing().svg_to_png(svg, scale=SCALE))


PALETTE = ("#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#999999", "#f0e442")
"""Okabe and Ito's colours (2008), which differ for all kinds of colour vision."""
SHARPNESS = 2
"""Dots of a PNG for each point."""


def chart_library() -> Any:
    """Altair, if it and what draws for it are installed. Raises InputError otherwise."""
    try:
        import altair
        import vl_convert  # noqa: F401
    except ImportError as error:
        fix = "Install them: pip install 'rubrica[charts]'."
        raise wrong(f"charts need altair and vl-convert: {error}", "not_installed", fix, value=error.name) from error
    return altair


def chart_title(alt: Any, title: str, signed: str | list[str]) -> Any:
    """A title with the signature in small letters below it, in one line or several."""
    return alt.TitleParams(
        title, subtitle=signed, subtitleColor="#555555", subtitleFontSize=9, anchor="start", offset=16
    )


def write_chart(chart: Any, folder: Path, name: str, rows: Sequence[Mapping[str, Any]]) -> list[Path]:
    """Write the chart in all its forms; returns the files. Raises InputError if the folder cannot be written."""
    pictures = [folder / f"{name}.svg", folder / f"{name}.png", folder / f"{name}.vl.json"]
    data = folder / f"{name}.csv"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for file in pictures:
            chart.save(str(file), **({"scale_factor": SHARPNESS} if file.suffix == ".png" else {}))
        with data.open("w", encoding="utf-8", newline="") as stream:
            writer = csv.DictWriter(stream, list(rows[0]) if rows else [], lineterminator="\n")
            writer.writeheader()
            writer.writerows(rows)
    except OSError as error:
        raise wrong(f"cannot be written: {error.strerror}", "file", "Check the folder.", file=str(folder)) from error
    return [*pictures, data]
