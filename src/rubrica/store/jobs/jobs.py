"""Long work as rows: a worker takes a job as an annotator takes an item, by a lease that returns when the worker dies.

``tries`` counts how often a job was taken, and is also its fence: a worker that was believed dead and comes back late
holds an older number, so that nothing it writes is accepted.

Studies take turns: one job of a study at a time, and first the study whose last job was done longest ago. Only one job
of a large study runs at a time, so that of two workers one is always there for what is short.

The files of jobs (``home/made_files.py``) are kept for a week, gone at once when somebody is erased. The name of a file
is kept in the job's row.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import attrs
from django.db import connection, transaction
from django.db.models import F, OuterRef, Q, QuerySet, Subquery

from rubrica.core.errors import RubricaError
from rubrica.home import made_files
from rubrica.home.database import JOBS_LOCK, one_by_one
from rubrica.home.made_files import KINDS
from rubrica.store import models

State = models.Job.State
LARGE = 5_000
"""A study with so many judgements has long jobs: an export or a report takes more than a few seconds."""
LEASE = timedelta(seconds=60)
TELLING = timedelta(seconds=1)
MOST_TRIES = 3


class LostJobError(RubricaError):
    """The job is no longer this worker's: its lease ended and another took it, or it was given up."""


class StoppedError(RubricaError):
    """The worker was told to stop: the job goes back into the queue."""


@attrs.define
class Held:
    """A job in the hands of a worker. The work calls :meth:`tell` as it goes on, and stops if that raises."""

    job: models.Job
    clock: Callable[[], datetime]
    going: Callable[[], bool] = lambda: True
    _told: datetime | None = None

    def tell(self, done: int) -> None:
        """Write down how far it is, at most once a second, and keep the job for longer.

        Raises StoppedError when the worker must stop, LostJobError if the job is another worker's by now.
        """
        if not self.going():
            raise StoppedError(f"told to stop at {done} of {self.job.total}")
        now = self.clock()
        if self._told is None or now - self._told >= TELLING:
            self._told = now
            progress(self.job, done, now)


def enqueue(
    kind: str, study: models.Study | None, arguments: Mapping[str, Any], actor: str, now: datetime, total: int = 0
) -> models.Job:
    """A new job at the end of the queue. ``total`` is how many steps it is expected to have, if that is known."""
    asked = {"arguments": dict(arguments), "created_by": actor, "created_at": now}
    return models.Job.objects.create(kind=kind, study=study, total=total, **asked)


def claim(now: datetime, lease: timedelta = LEASE, only: str = "") -> models.Job | None:
    """Take the job whose turn it is, of those that wait or whose worker died; nothing if there is none.

    ``only`` takes that job or none, for work that is short enough to be done where it was asked for.
    """
    dead = Q(state=State.RUNNING, lease_until__lt=now)
    wanted = Q(state=State.WAITING) | dead
    if not models.Job.objects.filter(wanted).exists():
        return None
    with transaction.atomic():
        one_by_one(JOBS_LOCK)
        models.Job.objects.filter(dead, tries__gte=MOST_TRIES).update(
            state=State.FAILED, finished_at=now, lease_until=None, error=f"The worker stopped {MOST_TRIES} times at it."
        )
        queue = models.Job.objects.select_for_update(skip_locked=True, of=("self",)).filter(wanted)
        job = queue.filter(pid=only).first() if only else _first_in_turn(queue, now)
        if job is None:
            return None
        job.update(state=State.RUNNING, tries=job.tries + 1, lease_until=now + lease, progress=0)
    return job


def _first_in_turn(queue: QuerySet[models.Job], now: datetime) -> models.Job | None:
    """The job whose turn it is: of the study that was served longest ago, and has none running."""
    running = models.Job.objects.filter(state=State.RUNNING, lease_until__gte=now)
    busy = set(running.exclude(study=None).values_list("study", flat=True))
    a_large_one_runs = any(map(_is_large, busy))
    ended = models.Job.objects.filter(study=OuterRef("study")).exclude(finished_at=None).order_by("-finished_at")
    in_turn = queue.annotate(ended=Subquery(ended.values("finished_at")[:1])).order_by(
        F("ended").asc(nulls_first=True), "created_at", "pk"
    )
    free = (job for job in in_turn if job.study_id not in busy)
    return next((job for job in free if not (a_large_one_runs and _is_large(job.study_id))), None)


