"""What a draft may be: gaps, unfinished texts and edits in the making, but nothing that no page could send.

An edit may have no words marked yet, its questions open, a composite no constituents. It may not have another
operation, words that are not there, or be a constituent of nothing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rubrica.core import answers as answer_values
from rubrica.core.edit_validation import EditValidator
from rubrica.core.edits import SIDES, Edit
from rubrica.core.errors import Problem
from rubrica.core.scales import MAX_TEXT
from rubrica.core.study import ANSWERED, Judgement
from rubrica.core.typed import storable
from rubrica.core.validation import Validator

MOST_EDITS = 500
"""More than anybody marks in a text that is judged by hand."""


def draft_problems(validator: Validator, fields: Mapping[str, str], judgement: Judgement) -> list[Problem]:
    """What a page could never send: unknown questions, values that no answer can be, texts no database can hold.

    ``fields`` are the item's texts, which edits mark.
    """
    found = []
    outcomes = (ANSWERED, *validator.protocol.all_ways_out())
    if judgement.outcome not in outcomes:
        what, fix = f"there is no way out {judgement.outcome!r}", f"Use one of {', '.join(outcomes)}."
        found.append(Problem(what=what, rule="way_out", fix=fix, value=judgement.outcome))
    for name, value in judgement.answers.items():
        if name not in validator.asked_ids:
            fix = f"Questions here: {', '.join(sorted(validator.asked_ids))}."
            found.append(
                Problem(what=f"there is no question {name!r}", rule="unknown_question", fix=fix, question=name)
            )
        elif not _can_be_kept(value):
            fix = f"Use a text of at most {MAX_TEXT:,} characters without NUL, a number, or a list of texts."
            found.append(Problem(what=f"{name} cannot be stored", rule="form", fix=fix, question=name))
    return found + (_edits_problems(validator, fields, judgement.edits) if judgement.edits else [])


def _can_be_kept(value: object) -> bool:
    if isinstance(value, str):
        return len(value) <= MAX_TEXT and storable(value)
    if isinstance(value, tuple):
        return all(isinstance(part, str) and _can_be_kept(part) for part in value)
    if isinstance(value, int | float):
        return not isinstance(value, bool) and abs(value) < 1e15
    return isinstance(value, answer_values.NotApplicable)


def _edits_problems(validator: Validator, fields: Mapping[str, str], edits: Sequence[Edit]) -> list[Problem]:
    """What keeps these edits from being stored as a draft."""
    if validator.edits is None:
        return [Problem(what="edits are not marked here", rule="edits", fix="Send none.", value=len(edits))]
    if len(edits) > MOST_EDITS:
        fix = f"Send at most {MOST_EDITS}."
        return [Problem(what=f"there are {len(edits)} edits", rule="edits", fix=fix, value=len(edits))]
    found, seen = [], set[str]()
    ids = {edit.id for edit in edits}
    for edit in edits:
        if edit.id in seen:
            found.append(_problem(edit, "has the id of another edit", "duplicate_edit", "Number them apart."))
        seen.add(edit.id)
        found += _operation_problems(validator.edits, edit, ids)
        found += _span_problems(edit, fields)
        found += _answer_problems(validator.edits, edit)
    return found


def _operation_problems(validator: EditValidator, edit: Edit, ids: set[str]) -> list[Problem]:
    found = []
    if not edit.id or len(edit.id) > 100 or not storable(edit.id):
        found.append(_problem(edit, "has an id that cannot be stored", "form", "Use 1 to 100 characters."))
    if edit.operation not in validator.scheme.by_id:
        fix = f"Use one of {', '.join(validator.scheme.by_id)}."
        found.append(_problem(edit, f"has an unknown operation {edit.operation!r}", "operation", fix))
    if edit.parent and (edit.parent == edit.id or edit.parent not in ids):
        found.append(_problem(edit, f"belongs to edit {edit.parent!r}, which is not there", "parent", "Correct it."))
    return found


def _span_problems(edit: Edit, fields: Mapping[str, str]) -> list[Problem]:
    found = []
    for side in SIDES:
        length = len(fields.get(side, ""))
        for span in edit.spans(side):
            if not 0 <= span.start < span.end <= length:
                what = f"marks [{span.start}, {span.end}) in the {side}, which has {length} characters"
                found.append(_problem(edit, what, "span", "Offsets are code points of the text as it was imported."))
    return found


def _answer_problems(validator: EditValidator, edit: Edit) -> list[Problem]:
    known = {question.id for question in validator.scheme.questions}
    found = []
    for name, value in edit.answers.items():
        if name not in known:
            found.append(
                _problem(edit, f"answers {name!r}, which is not asked", "unknown_question", "Remove it.", name)
            )
        elif not _can_be_kept(value):
            found.append(_problem(edit, f"cannot be stored: {name}", "form", "Send an answer of its scale.", name))
    return found


def _problem(edit: Edit, what: str, rule: str, fix: str, question: str = "") -> Problem:
    return Problem(what=f"edit {edit.id[:40]} {what}", rule=rule, fix=fix, edit=edit.id[:100], question=question)
