"""Charts as files: a picture as SVG and PNG, the Vega-Lite that it was drawn from, and its data as CSV."""

from __future__ import annotations

import csv
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from rubrica.core.errors import wrong

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
