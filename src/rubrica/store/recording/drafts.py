"""Drafts: what the annotator has so far, kept within a second of every change, and never counted.

A draft may have gaps, unfinished texts and edits in the making: no words marked yet, questions open, a composite
without constituents. It may not have what no page could send: another question, another operation, words that are not
there. Each is a revision under a key that the page made: the same key again changes nothing. One that arrives after
another device has gone on (its ``base`` is older than the newest revision of another visit) is kept in the history and
does not replace what was said since.
"""

from __future__ import annotations

from datetime import datetime

from rubrica.core import answers as answer_values
from rubrica.core.edit_validation import EditValidator
from rubrica.core.edits import SIDES, Edit
from rubrica.core.errors import InputError, Problem, wrong
from rubrica.core.scales import MAX_TEXT, storable
from rubrica.core.study import ANSWERED
from rubrica.core.validation import Validator
from rubrica.store import models
from rubrica.store.recording import suggestions
from rubrica.store.recording.judgements import Receipt, Said, key_problems, retrying, save_edits
from rubrica.store.translate import validator_of

MOST_EDITS = 500
"""More than anybody marks in a text that is judged by hand."""


def save_draft(said: Said, now: datetime, origin: str = models.Revision.Origin.PAGE) -> Receipt:
    """Keep what the annotator has so far. Raises InputError for what no page could send."""
    problems = _problems(said)
    if problems:
        raise InputError(*problems)
    return retrying([said], lambda: _append(said, now, origin), lambda: _known(said))


def _append(said: Said, now: datetime, origin: str) -> Receipt:
    """Add a revision, inside the caller's transaction. One with a known key runs into the unique key instead."""
    head = _head(said)
    since = _since(head, said.base)
    # Drafts of the same visit do not count: the page is merely behind its own saves.
    late = any(number > said.base and (visit != said.visit or not draft) for number, visit, draft in since)
    revision = models.Revision.objects.create(
        judgement_id=head,
        number=max((number for number, _, _ in since), default=0) + 1,
        key=said.key,
        outcome=said.judgement.outcome,
        answers=answer_values.to_json(said.judgement.answers),
        draft=True,
        late=late,
        visit=said.visit,
        visit_seconds=said.visit_seconds,
        origin=origin,
        created_at=now,
    )
    if said.judgement.edits:
        save_edits([(revision, said.judgement)])
    if said.became:
        suggestions.note(revision, said.lease.stage_id, said.lease.item_id, said.judgement, said.became, draft=True)
    return Receipt(said.lease.pid, revision.number, now, superseded=late)


def _head(said: Said) -> int:
    """The row number of the judgement, which is locked; made if need be."""
    lease = said.lease
    place = {"stage_id": lease.stage_id, "item_id": lease.item_id, "annotator_id": lease.annotator_id}
    rows = models.Judgement.objects.select_for_update(no_key=True).filter(**place)
    for pk, state in rows.values_list("pk", "state"):
        if state == models.Judgement.State.ERASED:
            raise wrong("this judgement was erased at the annotator's request", "erased", "Nothing more can be saved.")
        return int(pk)
    made = models.Judgement.objects.create(**place, state=models.Judgement.State.DRAFT)
    if not models.Annotator.objects.living().filter(pk=lease.annotator_id).exists():
        raise wrong("you were erased at your request", "erased", "Nothing more can be saved.")
    return made.pk


def _since(head: int, base: int) -> list[tuple[int, str, bool]]:
    """Number, visit and whether it is a draft: of the newest revision that the page knew and every later one.

    Of all of them if the page knows one that there is not.
    """
    rows = models.Revision.objects.filter(judgement=head).values_list("number", "visit", "draft")
    return list(rows.filter(number__gte=base)) or list(rows)


def _known(said: Said) -> Receipt | None:
    """The receipt of the revision that this key made before."""
    lease = said.lease
    place = {"judgement__stage": lease.stage_id, "judgement__item": lease.item_id}
    rows = models.Revision.objects.filter(**place, judgement__annotator=lease.annotator_id, key=said.key)
    found = rows.filter(origin__in=models.Revision.ONLINE).values_list("number", "created_at").first()
    return Receipt(lease.pid, *found, repeated=True) if found else None


def _problems(said: Said) -> list[Problem]:
    """What a page could never send: unknown questions, values that no answer can be, texts no database can hold."""
    validator, judgement = validator_of(said.lease.stage), said.judgement
    found = key_problems(said)
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
    if judgement.edits:
        found += _edits_problems(validator, said)
    return found + (suggestions.became_problems(validator, said.became) if said.became else [])


def _can_be_kept(value: object) -> bool:
    if isinstance(value, str):
        return len(value) <= MAX_TEXT and storable(value)
    if isinstance(value, tuple):
        return all(isinstance(part, str) and _can_be_kept(part) for part in value)
    if isinstance(value, int | float):
        return not isinstance(value, bool) and abs(value) < 1e15
    return isinstance(value, answer_values.NotApplicable)


def _edits_problems(validator: Validator, said: Said) -> list[Problem]:
    """What keeps these edits from being stored as a draft."""
    edits = said.judgement.edits
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
        found += _span_problems(edit, said.lease.item.fields)
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


def _span_problems(edit: Edit, fields: dict[str, str]) -> list[Problem]:
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
