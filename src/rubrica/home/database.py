"""Opening a home: settings, connection, migrations under a lock.

A home is a folder with one SQLite file, or the PostgreSQL database that DATABASE_URL names. Django is configured on
first use and can be pointed at another home later in the same process (tests, long-lived scripts).

The folder and what is in it are for their owner alone, because people's answers and the key of all links are in there.
A home that lost work (``sqlite/mark.py``) or that a newer Rubrica has written is refused.
"""

from __future__ import annotations

import fcntl
import os
import re
import secrets
import tempfile
from collections.abc import Iterator, Set
from contextlib import AbstractContextManager, contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import Any

import dj_database_url
import django
from django.conf import settings
from django.db import connection, connections, transaction
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder
from django.db.utils import DatabaseError, OperationalError

from rubrica import __version__
from rubrica.core.errors import InputError, wrong
from rubrica.home.sqlite import mark
from rubrica.home.sqlite.base import in_turn

SQLITE_FILE = "rubrica.sqlite3"
KEY_FILE = "secret.key"
LOCK_FILE = "migrate.lock"
SERVE_FILE = "serve.lock"
FOLDERS = ("files", "static", "locale")
"""What the studio makes in the home beside the database."""
APPS = ["django.contrib.contenttypes", "django.contrib.auth", "django.contrib.sessions", "rubrica.store"]
HASHERS = [
    "django.contrib.auth.hashers.Argon2PasswordHasher",
    "django.contrib.auth.hashers.PBKDF2PasswordHasher",
]
MIGRATION_LOCK = 7_270_117
SERVE_LOCK = MIGRATION_LOCK + 1
JOBS_LOCK = MIGRATION_LOCK + 2
"""Arbitrary numbers that all copies of Rubrica use for PostgreSQL's advisory locks."""


def open_home(home: Path, url: str = "", *, behind: bool = False, **more: Any) -> None:
    """Connect to the studies in ``home``, or at ``url``; create or upgrade the tables if need be.

    ``behind`` opens it even if it is behind its mark. ``more`` are further settings of Django, for the studio; those
    of the first call stay.
    """
    database = _database(home, url)
    if not url and not behind:
        mark.check(home / SQLITE_FILE)
    keep_private(home, database=not url)
    if settings.configured:
        _reconnect(database)
        settings.RUBRICA_HOME = str(home.absolute())
    else:
        settings.configure(
            DATABASES={"default": database},
            USE_TZ=True,
            TIME_ZONE="UTC",
            DEFAULT_AUTO_FIELD="django.db.models.BigAutoField",
            RUBRICA_HOME=str(home.absolute()),
            **{"INSTALLED_APPS": APPS, "PASSWORD_HASHERS": HASHERS, **more},
        )
        django.setup()
    try:
        _refuse_newer(_applied(), home, url)
        if _pending():
            with _migrating(home), _no_server(home, "the tables need an upgrade, and a studio is running on them"):
                _migrate()
                if not url and not behind:
                    # Where a table is made anew, its numbers may begin lower again.
                    mark.lower(home / SQLITE_FILE, connection.connection)
        if not url and not behind:
            _begin_mark(home / SQLITE_FILE)
    except (OperationalError, DatabaseError) as error:
        place = "DATABASE_URL" if url else str(home / SQLITE_FILE)
        raise wrong(
            f"the database cannot be opened: {str(error).strip().splitlines()[0]}",
            "database",
            "Check that it exists, can be written to and is a database of Rubrica.",
            file=place,
        ) from error


def home_from(given: Path | None) -> Path:
    """The home to use: the one given, else RUBRICA_HOME, else ``./rubrica-data``."""
    return given or Path(os.environ.get("RUBRICA_HOME") or "rubrica-data")


