"""Django's SQLite, whose writers stand in a queue.

SQLite lets one connection write at a time; the others look again after ever longer naps, in no order, until they give
up with "database is locked". Here each transaction first waits for a lock of the operating system, which wakes the next
one at once, across threads and processes, and which no killed process can leave behind. Before it is given up, the
mark is raised (``mark.py``).

Whoever must not wait for long says so (:func:`patience`) and looks every millisecond or two: when patience is over, the
database is busy, as SQLite calls it.
"""

from __future__ import annotations

import fcntl
import logging
import os
import sqlite3
import time
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from contextvars import ContextVar
from typing import Any

from django.db import DEFAULT_DB_ALIAS, OperationalError, connections, transaction
from django.db.backends.sqlite3 import base

from rubrica.home.sqlite.mark import Mark

QUEUE_SUFFIX = ".queue"
SHORTEST_NAP, LONGEST_NAP = 0.0002, 0.002
"""Seconds between two looks of those who do not wait for ever. A save holds the queue about as long."""
_log = logging.getLogger("rubrica.home")
_patience: ContextVar[float | None] = ContextVar("patience", default=None)


@contextmanager
def patience(seconds: float) -> Iterator[None]:
    """In here, wait at most so long for other writers; OperationalError then. Other databases know nothing of it."""
    before = _patience.set(seconds)
    connection = connections[DEFAULT_DB_ALIAS]
    try:
        if isinstance(connection, DatabaseWrapper):
            connection.be_patient(connection.connection)
        yield
    finally:
        _patience.reset(before)
        if isinstance(connection, DatabaseWrapper):
            connection.be_patient(connection.connection)


@contextmanager
def in_turn() -> Iterator[None]:
    """Run one statement as its own transaction, in turn with all others. On other databases there is no queue."""
    connection = connections[DEFAULT_DB_ALIAS]
    if not isinstance(connection, DatabaseWrapper) or connection.in_atomic_block:
        with transaction.atomic() if connection.in_atomic_block else nullcontext():
            yield
        return
    connection.wait_for_turn()
    try:
        yield
        connection.raise_mark()
    finally:
        connection.let_next()
    connection.sync_mark()


class DatabaseWrapper(base.DatabaseWrapper):
    """A connection that queues before it begins a transaction."""

    _queue: int | None = None
    _first_in_queue = False
    _mark: Mark | None = None

    def get_new_connection(self, conn_params: Any) -> Any:
        """A connection that waits as long as is said here."""
        made = super().get_new_connection(conn_params)
        self.be_patient(made)
        return made

    def be_patient(self, connection: sqlite3.Connection | None) -> None:
        """Let statements that are their own transaction wait as long as the others."""
        if connection is not None:
            seconds = _patience.get()
            seconds = self.settings_dict["OPTIONS"]["timeout"] if seconds is None else seconds
            connection.execute(f"PRAGMA busy_timeout = {round(seconds * 1000)}").close()

    def _start_transaction_under_autocommit(self) -> None:
        self.wait_for_turn()
        try:
            super()._start_transaction_under_autocommit()  # type: ignore[misc]
        except BaseException:
            self.let_next()
            raise

    def _commit(self) -> Any:
        try:
            done = super()._commit()  # type: ignore[misc]
            self.raise_mark()
        finally:
            if self.connection is None or not self.connection.in_transaction:
                self.let_next()
        self.sync_mark()
        return done

    def _rollback(self) -> Any:
        try:
            return super()._rollback()  # type: ignore[misc]
        finally:
            self.let_next()

    def _close(self) -> None:
        try:
            super()._close()  # type: ignore[misc]
        finally:
            self.let_next()
            if self._queue is not None:
                os.close(self._queue)
                self._queue = None
            if self._mark is not None:
                self._mark.close()
                self._mark = None

    def wait_for_turn(self) -> None:
        """Wait for the lock of the operating system. Raises OperationalError when patience is over."""
        if self.is_in_memory_db():
            return
        if self._queue is None:
            flags = os.O_RDWR | os.O_CREAT | os.O_CLOEXEC
            self._queue = os.open(f"{self.settings_dict['NAME']}{QUEUE_SUFFIX}", flags, 0o600)
        seconds = _patience.get()
        if seconds is None:
            fcntl.flock(self._queue, fcntl.LOCK_EX)
        elif not _locked(self._queue, seconds):
            busy = sqlite3.OperationalError("database is locked")
            busy.sqlite_errorcode = sqlite3.SQLITE_BUSY
            raise OperationalError(f"others have written for more than {seconds:g} s") from busy
        self._first_in_queue = True

    def let_next(self) -> None:
        """Let the next one have it."""
        if self._first_in_queue and self._queue is not None:
            self._first_in_queue = False
            fcntl.flock(self._queue, fcntl.LOCK_UN)

    def raise_mark(self) -> None:
        """Say beside the database how far it is. What was committed stays so, even if that cannot be said."""
        if self.connection is None or self.is_in_memory_db():
            return
        try:
            self._mark = self._mark or Mark.of(str(self.settings_dict["NAME"]))
            if self._mark is not None:
                self._mark.raise_to(self.connection)
        except (OSError, sqlite3.Error) as error:
            _log.error("the mark of the home cannot be written", exc_info=error)

    def sync_mark(self) -> None:
        """Let the disk have the mark every now and then; after the next one was let go."""
        if self._mark is not None:
            try:
                self._mark.sync()
            except OSError as error:
                _log.error("the mark of the home cannot be written", exc_info=error)


def _locked(file: int, seconds: float) -> bool:
    """Lock a file within so many seconds. The operating system knows no end of waiting, so one looks now and then.

    A thread that waits in our place would have to be started and woken at every save, which takes longer than a save.
    """
    end, nap = time.monotonic() + seconds, SHORTEST_NAP
    while True:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() >= end:
                return False
            time.sleep(nap)
            nap = min(2 * nap, LONGEST_NAP)
        else:
            return True