def _is_large(study: int | None) -> bool:
    return models.Judgement.objects.filter(stage__study=study)[:LARGE].count() == LARGE


def progress(job: models.Job, done: int, now: datetime, lease: timedelta = LEASE, total: int | None = None) -> None:
    """Say how far it is, and keep the job for longer. Raises LostJobError if it is another worker's by now."""
    _write(job, progress=done, lease_until=now + lease, total=job.total if total is None else total)


def finish(job: models.Job, result: Mapping[str, Any], now: datetime) -> None:
    """The job is done. Raises LostJobError if it is another worker's by now: then nothing is changed."""
    done = {"state": State.DONE, "result": dict(result), "error": "", "progress": max(job.progress, job.total)}
    _write(job, **done, finished_at=now, lease_until=None)


def fail(job: models.Job, reason: str, now: datetime) -> None:
    """The job cannot be done, and why. It is not tried again."""
    _write(job, state=State.FAILED, error=reason, finished_at=now, lease_until=None)


def hand_back(job: models.Job) -> None:
    """Put the job back into the queue, because the worker is told to stop; this does not count as a try."""
    _write(job, state=State.WAITING, lease_until=None, progress=0, tries=job.tries - 1)


def _write(job: models.Job, **changes: Any) -> None:
    """Change the row of a job that is held, over a connection of its own.

    The work may be reading over the usual one: SQLite lets no connection write whose reading began before the last
    write of somebody else, and somebody saves every second.
    """

    def write() -> int:
        try:
            return models.Job.objects.filter(pk=job.pk, state=State.RUNNING, tries=job.tries).update(**changes)
        finally:
            connection.close()

    with ThreadPoolExecutor(max_workers=1) as apart:
        if not apart.submit(write).result():
            raise LostJobError(f"job {job.pid} is not held by this worker any more (try {job.tries})")
    for name, value in changes.items():
        setattr(job, name, value)


KEPT = timedelta(days=7)


def file_of(job: models.Job, home: Path) -> Path | None:
    """The finished file of a job; nothing if there is none, or not any more."""
    done = job.state == State.DONE and job.kind in KINDS
    return made_files.find(home, job.kind, job.result.get("file", "")) if done else None


def page_of(job: models.Job, home: Path) -> str | None:
    """What a page shows of the finished file of a job."""
    file = file_of(job, home)
    return made_files.page_of(file) if file else None


def forget(finished: Iterable[models.Job], home: Path) -> int:
    """Delete the files of these jobs, but not what is known of them. Returns how many files there were."""
    gone = 0
    for job in finished:
        if file := file_of(job, home):
            made_files.remove(file)
            gone += 1
        job.update(result={key: value for key, value in job.result.items() if key != "file"})
    return gone


def forget_old(home: Path, now: datetime) -> int:
    """Delete the files that are past their week, and what dead workers left behind."""
    named = models.Job.objects.filter(kind__in=KINDS, result__has_key="file")
    gone = forget(named.filter(state=State.DONE, finished_at__lt=now - KEPT), home)
    strays = made_files.strays(home, set(named.values_list("result__file", flat=True)), now)
    for file in strays:
        file.unlink(missing_ok=True)
    return gone + len(strays)


def forget_study(study: models.Study, home: Path) -> int:
    """Delete every finished file of a study, and begin unfinished ones anew: somebody asked for erasure, and their
    answers are in them. Returns how many files there were."""
    ours = models.Job.objects.filter(study=study, kind__in=KINDS)
    ours.filter(state=State.RUNNING).update(state=State.WAITING, lease_until=None, progress=0)
    return forget(ours.filter(state=State.DONE, result__has_key="file"), home)
