"""Results of finished blocks on disk, so that a run that was killed goes on where it stopped."""

from __future__ import annotations

import fcntl
import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from typing import IO, Any

import attrs

from rubrica.core.errors import InputError, wrong

LOCK = "lock"
DONE = ".done"
CHECKSUM = 32
"""Bytes of SHA-256 before a result."""


@attrs.frozen
class Resume:
    """Where to keep results, and how.

    ``digest`` names the run: everything that its results depend on (inputs, settings, versions, size of blocks) has to
    be in it, since a run with the same digest takes over what it finds. ``save`` and ``load`` turn a result into bytes
    and back; they should not use pickle, which runs code that a stranger may have left in the folder.
    ``same`` gives bytes that differ if a block is another than it was, for inputs that may change under their name.
    """

    folder: Path
    digest: str
    save: Callable[[Any], bytes]
    load: Callable[[bytes], Any]
    same: Callable[[Any], bytes] = attrs.field(default=lambda _: b"")


class Kept:
    """The finished blocks of one run, in a folder that this process alone uses."""

    def __init__(self, how: Resume, folder: Path) -> None:
        self._how, self._folder = how, folder

    def load(self, number: int, block: Any) -> tuple[Any] | None:
        """The result of a block in a tuple, or None if it is not there whole."""
        try:
            content = self._path(number).read_bytes()
        except FileNotFoundError:
            return None
        checksum, saved = content[:CHECKSUM], content[CHECKSUM:]
        return (self._how.load(saved),) if checksum == self._checksum(block, saved) else None

    def save(self, number: int, block: Any, result: Any) -> None:
        """Keep a result: under another name until it is whole."""
        saved = self._how.save(result)
        path = self._path(number)
        unfinished = path.with_suffix(".part")
        try:
            unfinished.write_bytes(self._checksum(block, saved) + saved)
            unfinished.replace(path)
        except OSError as error:
            raise _not_writable(self._folder, error) from error

    def remove(self) -> None:
        """The run is over: nothing to go on with."""
        shutil.rmtree(self._folder)

    def _path(self, number: int) -> Path:
        return self._folder / f"{number:08}{DONE}"

    def _checksum(self, block: Any, saved: bytes) -> bytes:
        return sha256(sha256(self._how.same(block)).digest() + saved).digest()


@contextmanager
def keeping(how: Resume) -> Iterator[Kept]:
    """The folder of a run, locked while in use; the lock ends with the process, however it ends.

    Raises InputError if another process works on the same run, or if the folder cannot be written to.
    """
    folder = how.folder / how.digest
    try:
        lock = _locked(folder)
    except OSError as error:
        raise _not_writable(folder, error) from error
    with lock:
        yield Kept(how, folder)


def _locked(folder: Path) -> IO[str]:
    """The lock of a folder, held until it is closed."""
    while True:
        folder.mkdir(parents=True, exist_ok=True)
        try:
            lock = (folder / LOCK).open("w")
        except FileNotFoundError:
            continue  # another run has just ended and removed its folder
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            lock.close()
            fix = "Wait until it has ended, or end it."
            raise wrong("another process is doing the same work", "in_use", fix, file=str(folder)) from error
        if _is_in(folder, lock):
            return lock
        lock.close()


def _is_in(folder: Path, lock: IO[str]) -> bool:
    """Whether the lock that was taken is that of the folder, and not of one removed meanwhile."""
    try:
        return os.path.samestat(os.fstat(lock.fileno()), (folder / LOCK).stat())
    except FileNotFoundError:
        return False


def _not_writable(folder: Path, error: OSError) -> InputError:
    what = f"finished work cannot be kept: {error.strerror or error}"
    return wrong(what, "not_writable", "Make room there, or name a folder that can be written to.", file=str(folder))
