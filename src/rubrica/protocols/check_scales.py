"""Scales of a protocol file: points in order, ends that can be reached, counts that are possible."""

from __future__ import annotations

import math
from typing import Any, TypeGuard

from rubrica.protocols.report import Report, entries, ids, listed, mapping
from rubrica.protocols.yaml_source import Path


def check_scales(report: Report, data: dict[Any, Any]) -> None:
    """Every scale that nobody could answer as it is meant."""
    fields = ids(data, "fields")
    for name, raw in mapping(data.get("scales")).items():
        place, scale = ("scales", name), mapping(raw)
        match scale.get("type"):
            case "ordinal":
                _check_points(report, (*place, "points"), name, scale)
            case "slider":
                _check_slider(report, place, name, scale)
            case "choices" | "short_answers":
                _check_counts(report, place, name, scale)
            case "rewrite":
                report.known((*place, "starts_from"), scale.get("starts_from"), fields, "field")
                for key in ("differs_from", "asks_if_same"):
                    for index, field in enumerate(listed(scale.get(key))):
                        report.known((*place, key, index), field, fields, "field")
    _check_keywords(report, data)


def _check_keywords(report: Report, data: dict[Any, Any]) -> None:
    """A keyword is typed in place of a rewrite: without one there is nowhere to type it."""
    scales = mapping(data.get("scales"))
    asked = [
        entry.get("scale") for path in (("questions",), ("edits", "questions")) for _, entry in entries(data, *path)
    ]
    kinds = [mapping(scales.get(name)).get("type") for name in asked if isinstance(name, str)]
    for place, way in entries(data, "ways_out"):
        if isinstance(way.get("keyword"), str) and "rewrite" not in kinds:
            what = f"the keyword {way['keyword']!r} cannot be written anywhere: no question asks for a rewrite"
            fix = "Remove it, or add a question whose scale has `type: rewrite`."
            report.say((*place, "keyword"), what, "keyword", fix, way["keyword"])


def _check_points(report: Report, place: Path, name: Any, scale: dict[Any, Any]) -> None:
    values: list[Any] = [mapping(point).get("value") for point in listed(scale.get("points"))]
    numbers = [value for value in values if _is_number(value)]
    if len(numbers) == len(values) and numbers != sorted(numbers):
        report.say(place, f"the points of {name} are not in order", "order", "Sort them by value.", values)


def _check_slider(report: Report, place: Path, name: Any, scale: dict[Any, Any]) -> None:
    low, high, step = scale.get("minimum"), scale.get("maximum"), scale.get("step", 1)
    if not (_is_number(low) and _is_number(high)):
        return
    if low >= high:
        fix = "The minimum must be below the maximum."
        report.say((*place, "maximum"), f"{name} ends before it starts", "range", fix, [low, high])
    elif _is_number(step) and step > 0:
        steps = (high - low) / step
        if not math.isfinite(steps) or steps < 1 or abs(steps - round(steps)) > 1e-9:
            report.say((*place, "step"), f"{name} has steps that miss its end", "range", "Change `step`.", step)


def _check_counts(report: Report, place: Path, name: Any, scale: dict[Any, Any]) -> None:
    options = listed(scale.get("options"))
    available = len(options) if scale.get("type") == "choices" else 3
    most, least = scale.get("maximum", available), scale.get("minimum", 1)
    if not isinstance(most, int) or not isinstance(least, int) or most < 1:
        return
    if options and most > len(options):
        what = f"{name} takes {most} answers but has {len(options)} options"
        report.say((*place, "maximum"), what, "range", f"Use {len(options)} or less, or remove it.", most)
    elif least > most:
        fix = "The minimum may be at most the maximum."
        report.say((*place, "minimum"), f"{name} wants more answers than it takes", "range", fix, [least, most])


def _is_number(value: Any) -> TypeGuard[int | float]:
    return isinstance(value, int | float) and not isinstance(value, bool)
