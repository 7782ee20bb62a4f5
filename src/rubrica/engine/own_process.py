"""A call in a process of its own, with limits on memory and time: for what strangers send.

A file can be made so that reading it takes all memory, never ends, or brings a library down. Here it brings down a
process that did nothing else, and whoever sent the file is told why. The process is started afresh (a fork would copy
locks of other threads in any state) and sets its limits before it reads anything.
"""

from __future__ import annotations

import fcntl
import os
import pickle
import resource
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, BinaryIO, NoReturn, ParamSpec, TypeVar

from rubrica.core.errors import InputError, Problem, wrong
from rubrica.engine.limits import MB, Limits, limits

Given = ParamSpec("Given")
Result = TypeVar("Result")

INSIDE = "RUBRICA_OWN_PROCESS"
"""In the environment of such a process."""
OUT_OF_MEMORY = 77
"""The exit code of a process that could not get more memory."""
WAITING = 4
"""On a busy machine a process has a part of a processor: it may take as many times longer than it may compute."""
PATIENCE = 5.0
"""Seconds beyond its time within which a process ends itself; after them it is killed."""
TURN = 5.0
"""Seconds that a reader waits for its turn."""
ENVIRONMENT = {"POLARS_MAX_THREADS": "2", "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "RUST_BACKTRACE": "0"}
SECRETS = ("DATABASE_URL", "RUBRICA_PASSWORD")
"""What such a process has no use for."""
UNREADABLE = "Save it again with the program that made it, or in another format."


class DiedError(Exception):
    """How a process ended that gave no answer, and what it said last; for the log."""


def in_own_process(
    function: Callable[Given, Result], file: str, *arguments: Given.args, **named: Given.kwargs
) -> Result:
    """What a function of a module gives, called in a process of its own; ``file`` is named in what is said of its end.

    Raises what the function raises if that is an InputError, and an InputError if the process dies: of memory, of time,
    or of the file, with a DiedError as its cause. Within such a process the function is simply called.
    """
    if os.environ.get(INSIDE):
        return function(*arguments, **named)
    bounds = limits()
    with tempfile.TemporaryFile() as call, tempfile.TemporaryFile() as answer, tempfile.TemporaryFile() as said:
        pickle.dump((function, arguments, named), call)
        call.seek(0)
        code = _run(bounds, call, answer, said)
        if code:
            said.seek(max(0, said.seek(0, os.SEEK_END) - 10_000))
            raise _died(code, bounds, file) from DiedError(f"exit code {code}", said.read().decode(errors="replace"))
        answer.seek(0)
        problems, result = pickle.load(answer)  # noqa: S301 - written by our own code in the process that we started
    if problems:
        raise InputError(*problems)
    given: Result = result
    return given


def _run(bounds: Limits, call: BinaryIO, answer: BinaryIO, said: BinaryIO) -> int:
    """Start the process and wait for it; its exit code, negative if a signal ended it."""
    # -P: the folder in which we were started is not searched for modules.
    command = [sys.executable, "-P", "-m", __name__, str(bounds.memory), str(bounds.seconds)]
    given = {name: value for name, value in os.environ.items() if name not in SECRETS}
    environment = {**given, **ENVIRONMENT, INSIDE: "1"}
    process = subprocess.Popen(  # noqa: S603 - our own module
        command, stdin=call, stdout=answer, stderr=said, env=environment, start_new_session=True
    )
    try:
        return process.wait(bounds.seconds * WAITING + PATIENCE)
    except subprocess.TimeoutExpired:
        return -signal.SIGALRM
    finally:
        if process.poll() is None:
            process.kill()
            process.wait()


def _died(code: int, bounds: Limits, file: str) -> InputError:
    """What to tell of a process that ended without an answer."""
    if code in (OUT_OF_MEMORY, -signal.SIGABRT, -signal.SIGKILL):
        what = f"reading this file takes more than {bounds.memory:,} MB of memory"
        return bounds.beyond("memory", what, rule="memory", file=file)
    if code in (-signal.SIGALRM, -signal.SIGXCPU):
        what = f"reading this file takes more than {bounds.seconds:,} seconds of a processor"
        return bounds.beyond("seconds", what, rule="time", file=file)
    return wrong("this file cannot be read: what reads it broke down", "unreadable", UNREADABLE, file=file, value=code)


@contextmanager
def turn(folder: Path) -> Iterator[None]:
    """One of the few turns that processes of all workers take; raises InputError if none is free for some seconds.

    Without it, files that take long to refuse would hold every thread that answers requests, and the memory of all.
    """
    readers, end = limits().readers, time.monotonic() + TURN
    while (lock := _free(folder, readers)) is None:
        if time.monotonic() > end:
            raise wrong("other files are being read just now", "busy", "Send it again in a minute.")
        time.sleep(0.05)
    try:
        yield
    finally:
        os.close(lock)


def _free(folder: Path, readers: int) -> int | None:
    """The lock of a turn that nobody has, which lasts until it is closed; None if there is none."""
    for number in range(1, readers + 1):
        lock = os.open(folder / f"reader-{number}.lock", os.O_RDWR | os.O_CREAT, 0o600)
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(lock)
        else:
            return lock
    return None


def main() -> NoReturn:
    """In the process: take the limits, the call from stdin, and give the answer to stdout."""
    memory, seconds = map(int, sys.argv[1:3])
    _take_limits(memory * MB, seconds)
    # What libraries print does not mix with the answer.
    with os.fdopen(os.dup(1), "wb") as answer:
        os.dup2(2, 1)
        try:
            function, arguments, named = pickle.load(sys.stdin.buffer)  # noqa: S301 - written by who started us
            pickle.dump(_outcome(function, arguments, named), answer)
        except MemoryError:
            os._exit(OUT_OF_MEMORY)
    sys.exit(0)


def _outcome(
    function: Callable[..., Any], arguments: tuple[Any, ...], named: dict[str, Any]
) -> tuple[tuple[Problem, ...], Any]:
    """The problems with which the function ended, if so, and what it gave."""
    try:
        return (), function(*arguments, **named)
    except InputError as error:
        return error.problems, None


def _take_limits(memory: int, seconds: int) -> None:
    """Limits that the operating system keeps: on writable memory, on processor time and on time.

    Not on the address space: polars reserves much of it without use. Should the machine itself run out of memory, it is
    this process that the system should end.
    """
    for kind, limit in ((resource.RLIMIT_CORE, 0), (resource.RLIMIT_DATA, memory), (resource.RLIMIT_CPU, seconds)):
        most = resource.getrlimit(kind)[1]
        resource.setrlimit(kind, (limit if most == resource.RLIM_INFINITY else min(limit, most), most))
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    signal.alarm(seconds * WAITING)
    with suppress(OSError):
        Path("/proc/self/oom_score_adj").write_text("1000", encoding="ascii")


if __name__ == "__main__":
    main()
