"""Running the studio: granian in front, several workers, and a few processes for long work beside them.

Workers are started afresh, not forked: a forked one would share the database connection that holds our lock. All
processes end when the one that started them is gone, even if it was killed.
"""

from __future__ import annotations

import logging
import multiprocessing
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from django.core.management import call_command
from django.db import connections

from rubrica.home.database import serving
from rubrica.studio.logs import level, server_logging
from rubrica.studio.settings import open_studio

PARENT = "RUBRICA_SERVER"
"""In the environment of a worker: the process id of its server."""
STOP_SECONDS = 10
LONG_WORKERS = 2
"""Processes for long work: one may be at it for long, the other is there for what is short (``store/jobs/jobs.py``)."""
_log = logging.getLogger("rubrica.serving")


def serve(
    home: Path, url: str, *, host: str, port: int, workers: int, ready: Callable[[], None] = lambda: None
) -> None:
    """Serve the studio until interrupted. ``ready`` is called once the first worker accepts requests."""
    os.environ["RUBRICA_HOME"] = str(home.resolve())
    os.environ[PARENT] = str(os.getpid())
    open_studio(home, url)
    call_command("collectstatic", interactive=False, verbosity=0, ignore_patterns=["ext", "htmx-4*", "htmax*"])
    with serving(home), _LongWork():
        threading.Thread(target=_announce, args=(host, port, ready), daemon=True).start()
        run_server("rubrica.studio.wsgi:application", host, port, workers)


def run_server(application: str, host: str, port: int, workers: int) -> None:
    """Serve a WSGI application as the studio is served. The figures are measured: design/004-studio.md, "Speed"."""
    from granian.constants import Interfaces
    from granian.log import LogLevels
    from granian.server import Server

    multiprocessing.set_start_method("spawn", force=True)
    Server(
        application,
        address=host,
        port=port,
        interface=Interfaces.WSGI,
        workers=workers,
        blocking_threads=int(os.environ.get("RUBRICA_THREADS", "2")),
        backpressure=256,
        websockets=False,
        respawn_failed_workers=True,
        workers_kill_timeout=STOP_SECONDS,
        log_dictconfig=server_logging(),
        log_level=LogLevels.info if level() == "debug" else LogLevels.warning,
    ).serve()


def end_with_server() -> None:
    """Called in a worker: ends it when its server is gone, so that no orphan goes on answering at the port."""
    parent = os.environ.get(PARENT)
    if parent:
        threading.Thread(target=_watch, args=(int(parent),), daemon=True).start()


def _watch(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(0.5)
    os.kill(os.getpid(), signal.SIGTERM)
    time.sleep(STOP_SECONDS)
    os.kill(os.getpid(), signal.SIGKILL)


def _announce(host: str, port: int, ready: Callable[[], None]) -> None:
    """Call ``ready`` when a connection is accepted."""
    target = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)  # noqa: S104 we only connect
    while True:
        with suppress(OSError), socket.create_connection((target, port), timeout=1):
            break
        time.sleep(0.05)
    try:
        ready()
    finally:
        connections.close_all()


class _LongWork:
    """The processes for long work: started, started again should one fail, and stopped together."""

    def __enter__(self) -> None:
        self.stopping = threading.Event()
        self.lock = threading.Lock()
        self.processes = [self._start() for _ in range(LONG_WORKERS)]
        for number in range(LONG_WORKERS):
            threading.Thread(target=self._keep, args=(number,), daemon=True).start()

    def __exit__(self, *_: object) -> None:
        with self.lock:
            self.stopping.set()
            for process in self.processes:
                process.terminate()
        end = time.monotonic() + STOP_SECONDS
        for process in self.processes:
            try:
                process.wait(max(0, end - time.monotonic()))
            except subprocess.TimeoutExpired:
                process.kill()

    @staticmethod
    def _start() -> subprocess.Popen[bytes]:
        # In a session of its own, so that Ctrl-C reaches it through us alone.
        return subprocess.Popen([sys.executable, "-m", "rubrica.studio.jobs"], start_new_session=True)

    def _keep(self, number: int) -> None:
        """Start this one again when it fails. Code 0 means that it was told to end."""
        while (code := self.processes[number].wait()) != 0 and not self.stopping.wait(3):
            _log.error("a process for long work ended and is started again", extra={"data": {"code": code}})
            with self.lock:
                if self.stopping.is_set():
                    return
                self.processes[number] = self._start()
