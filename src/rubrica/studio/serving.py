"""Running the studio: granian in front, several workers, and one process for long work beside them."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

from django.core.management import call_command

from rubrica.store.database import serving
from rubrica.studio.settings import open_studio


def serve(
    home: Path, url: str, *, host: str, port: int, workers: int, ready: Callable[[], None] = lambda: None
) -> None:
    """Serve the studio until interrupted. ``ready`` is called once the tables stand, before the first request."""
    from granian.constants import Interfaces
    from granian.server import Server

    os.environ["RUBRICA_HOME"] = str(home.resolve())
    open_studio(home, url)
    call_command("collectstatic", interactive=False, verbosity=0, ignore_patterns=["ext", "htmx4*"])
    ready()
    with serving(home):
        jobs = subprocess.Popen([sys.executable, "-m", "rubrica.studio.jobs"])
        try:
            Server(
                "rubrica.studio.wsgi:application",
                address=host,
                port=port,
                interface=Interfaces.WSGI,
                workers=workers,
                blocking_threads=8,
                backpressure=64,
                respawn_failed_workers=True,
                log_access=False,
            ).serve()
        finally:
            jobs.terminate()
            jobs.wait(timeout=10)
