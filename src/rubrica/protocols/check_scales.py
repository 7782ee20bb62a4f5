"""Scales of a protocol file, and the labels of options and ways out.

Scales of a protocol file: points in order, ends that can be reached, counts that are possible.

Labels of options and ways out: in a spreadsheet or on a page, one label must mean one thing.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator
from typing import Any, NamedTuple, TypeGuard

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


class _Label(NamedTuple):
    """One wording of a label in one language; ``wording`` is None where there is only one."""

    place: Path
    wording: Any
    language: Any
    words: str

    def clashes_with(self, wordings: Collection[Any]) -> bool:
        """Whether one of these wordings of the same words can stand beside it."""
        return bool(wordings) and (self.wording is None or None in wordings or self.wording in wordings)


def check_labels(report: Report, data: dict[Any, Any]) -> None:
    """Every label that is also the label, or the id, of another option or way out."""
    fallback = str(data.get("fallback", "en"))
    for name in mapping(data.get("scales")):
        _check_distinct(report, data, ("scales", name, "options"), fallback)
    _check_distinct(report, data, ("ways_out",), fallback)


def _check_distinct(report: Report, data: dict[Any, Any], path: tuple[str, ...], fallback: str) -> None:
    every = list(entries(data, *path))
    taken = {folded(entry["id"]) for _, entry in every if isinstance(entry.get("id"), str)}
    seen: dict[tuple[Any, str], list[Any]] = {}
    for place, entry in every:
        labels = list(_labels((*place, "label"), entry.get("label"), fallback))
        own = folded(str(entry.get("id")))
        for label in labels:
            words = folded(label.words)
            if label.clashes_with(seen.get((label.language, words), ())):
                what = f"the label {label.words!r} stands twice in {'.'.join(map(str, path))}"
            elif words in taken and words != own:
                what = f"the label {label.words!r} is the id of another one in {'.'.join(map(str, path))}"
            else:
                continue
            report.say(label.place, what, "duplicate_label", "Choose another label.", label.words)
            break
        else:
            for label in labels:
                seen.setdefault((label.language, folded(label.words)), []).append(label.wording)


def _labels(place: Path, text: Any, fallback: Any, wording: Any = None) -> Iterator[_Label]:
    if isinstance(text, str):
        yield _Label(place, wording, fallback, text)
    elif "wording_by" in mapping(text):
        for option, part in text.items():
            if option != "wording_by":
                yield from _labels((*place, option), part, fallback, option)
    else:
        for language, words in mapping(text).items():
            if isinstance(words, str):
                yield _Label((*place, language), wording, language, words)


def folded(words: str) -> str:
    """A label as far as it tells things apart: without case, and with single spaces."""
    return " ".join(words.split()).casefold()
