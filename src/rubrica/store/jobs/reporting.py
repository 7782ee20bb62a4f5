"""Reports asked for in the studio: made by a job, kept as one archive, with what the Results page shows of it."""

from __future__ import annotations

import tempfile
from datetime import datetime
from pathlib import Path
from typing import Any

from django.db.models import QuerySet

from rubrica.home.made_files import REPORT, making
from rubrica.report.archive import pack
from rubrica.store import audit, models
from rubrica.store.counting.submitted import picture, version_of
from rubrica.store.jobs import jobs
from rubrica.store.jobs.job_files import file_of
from rubrica.store.public_ids import new_public_id

State = models.Job.State
OPEN = (State.WAITING, State.RUNNING)
ABOUT = 36
"""About how many steps a report takes, charts included, for the progress that is shown."""
LINKS = "./"
"""The page links to the files of a report by addresses below its own."""


def ask(study: models.Study, stage: str, actor: str, now: datetime) -> models.Job:
    """Put a report into the queue; while one like it waits or is made, that one."""
    with study.held():
        known = reports_of(study, stage).filter(state__in=OPEN).first()
        if known is not None:
            return known
        job = jobs.enqueue(REPORT, study, {"stage": stage}, actor, now, ABOUT)
        audit.record("report asked for", study, now, actor=actor, stage=stage)
    return job


def reports_of(study: models.Study, stage: str) -> QuerySet[models.Job]:
    """Every report of the study like this one, the newest first."""
    rows = models.Job.objects.filter(study=study, kind=REPORT, arguments={"stage": stage})
    return rows.select_related("study").order_by("-created_at", "-pk")


def newest(study: models.Study, stage: str, home: Path) -> models.Job | None:
    """The newest finished report like this one whose file is still there."""
    done = reports_of(study, stage).filter(state=State.DONE, result__has_key="file")[:5]
    return next((job for job in done if file_of(job, home)), None)


def run(held: jobs.Held, home: Path) -> dict[str, Any]:
    """Make the report of a job that was claimed; returns what the job's result is.

    What computes is loaded here and not with the studio, which would start slower and need more memory.
    """
    from rubrica.report import folder, report
    from rubrica.report.charts import can_draw
    from rubrica.report.html import as_page
    from rubrica.store.report_facts import subject_of

    job = held.job
    study, stage = job.study, job.arguments["stage"]
    assert study is not None
    version, every = version_of(study), len(picture(study).counted)
    subject = subject_of(study, stage=stage)
    made = report.build(subject, held.clock(), held.tell)
    with tempfile.TemporaryDirectory() as scratch, making(home, REPORT, new_public_id()) as archive:
        place = Path(scratch) / study.name
        charts = can_draw()
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
