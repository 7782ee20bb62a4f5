"""Suggested edits of a stage: what was proposed for an item, once for all, and what became of it in each revision.

A study can measure with it how much proposals bias what people mark. Suggestions are made when an item is first shown
at a stage that has them, and kept: whoever comes later sees the same, whatever version of Rubrica runs then.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime

from rubrica.core.edits import Edit, Span
from rubrica.core.study import ANSWERED, Judgement, gathered
from rubrica.edits.suggesting.suggest import fitted, suggest, suggested_by, that_fit
from rubrica.exchange.suggestions import Fate, Told, fate
from rubrica.store import models
from rubrica.store.translate import protocol_of, validator_of


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
    rows = models.EditSuggestion.objects.filter(stage=stage, item__in=[item.pk for item in items])
    return gathered(rows, lambda row: row.item_id)


def _made(stage: models.Stage, item: models.Item, language: str, now: datetime) -> list[models.EditSuggestion]:
    scheme = protocol_of(stage).edits
    assert scheme is not None
    edits = suggest(item.fields.get("source", ""), item.fields.get("rewrite", ""), language)
    return _rows(stage, item, fitted(edits, scheme).edits, suggested_by(), now)


def _rows(
    stage: models.Stage, item: models.Item, edits: Sequence[Edit], engine: str, now: datetime
) -> list[models.EditSuggestion]:
    return [
        models.EditSuggestion(
            stage=stage,
            item=item,
            key=edit.id,
            position=position,
            engine=engine,
            operation=edit.operation,
            parent=edit.parent,
            source_spans=[[span.start, span.end] for span in edit.source],
            rewrite_spans=[[span.start, span.end] for span in edit.rewrite],
            created_at=now,
        )
        for position, edit in enumerate(edits)
    ]


def bring(stage: models.Stage, given: Sequence[tuple[models.Item, Sequence[Edit]]], engine: str, now: datetime) -> int:
    """Keep edits that come from elsewhere as the suggestions for these items; how many they are.

    What a page could not show is left out: words that the texts do not have, and parts whose whole is gone by that. An
    item of which suggestions were shown already keeps those: everybody sees the same.
    """
    known = _known(stage, [item for item, _ in given])
    rows = [
        row
        for item, edits in given
        if item.pk not in known
        for row in _rows(stage, item, that_fit(edits, item.fields), engine, now)
    ]
    models.EditSuggestion.objects.bulk_create(rows)
    return len(rows)


def _edit(row: models.EditSuggestion) -> Edit:
    return Edit(
        row.key,
        row.operation,
        tuple(Span(*span) for span in row.source_spans),
        tuple(Span(*span) for span in row.rewrite_spans),
        parent=row.parent,
    )


def note(revision: int, stage: int, item: int, judgement: Judgement, told: Told, *, draft: bool) -> None:
    """Keep what became of the suggestions. A draft that does not mention one says nothing of it yet."""
    became = told.became
    edits = {edit.id: edit for edit in judgement.edits}
    rows = []
    for row in models.EditSuggestion.objects.filter(stage=stage, item=item):
        if draft and row.key not in became:
            continue
        edit = edits.get(became.get(row.key, ""))
        became_of_it = fate(_edit(row), edit, mentioned=row.key in became and judgement.outcome == ANSWERED)
        looked = told.together.get(row.key) if edit else None
        said = {"fate": became_of_it, "edit": edit.id if edit else "", "looked": looked}
        rows.append(models.SuggestionFate(revision_id=revision, suggestion=row, **said))
    models.SuggestionFate.objects.bulk_create(rows)


def told_in(revision: models.Revision) -> Told:
    """What a revision says of the suggestions, as the page reads it."""
    fates = models.SuggestionFate.objects.filter(revision=revision).exclude(fate=models.SuggestionFate.Fate.IGNORED)
    rows = list(fates.values_list("suggestion__key", "edit", "looked"))
    return Told({key: edit for key, edit, _ in rows}, {key: looked for key, _, looked in rows if looked is not None})


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
        *("fate", "edit", "looked"),
    )
    found = rows.values_list(*columns).iterator(chunk_size=500)
    return (Fate(*row)._replace(together=row[-1] is not None) for row in found)
