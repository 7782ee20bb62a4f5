"""Files that jobs make, in the home: exports and reports. Kept for a week, gone at once when somebody is erased.

A file has a random name that is kept in the job's row and never shown; what a browser is told to call it is made of the
study's name, which holds only safe characters. It appears under its name at once and whole, when it is finished.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, BinaryIO

import attrs

from rubrica.exchange.whole_files import whole_file
from rubrica.store import models
from rubrica.store.public_ids import new_public_id

EXPORT, REPORT = "export", "report"
KINDS = (EXPORT, REPORT)
State = models.Job.State
PAGE = ".page"
KEPT = timedelta(days=7)
FORGOTTEN = timedelta(days=1)
"""After this, an unfinished file belongs to a worker that is long dead."""


@attrs.define
class Making:
    """A file in the making: write to ``stream``, and to ``page`` what a page shows of it, if it shows anything.

    When it is whole, ``about`` is what the job's result says of it.
    """

    stream: BinaryIO
    page: str = ""
    about: dict[str, Any] = attrs.field(factory=dict)


@contextmanager
def making(kind: str, home: Path) -> Iterator[Making]:
    """Make a file: it gets its name when the block ends without an error, and leaves nothing behind otherwise."""
    place, name = folder(home, kind), new_public_id()
    place.mkdir(parents=True, exist_ok=True)
    with whole_file(place / name) as stream:
        made = Making(stream)
        yield made
        if made.page:
            (place / f"{name}{PAGE}").write_text(made.page, encoding="utf-8")
    made.about |= {"file": name, "bytes": (place / name).stat().st_size, "sha256": _digest(place / name)}


def _digest(file: Path) -> str:
    with file.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def folder(home: Path, kind: str = EXPORT) -> Path:
    """Where files of a kind are kept."""
    return home / "files" / f"{kind}s"


def file_of(job: models.Job, home: Path) -> Path | None:
    """The finished file of a job; nothing if there is none, or not any more."""
    name = job.result.get("file", "") if job.state == "done" and job.kind in KINDS else ""
    file = folder(home, job.kind) / name if name.isalnum() else None
    return file if file is not None and file.is_file() else None


def page_of(job: models.Job, home: Path) -> str | None:
    """What a page shows of the finished file of a job."""
    file = file_of(job, home)
    page = file.with_suffix(PAGE) if file else None
    return page.read_text(encoding="utf-8") if page and page.is_file() else None


def forget(finished: Iterable[models.Job], home: Path) -> int:
    """Delete the files of these jobs, but not what is known of them. Returns how many files there were."""
    gone = 0
    for job in finished:
        file = file_of(job, home)
        if file is not None:
            file.unlink(missing_ok=True)
            file.with_suffix(PAGE).unlink(missing_ok=True)
            gone += 1
        job.update(result={key: value for key, value in job.result.items() if key != "file"})
    return gone


def forget_old(home: Path, now: datetime) -> int:
    """Delete the files that are past their week, and what dead workers left behind."""
    late = models.Job.objects.filter(
        kind__in=KINDS, state=State.DONE, finished_at__lt=now - KEPT, result__has_key="file"
    )
    gone = forget(late, home)
    named = models.Job.objects.filter(kind__in=KINDS, result__has_key="file")
    known = set(named.values_list("result__file", flat=True))
    for file in [file for kind in KINDS for file in folder(home, kind).glob("*")]:
        stray = file.name.removesuffix(PAGE) not in known
        if stray and now.timestamp() - file.stat().st_mtime > FORGOTTEN.total_seconds():
            file.unlink(missing_ok=True)
            gone += 1
    return gone


def forget_study(study: models.Study, home: Path) -> int:
    """Delete every finished file of a study, and begin unfinished ones anew: somebody asked for erasure, and their
    answers are in them. Returns how many files there were."""
    ours = models.Job.objects.filter(study=study, kind__in=KINDS)
    ours.filter(state=State.RUNNING).update(state=State.WAITING, lease_until=None, progress=0)
    return forget(ours.filter(state=State.DONE, result__has_key="file"), home)
