"""A sheet in the database as the file it becomes, and back: reading answers from a returned file."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

import attrs
from django.db import transaction
from django.db.models import Prefetch

from rubrica.core.edits import Edit
from rubrica.core.errors import InputError, Problem
from rubrica.core.study import Judgement
from rubrica.exchange.sheets.layout import SheetFile, SheetRow
from rubrica.exchange.sheets.read import OpenedSheet, read_sheet
from rubrica.store import audit, models
from rubrica.store.judgements import Said, Saved, save
from rubrica.store.parts import stages_of_part
from rubrica.store.translate import item_from, judgement_from, protocol_of, rules_of


def sheet_file(sheet: models.Sheet) -> SheetFile:
    """Everything the Excel file of a sheet holds, with the answers given so far."""
    stage = sheet.stage
    protocol = protocol_of(stage)
    rules = rules_of(stage, protocol)
    leases = list(sheet.assignments.select_related("item").order_by("position"))
    items = [lease.item_id for lease in leases]
    said = _current(stage, items, sheet.annotator_id)
    earlier = _edits_to_start_from(stage, rules.items_from, items) if protocol.edits and rules.items_from else {}
    return SheetFile(
        study=stage.study.name,
        study_pid=stage.study.pid,
        pid=sheet.pid,
        stage=rules,
        annotator=sheet.annotator.name,
        number=sheet.number,
        protocol=protocol,
        language=sheet.language,
        rows=[
            SheetRow(
                lease.pid,
                item_from(lease.item),
                said.get(lease.item_id),
                earlier.get(lease.item_id, ()),
            )
            for lease in leases
        ],
    )


def _current(stage: models.Stage, items: Sequence[int], annotator: int) -> dict[int, Judgement]:
    heads = models.Judgement.objects.filter(stage=stage, annotator=annotator, item__in=items, state="submitted")
    related = heads.select_related("current").prefetch_related(
        Prefetch("current__edits", models.Edit.objects.order_by("position"))
    )
    return {head.item_id: judgement_from(head.current) for head in related if head.current}


def _edits_to_start_from(stage: models.Stage, earlier_key: str, items: Sequence[int]) -> dict[int, tuple[Edit, ...]]:
    """The edits of an earlier stage: one person's as they are, several persons' laid together, equal ones once."""
    heads = (
        models.Judgement.objects.filter(
            stage__in=stages_of_part(stage.study, earlier_key), item__in=items, state="submitted"
        )
        .select_related("current", "stage")
        .prefetch_related(Prefetch("current__edits", models.Edit.objects.order_by("position")))
        .order_by("annotator__name")
    )
    newest: dict[int, int] = {}
    for head in heads:
        newest[head.item_id] = max(newest.get(head.item_id, 0), head.stage.position)
    by_item: dict[int, list[tuple[Edit, ...]]] = {}
    for head in heads:
        if head.current and head.stage.position == newest[head.item_id]:
            by_item.setdefault(head.item_id, []).append(judgement_from(head.current).edits)
    return {item: _laid_together(edits) for item, edits in by_item.items()}


def _laid_together(several: list[tuple[Edit, ...]]) -> tuple[Edit, ...]:
    """The edits of several people without repetition, numbered anew; constituents follow their composite."""
    if len(several) == 1:
        return several[0]
    result: list[Edit] = []
    seen: set[object] = set()
    for edits in several:
        for edit in (edit for edit in edits if not edit.parent):
            parts = tuple(part for part in edits if part.parent == edit.id)
            shape = (edit.operation, edit.source, edit.rewrite, frozenset(edit.answers.items()))
            inside = frozenset((part.operation, part.source, part.rewrite) for part in parts)
            if (shape, inside) in seen:
                continue
            seen.add((shape, inside))
            number = str(len(result) + 1)
            result.append(attrs.evolve(edit, id=number))
            for part in parts:
                result.append(attrs.evolve(part, id=str(len(result) + 1), parent=number))
    return tuple(result)


class ReadResult(NamedTuple):
    """What came of one file: saved judgements, rows still open, blanks taken as an answer."""

    saved: Saved
    open: int
    blanks: int


def read_file(study: models.Study, opened: OpenedSheet, now: datetime, *, blank_is_answer: bool = False) -> ReadResult:
    """Read a returned file into the study: all of it or nothing."""
    meta = opened.meta
    if meta.get("study") != study.pid:
        raise InputError(_foreign(study, opened))
    sheet = (
        models.Sheet.objects.filter(pid=meta.get("sheet", ""), stage__study=study)
        .select_related("stage__study", "stage__protocol_version", "annotator")
        .first()
    )
    if sheet is None:
        raise InputError(
            Problem(
                what="this study has no record of having written this sheet",
                rule="identity",
                file=opened.file,
                fix="Write the sheet again and copy the answers into it.",
                value=meta.get("sheet"),
            )
        )
    back = read_sheet(opened, sheet_file(sheet), blank_is_answer=blank_is_answer)
    leases = {lease.pid: lease for lease in sheet.assignments.select_related("item__study")}
    said = [Said(leases[row].item, sheet.annotator, judgement) for row, judgement in back.judgements.items()]
    with transaction.atomic():
        saved = save(sheet.stage, protocol_of(sheet.stage), said, "sheet", now)
        sheet.read_at = now
        sheet.save(update_fields=["read_at"])
        audit.record("sheet read", study, now, sheet=sheet.pid, **saved._asdict())
    return ReadResult(saved, len(back.open), len(back.blanks))


def _foreign(study: models.Study, opened: OpenedSheet) -> Problem:
    name = opened.meta.get("study_name", "unknown")
    other = models.Study.objects.filter(pid=opened.meta.get("study", "")).first()
    fix = "Read it in the home where that study is."
    if other is not None and other.deleted_at is not None:
        fix = f"That study is in the trash: `rubrica study restore {other.name} --as NEW`, then read it there."
    elif other is not None:
        fix = f"Read it with `rubrica sheets read {other.name} …`."
    return Problem(
        what=f"this sheet belongs to another study ({name!r}), not to {study.name!r}",
        rule="identity",
        value=name,
        fix=fix,
        file=opened.file,
    )
