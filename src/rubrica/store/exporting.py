"""Exports asked for in the studio: written to a file of the home by a job, kept for a week.

A file has a random name that is kept in the job's row and never shown; what a browser is told to call it is made of the
study's name, which holds only safe characters. It appears under its name at once and whole, when it is finished.
"""

from __future__ import annotations

import hashlib
import os
import threading
from collections.abc import Iterable, Iterator
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, BinaryIO, cast

import attrs
from django.db import connection, transaction

from rubrica.core.errors import wrong
from rubrica.exchange.exports import WRITERS
from rubrica.exchange.records import Record
from rubrica.store import audit, jobs, models
from rubrica.store.public_ids import new_public_id
from rubrica.store.records import export_filters, iterate, revisions_of, study_signature
from rubrica.store.studies import find_stage
from rubrica.store.translate import protocol_of

KIND = "export"
KEPT = timedelta(days=7)
FORGOTTEN = timedelta(days=1)
"""After this, an unfinished file belongs to a worker that is long dead."""
STEP = 50
"""How many judgements are written between two looks at the clock."""


@attrs.frozen(kw_only=True)
class Wanted:
    """What is to be exported: the format, one stage or all, the last word or all of them, excluded people or not."""

    form: str
    stage: str = ""
    every_revision: bool = False
    excluded: bool = False


def stages_of(study: models.Study, wanted: Wanted) -> list[models.Stage]:
    """The stages of an export. Raises InputError if the format, the stage or their combination is not possible."""
    if wanted.form not in WRITERS:
        fix = f"Use one of {', '.join(WRITERS)}."
        raise wrong(f"there is no format {wanted.form!r}", "format", fix, value=wanted.form)
    if wanted.stage:
        return [find_stage(study, wanted.stage)]
    stages = list(study.stages.select_related("protocol_version"))
    if wanted.form != "jsonl" and len({stage.protocol_version_id for stage in stages}) > 1:
        raise wrong(
            "the stages run different versions of the protocol, and a table has the columns of one",
            "stage",
            "Export one stage at a time, or all as jsonl.",
            value=wanted.form,
        )
    return stages


def count(study: models.Study, wanted: Wanted) -> int:
    """How many judgements the export would have."""
    stages = stages_of(study, wanted)
    return revisions_of(stages, every_revision=wanted.every_revision, excluded=wanted.excluded).count()


def ask(study: models.Study, wanted: Wanted, actor: str, now: datetime, key: str = "") -> models.Job:
    """Put an export into the queue. Raises InputError as :func:`stages_of` does.

    A page that is sent twice has the same ``key`` (a public id) twice, and asks for one export.
    """
    total = count(study, wanted)
    with transaction.atomic():
        if key:
            models.Study.objects.select_for_update(no_key=True).get(pk=study.pk)
            known = models.Job.objects.filter(pid=key).first()
            if known is not None and known.study_id == study.pk and known.kind == KIND:
                return known
            key = "" if known else key
        job = jobs.enqueue(KIND, study, attrs.asdict(wanted), actor, now, total, key)
        audit.record("export asked for", study, now, actor=actor, format=wanted.form, stage=wanted.stage)
    return job


def run(held: jobs.Held, home: Path) -> dict[str, Any]:
    """Write the file of a job that was claimed; returns what the job's result is."""
    job = held.job
    study, wanted = job.study, Wanted(**job.arguments)
    assert study is not None
    stages = stages_of(study, wanted)
    protocol = protocol_of(stages[0])
    filters = export_filters(study, every_revision=wanted.every_revision, excluded=wanted.excluded)
    records = iterate(study, stages, every_revision=wanted.every_revision, excluded=wanted.excluded)
    name = new_public_id()
    place = folder(home)
    place.mkdir(parents=True, exist_ok=True)
    part = place / f"{name}.part"
    try:
        with part.open("xb") as stream:
            watched = _watched(records, held, threading.get_ident())
            written = WRITERS[wanted.form](watched, protocol, cast(BinaryIO, stream))
            stream.flush()
            os.fsync(stream.fileno())
        size, digest = part.stat().st_size, _digest(part)
        jobs.progress(job, written, held.clock(), total=written)
        os.replace(part, place / name)
    finally:
        part.unlink(missing_ok=True)
    return {
        "file": name,
        "name": f"{study.name}-{wanted.stage or 'judgements'}-{job.created_at:%Y-%m-%d}.{wanted.form}",
        "judgements": written,
        "bytes": size,
        "sha256": digest,
        "signature": study_signature(study, stages, protocol, **filters),
    }


def _watched(records: Iterable[Record], held: jobs.Held, thread: int) -> Iterator[Record]:
    """The records, telling how far it is. Parquet is written in a thread of its own, whose connection is closed."""
    try:
        for number, record in enumerate(records, start=1):
            yield record
            if number % STEP == 0:
                held.tell(number)
    finally:
        if threading.get_ident() != thread:
            connection.close()


def _digest(file: Path) -> str:
    with file.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def folder(home: Path) -> Path:
    """Where exports are kept."""
    return home / "files" / "exports"


def file_of(job: models.Job, home: Path) -> Path | None:
    """The finished file of an export; nothing if there is none, or not any more."""
    name = job.result.get("file", "") if job.state == "done" and job.kind == KIND else ""
    file = folder(home) / name if name.isalnum() else None
    return file if file is not None and file.is_file() else None


def forget(exports: Iterable[models.Job], home: Path) -> int:
    """Delete the files of these exports, but not what is known of them. Returns how many files there were."""
    gone = 0
    for job in exports:
        file = file_of(job, home)
        if file is not None:
            file.unlink(missing_ok=True)
            gone += 1
        job.result = {key: value for key, value in job.result.items() if key != "file"}
        job.save(update_fields=["result"])
    return gone


def forget_old(home: Path, now: datetime) -> int:
    """Delete the files that are past their week, and what dead workers left behind."""
    late = models.Job.objects.filter(kind=KIND, state="done", finished_at__lt=now - KEPT, result__has_key="file")
    gone = forget(late, home)
    known = set(models.Job.objects.filter(kind=KIND, result__has_key="file").values_list("result__file", flat=True))
    for file in folder(home).glob("*"):
        stray = file.name not in known
        if stray and now.timestamp() - file.stat().st_mtime > FORGOTTEN.total_seconds():
            file.unlink(missing_ok=True)
            gone += 1
    return gone


def forget_study(study: models.Study, home: Path) -> int:
    """Delete every finished file of a study, and begin unfinished ones anew: somebody asked for erasure, and their
    answers are in them. Returns how many files there were."""
    exports = models.Job.objects.filter(study=study, kind=KIND)
    exports.filter(state="running").update(state="waiting", lease_until=None, progress=0)
    return forget(exports.filter(state="done", result__has_key="file"), home)
