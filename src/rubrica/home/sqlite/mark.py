"""The mark: how far a home had come, kept beside its database, so that a home which lost work cannot pass for whole.

SQLite ends its write-ahead log at the first frame whose checksum is wrong. With a damaged log a home therefore opens
as it was some time ago, without a word: answers that people were told are saved, and accounts, are gone. The same
happens when an older copy of the file is put in its place. So the number of the newest revision, the newest entry of
the audit trail with its hash, and how many rows were ever added (consents and withdrawals are among them) stand in a
small file of their own, and a home that is behind it, or has another past, is refused until somebody accepts it.

The mark is written after each transaction and before it is acknowledged, while the writer still holds the queue
(``base.py``): one small write in place, without waiting for the disk. It can be behind the database, never ahead of
it, because the database was synced first. What the operating system has survives a killed process; the disk has
it within a second while people save, as one save in each second syncs the mark too, and otherwise when the system
writes back, after half a minute at most. Waiting at each save would double what a save waits for.
"""

from __future__ import annotations

import os
import sqlite3
import time
import zlib
from contextlib import closing
from pathlib import Path
from typing import NamedTuple
from urllib.parse import quote

from rubrica.core.errors import wrong

SUFFIX = ".mark"
"""After the name of the database file."""
SYNC_SECONDS = 1.0
_WIDTH, _TEXT = 160, 138
_TRIES = 20
"""How often a mark that does not fit its checksum is read: it may just be in the writing."""
_SEQUENCES = """
SELECT coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'store_revision'), 0),
       coalesce((SELECT max(id) FROM store_auditevent), 0),
       coalesce((SELECT sum(seq) FROM sqlite_sequence), 0),
       coalesce((SELECT max(id) FROM django_migrations), 0)
"""
"""Numbers that were given are never given again, even if their rows are gone: the sequence knows the newest."""
_TABLES = "SELECT count(*) FROM sqlite_master WHERE name IN ('sqlite_sequence', 'store_auditevent')"
_HASH = "SELECT hash FROM store_auditevent WHERE id = ?"


class Newest(NamedTuple):
    """The newest revision, the newest entry of the audit trail with its hash, and how many rows were ever added.

    ``step`` is the newest migration: where tables were made anew since, rows cannot be compared.
    """

    revision: int = 0
    event: int = 0
    rows: int = 0
    step: int = 0
    hash: str = ""

    def __str__(self) -> str:
        return f"revision {self.revision}, audit event {self.event} and row {self.rows} of all tables"

    def is_behind(self, other: Newest) -> bool:
        """Whether something of the other is missing here."""
        lost_rows = self.step == other.step and self.rows < other.rows
        return self.revision < other.revision or self.event < other.event or lost_rows


class UnreadableError(ValueError):
    """What stands in the file is no mark."""


