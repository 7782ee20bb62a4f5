"""A sheet in the database as the file it becomes, and back: reading answers from a returned file."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from django.db import transaction
from django.db.models import Prefetch

from rubrica.core.errors import InputError, Problem
from rubrica.core.study import Judgement
from rubrica.exchange.sheets.layout import SheetFile, SheetRow
from rubrica.exchange.sheets.read import OpenedSheet, read_sheet
from rubrica.store import audit, models
from rubrica.store.adjudication.given_edits import given_edits
from rubrica.store.people.identities import Stone, erased_problem
from rubrica.store.recording.judgements import Said, Saved, save
from rubrica.store.translate import item_from, judgement_from, protocol_of, rules_of


def sheet_file(sheet: models.Sheet) -> SheetFile:
    """Everything the Excel file of a sheet holds, with the answers given so far."""
    stage = sheet.stage
    protocol = protocol_of(stage)
    rules = rules_of(stage, protocol)
    leases = list(sheet.assignments.select_related("item").order_by("position"))
    items = [lease.item_id for lease in leases]
    said = _current(stage, items, sheet.annotator_id)
    earlier = given_edits(stage, items)
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


class ReadResult(NamedTuple):
    """What came of one file: saved judgements, rows still open, blanks taken as an answer; whose it is, and where."""

    saved: Saved
    open: int
    blanks: int
    annotator: str
    stage: str


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
    if sheet.annotator.erased_at is not None:
        told = erased_problem(study, Stone(study, sheet.annotator.erased_at), "whoever filled in this sheet")
        raise InputError(told.at(file=opened.file, fix="Delete the file: an erasure is not undone."))
    back = read_sheet(opened, sheet_file(sheet), blank_is_answer=blank_is_answer)
    leases = {lease.pid: lease for lease in sheet.assignments.select_related("item__study")}
    said = [Said(leases[row].item, sheet.annotator, judgement) for row, judgement in back.judgements.items()]
    with transaction.atomic():
        saved = save(sheet.stage, protocol_of(sheet.stage), said, "sheet", now)
        sheet.read_at = now
        sheet.save(update_fields=["read_at"])
        audit.record("sheet read", study, now, sheet=sheet.pid, **saved._asdict())
    return ReadResult(saved, len(back.open), len(back.blanks), sheet.annotator.name, sheet.stage.key)


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
