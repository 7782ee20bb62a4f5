"""What an error of the database means, decided here alone: busy, full, or failing. And writes that may as well wait.

Pages, API, jobs and the health check all ask here (``studio/storage.py`` words it).
"""

from __future__ import annotations

import errno
import shutil
import sqlite3
from collections.abc import Callable
from enum import StrEnum
from typing import TypeVar

from django.db import DatabaseError, InterfaceError, OperationalError, connection, transaction

from rubrica.home.database import home_from
from rubrica.home.sqlite.base import patience

FULL_BYTES = 1_000_000
"""With less free space than this, an error of input and output is that of a full disk."""
BUSY_CODES = (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)
BUSY_STATES = ("55P03", "57014", "40P01", "40001", "53300", "53400", "57P03")
"""PostgreSQL: a lock or a statement took too long, a deadlock, two that cannot both be first, too many connections,
not yet started."""
BUSY_WORDS = ("too many clients already", "remaining connection slots", "the database system is starting up")
"""What PostgreSQL says where the driver has no state: before there is a connection."""
DISK_FULL, READ_ONLY = "53100", "25006"


Result = TypeVar("Result")


class Trouble(StrEnum):
    """What is the matter with the database."""

    BUSY = "busy"
    FULL = "disk_full"
    FAILING = "database"


def trouble_of(error: BaseException) -> Trouble | None:
    """What this error says of the database or its disk; nothing if it is a mistake of ours."""
    if isinstance(error, OSError):
        if error.errno in (errno.ENOSPC, errno.EDQUOT):
            return Trouble.FULL
        return Trouble.FAILING if error.errno == errno.EROFS else None
    told = error.__cause__
    state = getattr(told, "sqlstate", None) or ""
    failed = isinstance(error, OperationalError | InterfaceError) or type(error) is DatabaseError
    if not failed and state != READ_ONLY:
        return None
    code = getattr(told, "sqlite_errorcode", 0) & 0xFF
    if code == sqlite3.SQLITE_FULL or state == DISK_FULL:
        return Trouble.FULL
    if code == sqlite3.SQLITE_IOERR and free_bytes() < FULL_BYTES:
        return Trouble.FULL
    busy = code in BUSY_CODES or state in BUSY_STATES or any(words in str(error) for words in BUSY_WORDS)
    return Trouble.BUSY if busy else Trouble.FAILING


def free_bytes() -> int:
    """How much room the disk of the home has left for us."""
    return shutil.disk_usage(home_from(None)).free


def now_or_later(write: Callable[[], Result]) -> Result | None:
    """Write something down by the way, if the database takes it at once; else nothing, and the next one who comes does.

    For what a page notes when it is opened: opening it must not wait for others, nor fail because nothing can be saved.
    """
    # What is set for a transaction would hold until the end of one that is under way already.
    alone = not connection.in_atomic_block
    try:
        with patience(0), transaction.atomic():
            if alone and connection.vendor == "postgresql":
                with connection.cursor() as cursor:
                    cursor.execute("SET LOCAL lock_timeout = '100ms'")
            return write()
    except (DatabaseError, InterfaceError) as error:
        if trouble_of(error) is None:
            raise
        return None
