"""The two charts of SALSA (Figures 2 and 3): successful and failed edits per system, by type.

Each family has its own panel; a bar is a system, its parts are types, its length is the number of edits per sentence.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from rubrica.core.errors import wrong
from rubrica.edits.summary import Summary
from rubrica.edits.typology import ERROR, QUALITY, Kind
from rubrica.report.chart_files import PALETTE, chart_library, chart_title

FILES = {QUALITY: "successful-edits", ERROR: "failed-edits"}
TITLES = {QUALITY: "Successful edits", ERROR: "Failed edits"}
WIDTH = 260


def write_charts(systems: Mapping[str, Summary], folder: Path, signed: str) -> list[Path]:
    """Write each chart as a picture (SVG) and as the Vega-Lite that it was drawn from; returns the files.

    Raises InputError without the libraries that draw, or if the folder cannot be written.
    """
    alt = chart_library()
    written = []
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for side, name in FILES.items():
            chart = edit_chart(alt, systems, side, signed)
            for file in (folder / f"{name}.svg", folder / f"{name}.vl.json"):
                chart.save(str(file))
                written.append(file)
    except OSError as error:
        raise wrong(f"cannot be written: {error.strerror}", "file", "Check the folder.", file=str(folder)) from error
    return written


def edit_chart(alt: Any, systems: Mapping[str, Summary], side: str, signed: str) -> Any:
    """The chart of one side, made with altair."""
    rows = chart_rows(systems, side)
    kinds = next(iter(systems.values())).kinds
    families = list(dict.fromkeys(kind.family for kind in kinds if kind.side == side))
    panels = [
        _panel(alt, [row for row in rows if row["family"] == family], family, list(systems)) for family in families
    ]
    chart = alt.hconcat(*panels, title=chart_title(alt, TITLES[side], signed), spacing=24)
    return chart.resolve_scale(color="independent", x="shared").configure_view(stroke=None)


def _panel(alt: Any, rows: Sequence[Mapping[str, Any]], family: str, systems: Sequence[str]) -> Any:
    names = list(dict.fromkeys(row["type"] for row in rows))
    colours = alt.Scale(domain=names, range=list(PALETTE[: len(names)]))
    legend = alt.Legend(orient="bottom", columns=2, labelLimit=240, title=None)
    return (
        alt.Chart(alt.Data(values=list(rows)), width=WIDTH, height={"step": 22}, title=family)
        .mark_bar()
        .encode(
            x=alt.X("edits_per_sentence:Q", title="edits per sentence"),
            y=alt.Y("system:N", title=None, sort=list(systems), axis=alt.Axis(labelLimit=240)),
            color=alt.Color("type:N", scale=colours, legend=legend),
            order=alt.Order("order:Q"),
            tooltip=["system:N", "type:N", "edits:Q", "edits_per_sentence:Q"],
        )
    )


def chart_rows(systems: Mapping[str, Summary], side: str) -> list[dict[str, Any]]:
    """What the chart shows: for each system and type, how many edits count on this side, in all and per sentence."""
    return [
        {
            "system": system,
            "family": kind.family,
            "type": _name(kind, side),
            "edits": found.placed[kind.name, side],
            "edits_per_sentence": found.per_sentence(found.placed[kind.name, side]),
            "order": order,
        }
        for system, found in systems.items()
        for order, kind in enumerate(found.kinds)
        if kind.side == side or any(other.placed[kind.name, side] for other in systems.values())
    ]


def _name(kind: Kind, side: str) -> str:
    """The type's name; a trivial change among the failures is one that does not help."""
    return kind.name if kind.side == side else f"{kind.name} (not helpful)"
