"""Django's SQLite, whose writers stand in a queue.

SQLite lets one connection write at a time; the others look again after ever longer naps, in no order, until they give
up with "database is locked". Here each transaction first waits for a lock of the operating system, which wakes the next
one at once, across threads and processes, and which no killed process can leave behind. Before it is given up, the
mark is raised (``mark.py``).
"""

from __future__ import annotations

import fcntl
import logging
import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.db import DEFAULT_DB_ALIAS, connections
from django.db.backends.sqlite3 import base

from rubrica.store.sqlite.mark import Mark

QUEUE_SUFFIX = ".queue"
_log = logging.getLogger("rubrica.store")


@contextmanager
def in_turn() -> Iterator[None]:
    """Run one statement as its own transaction, in turn with all others. On other databases there is no queue."""
    connection = connections[DEFAULT_DB_ALIAS]
    if not isinstance(connection, DatabaseWrapper) or connection.in_atomic_block:
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
        """Wait for the lock of the operating system."""
        if self.is_in_memory_db():
            return
        if self._queue is None:
            flags = os.O_RDWR | os.O_CREAT | os.O_CLOEXEC
            self._queue = os.open(f"{self.settings_dict['NAME']}{QUEUE_SUFFIX}", flags, 0o600)
        fcntl.flock(self._queue, fcntl.LOCK_EX)
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
