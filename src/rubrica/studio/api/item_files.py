"""Items from a file sent to the API: read as the pages and the command line read it, with the same messages.

The file's name says its format. Which column was taken for which field is told with the answer, as it is elsewhere.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import wraps
from typing import Any

from django.db.models import Max
from django.http import HttpRequest
from django.urls import URLPattern, URLResolver
from django.utils import timezone
from ninja import File, Form, Router, Schema, Status
from ninja.files import UploadedFile
from pydantic import Field

from rubrica.core.errors import InputError, Problem
from rubrica.core.study import Item, with_fresh_keys
from rubrica.exchange.items import Read, ReadFile, read_items_file
from rubrica.exchange.target_places import leave_out
from rubrica.store import models
from rubrica.store.setup import study_items
from rubrica.store.stages import current_stages
from rubrica.store.translate import protocol_of
from rubrica.studio.api.access import MANAGER, VIEWER, ResearcherRequest, StudyId, actor, study_of
from rubrica.studio.api.item_bodies import LeaveOut, as_sent
from rubrica.studio.api.schemas import REFUSALS, Text
from rubrica.studio.studies import uploads

router = Router(auth=VIEWER)


class FileIn(Schema):
    """How to read the file, in the fields of the form beside it."""

    columns: list[Text] = Field(
        default=[],
        max_length=100,
        description="FIELD=COLUMN, once for each field that its column's name does not tell; FIELD= is in no column; "
        "rewrite=A,B,C where each system has a column of its own.",
    )
    header: bool = Field(default=True, description="Whether the first row names the columns; if not they are 1, 2, 3…")
    leave_out: LeaveOut = []


class FileReadOut(Schema):
    """What was read: the format, the column of each field, the columns kept as metadata, and what is worth knowing.

    `systems` are the columns that each hold one system's texts, `guessed` why a column was taken that was not named.
    """

    detected: str
    columns: dict[str, str]
    systems: list[str]
    guessed: dict[str, str]
    unused: list[str]
    remarks: list[str]


class FileAddedOut(FileReadOut):
    """The same, with how many items were added after which position: both undo it again."""

    added: int
    after: int


class FileReplacedOut(FileReadOut):
    """The same, with how many items there are now, and the stages whose overlap changed with them."""

    items: int
    overlap_changed: list[str]


@router.post("/file", auth=MANAGER, response={201: FileAddedOut, **REFUSALS})
def add_items_from_file(
    request: ResearcherRequest, study: StudyId, how: Form[FileIn], file: File[UploadedFile | None] = None
) -> Any:
    """Add the items of a file (CSV, TSV, JSONL, XLSX, Parquet) to a draft or a running study, all or none."""
    here = study_of(request)
    detected, read = _read(request, here, how)
    after = here.items.aggregate(last=Max("position"))["last"] or 0
    added = study_items.add(here, _named(here, read), timezone.now(), actor(request))
    return Status(201, FileAddedOut(added=added, after=after, **_told(detected, read)))


@router.post("/file/replace", auth=MANAGER, response={200: FileReplacedOut, **REFUSALS})
def replace_items_from_file(
    request: ResearcherRequest, study: StudyId, how: Form[FileIn], file: File[UploadedFile | None] = None
) -> Any:
    """Put the items of a file in place of those of a draft; items with known answers stay."""
    here = study_of(request)
    detected, read = _read(request, here, how)
    changed = study_items.replace_items(here, read.items, timezone.now(), actor(request))
    return FileReplacedOut(items=len(read.items), overlap_changed=changed, **_told(detected, read))


def bound_files(patterns: Sequence[URLPattern | URLResolver]) -> None:
    """Let every address of the API take files up to the pages' limit, to disk; must come before whatever reads one."""
    for pattern in patterns:
        if isinstance(pattern, URLPattern):
            pattern.callback = _bounded(pattern.callback)


def _bounded(view: Callable[..., Any]) -> Callable[..., Any]:
    @wraps(view)
    def bounded(request: HttpRequest, *args: Any, **kwargs: Any) -> Any:
        if request.method == "POST":
            uploads.bound(request, uploads.table_bytes())
        return view(request, *args, **kwargs)

    return bounded


def _read(request: ResearcherRequest, study: models.Study, how: FileIn) -> ReadFile:
    """The items of the file. Raises InputError with every problem, which names the file as its sender does."""
    columns, file = _columns(how.columns), uploads.needed(request, "file")
    protocol = protocol_of(current_stages(study)[0])
    try:
        return uploads.read_sent(read_items_file, file, protocol, columns, how.header, leave_out(how.leave_out))
    except InputError as error:
        raise InputError(*map(as_sent, error.problems)) from error


def _columns(given: Sequence[str]) -> dict[str, str]:
    """FIELD=COLUMN, as ``--map`` has it."""
    found: dict[str, str] = {}
    problems = []
    for text in given:
        field, equals, column = text.partition("=")
        if not equals or not field.strip() or field.strip() in found:
            fix = "Write FIELD=COLUMN, each field once."
            problems.append(Problem(what=f"columns: {text!r}", rule="option", fix=fix, value=text))
        found[field.strip()] = column
    if problems:
        raise InputError(*problems)
    return found


def _named(study: models.Study, read: Read) -> list[Item]:
    """Items under their own ids, or under free numbers if the file has none."""
    return read.items if read.matched.columns.get("id") else with_fresh_keys(read.items, study_items.keys_of(study))


def _told(detected: str, read: Read) -> dict[str, Any]:
    return {
        "detected": detected,
        "columns": dict(read.matched.columns),
        "systems": list(read.matched.systems),
        "guessed": dict(read.matched.why),
        "unused": list(read.matched.unused),
        "remarks": read.remarks,
    }
