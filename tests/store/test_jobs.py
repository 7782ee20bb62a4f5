"""Long work: taken once, kept while the worker lives, done by another when it dies, given up after three deaths."""

from __future__ import annotations

import hashlib
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from rubrica.core.errors import InputError
from rubrica.exchange.exports import Wanted
from rubrica.protocols.catalog import load_shipped
from tests.conftest import NOW
from tests.making import pairs
from tests.store.conftest import at_once

if TYPE_CHECKING:
    from rubrica.store.models import Job, Study

pytestmark = pytest.mark.postgres

LATER = NOW + timedelta(minutes=5)


def _study(items: int, people: int = 1, name: str = "long") -> Study:
    """A study in which everybody has judged everything."""
    from rubrica.store import models, studies

    study = studies.create(studies.Plan(name=name, loaded=load_shipped("breve"), items=pairs(items)), NOW)
    stage = study.stages.get()
    for number in range(people):
        person = models.Annotator.objects.create(study=study, name=f"p{number}", created_at=NOW)
        heads = [models.Judgement(stage=stage, item=i, annotator=person, state="submitted") for i in study.items.all()]
        models.Judgement.objects.bulk_create(heads)
        said = {"outcome": "answered", "origin": "page", "created_at": NOW, "number": 1}
        revisions = [models.Revision(judgement=head, key=head.pid, answers={"meaning": 3}, **said) for head in heads]
        models.Revision.objects.bulk_create(revisions)
        for head, revision in zip(heads, revisions, strict=True):
            head.current = revision
        models.Judgement.objects.bulk_update(heads, ["current"], batch_size=500)
    return study


def test_a_job_is_taken_once_and_in_order(home: Path) -> None:
    """Two workers get two jobs, oldest first, and a third gets nothing."""
    from rubrica.store.jobs import jobs

    first = jobs.enqueue("export", None, {}, "rosa", NOW)
    second = jobs.enqueue("export", None, {}, "rosa", NOW + timedelta(seconds=1))
    taken = [jobs.claim(NOW) for _ in range(3)]
    assert [job.pid if job else None for job in taken] == [first.pid, second.pid, None]


def test_studies_take_turns(home: Path) -> None:
    """A study with many jobs has one running; then another study comes, then whichever was served longest ago."""
    from rubrica.store.jobs import jobs

    first, second = _study(1, name="first"), _study(1, name="second")
    moments = (NOW + timedelta(seconds=number) for number in range(9))
    mine = [jobs.enqueue("export", first, {}, "rosa", next(moments)) for _ in range(3)]
    other = [jobs.enqueue("export", second, {}, "omar", next(moments)) for _ in range(2)]
    taken = [jobs.claim(NOW) for _ in range(3)]
    assert taken == [mine[0], other[0], None]
    assert taken[0] is not None
    assert taken[1] is not None
    jobs.finish(taken[1], {}, LATER)
    jobs.finish(taken[0], {}, LATER + timedelta(seconds=1))
    assert [jobs.claim(NOW) for _ in range(3)] == [other[1], mine[1], None]


