"""Edits in a protocol file: operations, what they preset, their questions, and the types that follow."""

from __future__ import annotations

from typing import Any

from rubrica.core.edits import SIDES
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
