"""The part of the validator that looks at edits: spans, operations, constituents, question trees."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping
from typing import Any

import attrs

from rubrica.core.answers import Answers
from rubrica.core.conditions import on_answers
from rubrica.core.edits import SIDES, Edit, Span
from rubrica.core.errors import Problem
from rubrica.core.protocol import Operation, Protocol, Question, Stage
from rubrica.core.study import Item


@attrs.frozen
class _Asked:
    question: Question
    accepts: Callable[[Any], bool]
    shown: Callable[[Answers], bool] | None
    expects: str


class EditValidator:
    """Checks the edits of a judgement against the protocol's edit scheme."""

    def __init__(self, protocol: Protocol, stage: Stage | None) -> None:
        assert protocol.edits is not None
        self.scheme = protocol.edits
        asks = stage.asks if stage else None
        self._asked = {
            operation.id: tuple(
                _Asked(
                    question,
                    protocol.scale_of(question).test(),
                    on_answers(question.when) if question.when else None,
                    protocol.scale_of(question).expects(),
                )
                for question in self.scheme.questions_for(operation.id)
                if asks is None or question.id in asks or question.id in operation.preset
            )
            for operation in self.scheme.operations
        }

    def questions_for(self, operation: str) -> list[Question]:
        """The questions that this stage asks about an edit of that operation, preset ones included."""
        return [asked.question for asked in self._asked.get(operation, ())]

    def settle(self, edits: tuple[Edit, ...]) -> tuple[Edit, ...]:
        """Edits with the answers that their operation implies."""
        return tuple(
            attrs.evolve(edit, answers={**self.scheme.by_id[edit.operation].preset, **edit.answers})
            if not edit.parent and edit.operation in self.scheme.by_id and self.scheme.by_id[edit.operation].preset
            else edit
            for edit in edits
        )

    def tidy(self, edits: tuple[Edit, ...]) -> tuple[Edit, ...]:
        """Edits without answers to questions that are hidden: those of a page that changed its mind."""
        return tuple(attrs.evolve(edit, answers=self._seen(edit)) if edit.answers else edit for edit in edits)

    def _seen(self, edit: Edit) -> Answers:
        operation = self.scheme.by_id.get(edit.operation)
        if operation is None or edit.parent:
            return edit.answers
        answers = dict(edit.answers)
        while True:
            settled = {**answers, **operation.preset}
            hidden = [
                asked.question.id
                for asked in self._asked[operation.id]
                if asked.question.id in answers and asked.shown and not asked.shown(settled)
            ]
            if not hidden:
                return answers
            for name in hidden:
                del answers[name]

    def problems(self, item: Item, edits: tuple[Edit, ...], *, complete: bool = True) -> list[Problem]:
        """Every problem with these edits of this item."""
        found: list[Problem] = []
        by_id: dict[str, Edit] = {}
        parents = {edit.parent for edit in edits if edit.parent}
        for edit in edits:
            if edit.id in by_id:
                found.append(_problem(edit, "has the id of another edit", "duplicate_edit", "Number the edits apart."))
            by_id[edit.id] = edit
        for edit in edits:
            operation = self.scheme.by_id.get(edit.operation)
            if operation is None:
                known = ", ".join(self.scheme.by_id)
                found.append(
                    _problem(edit, f"has an unknown operation {edit.operation!r}", "operation", f"Use one of {known}.")
                )
                continue
            found += self._span_problems(edit, operation, item.fields)
            if operation.composite and complete and edit.id not in parents:
                found.append(
                    _problem(
                        edit, "is composite but has no constituents", "constituents", "Add the edits it is made of."
                    )
                )
            if edit.parent:
                found += self._constituent_problems(edit, by_id.get(edit.parent))
            else:
                found += self._answer_problems(edit, operation, complete)
        return found

    def _span_problems(self, edit: Edit, operation: Operation, fields: Mapping[str, str]) -> list[Problem]:
        found = []
        for side in SIDES:
            spans = edit.spans(side)
            if side not in operation.sides:
                if spans:
                    found.append(
                        _problem(
                            edit,
                            f"marks words in the {side}, which {operation.id} does not take",
                            "span",
                            f"Remove the {side} span.",
                        )
                    )
            elif not spans:
                found.append(_problem(edit, f"marks nothing in the {side}", "span", f"Mark the words in the {side}."))
            elif len(spans) > 1 and not operation.several:
                found.append(
                    _problem(
                        edit, f"marks {len(spans)} spans in the {side}", "span", "Mark one span, or make two edits."
                    )
                )
            if spans:
                found += _place_problems(edit, side, spans, fields.get(side, ""))
        return found

    def _constituent_problems(self, edit: Edit, parent: Edit | None) -> list[Problem]:
        operation = self.scheme.by_id.get(parent.operation) if parent else None
        if parent is None:
            return [
                _problem(edit, f"belongs to edit {edit.parent!r}, which is not there", "parent", "Correct the parent.")
            ]
        if operation is None or edit.operation not in operation.constituents:
            return [
                _problem(
                    edit,
                    f"is a {edit.operation} and cannot be part of edit {parent.id!r} ({parent.operation})",
                    "parent",
                    "Only composite edits have constituents, of the operations that the protocol names.",
                )
            ]
        if edit.answers:
            return [
                _problem(
                    edit,
                    "has answers, but constituents are not judged apart",
                    "constituents",
                    "Answer for the composite edit.",
                    next(iter(edit.answers)),
                )
            ]
        return []

    def _answer_problems(self, edit: Edit, operation: Operation, complete: bool) -> list[Problem]:
        found = []
        matched = 0
        answers = {**operation.preset, **edit.answers}
        settled = {**edit.answers, **operation.preset}
        for asked in self._asked[operation.id]:
            name = asked.question.id
            shown = asked.shown is None or asked.shown(settled)
            if name not in answers:
                if shown and asked.question.required and complete:
                    found.append(
                        _problem(edit, f"has no answer to {name}", "required", f"Answer with {asked.expects}.", name)
                    )
                continue
            matched += 1
            value = answers[name]
            fixed = operation.preset.get(name, value)
            if name in operation.preset and (type(value) is not type(fixed) or value != fixed):
                found.append(
                    _problem(
                        edit,
                        f"says {name} = {value!r}, but for {operation.id} it is always {fixed!r}",
                        "operation",
                        f"Leave it at {fixed!r}.",
                        name,
                        value,
                    )
                )
            elif not shown:
                found.append(
                    _problem(edit, f"answers {name}, which is not asked here", "not_shown", "Remove it.", name, value)
                )
            elif not asked.accepts(value):
                found.append(_problem(edit, f"says {name} = {value!r}", "scale", f"Use {asked.expects}.", name, value))
        if matched != len(answers):
            known = {asked.question.id for asked in self._asked[operation.id]}
            found += [
                _problem(
                    edit,
                    f"answers {name}, which is not asked about {operation.id} here",
                    "unknown_question",
                    f"Questions here: {', '.join(sorted(known)) or 'none'}.",
                    name,
                    answers[name],
                )
                for name in answers
                if name not in known
            ]
        return found


def _place_problems(edit: Edit, side: str, spans: tuple[Span, ...], text: str) -> list[Problem]:
    if len(spans) == 1 and type(spans[0].start) is int is type(spans[0].end):
        (only,) = spans
        if 0 <= only.start < only.end <= len(text):
            return []
    found = []
    numbers = all(type(offset) is int for span in spans for offset in (span.start, span.end))
    for span in spans:
        if not numbers or not 0 <= span.start < span.end <= len(text):
            found.append(
                _problem(
                    edit,
                    f"marks [{span.start}, {span.end}) in the {side}, which has {len(text)} characters",
                    "span",
                    "A span lies inside its text and is not empty; its ends are whole numbers.",
                )
            )
    ordered = sorted(spans) if numbers else []
    if any(later.start < earlier.end for earlier, later in itertools.pairwise(ordered)):
        found.append(_problem(edit, f"marks the same words of the {side} twice", "span", "Mark each word once."))
    return found


def _problem(edit: Edit, what: str, rule: str, fix: str, question: str = "", value: Any = None) -> Problem:
    return Problem(what=f"edit {edit.id} {what}", rule=rule, fix=fix, question=question, edit=edit.id, value=value)
