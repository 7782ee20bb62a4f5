"""Django's SQLite, whose writers stand in a queue.

SQLite lets one connection write at a time; the others look again after ever longer naps, in no order, until they give
up with "database is locked". Here each transaction first waits for a lock of the operating system, which wakes the next
one at once, across threads and processes, and which no killed process can leave behind.
"""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.db import DEFAULT_DB_ALIAS, connections
from django.db.backends.sqlite3 import base

QUEUE_SUFFIX = ".queue"


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
    finally:
        connection.let_next()


class DatabaseWrapper(base.DatabaseWrapper):
    """A connection that queues before it begins a transaction."""

    _queue: int | None = None
    _first_in_queue = False

    def _start_transaction_under_autocommit(self) -> None:
        self.wait_for_turn()
        try:
            super()._start_transaction_under_autocommit()  # type: ignore[misc]
        except BaseException:
            self.let_next()
            raise

    def _commit(self) -> Any:
        try:
            return super()._commit()  # type: ignore[misc]
        finally:
            if self.connection is None or not self.connection.in_transaction:
                self.let_next()

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
