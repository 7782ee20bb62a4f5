"""Opening a home: settings, connection, migrations under a lock.

A home is a folder with one SQLite file, or the PostgreSQL database that DATABASE_URL names. Django is configured on
first use and can be pointed at another home later in the same process (tests, long-lived scripts).
"""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

import dj_database_url
import django
from django.conf import settings
from django.db import connection, connections
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder
from django.db.utils import DatabaseError, OperationalError

from rubrica.core.errors import wrong

SQLITE_FILE = "rubrica.sqlite3"
LOCK_FILE = "migrate.lock"
SERVE_FILE = "serve.lock"
APPS = ["django.contrib.contenttypes", "django.contrib.auth", "django.contrib.sessions", "rubrica.store"]
HASHERS = [
    "django.contrib.auth.hashers.Argon2PasswordHasher",
    "django.contrib.auth.hashers.PBKDF2PasswordHasher",
]
MIGRATION_LOCK = 7_270_117
SERVE_LOCK = MIGRATION_LOCK + 1
"""Arbitrary numbers that all copies of Rubrica use for PostgreSQL's advisory locks."""


def open_home(home: Path, url: str = "", **more: Any) -> None:
    """Connect to the studies in ``home``, or at ``url``; create or upgrade the tables if need be.

    ``more`` are further settings of Django, for the studio; those of the first call stay.
    """
    home.mkdir(parents=True, exist_ok=True)
    database = _database(home, url)
    if settings.configured:
        _reconnect(database)
    else:
        settings.configure(
            DATABASES={"default": database},
            USE_TZ=True,
            TIME_ZONE="UTC",
            DEFAULT_AUTO_FIELD="django.db.models.BigAutoField",
            **{"INSTALLED_APPS": APPS, "PASSWORD_HASHERS": HASHERS, **more},
        )
        django.setup()
    try:
        if _pending():
            with _migration_lock(home), _no_server(home):
                _migrate()
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


def _database(home: Path, url: str) -> dict[str, Any]:
    if url:
        fix = "Write postgresql://user@host/name, or leave it out for SQLite in the home."
        if not url.startswith(("postgresql://", "postgres://")):
            raise wrong("DATABASE_URL is not the address of a PostgreSQL database", "database", fix, value=url)
        try:
            parsed = {**dj_database_url.parse(url, conn_max_age=600)}
        except ValueError as error:
            raise wrong(f"DATABASE_URL is not an address: {error}", "database", fix, value=url) from error
        if not parsed.get("NAME"):
            raise wrong("DATABASE_URL names no database", "database", fix, value=url)
        # For the statements of every save alone: see store/prepared.py. Django's own are never prepared.
        options: dict[str, Any] = parsed.get("OPTIONS") or {}  # type: ignore[assignment]
        return {**parsed, "OPTIONS": {"prepare_threshold": 5, **options}}
    return {
        "ENGINE": "rubrica.store.sqlite",
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


def _pending() -> bool:
    return not _known_migrations() <= MigrationRecorder(connection).applied_migrations().keys()


@cache
def _known_migrations() -> frozenset[tuple[str, str]]:
    """Every step that this program knows. They are read from its files once: many homes are opened in one process."""
    return frozenset(MigrationLoader(None).graph.nodes)


def _migrate() -> None:
    executor = MigrationExecutor(connection)
    executor.migrate(executor.loader.graph.leaf_nodes())


@contextmanager
def _migration_lock(home: Path) -> Iterator[None]:
    """One process at a time changes the tables; the others wait and then find nothing to do."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_lock(%s)", [MIGRATION_LOCK])
            try:
                yield
            finally:
                cursor.execute("SELECT pg_advisory_unlock(%s)", [MIGRATION_LOCK])
        return
    with (home / LOCK_FILE).open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


@contextmanager
def _no_server(home: Path) -> Iterator[None]:
    """Tables change only while no studio works on them."""
    running = wrong(
        "the tables need an upgrade, and a studio is running on them",
        "server_running",
        "Stop `rubrica serve`, run this command again, then start the studio anew.",
        file=str(home),
    )
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_try_advisory_lock(%s)", [SERVE_LOCK])
            if not cursor.fetchone()[0]:
                raise running
            try:
                yield
            finally:
                cursor.execute("SELECT pg_advisory_unlock(%s)", [SERVE_LOCK])
        return
    with (home / SERVE_FILE).open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise running from error
        yield


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