class Mark:
    """The mark of a database that this connection writes to. Only in turn: the caller holds the queue."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._known: Newest | None = None
        self._synced, self._unsynced = time.monotonic(), False

    @classmethod
    def of(cls, database: str) -> Mark | None:
        """The mark of this database; nothing as long as it has none."""
        try:
            return cls(os.open(f"{database}{SUFFIX}", os.O_RDWR | os.O_CLOEXEC))
        except FileNotFoundError:
            return None

    def raise_to(self, connection: sqlite3.Connection) -> None:
        """Write how far the database is. A mark that is further stays: whoever opens the home next is told."""
        found = newest(connection, self._known)
        if found == self._known:
            return
        before = _parsed(os.pread(self._descriptor, _WIDTH, 0))
        if before is None or _goes_on(before, found):
            self.set(found)

    def set(self, found: Newest, *, at_once: bool = False) -> None:
        """Write this, whatever stands there; ``at_once`` also to the disk."""
        os.pwrite(self._descriptor, _written(found), 0)
        self._known = found
        self._unsynced = True
        if at_once:
            os.ftruncate(self._descriptor, _WIDTH)
            os.fdatasync(self._descriptor)

    def sync(self) -> None:
        """Let the disk have it, once in a second. The queue need not be held for that."""
        now = time.monotonic()
        if self._unsynced and now - self._synced >= SYNC_SECONDS:
            self._synced, self._unsynced = now, False
            os.fdatasync(self._descriptor)

    def close(self) -> None:
        """Close the file."""
        os.close(self._descriptor)


def _goes_on(before: Newest, found: Newest) -> bool:
    """Whether what was found can have come of what was there before."""
    return not found.is_behind(before) and (before.event < found.event or before.hash == found.hash)


def lower(database: Path, connection: sqlite3.Connection) -> None:
    """Set the mark of this database, which may be further, to how far the database is now."""
    begin(database)
    mark = Mark.of(str(database))
    assert mark is not None
    try:
        mark.set(newest(connection), at_once=True)
    finally:
        mark.close()


def newest(connection: sqlite3.Connection, known: Newest | None = None) -> Newest:
    """How far the database is that this connection sees. The hash of an entry that is ``known`` is not read again."""
    with closing(connection.execute(_SEQUENCES)) as cursor:
        revision, event, rows, step = cursor.fetchone()
    digest = known.hash if known is not None and known.event == event else _hash_of(connection, event)
    return Newest(revision, event, rows, step, digest)


def _hash_of(connection: sqlite3.Connection, event: int) -> str:
    with closing(connection.execute(_HASH, [event])) as cursor:
        row = cursor.fetchone()
    return row[0] if row else ""


class Gap(NamedTuple):
    """A home that is not what its mark says: what was ``marked`` (nothing, if that cannot be read), what was found."""

    marked: Newest | None
    found: Newest

    @property
    def what(self) -> str:
        """The problem in words."""
        if self.marked is None:
            return "the mark of the home cannot be read, so nobody can say whether its newest work is there"
        if self.found.is_behind(self.marked):
            return f"the home ends at {self.found}, but {self.marked} had been saved: the newest work is missing"
        return f"audit event {self.marked.event} of the home is another one than its mark says"


def check(database: Path) -> None:
    """Refuse a home that is behind its mark, or has another history; nothing is changed. Raises InputError."""
    gap = gap_of(database)
    if gap is not None:
        raise wrong(
            gap.what,
            "behind_mark",
            "The write-ahead log is damaged, or an older copy was put in place. Stop every rubrica and copy the folder;"
            " then put back the newest backup, or go on without what is missing: rubrica home accept --reason TEXT.",
            file=str(database),
        )


def gap_of(database: Path) -> Gap | None:
    """How a home differs from its mark; nothing if it does not, has no mark, or its file is no database at all."""
    # The mark first: it is never ahead of what the database has when that is looked at afterwards.
    try:
        marked = read(database)
        if marked is None:
            return None
    except UnreadableError:
        marked = None
    try:
        found = _look(database, marked.event if marked else 0)
    except sqlite3.DatabaseError:
        return None
    whole = marked is not None and not found.newest.is_behind(marked) and found.hash == marked.hash
    return None if whole else Gap(marked, found.newest)


class _Look(NamedTuple):
    """How far a database is, and the hash of the entry of the audit trail that was asked for."""

    newest: Newest = Newest()
    hash: str = ""


def _look(database: Path, event: int) -> _Look:
    """Look at a database without changing it: closing a connection that could write would clear a damaged log away."""
    if not database.exists():
        return _Look()
    with closing(sqlite3.connect(f"file:{quote(str(database))}?mode=ro", uri=True)) as connection:
        if connection.execute(_TABLES).fetchone()[0] < 2:
            return _Look()
        return _Look(newest(connection), _hash_of(connection, event))


def read(database: Path) -> Newest | None:
    """The mark of this database; nothing if it has none. Raises UnreadableError if the file is something else."""
    for _ in range(_TRIES):
        try:
            content = Path(f"{database}{SUFFIX}").read_bytes()
        except FileNotFoundError:
            return None
        if not content:
            return None
        found = _parsed(content)
        if found is not None:
            return found
        time.sleep(0.01)
    raise UnreadableError(f"{database}{SUFFIX} holds {len(content)} bytes that are no mark")


def begin(database: Path) -> None:
    """Give this database a mark if it has none; the next transaction fills it in."""
    os.close(os.open(f"{database}{SUFFIX}", os.O_WRONLY | os.O_CREAT | os.O_CLOEXEC, 0o600))


def _written(found: Newest) -> bytes:
    """A line of one width, whatever the numbers, which ends with a checksum of the rest."""
    numbers = f"{found.revision:020d} {found.event:020d} {found.rows:020d} {found.step:010d}"
    text = f"{numbers} {found.hash or '-':64}".encode()
    return b"%s %08x%s\n" % (text, zlib.crc32(text), b" " * (_WIDTH - _TEXT - 10))


def _parsed(content: bytes) -> Newest | None:
    text = content[:_TEXT]
    if len(content) != _WIDTH or content[_TEXT + 1 : _TEXT + 9] != b"%08x" % zlib.crc32(text):
        return None
    revision, event, rows, step, digest = text.split()
    return Newest(int(revision), int(event), int(rows), int(step), digest.decode().removeprefix("-"))