def keep_private(home: Path, *, database: bool = True) -> None:
    """Make the home, and make it and whatever Rubrica keeps in it readable by their owner alone.

    Other files in the folder are not touched, nor is what belongs to somebody else. With ``database`` the file is made
    before SQLite would make it: its companions (``-wal``, ``-shm``) get the same mode.
    """
    home.mkdir(mode=0o700, parents=True, exist_ok=True)
    made = [home / name for name in (SQLITE_FILE, LOCK_FILE, SERVE_FILE)] if database else []
    for file in made:
        with suppress(FileExistsError):
            os.close(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
    _tighten(home, 0o700)
    for file in (home / KEY_FILE, *made, *home.glob(f"{SQLITE_FILE}*")):
        _tighten(file, 0o600)
    for folder in FOLDERS:
        for place, _, names in os.walk(home / folder):
            _tighten(Path(place), 0o700)
            for name in names:
                _tighten(Path(place, name), 0o600)


def _tighten(path: Path, mode: int) -> None:
    with suppress(FileNotFoundError, PermissionError):
        if not path.is_symlink() and path.stat().st_mode & 0o777 != mode:
            path.chmod(mode)


def _begin_mark(database: Path) -> None:
    """Give a home from before the mark, or a new one, its mark."""
    if mark.read(database) is None:
        mark.begin(database)
        with in_turn():
            connection.ensure_connection()


@contextmanager
def accepting_older(home: Path) -> Iterator[mark.Gap | None]:
    """Go on with a home that is behind its mark; in the block, a transaction, what is given up is written down.

    Nothing if the home is not behind. Raises InputError while a studio runs on the home.
    """
    gap = mark.gap_of(home / SQLITE_FILE)
    if gap is None:
        yield None
        return
    open_home(home, behind=True)
    with _no_server(home, "the home is behind its mark, and a studio is running on it"):
        with transaction.atomic():
            yield gap
        mark.lower(home / SQLITE_FILE, connection.connection)


def current_home() -> Path:
    """The home that was opened last in this process."""
    return Path(settings.RUBRICA_HOME)


def secret_key(home: Path) -> str:
    """The key that signs sessions and links and knows people again: made on first use, for the home's owner alone.

    It appears whole or not at all: whoever asks while another makes it gets the key of whoever came first.
    """
    file = home / KEY_FILE
    if not file.exists():
        with tempfile.NamedTemporaryFile("w", dir=home, prefix=KEY_FILE) as fresh:  # for its owner alone, too
            fresh.write(secrets.token_urlsafe(50))
            fresh.flush()
            os.fsync(fresh.fileno())
            with suppress(FileExistsError):
                os.link(fresh.name, file)
    key = file.read_text()
    if not key:
        fix = "Put the file of the home's backup here; without one, delete it and run `rubrica people rekey`."
        raise wrong("the home's secret key is an empty file", "secret_key", fix, file=str(file))
    return key


def _database(home: Path, url: str) -> dict[str, Any]:
    if url:
        fix = "Write postgresql://user@host/name, or leave it out for SQLite in the home."
        shown = re.sub(r"//[^/]*@", "//…@", url)
        if not url.startswith(("postgresql://", "postgres://")):
            raise wrong("DATABASE_URL is not the address of a PostgreSQL database", "database", fix, value=shown)
        try:
            parsed: dict[str, Any] = {**dj_database_url.parse(url, conn_max_age=600)}
        except ValueError as error:
            raise wrong(f"DATABASE_URL is not an address: {error}", "database", fix, value=shown) from error
        if not parsed.get("NAME"):
            raise wrong("DATABASE_URL names no database", "database", fix, value=shown)
        # Planning a save costs PostgreSQL more than running it: the driver lets it keep plans of what is asked often.
        return {**parsed, "OPTIONS": {"server_side_binding": True, "prepare_threshold": 5, **parsed.get("OPTIONS", {})}}
    return {
        "ENGINE": "rubrica.home.sqlite",
        "NAME": str(home / SQLITE_FILE),
        "CONN_MAX_AGE": None,
        "OPTIONS": {
            "timeout": 20,
            "transaction_mode": "IMMEDIATE",
            "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA foreign_keys=ON;",
        },
    }


def _reconnect(database: dict[str, Any]) -> None:
    connections["default"].close()
    del connections["default"]
    connections.settings["default"] = connections.configure_settings({"default": database})["default"]


Step = tuple[str, str]
"""A migration: its app and name."""


def _refuse_newer(applied: Set[Step], home: Path, url: str) -> None:
    """Refuse tables with steps that this program does not know: they hold what it would not understand or keep."""
    ours = {app for app, _ in _known_migrations()}
    unknown = sorted(step for step in applied if step[0] in ours and step not in _known_migrations())
    if unknown:
        names = ", ".join(f"{app} {name}" for app, name in unknown)
        raise wrong(
            f"a newer Rubrica has written here: {__version__} does not know {names}",
            "newer_home",
            "Install the version that wrote it or a newer one, or put back a backup from before that upgrade.",
            file="DATABASE_URL" if url else str(home),
        )


def _applied() -> Set[Step]:
    return MigrationRecorder(connection).applied_migrations().keys()


def _pending() -> bool:
    return not _needed_migrations() <= _applied()


@cache
def _loader() -> MigrationLoader:
    """The steps in the program's files. They are read once: many homes are opened in one process."""
    return MigrationLoader(None)


@cache
def _needed_migrations() -> frozenset[Step]:
    """Every step that a home of this program has."""
    return frozenset(_loader().graph.nodes)


@cache
def _known_migrations() -> frozenset[Step]:
    """Every step that this program knows, also those that were put together into one since."""
    steps = _loader().disk_migrations
    return frozenset(steps) | {replaced for step in steps.values() for replaced in step.replaces}


def _migrate() -> None:
    executor = MigrationExecutor(connection)
    executor.migrate(executor.loader.graph.leaf_nodes())


@contextmanager
def _held(home: Path, file: str, number: int, busy: InputError | None = None) -> Iterator[None]:
    """Hold a lock alone: of a file of the home, or PostgreSQL's of this number.

    With ``busy`` nobody waits: that is raised if another process has the lock.
    """
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute(f"SELECT pg_{'try_' if busy else ''}advisory_lock(%s)", [number])
            if busy and not cursor.fetchone()[0]:
                raise busy
            try:
                yield
            finally:
                cursor.execute("SELECT pg_advisory_unlock(%s)", [number])
        return
    with (home / file).open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | (fcntl.LOCK_NB if busy else 0))
        except BlockingIOError as error:
            raise busy or error from error
        yield


def _migrating(home: Path) -> AbstractContextManager[None]:
    """One process at a time changes the tables; the others wait and then find nothing to do."""
    return _held(home, LOCK_FILE, MIGRATION_LOCK)


def one_by_one(number: int) -> None:
    """In a transaction, wait for whoever does the same until theirs ends. On SQLite writers come one by one anyway."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_xact_lock(%s)", [number])


def _no_server(home: Path, what: str) -> AbstractContextManager[None]:
    """Tables change, and older homes are accepted, only while no studio works on them; ``what`` says so otherwise."""
    fix = "Stop `rubrica serve`, run this command again, then start the studio anew."
    return _held(home, SERVE_FILE, SERVE_LOCK, wrong(what, "server_running", fix, file=str(home)))


@contextmanager
def serving(home: Path) -> Iterator[None]:
    """Says that a studio runs on this home, as long as this process lives."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_lock_shared(%s)", [SERVE_LOCK])
            yield
        return
    with (home / SERVE_FILE).open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_SH)
        yield
