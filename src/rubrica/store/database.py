"""Opening a home: settings, connection, migrations under a lock.

A home is a folder with one SQLite file, or the PostgreSQL database that DATABASE_URL names. Django is configured on
first use and can be pointed at another home later in the same process (tests, long-lived scripts).
"""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import dj_database_url
import django
from django.conf import settings
from django.db import connection, connections
from django.db.migrations.executor import MigrationExecutor
from django.db.utils import DatabaseError, OperationalError

from rubrica.core.errors import wrong

SQLITE_FILE = "rubrica.sqlite3"
LOCK_FILE = "migrate.lock"
MIGRATION_LOCK = 7_270_117
"""An arbitrary number that all copies of Rubrica use for PostgreSQL's advisory lock."""


def open_home(home: Path, url: str = "") -> None:
    """Connect to the studies in ``home``, or at ``url``; create or upgrade the tables if need be."""
    home.mkdir(parents=True, exist_ok=True)
    database = _database(home, url)
    if settings.configured:
        _reconnect(database)
    else:
        settings.configure(
            DATABASES={"default": database},
            INSTALLED_APPS=["rubrica.store"],
            USE_TZ=True,
            TIME_ZONE="UTC",
            DEFAULT_AUTO_FIELD="django.db.models.BigAutoField",
        )
        django.setup()
    try:
        if _pending():
            with _migration_lock(home):
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
        return parsed
    return {
        "ENGINE": "django.db.backends.sqlite3",
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
    executor = MigrationExecutor(connection)
    return bool(executor.migration_plan(executor.loader.graph.leaf_nodes()))


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
