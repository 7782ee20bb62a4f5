"""Stages of a protocol file: they follow each other, ask what can be answered, and find people to do it."""

from __future__ import annotations

from typing import Any

from rubrica.core.protocol import HIDDEN, SHOWN
from rubrica.protocols.check_conditions import Known
from rubrica.protocols.report import entries, listed, mapping
from rubrica.protocols.yaml_source import Path


def check_stages(known: Known) -> None:
    """Every stage that could not run."""
    report, earlier = known.report, dict[str, dict[Any, Any]]()
    for place, stage in entries(known.data, "stages"):
        for key in ("items_from", "same_people_as"):
            report.known((*place, key), stage.get(key), earlier, "earlier stage")
        for index, name in enumerate(listed(stage.get("other_people_than"))):
            report.known((*place, "other_people_than", index), name, earlier, "earlier stage")
        _check_overlap(known, place, stage)
        _check_people(known, place, stage, earlier)
        _check_edits(known, place, stage)
        _check_suggest(known, place, stage)
        _check_asks(known, place, stage)
        if isinstance(stage.get("id"), str):
            earlier[stage["id"]] = stage
    _check_asked_somewhere(known)
    _check_enough_people(known)


def _people(stage: dict[Any, Any], key: str) -> int | None:
    """How many people judge an item; None if that is not said, or wrongly, which is left to the shape."""
    count = stage.get(key, 1 if key == "overlap" else None)
    return count if isinstance(count, int) and not isinstance(count, bool) and count >= 1 else None


def _check_overlap(known: Known, place: Path, stage: dict[Any, Any]) -> None:
    usual, comparing = _people(stage, "overlap"), _people(stage, "overlap_comparing")
    if usual and comparing and comparing < usual:
        what = f"`overlap_comparing` is {comparing}, less than the usual overlap of {usual}"
        fix = f"Use {usual} or more, or remove it."
        known.report.say((*place, "overlap_comparing"), what, "people", fix, comparing)


def _check_enough_people(known: Known) -> None:
    """A verdict on an item needs no more judgements than the item ever gets."""
    stages = [stage for _, stage in entries(known.data, "stages")]
    counts = [_people(stage, key) for stage in stages for key in ("overlap", "overlap_comparing") if key in stage]
    if not stages or None in counts:
        return
    most = max([1, *(count for count in counts if count)])
    for place, verdict in entries(known.data, "verdicts"):
        least = _people(verdict, "at_least")
        if least and least > most and "counts" in verdict:
            what = f"the verdict {verdict.get('id')!r} waits for {least} judgements, but an item gets at most {most}"
            fix = f"Use {most} or less, or raise the `overlap` of a stage."
            known.report.say((*place, "at_least"), what, "verdict", fix, least)


def _check_people(known: Known, place: Path, stage: dict[Any, Any], earlier: dict[str, dict[Any, Any]]) -> None:
    same = stage.get("same_people_as")
    if not isinstance(same, str) or same not in earlier:
        return
    if same in listed(stage.get("other_people_than")):
        what, fix = f"nobody is both of the people of {same!r} and another", "Keep one of the two."
        known.report.say((*place, "same_people_as"), what, "contradiction", fix, same)
    wanted, there = _people(stage, "overlap"), _people(earlier[same], "overlap")
    if wanted and there and wanted > there:
        what = f"{wanted} people are wanted for an item, but only {there} judge it at {same!r}"
        known.report.say((*place, "overlap"), what, "people", f"Use {there} or less.", wanted)


def _check_edits(known: Known, place: Path, stage: dict[Any, Any]) -> None:
    if stage.get("edits") in ("free", "fixed") and not mapping(known.data.get("edits")):
        what = "there are no edits in this protocol"
        known.report.say((*place, "edits"), what, "stage", "Describe them in `edits:`, or remove this.", stage["edits"])
    elif stage.get("edits") == "fixed" and not stage.get("items_from"):
        what = "fixed edits must come from a stage"
        known.report.say((*place, "edits"), what, "stage", "Add `items_from:` with an earlier stage.")


def _check_suggest(known: Known, place: Path, stage: dict[Any, Any]) -> None:
    """Only where edits are marked can any be suggested; the parameter that says so must be able to."""
    key = next((key for key in ("suggest", "suggest_by") if key in stage), None)
    if key is None:
        return
    if not mapping(known.data.get("edits")) or stage.get("edits", "free") != "free":
        what = "edits are suggested only where they are marked"
        known.report.say((*place, key), what, "stage", "Remove it, or use `edits: free`.", stage[key])
    if "suggest" in stage and "suggest_by" in stage:
        what, fix = (
            "`suggest` and `suggest_by` say the same thing twice",
            "Keep `suggest_by`; the parameter has a default.",
        )
        known.report.say((*place, "suggest"), what, "stage", fix)
    options = {str(one.get("id")): list(listed(one.get("options"))) for _, one in entries(known.data, "parameters")}
    name = stage.get("suggest_by")
    if name is None or not known.report.known((*place, "suggest_by"), name, options, "parameter"):
        return
    if sorted(map(str, options[name])) != [HIDDEN, SHOWN]:
        what = f"the parameter {name!r} does not say whether edits are suggested"
        fix = f"Give it the options {HIDDEN} and {SHOWN}."
        known.report.say((*place, "suggest_by"), what, "stage", fix, name)


def _check_asks(known: Known, place: Path, stage: dict[Any, Any]) -> None:
    asks, every = stage.get("asks"), known.questions | known.about_edits
    if asks == [] and (not known.operations or stage.get("edits") == "none"):
        known.report.say((*place, "asks"), "this stage asks nothing", "stage", "Add questions, or remove `asks`.")
    preset = {name for _, entry in entries(known.data, "edits", "operations") for name in mapping(entry.get("preset"))}
    for index, name in enumerate(listed(asks)):
        if not known.report.known((*place, "asks", index), name, every, "question"):
            continue
        if name in known.about_edits and stage.get("edits") == "none":
            what = f"{name!r} is a question on edits, and this stage has none"
            known.report.say((*place, "asks", index), what, "stage", "Remove it, or `edits: none`.", name)
        depends = set(questions_of(every[name].get("when"))) & every.keys()
        if depends and not depends & {*(part for part in listed(asks) if isinstance(part, str)), *preset}:
            what = f"{name!r} depends on {' or '.join(sorted(depends))}, which this stage does not ask"
            known.report.say((*place, "asks", index), what, "stage", "Add it to `asks`.", name)


def _check_asked_somewhere(known: Known) -> None:
    stages = [stage for _, stage in entries(known.data, "stages")]
    if not stages or any("asks" not in stage for stage in stages):
        return
    asked = {name for stage in stages for name in listed(stage["asks"]) if isinstance(name, str)}
    for where in (("questions",), ("edits", "questions")):
        for place, question in entries(known.data, *where):
            name = question.get("id")
            if isinstance(name, str) and name not in asked:
                what = f"no stage asks {name!r}"
                known.report.say((*place, "id"), what, "stage", "Add it to the `asks` of a stage.", name)


def questions_of(condition: Any) -> list[str]:
    """The questions that a raw condition names."""
    if isinstance(condition, list):
        return [name for part in condition for name in questions_of(part)]
    if not isinstance(condition, dict):
        return []
    found = [condition["question"]] if isinstance(condition.get("question"), str) else []
    return found + [name for key in ("all", "any", "not") for name in questions_of(condition.get(key))]
