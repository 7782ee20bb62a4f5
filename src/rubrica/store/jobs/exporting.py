"""Exports asked for in the studio: written to a file of the home by a job (``home/made_files.py``)."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, NamedTuple

import attrs
from django.db import connection

from rubrica.exchange.exports import FORMATS, WRITERS, Wanted, asked_in, write_profiles
from rubrica.home.made_files import EXPORT, making
from rubrica.store import audit, models
from rubrica.store.jobs import jobs
from rubrica.store.options import options_of
from rubrica.store.people.profiles import covered
from rubrica.store.public_ids import new_public_id
from rubrica.store.recording import thresh
from rubrica.store.recording.exports import export_filters, iterate, revisions_of, study_signature
from rubrica.store.recording.thresh import stage_for
from rubrica.store.releases import check_release, rating_stage, word_stage, write_benchmark, write_release
from rubrica.store.reporting import aliases_of
from rubrica.store.studies import find_stage
from rubrica.store.translate import protocol_of

if TYPE_CHECKING:
    from rubrica.exchange.records import Record

STEP = 50
"""How many judgements are written between two looks at the clock."""


def stages_of(study: models.Study, wanted: Wanted) -> list[models.Stage]:
    """The stages of an export. Raises InputError if the format, the stage or their combination is not possible.

    A Thresh file has one: the one asked for, else the newest that entries were imported into.
    """
    if wanted.format is FORMATS["thresh"]:
        imported = study.stages.exclude(imported_entries=None).order_by("position").last()
        return [stage_for(study, wanted.stage or (imported.key if imported else ""))]
    if wanted.form == "benchmark" or wanted.format.asks == "words":
        wanted.check(study.name, asked_for(study), versions=1)
        return [(rating_stage if wanted.form == "benchmark" else word_stage)(study, wanted.stage)]
    every = study.stages.select_related("protocol_version")
    stages = [find_stage(study, wanted.stage)] if wanted.stage else list(every)
    wanted.check(study.name, asked_for(study), versions=len({stage.protocol_version_id for stage in stages}))
    return stages


def asked_for(study: models.Study) -> set[str]:
    """What the study's stages ask for that has formats of its own: edits, rewrites, ratings of rewrites."""
    return asked_in([protocol_of(stage) for stage in study.stages.select_related("protocol_version")])


class Progress(NamedTuple):
    """How far the writing of a file is: judgements that went into it, and what it counts (rows, edits, entries)."""

    judgements: int
    written: int


def write(
    study: models.Study,
    wanted: Wanted,
    out: BinaryIO,
    tell: Callable[[int], None] | None = None,
    say: Callable[[str], None] | None = None,
) -> Progress:
    """Write an export. ``tell`` hears every now and then how many judgements are done; it may raise to stop.

    ``say`` hears what is worth knowing about a release.
    """
    stages = stages_of(study, wanted)
    done = 0
    if wanted.form == "thresh":
        for done in thresh.write(stages[0], wanted, out):
            if tell and done % STEP == 0:
                tell(done)
        return Progress(count(study, wanted), done)
    safe = {"safe": True} if wanted.safe_cells else {}
    if wanted.form == "profiles":
        about = options_of(study).about.model_dump()
        return Progress(0, write_profiles(_profiles(study), about, out, **safe))
    if wanted.form == "benchmark":
        return Progress(count(study, wanted), write_benchmark(study, wanted.stage, out))
    if wanted.format.asks == "words":
        return Progress(count(study, wanted), write_release(study, wanted, out, say or (lambda text: None)))
    thread = threading.get_ident()

    def watched() -> Iterator[Record]:
        """The records, telling how far it is. Parquet is written in a thread of its own, whose connection is closed."""
        nonlocal done
        try:
            for record in iterate(study, stages, wanted):
                yield record
                done += 1
                if tell and done % STEP == 0:
                    tell(done)
        finally:
            if threading.get_ident() != thread:
                connection.close()

    written = WRITERS[wanted.form](watched(), protocol_of(stages[0]), out, **safe)
    return Progress(done, written)


def _profiles(study: models.Study) -> list[tuple[str, dict[str, Any]]]:
    """Profiles that may be given away, by the alias that reports use."""
    aliases, names = aliases_of(study), dict(study.annotators.values_list("pk", "name"))
    return [(aliases[names[pk]], told) for pk, told in covered(study).items()]


def count(study: models.Study, wanted: Wanted) -> int:
    """How many judgements the export would have. Raises InputError for profiles that no consent covers."""
    stages = stages_of(study, wanted)
    if wanted.form == "profiles":
        return len(covered(study))
    return revisions_of(stages, every_revision=wanted.every_revision, excluded=wanted.excluded).count()


def ask(study: models.Study, wanted: Wanted, actor: str, now: datetime, key: str = "") -> models.Job:
    """Put an export into the queue. Raises InputError as :func:`stages_of` does.

    A page that is sent twice has the same ``key`` (a public id) twice, and asks for one export.
    """
    total = count(study, wanted)
    if wanted.format.asks == "words":
        check_release(study, wanted)
    with study.held():
        known = models.Job.objects.filter(pid=key).first() if key else None
        if known is not None and (known.study_id, known.kind) == (study.pk, EXPORT):
            return known
        job = jobs.enqueue(EXPORT, study, attrs.asdict(wanted), actor, now, total)
        if key and known is None:
            job.update(pid=key)
        audit.record("export asked for", study, now, actor=actor, format=wanted.form, stage=wanted.stage)
    return job


def run(held: jobs.Held, home: Path) -> dict[str, Any]:
    """Write the file of a job that was claimed; returns what the job's result is."""
    job = held.job
    study, wanted = job.study, Wanted(**job.arguments)
    assert study is not None
    remarks: list[str] = []
    with making(home, EXPORT, new_public_id()) as made:
        done = write(study, wanted, made.stream, held.tell, remarks.append)
        jobs.progress(job, done.judgements, held.clock(), total=done.judgements)
    return {
        **made.about,
        "name": wanted.file_name(study.name, f"{job.created_at:%Y-%m-%d}"),
        "judgements": done.judgements,
        "remarks": remarks,
        "signature": signed(study, wanted),
    }


def signed(study: models.Study, wanted: Wanted) -> str:
    """The signature of an export."""
    stages = stages_of(study, wanted)
    return study_signature(study, stages, protocol_of(stages[0]), **export_filters(study, wanted))
