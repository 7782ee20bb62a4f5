"""Suggested edits of a stage: what was proposed for an item, once for all, and what became of it in each revision.

A study can measure with it how much proposals bias what people mark. Suggestions are made when an item is first shown
at a stage that has them, and kept: whoever comes later sees the same, whatever version of Rubrica runs then.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import NamedTuple

from rubrica.core.edits import Edit, Span
from rubrica.core.errors import Problem
from rubrica.core.study import ANSWERED, Judgement
from rubrica.core.validation import Validator
from rubrica.edits.suggesting.fitting import fitted
from rubrica.edits.suggesting.suggest import suggest, suggested_by
from rubrica.store import models
from rubrica.store.translate import protocol_of, validator_of

Became = Mapping[str, str]
"""By the key of a suggestion: the id of the edit made of it, or nothing if it was rejected."""


def suggestions_for(
    stage: models.Stage, items: Sequence[models.Item], languages: Sequence[str], now: datetime
) -> dict[int, tuple[Edit, ...]]:
    """The suggestions for these items, by row number; made and kept if they are not yet. None where none are shown."""
    if not validator_of(stage).suggests:
        return {}
    known = _known(stage, items)
    made = [
        row
        for item, language in zip(items, languages, strict=True)
        if item.pk not in known
        for row in _made(stage, item, language, now)
    ]
    if made:
        models.EditSuggestion.objects.bulk_create(made, ignore_conflicts=True)
        known = _known(stage, items)
    return {pk: tuple(map(_edit, rows)) for pk, rows in known.items()}


def _known(stage: models.Stage, items: Sequence[models.Item]) -> dict[int, list[models.EditSuggestion]]:
    found: dict[int, list[models.EditSuggestion]] = {}
    for row in models.EditSuggestion.objects.filter(stage=stage, item__in=[item.pk for item in items]):
        found.setdefault(row.item_id, []).append(row)
    return found


def _made(stage: models.Stage, item: models.Item, language: str, now: datetime) -> list[models.EditSuggestion]:
    scheme = protocol_of(stage).edits
    assert scheme is not None
    edits = suggest(item.fields.get("source", ""), item.fields.get("rewrite", ""), language)
    return [
        models.EditSuggestion(
            stage=stage,
            item=item,
            key=edit.id,
            position=position,
            engine=suggested_by(),
            operation=edit.operation,
            parent=edit.parent,
            source_spans=[[span.start, span.end] for span in edit.source],
            rewrite_spans=[[span.start, span.end] for span in edit.rewrite],
            created_at=now,
        )
        for position, edit in enumerate(fitted(edits, scheme).edits)
    ]


def _edit(row: models.EditSuggestion) -> Edit:
    return Edit(
        row.key,
        row.operation,
        tuple(Span(*span) for span in row.source_spans),
        tuple(Span(*span) for span in row.rewrite_spans),
        parent=row.parent,
    )


def became_problems(validator: Validator, became: Became) -> list[Problem]:
    """What a page could never say about suggestions."""
    if became and not validator.suggests:
        return [Problem(what="no edits are suggested here", rule="suggestions", fix="Send none.", value=len(became))]
    return []


def note(revision: int, stage: int, item: int, judgement: Judgement, became: Became, *, draft: bool) -> None:
    """Keep what became of the suggestions. A draft that does not mention one says nothing of it yet."""
    edits = {edit.id: edit for edit in judgement.edits}
    rows = []
    for row in models.EditSuggestion.objects.filter(stage=stage, item=item):
        if draft and row.key not in became:
            continue
        edit = edits.get(became.get(row.key, ""))
        fate = _fate(row, edit, mentioned=row.key in became and judgement.outcome == ANSWERED)
        rows.append(
            models.SuggestionFate(revision_id=revision, suggestion=row, fate=fate, edit=edit.id if edit else "")
        )
    models.SuggestionFate.objects.bulk_create(rows)


def _fate(row: models.EditSuggestion, edit: Edit | None, *, mentioned: bool) -> str:
    if edit is None:
        return "rejected" if mentioned else "ignored"
    there = _edit(row)
    same = (edit.operation, edit.source, edit.rewrite) == (there.operation, there.source, there.rewrite)
    return "accepted" if same else "adjusted"


def became_in(revision: models.Revision) -> dict[str, str]:
    """What a revision says of the suggestions, as the page reads it."""
    rows = models.SuggestionFate.objects.filter(revision=revision).exclude(fate="ignored")
    return dict(rows.values_list("suggestion__key", "edit"))


class Fate(NamedTuple):
    """What became of one suggestion in one judgement, as it is exported."""

    stage: str
    item: str
    annotator: str
    suggestion: str
    engine: str
    operation: str
    source: list[list[int]]
    rewrite: list[list[int]]
    parent: str
    fate: str
    edit: str


def fates(study: models.Study) -> Iterator[Fate]:
    """Every suggestion in every submitted judgement of the study, in the order of items and annotators."""
    counted = models.Judgement.objects.filter(stage__study=study).counted()
    rows = models.SuggestionFate.objects.filter(revision__in=counted.values("current")).order_by(
        "suggestion__stage", "suggestion__item__position", "revision__judgement__annotator__name", "suggestion"
    )
    suggested = ("key", "engine", "operation", "source_spans", "rewrite_spans", "parent")
    columns = (
        *("suggestion__stage__key", "suggestion__item__key", "revision__judgement__annotator__name"),
        *(f"suggestion__{name}" for name in suggested),
        *("fate", "edit"),
    )
    return (Fate(*row) for row in rows.values_list(*columns).iterator(chunk_size=500))
