"""Systems side by side by their edits: scores, and how many edits of each type a simplification has.

What the two charts of SALSA (Heineman et al., EMNLP 2023, Figures 2 and 3) show, with intervals, and the scores of
systems with paired tests: the same engine as for answers, which resamples sources and pairs systems by them. A figure
is a sum over annotations divided by how many annotations there are.

The two charts of SALSA (Figures 2 and 3): successful and failed edits per system, by type. Each family has its own
panel; a bar is a system, its parts are types, its length is the number of edits per simplification. Where a comparison
is given, a line at the end of a bar is the interval of its length.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import attrs
import numpy as np

from rubrica.core.errors import wrong
from rubrica.edits.annotated import AnnotatedPair
from rubrica.edits.score import Scores, score
from rubrica.edits.summary import Summary, summarise
from rubrica.edits.typology import ERROR, QUALITY, Kind, Typology, name_on, placed
from rubrica.report.charts import PALETTE, as_svg, titled, with_style
from rubrica.report.comparison import Choices, Comparison, Sums, compare_sums
from rubrica.report.comparison_measures import NO_SYSTEM, Measure
from rubrica.report.sections.section import MarkedEdits

EDITS = "edits"
SCORE, PER_SIMPLIFICATION = "score", "per_simplification"
"""Figures of edits: what a rewrite is worth, and how many edits it has."""
SIDES = {QUALITY: "Quality edits", ERROR: "Error edits"}

Counting = Callable[[Summary, Scores], float]


@attrs.frozen
class EditMeasure(Measure):
    """A figure of edits. It is counted of one annotation, by ``of``."""

    of: Counting = attrs.field(default=lambda summary, scores: 0.0, eq=False, repr=False, kw_only=True)


def _measure(figure: str, answer: str, title: str, of: Counting, *, main: bool = False, sign: int = 0) -> EditMeasure:
    return EditMeasure(
        EDITS, figure, title, lambda _: (0, 0), answer, percent=False, per="annotations", main=main, sign=sign, of=of
    )


def edit_measures(typology: Typology) -> list[EditMeasure]:
    """The score and its parts, the edits of each side, then those of each type. The score and the sides are tested."""
    found = [
        _measure(SCORE, "", "Score", lambda _, scores: scores.total, main=True, sign=1),
        _measure(SCORE, QUALITY, "Score, quality", lambda _, scores: scores.quality),
        _measure(SCORE, ERROR, "Score, error", lambda _, scores: scores.error),
    ]
    found += [_measure(SCORE, family, f"Score, {family}", _worth_of(family)) for family in typology.families]
    for side, title in SIDES.items():
        better = int(side == QUALITY)
        found.append(_measure(PER_SIMPLIFICATION, side, title, _edits_on(side), main=True, sign=better))
    for side in SIDES:
        for family in typology.families:
            found.append(family_measure(family, side))
    for kind, side in placed(typology.kinds):
        found.append(type_measure(kind, side))
    return found


def _worth_of(family: str) -> Counting:
    return lambda _, scores: scores.families[family]


def _edits_on(side: str) -> Counting:
    return lambda summary, _: summary.sides[side]


def family_measure(family: str, side: str) -> EditMeasure:
    """How many edits of a family a simplification has on this side."""
    title = f"{SIDES[side]}, {family}"
    return _measure(PER_SIMPLIFICATION, f"{side}.{family}", title, lambda summary, _: summary.families[family, side])


def type_measure(kind: Kind, side: str) -> EditMeasure:
    """How many edits of a type a simplification has on this side."""
    return _measure(
        PER_SIMPLIFICATION,
        f"{side}.{kind.id}",
        name_on(kind, side),
        lambda summary, _: summary.placed[kind.name, side],
    )


def compare_edits(edits: MarkedEdits, stage: str, chosen: Choices) -> Comparison:
    """The systems of a stage, compared by the edits that annotators marked in their rewrites."""
    measures = edit_measures(edits.typology)
    sums = _sums(edits.stages[stage], edits.typology, measures)
    return compare_sums([sums], measures, chosen, edits.sign(stage, **chosen.signed(), edits="compare"))


def _sums(pairs: Sequence[AnnotatedPair], typology: Typology, measures: Sequence[EditMeasure]) -> Sums:
    systems = list(dict.fromkeys(pair.system for pair in pairs))
    sources = {source: place for place, source in enumerate(sorted({pair.source for pair in pairs}))}
    above = np.zeros((len(sources), len(systems), len(measures)))
    below = np.zeros_like(above)
    for pair in pairs:
        place = sources[pair.source], systems.index(pair.system)
        counted, worth = summarise([pair], typology), score(pair, typology)
        above[place] += [measure.of(counted, worth) for measure in measures]
        below[place] += 1
    annotations = [sum(pair.system == system for pair in pairs) for system in systems]
    rewrites = [len({pair.key for pair in pairs if pair.system == system}) for system in systems]
    names = tuple(system or NO_SYSTEM for system in systems)
    return Sums("", names, tuple(sources), above, below, tuple(annotations), tuple(rewrites))


FILES = {QUALITY: "successful-edits", ERROR: "failed-edits"}
TITLES = {QUALITY: "Successful edits", ERROR: "Failed edits"}
WIDTH = 260


def write_charts(systems: Mapping[str, Summary], folder: Path, signed: str) -> list[Path]:
    """Write each chart as a picture (SVG) and as the Vega-Lite that it was drawn from; returns the files.

    Raises InputError without the library that draws, or if the folder cannot be written.
    """
    written = []
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for side, name in FILES.items():
            spec = edit_chart(systems, side, signed)
            picture, source = folder / f"{name}.svg", folder / f"{name}.vl.json"
            picture.write_text(as_svg(spec), encoding="utf-8")
            source.write_text(json.dumps(spec, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
            written += [picture, source]
    except OSError as error:
        raise wrong(f"cannot be written: {error.strerror}", "file", "Check the folder.", file=str(folder)) from error
    return written


def edit_chart(
    systems: Mapping[str, Summary], side: str, subtitle: str, compared: Comparison | None = None
) -> dict[str, Any]:
    """The chart of one side: a panel for each family of types."""
    rows = chart_rows(systems, side)
    shown = {row["family"] for row in rows}
    families = [
        one for one in dict.fromkeys(kind.family for kind in next(iter(systems.values())).kinds) if one in shown
    ]
    lines = _lines(compared, families, side) if compared else []
    lengths = [sum(_lengths(rows, family, name)) for family in families for name in systems]
    most = max([*lengths, *(line["high"] for line in lines)], default=0.0) or 1.0
    panels = [
        _panel(
            [row for row in rows if row["family"] == family],
            [line for line in lines if line["family"] == family],
            list(systems),
            most,
            first=not place,
        )
        for place, family in enumerate(families)
    ]
    spec = {"title": titled(TITLES[side], subtitle), "hconcat": panels, "spacing": 24}
    return with_style({**spec, "resolve": {"scale": {"color": "independent"}}})


def _lengths(rows: Sequence[Mapping[str, Any]], family: str, system: str) -> list[float]:
    return [row["edits_per_sentence"] or 0.0 for row in rows if (row["family"], row["system"]) == (family, system)]


def _lines(compared: Comparison, families: Sequence[str], side: str) -> list[dict[str, Any]]:
    found = []
    for family in families:
        for system in compared.systems(""):
            figure = compared.of("", system, family_measure(family, side))
            low, high = (end.value for end in figure.estimate[1:]) if figure else (None, None)
            if low is not None and high is not None:
                found.append({"family": family, "system": system, "low": low, "high": high})
    return found


def _panel(
    rows: Sequence[Mapping[str, Any]],
    lines: Sequence[Mapping[str, Any]],
    systems: Sequence[str],
    most: float,
    *,
    first: bool,
) -> dict[str, Any]:
    names = list(dict.fromkeys(row["type"] for row in rows))
    axis = {"labelLimit": 240, "domain": False, "ticks": False} if first else None
    x = {"type": "quantitative", "title": "edits per simplification", "scale": {"domain": [0, most]}}
    y = {"field": "system", "type": "nominal", "title": None, "sort": list(systems), "axis": axis}
    bars = {
        "data": {"values": [dict(row) for row in rows]},
        "mark": "bar",
        "encoding": {
            "x": {**x, "field": "edits_per_sentence"},
            "y": y,
            "color": {
                "field": "type",
                "type": "nominal",
                "sort": names,
                "scale": {"domain": names, "range": [PALETTE[place % len(PALETTE)] for place in range(len(names))]},
                "legend": {"orient": "bottom", "columns": 2, "labelLimit": 240, "title": None},
            },
            "order": {"field": "order", "type": "quantitative"},
            "tooltip": [{"field": one} for one in ("system", "type", "edits", "edits_per_sentence")],
        },
    }
    ends = {
        "data": {"values": [dict(line) for line in lines]},
        "mark": {"type": "rule", "strokeWidth": 2, "color": "#222222"},
        "encoding": {"x": {**x, "field": "low"}, "x2": {"field": "high"}, "y": y},
    }
    size = {"title": rows[0]["family"], "width": WIDTH, "height": {"step": 22}}
    return {**size, "layer": [bars, ends]} if lines else {**size, **bars}


def chart_rows(systems: Mapping[str, Summary], side: str) -> list[dict[str, Any]]:
    """What the chart shows: for each system and type, how many edits count on this side, in all and per sentence."""
    return [
        {
            "system": system,
            "family": kind.family,
            "type": name_on(kind, side),
            "edits": found.placed[kind.name, side],
            "edits_per_sentence": found.per_sentence(found.placed[kind.name, side]),
            "order": order,
        }
        for system, found in systems.items()
        for order, kind in enumerate(found.kinds)
        if kind.side == side or any(other.placed[kind.name, side] for other in systems.values())
    ]
