"""Several processes on one machine, that end with the one that started them, however it ends."""

from __future__ import annotations

import os
import pickle
import signal
import threading
from collections.abc import Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from multiprocessing import parent_process
from multiprocessing.context import SpawnContext, SpawnProcess
from typing import Any

from rubrica.core.errors import InputError, wrong
from rubrica.engine.place import AHEAD, Function, Outcome, Place, call

ONE_THREAD = (
    "OMP_NUM_THREADS",
    "OPENBLAS_NUM_THREADS",
    "MKL_NUM_THREADS",
    "VECLIB_MAXIMUM_THREADS",
    "NUMEXPR_NUM_THREADS",
    "TOKENIZERS_PARALLELISM",
)
"""What keeps numerical libraries from starting as many threads as there are cores in every one of the processes."""
PATIENCE = 2.0
"""Seconds until a process that was asked to end is killed."""


class _Spawning(SpawnContext):
    """Starts fresh processes, since a fork copies locks in any state, and remembers them."""

    def __init__(self) -> None:
        super().__init__()
        self.started: list[SpawnProcess] = []

    # The pool asks its context for processes by this name, where the library has a class and not a method.
    def Process(self, *arguments: Any, **named: Any) -> SpawnProcess:  # type: ignore[override]  # noqa: N802
        process = SpawnProcess(*arguments, **named)
        self.started.append(process)
        return process


class Processes(Place):
    """A pool of worker processes; started when the first blocks come."""

    def __init__(self, function: Function, workers: int) -> None:
        self._workers = workers
        self._packed = pickle.dumps(function)
        self._context = _Spawning()
        self._pool = ProcessPoolExecutor(workers, self._context, _end_with_parent)
        self._numbers: dict[Future[Any], int] = {}

    def room(self) -> int:
        return self._workers * AHEAD

    def put(self, number: int, block: Any) -> None:
        try:
            with _for_a_child():
                future = self._pool.submit(call, self._packed, block)
        except BrokenProcessPool as error:
            future = Future()
            future.set_exception(error)
        self._numbers[future] = number

    def finished(self) -> Iterator[Outcome]:
        for future in wait(self._numbers, return_when=FIRST_COMPLETED).done:
            number = self._numbers.pop(future)
            error = future.exception()
            if isinstance(error, BrokenProcessPool):
                error = self._died()
            yield Outcome(number, None if error else future.result(), error)

    def _died(self) -> InputError:
        # How a process ended is known only when the pool, which ends the others too, has waited for all of them.
        self._pool.shutdown()
        codes = sorted({process.exitcode for process in self._context.started if process.exitcode})
        what, fix = "a worker process ended before its block was finished", "Start it again with one worker to see why."
        if -signal.SIGKILL in codes:
            what += " (killed, as when memory runs out)"
            fix = f"Start it again with fewer than {self._workers} workers, so that each has more memory."
        return wrong(what, "worker_died", fix, value=codes)

    def close(self, *, quickly: bool) -> None:
        if quickly:
            for process in self._context.started:
                process.terminate()
        self._pool.shutdown(wait=True, cancel_futures=True)
        for process in self._context.started:
            process.join(PATIENCE)
            if process.is_alive():
                process.kill()


@contextmanager
def _for_a_child() -> Iterator[None]:
    """What a process started in here inherits: one thread for numerical libraries, and no Ctrl-C.

    Ctrl-C on a terminal goes to every process; the first one alone answers it, and ends the others.
    """
    before = {name: os.environ.get(name) for name in ONE_THREAD}
    mask = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    os.environ.update({name: "false" if name == "TOKENIZERS_PARALLELISM" else "1" for name in ONE_THREAD})
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value
        signal.pthread_sigmask(signal.SIG_SETMASK, mask)


def _end_with_parent() -> None:
    """In a worker: end as soon as the process that started it does, even if that one was killed."""
    threading.Thread(target=_watch_parent, daemon=True).start()


def _watch_parent() -> None:
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
