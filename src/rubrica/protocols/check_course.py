"""Names and quotes in a course: that they refer to something, and that answers are on their scales."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rubrica.core.course import ANSWER, COMPOSE, SELECT, TEXT, TYPE, WHOLE
from rubrica.core.edits import SIDES
from rubrica.core.scales import Choice, Ordinal, YesNo
from rubrica.protocols.check_conditions import Known
from rubrica.protocols.practice import check_quote
from rubrica.protocols.report import entries, ids, listed, mapping, names
from rubrica.protocols.yaml_source import Path

ABOUT_EDITS = (SELECT, WHOLE, ANSWER, TYPE, COMPOSE)


def check_course(known: Known) -> None:
    """Every name in the course that refers to nothing, and every quote that is not in its text."""
    seen: set[str] = set()
    rounds: list[Any] = []
    for place, stage in entries(known.data, "course"):
        known.report.known((*place, "stage"), stage.get("stage"), ids(known.data, "stages"), "stage")
        if "round" in stage and stage["round"] in rounds:
            what = f"the round {stage['round']!r} stands twice"
            known.report.say((*place, "round"), what, "duplicate_id", "Number the rounds apart.", stage["round"])
        rounds += [stage["round"]] if "round" in stage else []
        for index, step in enumerate(listed(stage.get("steps"))):
            if isinstance(step, dict):
                where = (*place, "steps", index)
                _check_step(known, where, step, asked="round" in stage)
                _check_id(known, where, step, seen)


def _check_id(known: Known, place: Path, step: dict[Any, Any], seen: set[str]) -> None:
    """What somebody has done is kept by the step's id, so that it must be one of its own in the whole course."""
    name = step.get("id")
    if isinstance(name, str):
        if name in seen:
            what = f"the id {name!r} stands twice in the course"
            known.report.say((*place, "id"), what, "duplicate_id", "Rename one.", name)
        seen.add(name)


def _check_step(known: Known, place: Path, step: dict[Any, Any], *, asked: bool) -> None:
    report, kind = known.report, step.get("kind")
    if asked and kind != WHOLE:
        what, fix = "a round of the qualification holds whole pairs only", f"Write `kind: {WHOLE}`."
        report.say((*place, "kind"), what, "round", fix, kind)
    if kind == TEXT:
        return
    if kind in ABOUT_EDITS and "edits" not in known.data:
        what = f"the protocol has no edits, which a step of the kind {kind!r} is about"
        report.say((*place, "kind"), what, "edits", "Use text, example, facts or ask.", kind)
    report.known((*place, "stage"), step.get("stage"), ids(known.data, "stages"), "stage")
    texts = mapping(step.get("fields"))
    for name in texts:
        report.known((*place, "fields", name), name, known.fields, "field")
    for where, quote in _quotes(place, step):
        check_quote(known, where, texts.get(where[-2]), quote)
    for at, edit in _edits(place, step):
        report.known((*at, "operation"), edit.get("operation"), known.operations, "operation")
        _check_also(known, (*at, "also"), mapping(edit.get("also")))
    for index, name in enumerate(listed(step.get("asks"))):
        if report.known((*place, "asks", index), name, known.about_edits, "question on edits") and kind == ANSWER:
            _check_closed(known, (*place, "asks", index), known.about_edits[name])
    types = ids(known.data, "edits", "types")
    if kind == "type":
        for index, name in enumerate(listed(step.get("options"))):
            report.known((*place, "options", index), name, types, "edit type")
        report.known((*place, "answer"), step.get("answer"), names(step.get("options")), "option")
    report.known((*place, "type"), step.get("type"), types, "edit type")
    if kind == "ask":
        _check_ask(known, place, step)


def _edits(place: Path, step: dict[Any, Any]) -> Iterator[tuple[Path, dict[Any, Any]]]:
    """Every edit of a step, and every part of one, with its place."""
    for index, edit in enumerate(listed(step.get("edits"))):
        if isinstance(edit, dict):
            yield (*place, "edits", index), edit
            for number, part in enumerate(listed(edit.get("parts"))):
                if isinstance(part, dict):
                    yield (*place, "edits", index, "parts", number), part


def _quotes(place: Path, step: dict[Any, Any]) -> Iterator[tuple[Path, Any]]:
    """Every quote in a step; the part before the last of its place is the side that it is from."""
    facts = [((*place, "facts", index), mapping(fact)) for index, fact in enumerate(listed(step.get("facts")))]
    for at, holder in ((place, step), *facts, *_edits(place, step)):
        for side in SIDES:
            for number, quote in enumerate(listed(holder.get(side))):
                yield (*at, side, number), quote


def _check_also(known: Known, place: Path, also: dict[Any, Any]) -> None:
    for name, values in also.items():
        if known.report.known((*place, name), name, known.about_edits, "question on edits"):
            for number, value in enumerate(listed(values)):
                known.check_value((*place, name, number), known.about_edits[name], value)


def _check_ask(known: Known, place: Path, step: dict[Any, Any]) -> None:
    """The course's own question: on one scale, with an answer that is on it."""
    report = known.report
    if ("scale" in step) == bool(listed(step.get("options"))):
        what = "a question of the course has a scale or options of its own"
        report.say(place, what, "scale", "Give `scale` or `options`, not both.")
        return
    given: list[tuple[Path, Any]] = [(("answer",), step.get("answer"))]
    given += [(("accepts", number), value) for number, value in enumerate(listed(step.get("accepts")))]
    if "scale" not in step:
        options = ids(step, "options")
        for where, value in given:
            report.known((*place, *where), value, options, "option")
    elif report.known((*place, "scale"), step["scale"], mapping(known.data.get("scales")), "scale"):
        asked = {"id": step.get("id"), "scale": step["scale"]}
        _check_closed(known, (*place, "scale"), asked)
        for where, value in given:
            known.check_value((*place, *where), asked, value)


def _check_closed(known: Known, place: Path, question: dict[Any, Any]) -> None:
    """An exercise is answered by choosing one of the answers, so there must be some to choose from."""
    scale = known.scale_of(question)
    if scale is not None and not isinstance(scale, Ordinal | Choice | YesNo):
        what = f"{question.get('id')!r} cannot be answered by choosing one answer"
        known.report.say(
            place, what, "scale", "Use a scale of the type ordinal, choice or yes_no.", question.get("scale")
        )
