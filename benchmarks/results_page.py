"""How long somebody waits for the results of a small study: from asking on the Results page to the finished report."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from benchmarks.report import Figure

SECONDS = 3.0
STUDIES = ("demo-claro", "demo-split_rate", "demo-lexical_complexity", "demo-salsa")


def look(home: Path) -> dict[str, list[float]]:
    """Seconds and processor seconds of the report of each study, in a process that has loaded what computes."""
    from rubrica.studio.settings import open_studio

    open_studio(home, "", hashed_files=False)
    from rubrica.store import models, reporting
    from rubrica.studio.job_worker import clock, do_at_once, warm

    warm()
    found = {}
    for name in STUDIES:
        study = models.Study.objects.get(name=name)
        begun, used = time.perf_counter(), time.process_time()
        job = reporting.ask(study, "", "bench", clock())
        do_at_once(job.pid, home)
        judged = models.Judgement.objects.filter(stage__study=study).submitted().count()
        found[name] = [time.perf_counter() - begun, time.process_time() - used, float(judged)]
    return found


def run() -> Iterator[Figure]:
    """Seconds until the report of a study of the demonstration is there; the queue and the page add up to a second."""
    with tempfile.TemporaryDirectory() as home:
        command = [sys.executable, "-m", "rubrica", "--home", home, "demo", "--no-serve"]
        subprocess.run(command, check=True, capture_output=True)
        look_at = [sys.executable, "-m", "benchmarks.results_page", home]
        out = subprocess.run(look_at, check=True, capture_output=True, text=True).stdout
    for name, (seconds, used, judged) in json.loads(out).items():
        detail = f"{judged:.0f} judgements, {used:.2f} s of the processor"
        yield Figure(f"report of {name}", seconds, "s", SECONDS, detail=detail)


if __name__ == "__main__":
    print(json.dumps(look(Path(sys.argv[1]))))
