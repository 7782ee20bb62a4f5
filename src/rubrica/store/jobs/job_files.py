"""The files of jobs (``home/made_files.py``): kept for a week, gone at once when somebody is erased.

The name of a file is kept in the job's row.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta
from pathlib import Path

from rubrica.home import made_files
from rubrica.home.made_files import KINDS
from rubrica.store import models

State = models.Job.State
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
