"""The process that does long work: `python -m rubrica.studio.jobs`, started by `rubrica serve`.

It takes one job at a time, and ends when its parent is gone or when it is told to: the job in hand is then put back
into the queue. If it is killed, its lease runs out and another process does the job from the start. Pages come first:
where the processor is scarce, long work waits for them.
"""

from __future__ import annotations

import logging
import os
import signal
import threading

from rubrica.home.database import home_from
from rubrica.studio.serving import PARENT
from rubrica.studio.settings import open_studio

NICENESS = 5


def main() -> None:
    """Run until the parent is gone or a signal comes."""
    stopping = threading.Event()
    parent = int(os.environ.get(PARENT) or os.getppid())
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: stopping.set())
    os.nice(NICENESS)
    home = home_from(None)
    open_studio(home, os.environ.get("DATABASE_URL", ""))
    # Tables can be imported only once Django is configured.
    from rubrica.studio.job_worker import work

    work(home, lambda: not stopping.is_set() and os.getppid() == parent, stopping.wait)
    logging.getLogger("rubrica.jobs").info("stopped")


if __name__ == "__main__":
    main()
