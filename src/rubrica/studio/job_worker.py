"""Doing jobs: which function does which kind, how a job ends, and the loop that takes one after the other."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from django.db import DatabaseError, close_old_connections

from rubrica.core.errors import InputError
from rubrica.home.made_files import EXPORT, REPORT
from rubrica.store import reporting
from rubrica.store.jobs import exporting, jobs
from rubrica.studio.storage import cause_of

POLL = 0.5
"""Seconds between two looks at an empty queue."""
IDLE = 60
"""After so many empty looks, half a minute, there is time to load what makes reports."""
TIDY = timedelta(hours=1)
"""How often old files are looked for."""

KINDS: Mapping[str, Callable[[jobs.Held, Path], dict[str, Any]]] = {
    EXPORT: exporting.run,
    REPORT: reporting.run,
}
"""What does each kind of job: it gets the job and the home, and returns the job's result."""

_log = logging.getLogger("rubrica.jobs")


def clock() -> datetime:
    """The time."""
    return datetime.now(UTC)


def do(held: jobs.Held, home: Path) -> None:
    """Do a job that was claimed, and write down how it ended."""
    job = held.job
    try:
        try:
            jobs.finish(job, KINDS[job.kind](held, home), held.clock())
        except jobs.StoppedError:
            jobs.hand_back(job)
        except InputError as error:
            jobs.fail(job, "\n".join(f"{problem.what}. {problem.fix}" for problem in error.problems), held.clock())
        except (OSError, ValueError, LookupError, TypeError, AttributeError) as error:
            _log.error("job failed", exc_info=error, extra={"data": {"job": job.pid, "kind": job.kind}})
            cause = cause_of(error)
            why = cause.what if cause else f"Something went wrong on our side ({type(error).__name__})."
            jobs.fail(job, why, held.clock())
    except jobs.LostJobError as lost:
        _log.warning("job taken away", extra={"data": {"job": job.pid, "why": str(lost)}})


def do_at_once(pid: str, home: Path) -> None:
    """Do a short job where it was asked for, unless the other process was faster."""
    job = jobs.claim(clock(), only=pid)
    if job is not None:
        do(jobs.Held(job, clock), home)


def work(home: Path, going: Callable[[], bool], rest: Callable[[float], object]) -> None:
    """Take jobs as long as ``going`` says so. ``rest`` waits for that many seconds."""
    tidied: datetime | None = None
    looks = 0
    while going():
        close_old_connections()
        try:
            job = jobs.claim(clock())
            if job is not None:
                _log.info("job", extra={"data": {"job": job.pid, "kind": job.kind, "try": job.tries}})
                do(jobs.Held(job, clock, going), home)
                continue
            if tidied is None or clock() - tidied > TIDY:
                tidied = clock()
                jobs.forget_old(home, tidied)
            looks += 1
            if looks == IDLE:
                warm(going)
        except DatabaseError as error:
            _log.error("the database does not answer", exc_info=error)
        rest(POLL)


def warm(going: Callable[[], bool] = lambda: True) -> None:
    """Load what makes reports and draw something, so that the first report need not wait for it; stop when told to."""
    from rubrica.report import charts, folder, html, report  # noqa: F401

    if going():
        import scipy.stats  # noqa: F401
        import xlsxwriter  # noqa: F401

        html.load()
    if going() and charts.can_draw():
        charts.as_png(charts.as_svg(charts.bars_chart([], names=[], what="", subtitle="", axis="")))
