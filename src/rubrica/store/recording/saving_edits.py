"""Edits in saves of a page: what a draft may be, and what a stage with fixed edits allows.

A draft may have edits in the making: no words marked yet, questions open, a composite without constituents. It may not
have what no page could send: another operation, words that are not there, a constituent of nothing.
"""

from __future__ import annotations

from collections.abc import Callable

from rubrica.core.edit_validation import EditValidator
from rubrica.core.edits import SIDES, Edit
from rubrica.core.errors import Problem
from rubrica.core.given_edits import fixed_problems
from rubrica.core.scales import storable
from rubrica.core.study import ANSWERED, Judgement
from rubrica.core.validation import Validator
from rubrica.store import models
from rubrica.store.adjudication.given_edits import given_edits

MOST_EDITS = 500
"""More than anybody marks in a text that is judged by hand."""


def draft_problems(
    validator: Validator, lease: models.Assignment, edits: tuple[Edit, ...], can_be_kept: Callable[[object], bool]
) -> list[Problem]:
    """What keeps these edits from being stored as a draft; ``can_be_kept`` tells it of one answer."""
    if not edits:
        return []
    if validator.edits is None:
        return [Problem(what="edits are not marked here", rule="edits", fix="Send none.", value=len(edits))]
    if len(edits) > MOST_EDITS:
        fix = f"Send at most {MOST_EDITS}."
        return [Problem(what=f"there are {len(edits)} edits", rule="edits", fix=fix, value=len(edits))]
    ids = {edit.id for edit in edits}
    found = [
        _problem(edit, "has the id of another edit", "duplicate_edit", "Number them apart.") for edit in _twice(edits)
    ]
    for edit in edits:
        found += _operation_problems(validator.edits, edit, ids)
        found += _span_problems(edit, lease.item.fields)
        found += _answer_problems(validator.edits, edit, can_be_kept)
    return found


def _twice(edits: tuple[Edit, ...]) -> list[Edit]:
    """Those whose id another one before them has."""
    seen: set[str] = set()
    return [edit for edit in edits if edit.id in seen or seen.add(edit.id)]  # type: ignore[func-returns-value]


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


def _span_problems(edit: Edit, fields: dict[str, str]) -> list[Problem]:
    found = []
    for side in SIDES:
        length = len(fields.get(side, ""))
        for span in edit.spans(side):
            if not 0 <= span.start < span.end <= length:
                what = f"marks [{span.start}, {span.end}) in the {side}, which has {length} characters"
                found.append(_problem(edit, what, "span", "Offsets are code points of the text as it was imported."))
    return found


def _answer_problems(validator: EditValidator, edit: Edit, can_be_kept: Callable[[object], bool]) -> list[Problem]:
    known = {question.id for question in validator.scheme.questions}
    found = []
    for name, value in edit.answers.items():
        if name not in known:
            found.append(
                _problem(edit, f"answers {name!r}, which is not asked", "unknown_question", "Remove it.", name)
            )
        elif not can_be_kept(value):
            found.append(_problem(edit, f"cannot be stored: {name}", "form", "Send an answer of its scale.", name))
    return found


def _problem(edit: Edit, what: str, rule: str, fix: str, question: str = "") -> Problem:
    return Problem(what=f"edit {edit.id[:40]} {what}", rule=rule, fix=fix, edit=edit.id[:100], question=question)


def submit_problems(validator: Validator, lease: models.Assignment, judgement: Judgement) -> list[Problem]:
    """Where edits are fixed, every one that is not as it was given; elsewhere nothing."""
    fixed = validator.stage is not None and validator.stage.edits == "fixed" and validator.edits is not None
    if not fixed or judgement.outcome != ANSWERED:
        return []
    return fixed_problems(given_edits(lease.stage, [lease.item_id]).get(lease.item_id, ()), judgement.edits)
