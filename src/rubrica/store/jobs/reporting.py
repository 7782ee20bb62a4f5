"""Reports asked for in the studio: made by a job, kept as one archive, with what the Results page shows of it."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import Any

import attrs
from django.db import transaction
from django.db.models import QuerySet

from rubrica.core.errors import InputError
from rubrica.report.archive import pack
from rubrica.store import audit, models
from rubrica.store.counting.submitted import picture, version_of
from rubrica.store.jobs import jobs
from rubrica.store.jobs.job_files import REPORT, file_of, making

State = models.Job.State
OPEN = (State.WAITING, State.RUNNING)
ABOUT = 36
"""About how many steps a report takes, charts included, for the progress that is shown."""
LINKS = "./"
"""The page links to the files of a report by addresses below its own."""


@attrs.frozen(kw_only=True)
class Wanted:
    """What a report is to be about: the stage, if not the last that has answers."""

    stage: str = ""


def ask(study: models.Study, wanted: Wanted, actor: str, now: datetime) -> models.Job:
    """Put a report into the queue; while one like it waits or is made, that one."""
    with transaction.atomic():
        models.Study.objects.select_for_update(no_key=True).get(pk=study.pk)
        known = reports_of(study, wanted).filter(state__in=OPEN).first()
        if known is not None:
            return known
        job = jobs.enqueue(REPORT, study, attrs.asdict(wanted), actor, now, ABOUT)
        audit.record("report asked for", study, now, actor=actor, stage=wanted.stage)
    return job


def reports_of(study: models.Study, wanted: Wanted) -> QuerySet[models.Job]:
    """Every report of the study like this one, the newest first."""
    rows = models.Job.objects.filter(study=study, kind=REPORT, arguments=attrs.asdict(wanted))
    return rows.select_related("study").order_by("-created_at", "-pk")


def newest(study: models.Study, wanted: Wanted, home: Path) -> models.Job | None:
    """The newest finished report like this one whose file is still there."""
    done = reports_of(study, wanted).filter(state=State.DONE, result__has_key="file")[:5]
    return next((job for job in done if file_of(job, home)), None)


def warm(going: Callable[[], bool] = lambda: True) -> None:
    """Load what makes reports and draw something, so that the first report need not wait for it; stop when told to."""
    from rubrica.report import charts, folder, report  # noqa: F401
    from rubrica.store import report_facts  # noqa: F401

    if going():
        import scipy.stats  # noqa: F401
    if going() and _can_draw():
        charts.as_png(charts.as_svg(charts.bars_chart([], names=[], what="", subtitle="", axis="")))


def run(held: jobs.Held, home: Path) -> dict[str, Any]:
    """Make the report of a job that was claimed; returns what the job's result is.

    What computes is loaded here and not with the studio, which would start slower and need more memory.
    """
    from rubrica.report import folder, report
    from rubrica.report.html import as_page
    from rubrica.store.report_facts import subject_of

    job = held.job
    study, wanted = job.study, Wanted(**job.arguments)
    assert study is not None
    version, every = version_of(study), len(picture(study).counted)
    subject = subject_of(study, stage=wanted.stage)
    made = report.build(subject, held.clock(), held.tell)
    with tempfile.TemporaryDirectory() as scratch, making(REPORT, home) as archive:
        place = Path(scratch) / study.name
        charts = _can_draw()
        folder.write(made, place, charts=charts, tell=lambda done: held.tell(report.STEPS + done))
        pack(place, archive.stream)
        archive.page = as_page(made, LINKS, charts=charts)
    return {
        **archive.about,
        "name": f"{study.name}-report-{held.clock():%Y-%m-%d}.zip",
        "judgements": len(subject.ratings.counted),
        "every": every,
        "version": version,
        "signature": made.origin,
    }


def _can_draw() -> bool:
    """Whether what draws charts is installed; the report is made without them otherwise."""
    from rubrica.report.charts import drawing

    try:
        drawing()
    except InputError:
        return False
    return True
