"""A real dask cluster for tests: a scheduler, and two worker processes that nobody replaces when they die."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).parents[1]


@contextmanager
def dask_cluster() -> Iterator[str]:
    """The address of the scheduler, while both workers are there."""
    from distributed import LocalCluster

    with LocalCluster(n_workers=0, dashboard_address=None) as cluster:
        start = [sys.executable, "-m", "distributed.cli.dask_worker", cluster.scheduler_address]
        options = ["--nthreads", "1", "--no-nanny", "--no-dashboard"]
        workers = [subprocess.Popen([*start, *options], cwd=ROOT, stderr=subprocess.DEVNULL) for _ in range(2)]
        try:
            cluster.get_client().wait_for_workers(2)
            yield cluster.scheduler_address
        finally:
            for worker in workers:
                worker.kill()
                worker.wait()
