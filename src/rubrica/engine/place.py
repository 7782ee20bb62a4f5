"""Where blocks are worked on: what a place must offer, this process, and several processes on one machine.

Several processes on one machine, that end with the one that started them, however it ends.
"""

from __future__ import annotations

import os
import pickle
import signal
import threading
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from functools import lru_cache
from multiprocessing import parent_process
from multiprocessing.context import SpawnContext, SpawnProcess
from typing import Any

import attrs

from rubrica.core.errors import InputError, wrong

Function = Callable[[Any], Any]
AHEAD = 3
"""Blocks in memory for each worker: one in work, one waiting for it, one finished before its turn."""


@attrs.frozen
class Outcome:
    """What became of a block: its result, or what the function raised."""

    number: int
    result: Any = None
    error: BaseException | None = None


class Place(ABC):
    """Takes blocks under their numbers and gives their outcomes back, in any order. A context manager."""

    @abstractmethod
    def room(self) -> int:
        """How many blocks it may hold at a time."""

    @abstractmethod
    def put(self, number: int, block: Any) -> None:
        """Send a block to be worked on."""

    @abstractmethod
    def finished(self) -> Iterator[Outcome]:
        """Wait until something is finished, and give all that is."""

    @abstractmethod
    def close(self, *, quickly: bool) -> None:
        """Leave nothing behind; quickly: without waiting for what is still in work."""

    def __enter__(self) -> Place:
        return self

    def __exit__(self, kind: object, error: object, trace: object) -> None:
        self.close(quickly=kind is not None)


class Here(Place):
    """This process: a block is worked on as soon as it is put."""

    def __init__(self, function: Function) -> None:
        self._function = function
        self._outcomes: list[Outcome] = []

    def room(self) -> int:
        return 1

    def put(self, number: int, block: Any) -> None:
        self._outcomes.append(Outcome(number, self._function(block)))

    def finished(self) -> Iterator[Outcome]:
        while self._outcomes:
            yield self._outcomes.pop()

    def close(self, *, quickly: bool) -> None:
        self._outcomes.clear()


def call(packed: bytes, block: Any) -> Any:
    """Call a pickled function in a worker."""
    return _unpacked(packed)(block)


@lru_cache(maxsize=2)
def _unpacked(packed: bytes) -> Function:
    """Unpickled once in each worker, so that what a function loads (word lists, a model) is loaded once."""
    function: Function = pickle.loads(packed)  # noqa: S301 - made by the process that started this one
    return function


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
