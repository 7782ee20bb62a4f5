"""Edits in a protocol file, and the names that they have in files of Thresh.

Edits in a protocol file: operations, what they preset, their questions, and the types that follow.

The names that edits have in files of Thresh: each leads to an operation, question or option that is there.
"""

from __future__ import annotations

import re
from typing import Any

from rubrica.core.edits import SIDES
from rubrica.core.scales import Choice, FreeText, Ordinal, Scale, YesNo
from rubrica.protocols.check_conditions import Known
from rubrica.protocols.check_stages import questions_of
from rubrica.protocols.report import entries, listed, mapping, names
from rubrica.protocols.yaml_source import Path


def check_edits(known: Known) -> None:
    """Every operation, question or type of an edit that could never be used."""
    operations = list(entries(known.data, "edits", "operations"))
    simple = [str(entry.get("id")) for _, entry in operations if entry.get("sides")]
    for place, operation in operations:
        for index, name in enumerate(listed(operation.get("constituents"))):
            known.report.known((*place, "constituents", index), name, simple, "simple operation")
        if sum(bool(operation.get(key)) for key in ("sides", "constituents", "whole")) != 1:
            what = f"{operation.get('id')!r} needs sides, constituents or `whole: true`, and one of them only"
            fix = (
                "Give `sides: [source, rewrite]` to an operation that marks words, `constituents:` to a composite one, "
                "`whole: true` to one about the pair as a whole."
            )
            known.report.say(place, what, "operation", fix)
        for name, value in mapping(operation.get("preset")).items():
            _check_preset(known, (*place, "preset", name), operation.get("id"), name, value)
    _check_texts(known, [side for _, operation in operations for side in names(operation.get("sides"))])
    for place, question in entries(known.data, "edits", "questions"):
        for index, name in enumerate(listed(question.get("operations"))):
            known.report.known((*place, "operations", index), name, known.operations, "operation")
        _check_reachable(known, place, question)
    families = mapping(mapping(known.data.get("edits")).get("families"))
    for place, kind in entries(known.data, "edits", "types"):
        known.report.known((*place, "family"), kind.get("family"), families, "family")
        known.check_condition((*place, "when"), kind.get("when"), {"question", "operation"}, known.about_edits)


def _check_preset(known: Known, place: Path, operation: Any, name: Any, value: Any) -> None:
    if not known.report.known(place, name, known.about_edits, "question on edits"):
        return
    question = known.about_edits[name]
    if operation not in listed(question.get("operations")):
        what, fix = f"{name!r} is not asked about {operation!r}", f"Add {operation} to the operations of {name}."
        known.report.say(place, what, "operation", fix, name)
    known.check_value(place, question, value)


def _check_texts(known: Known, marked: list[str]) -> None:
    """Spans lie in the fields ``source`` and ``rewrite``, by these names."""
    for side in SIDES:
        if side in marked and side not in known.fields:
            what = f"edits mark words in the field {side!r}, which is not there"
            known.report.say(("edits", "operations"), what, "unknown_field", f"Add a field with `id: {side}`.", side)


def _check_reachable(known: Known, place: Path, question: dict[Any, Any]) -> None:
    """A question on some operations can only depend on a question on the same ones."""
    own = names(question.get("operations"))
    asked = [known.about_edits[name] for name in questions_of(question.get("when")) if name in known.about_edits]
    others = [operation for other in asked for operation in names(other.get("operations"))]
    if own and others and not set(own) & set(others):
        what = f"{question.get('id')!r} depends on a question that is never asked about {', '.join(own)}"
        known.report.say((*place, "when"), what, "operation", "Correct `when` or `operations`.")


LIKERT = re.compile(r"likert-(\d+)")


def check_thresh(known: Known) -> None:
    """Every name that means nothing, or two things."""
    seen: list[Any] = []
    for place, category in entries(known.data, "thresh", "categories"):
        known.report.known((*place, "operation"), category.get("operation"), known.operations, "operation")
        _once(known, place, category.get("name"), seen, "category")
        names: list[Any] = []
        for index, answer in enumerate(listed(category.get("answers"))):
            here = (*place, "answers", index)
            _once(known, here, mapping(answer).get("name"), names, "question")
            _check_question(known, here, answer, category.get("operation"))


def _once(known: Known, place: Path, name: Any, seen: list[Any], kind: str) -> None:
    if name is not None and name in seen:
        what = f"the {kind} {name!r} stands twice"
        known.report.say((*place, "name"), what, "duplicate_id", "Keep one of the two.", name)
    seen.append(name)


def _check_question(known: Known, place: Path, raw: Any, operation: Any) -> None:
    entry = mapping(raw)
    name = entry.get("question")
    if not known.report.known((*place, "question"), name, known.about_edits, "question on edits"):
        return
    assert isinstance(name, str)
    question = known.about_edits[name]
    if operation in known.operations and operation not in listed(question.get("operations")):
        what, fix = f"{name!r} is not asked about {operation!r}", f"Add {operation} to the operations of {name}."
        known.report.say((*place, "question"), what, "operation", fix, name)
    scale = known.scale_of(question)
    if scale is not None:
        _check_form(known, place, entry, scale)
    names: list[Any] = []
    for index, raw_option in enumerate(listed(entry.get("options"))):
        option, here = mapping(raw_option), (*place, "options", index)
        _once(known, here, option.get("name"), names, "option")
        if isinstance(scale, Choice | YesNo):
            among = [possible.id for possible in scale.options]
            known.report.known((*here, "means"), option.get("means"), among, "option")
        if "then" in option:
            _check_question(known, (*here, "then"), option["then"], operation)


def _check_form(known: Known, place: Path, entry: dict[Any, Any], scale: Scale) -> None:
    """Options are for choices; any other answer has a form that its scale can hold."""
    form, options = entry.get("form"), listed(entry.get("options"))
    if bool(options) == ("form" in entry):
        what = f"{entry.get('question')!r} needs either a form or options"
        fix = "Give `options:` to a choice, `form:` (binary, likert-3, textbox, textarea) to any other answer."
        known.report.say(place, what, "form", fix)
    elif options and not isinstance(scale, Choice | YesNo):
        what = f"{entry.get('question')!r} is not a choice and has no options"
        known.report.say((*place, "options"), what, "form", "Give `form:` instead.")
    elif isinstance(form, str) and not fits(form, scale):
        what = f"answers to {entry.get('question')!r} cannot be written as {form!r}"
        fix = "binary is for yes_no, likert-N for N points, textbox and textarea for text."
        known.report.say((*place, "form"), what, "form", fix, form)


def fits(form: str, scale: Scale) -> bool:
    """Whether answers on this scale can be written in this form; a form that Thresh does not have holds any text."""
    likert = LIKERT.fullmatch(form)
    if likert:
        return isinstance(scale, Ordinal) and len(scale.points) == int(likert[1])
    return isinstance(scale, YesNo if form == "binary" else FreeText)