def test_long_jobs_leave_a_worker_to_short_ones(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of two large studies only one has its job running, however many workers there are; small ones go on."""
    from rubrica.store.jobs import jobs

    monkeypatch.setattr(jobs, "LARGE", 5)
    large, larger, small = _study(5, name="large"), _study(6, name="larger"), _study(4, name="small")
    waiting = [jobs.enqueue("export", study, {}, "rosa", NOW) for study in (large, larger, small)]
    taken = [jobs.claim(NOW) for _ in range(3)]
    assert taken == [waiting[0], waiting[2], None]
    assert taken[0] is not None
    jobs.finish(taken[0], {}, LATER)
    assert jobs.claim(NOW) == waiting[1]


def test_a_job_of_a_dead_worker_holds_up_nobody(home: Path) -> None:
    """Once its lease is over, its study and its worker's place are free again, and the job itself is the next."""
    from rubrica.store.jobs import jobs

    study = _study(1)
    first = jobs.enqueue("export", study, {}, "rosa", NOW)
    assert jobs.claim(NOW) == first
    jobs.enqueue("export", study, {}, "rosa", NOW)
    assert jobs.claim(NOW) is None
    assert jobs.claim(NOW + 2 * jobs.LEASE) == first


def test_a_living_workers_job_is_its_own(home: Path) -> None:
    """Telling how far it is puts off the end of the lease."""
    from rubrica.store.jobs import jobs

    jobs.enqueue("export", None, {}, "rosa", NOW, total=10)
    job = jobs.claim(NOW)
    assert job is not None
    jobs.progress(job, 4, NOW + timedelta(seconds=50))
    assert jobs.claim(NOW + timedelta(seconds=70)) is None
    job.refresh_from_db()
    assert (job.progress, job.total) == (4, 10)


def test_telling_while_reading_and_others_save(home: Path) -> None:
    """How far it is can be written while the work reads a long table and somebody else has saved meanwhile."""
    from rubrica.store import models
    from rubrica.store.jobs import jobs

    _study(50)
    jobs.enqueue("export", None, {}, "rosa", NOW, total=50)
    job = jobs.claim(NOW)
    assert job is not None
    rows = models.Item.objects.iterator(chunk_size=2)
    next(rows)
    at_once([lambda: models.Item.objects.update(system="other")])
    jobs.Held(job, lambda: NOW).tell(7)
    assert len(list(rows)) == 49
    assert models.Job.objects.get().progress == 7


def test_a_worker_that_was_believed_dead_changes_nothing(home: Path) -> None:
    """Once another has taken the job, the first one's progress, result and failure are refused."""
    from rubrica.store.jobs import jobs

    jobs.enqueue("export", None, {}, "rosa", NOW)
    first, second = jobs.claim(NOW), jobs.claim(LATER)
    assert first is not None
    assert second is not None
    late: list[Callable[[], None]] = [
        lambda: jobs.progress(first, 1, LATER),
        lambda: jobs.finish(first, {"by": "first"}, LATER),
        lambda: jobs.fail(first, "no", LATER),
        lambda: jobs.hand_back(first),
    ]
    for write in late:
        with pytest.raises(jobs.LostJobError):
            write()
    jobs.finish(second, {"by": "second"}, LATER)
    second.refresh_from_db()
    assert (second.state, second.result, second.tries) == ("done", {"by": "second"}, 2)
    with pytest.raises(jobs.LostJobError):
        jobs.finish(second, {"by": "second, again"}, LATER)


def test_three_dead_workers_are_enough(home: Path) -> None:
    """A job at which three workers died is given up, with the reason."""
    from rubrica.store import models
    from rubrica.store.jobs import jobs

    jobs.enqueue("export", None, {}, "rosa", NOW)
    for number in range(3):
        assert jobs.claim(NOW + number * timedelta(minutes=2)) is not None
    assert jobs.claim(NOW + timedelta(minutes=10)) is None
    job = models.Job.objects.get()
    assert job.state == "failed"
    assert "3 times" in job.error


def test_a_job_handed_back_is_not_a_try(home: Path) -> None:
    """Stopping the server in the middle, however often, does not use up the tries."""
    from rubrica.store.jobs import jobs

    jobs.enqueue("export", None, {}, "rosa", NOW)
    for _ in range(5):
        job = jobs.claim(NOW)
        assert job is not None
        jobs.hand_back(job)
    job = jobs.claim(NOW)
    assert job is not None
    assert job.tries == 1


@pytest.mark.parametrize("form", ["jsonl", "csv", "xlsx", "parquet"])
def test_a_job_writes_what_the_command_line_writes(home: Path, form: str) -> None:
    """An export by a job has the same judgements and the same signature as `rubrica export`."""
    from rubrica.exchange.imports import read_records
    from rubrica.store import models
    from rubrica.store.jobs import exporting, jobs
    from rubrica.store.recording.exports import iterate
    from rubrica.store.translate import protocol_of
    from rubrica.studio.job_worker import do_at_once

    study = _study(3, people=2)
    job = exporting.ask(study, Wanted(form=form), "rosa", NOW)
    do_at_once(job.pid, home)
    job = models.Job.objects.get()
    assert job.state == "done", job.error
    file = jobs.file_of(job, home)
    assert file is not None
    assert job.result["sha256"] == hashlib.sha256(file.read_bytes()).hexdigest()
    assert job.result["name"] == f"long-judgements-2026-11-15.{form}"
    stages = list(study.stages.all())
    copy = file.with_suffix(f".{form}")
    copy.write_bytes(file.read_bytes())
    read = [record for _, record in read_records(copy, protocol_of(stages[0]))]
    expected = list(iterate(study, stages))
    assert [(r.item.key, r.annotator, r.judgement) for r in read] == [
        (r.item.key, r.annotator, r.judgement) for r in expected
    ]
    assert job.result["signature"] == expected[0].signature


def test_excluded_people_are_left_out_unless_asked_for(home: Path) -> None:
    """Excluding takes somebody's judgements out of the results; the signature says which of the two an export is."""
    from rubrica.store import models
    from rubrica.store.jobs import exporting
    from rubrica.studio.job_worker import do_at_once

    study = _study(2, people=2)
    models.Annotator.objects.filter(name="p1").update(excluded_at=NOW)
    found = {}
    for excluded in (False, True):
        job = exporting.ask(study, Wanted(form="jsonl", excluded=excluded), "rosa", NOW)
        do_at_once(job.pid, home)
        job.refresh_from_db()
        found[excluded] = job.result["judgements"]
        assert f"excluded:{'kept' if excluded else 'left out'}" in job.result["signature"]
    assert found == {False: 2, True: 4}


def test_what_cannot_be_exported_is_refused_when_asked(home: Path) -> None:
    """An unknown format or stage is an error of the input, and no job."""
    from rubrica.store import models
    from rubrica.store.jobs import exporting

    study = _study(1)
    for wanted in (Wanted(form="pdf"), Wanted(form="csv", stage="nothing")):
        with pytest.raises(InputError):
            exporting.ask(study, wanted, "rosa", NOW)
    assert not models.Job.objects.exists()


def test_a_job_that_cannot_be_done_says_why(home: Path) -> None:
    """What Excel cannot hold is told in the words of the command line, and the job is not tried again."""
    from rubrica.home import made_files
    from rubrica.store import models
    from rubrica.store.jobs import exporting
    from rubrica.studio.job_worker import do_at_once

    study = _study(1)
    models.Revision.objects.update(answers={"corrected": "x" * 40_000})
    job = exporting.ask(study, Wanted(form="xlsx"), "rosa", NOW)
    do_at_once(job.pid, home)
    job.refresh_from_db()
    assert job.state == "failed"
    assert "32,767" in job.error
    assert not list(made_files.folder(home).iterdir())


def test_files_go_after_a_week(home: Path) -> None:
    """An export's file is deleted after seven days and its row stays; strays of dead workers go after a day."""
    from rubrica.home import made_files
    from rubrica.store import models
    from rubrica.store.jobs import exporting, jobs
    from rubrica.studio.job_worker import clock, do_at_once

    study = _study(1)
    job = exporting.ask(study, Wanted(form="csv"), "rosa", NOW)
    do_at_once(job.pid, home)
    stray = made_files.folder(home) / "abc.part"
    stray.write_text("half")
    now = clock()
    assert jobs.forget_old(home, now + timedelta(days=6)) == 1
    assert not stray.exists()
    job.refresh_from_db()
    assert jobs.file_of(job, home) is not None
    assert jobs.forget_old(home, now + timedelta(days=8)) == 1
    job = models.Job.objects.get()
    assert jobs.file_of(job, home) is None
    assert job.result["judgements"] == 1


def test_erasure_takes_the_files_of_a_study_with_it(home: Path) -> None:
    """Files that may hold somebody's answers are deleted at once; those of other studies stay."""
    from rubrica.home import made_files
    from rubrica.store.jobs import exporting, jobs
    from rubrica.studio.job_worker import do_at_once

    for name in ("one", "two"):
        do_at_once(exporting.ask(_study(1, name=name), Wanted(form="csv"), "rosa", NOW).pid, home)
    from rubrica.store.studies import find

    assert jobs.forget_study(find("one"), home) == 1
    assert len(list(made_files.folder(home).iterdir())) == 1


def _worker() -> subprocess.Popen[bytes]:
    environment = {**os.environ, "RUBRICA_SERVER": str(os.getpid())}
    return subprocess.Popen([sys.executable, "-m", "rubrica.studio.jobs"], env=environment)


def _wait_for(happens: Callable[[], object], seconds: float = 600) -> None:
    end = time.monotonic() + seconds
    while not happens():
        assert time.monotonic() < end, "it did not happen in time"
        time.sleep(0.01)


def _unfinished(home: Path) -> list[Path]:
    from rubrica.home import made_files

    return [file for file in made_files.folder(home).glob("*.part") if file.stat().st_size]


def test_a_killed_workers_job_is_finished_by_another(home: Path) -> None:
    """With the process killed by `kill -9` in the middle, another writes the whole file, and exactly one."""
    from rubrica.home import made_files
    from rubrica.store import models
    from rubrica.store.jobs import exporting, jobs

    study = _study(1200, people=2)
    job = exporting.ask(study, Wanted(form="jsonl"), "rosa", NOW)
    worker = _worker()
    try:
        _wait_for(lambda: _unfinished(home))
    finally:
        worker.send_signal(signal.SIGKILL)
        worker.wait()
    job.refresh_from_db()
    assert job.state == "running"
    models.Job.objects.update(lease_until=NOW)
    workers = [_worker(), _worker()]
    try:
        _wait_for(lambda: models.Job.objects.get().state != "running")
        _wait_for(lambda: models.Job.objects.get().state == "done")
    finally:
        for worker in workers:
            worker.terminate()
        assert [worker.wait(60) for worker in workers] == [0, 0]
    job.refresh_from_db()
    assert job.tries == 2
    files = [file for file in made_files.folder(home).iterdir() if file.suffix != ".part"]
    assert files == [jobs.file_of(job, home)]
    lines = [json.loads(line) for line in files[0].read_text().splitlines()]
    assert len({(line["item"], line["annotator"]) for line in lines}) == len(lines) == 2400


def test_a_short_job_is_done_while_a_long_one_of_another_study_runs(home: Path) -> None:
    """With the two real processes of a server, an export that was asked for later is there before the report."""
    from rubrica.store import reporting
    from rubrica.store.jobs import exporting
    from rubrica.studio.serving import LONG_WORKERS

    study = _study(60, people=3)
    long = reporting.ask(study, "", "rosa", NOW)
    more = exporting.ask(study, Wanted(form="csv"), "rosa", NOW)
    workers = [_worker() for _ in range(LONG_WORKERS)]
    try:
        _wait_for(lambda: _state(long) == "running")
        short = exporting.ask(_study(3, name="short"), Wanted(form="jsonl"), "omar", NOW)
        _wait_for(lambda: _state(short) == "done")
        assert (_state(long), _state(more)) == ("running", "waiting")
        _wait_for(lambda: _state(more) == "done")
        assert _state(long) == "done"
    finally:
        for worker in workers:
            worker.terminate()
        assert [worker.wait(60) for worker in workers] == [0] * LONG_WORKERS


def _state(job: Job) -> str:
    job.refresh_from_db()
    return job.state


def test_a_worker_told_to_stop_hands_its_job_back(home: Path) -> None:
    """SIGTERM in the middle leaves the job waiting and no unfinished file."""
    from rubrica.home import made_files
    from rubrica.store.jobs import exporting

    study = _study(1200, people=2)
    job = exporting.ask(study, Wanted(form="jsonl"), "rosa", NOW)
    worker = _worker()
    try:
        _wait_for(lambda: _unfinished(home))
    finally:
        worker.terminate()
    assert worker.wait(60) == 0
    job.refresh_from_db()
    assert (job.state, job.tries) == ("waiting", 0)
    assert not list(made_files.folder(home).iterdir())


@pytest.mark.any_database
def test_a_worker_ends_with_its_parent(home: Path) -> None:
    """If the server is killed, the process beside it does not go on alone."""
    starter = (
        "import os, subprocess, sys, time\n"
        "os.environ['RUBRICA_SERVER'] = str(os.getpid())\n"
        "child = subprocess.Popen([sys.executable, '-m', 'rubrica.studio.jobs'])\n"
        "print(child.pid, flush=True)\ntime.sleep(60)"
    )
    parent = subprocess.Popen([sys.executable, "-c", starter], stdout=subprocess.PIPE)
    assert parent.stdout is not None
    child = int(parent.stdout.readline())
    parent.kill()
    parent.wait()

    def gone() -> bool:
        try:
            return Path(f"/proc/{child}/stat").read_text().split()[2] == "Z"
        except FileNotFoundError:
            return True

    _wait_for(gone)
