"""What tests share: a fresh home for studies, on SQLite or on the server that DATABASE_URL names."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from django.db import connections
from hypothesis import HealthCheck, settings

from rubrica.cli.main import main
from rubrica.store.database import open_home
from rubrica.studio.settings import open_studio
from tests.length import either

NOW = datetime(2026, 11, 15, 12, 0, tzinfo=UTC)
MEMORY = Path("/dev/shm")
ROOM = 2_000_000_000
"""Bytes that must be free in memory before tests write there; a whole run with two workers takes a tenth of it."""


def _write_in_memory() -> None:
    """Put the files of tests in memory where there is room: SQLite waits for the disk at every commit, as it should."""
    if os.access(MEMORY, os.W_OK) and shutil.disk_usage(MEMORY).free > ROOM:
        os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", str(MEMORY))


def _one_thread_each() -> None:
    """Threads of the numeric libraries wait for each other at full speed: with tests in two processes a pure loss.

    Training a small model took ten times the processor time. It must be said before numpy is loaded.
    """
    for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
        os.environ.setdefault(name, "1")


_write_in_memory()
_one_thread_each()
_PATIENT: dict[str, Any] = {"deadline": None, "suppress_health_check": [HealthCheck.too_slow]}
settings.register_profile("short", derandomize=True, max_examples=40, **_PATIENT)
settings.register_profile("long", **_PATIENT)
settings.load_profile(either("short", "long"))
"""A change is not judged by examples that happen to be drawn; `make test-all` draws more, and others each time."""


def _own_database(url: str, worker: str) -> str:
    """A database for this process alone on the server that the address names: tests run side by side."""
    import psycopg

    with psycopg.connect(url, autocommit=True) as connection:
        if not connection.execute("SELECT 1 FROM pg_database WHERE datname = %s", [worker]).fetchone():
            connection.execute(f'CREATE DATABASE "{worker}"')
    return url.replace("/postgres?", f"/{worker}?")


if os.environ.get("DATABASE_URL") and os.environ.get("PYTEST_XDIST_WORKER"):
    os.environ["DATABASE_URL"] = _own_database(os.environ["DATABASE_URL"], os.environ["PYTEST_XDIST_WORKER"])


def _hash_lightly() -> None:
    """Passwords of tests are hashed in the same way as others, with as little work as the algorithm allows."""
    from django.contrib.auth.hashers import Argon2PasswordHasher

    Argon2PasswordHasher.time_cost, Argon2PasswordHasher.memory_cost, Argon2PasswordHasher.parallelism = 1, 8, 1


@pytest.fixture(scope="session")
def migrated(tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest) -> Path:
    """A home whose tables exist, to copy from: migrating takes longer than most tests.

    The studio of the tests in a browser is a process of its own, which would hash light passwords again at sign-in.
    """
    if not any("browser" in item.path.parts for item in request.session.items):
        _hash_lightly()
    home = tmp_path_factory.mktemp("migrated")
    open_studio(home, hashed_files=False)
    return home


@pytest.fixture(scope="session")
def demo_home(tmp_path_factory: pytest.TempPathFactory, migrated: Path) -> Path:
    """A home with the studies of `rubrica demo` on SQLite, to copy from: making them takes ten seconds."""
    home = tmp_path_factory.mktemp("demo") / "home"
    shutil.copytree(migrated, home)
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv("RUBRICA_HOME", str(home))
        assert main(["demo", "--no-serve"]) == 0
    connections.close_all()
    return home


@pytest.fixture
def home(tmp_path: Path, migrated: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty home, opened; with DATABASE_URL, an empty database."""
    folder = tmp_path / "home"
    url = os.environ.get("DATABASE_URL", "")
    monkeypatch.setenv("RUBRICA_HOME", str(folder))
    if url:
        open_home(folder, url)
        _empty_all_tables()
    else:
        shutil.copytree(migrated, folder)
        open_home(folder)
    return folder


def _empty_all_tables() -> None:
    from django.apps import apps
    from django.db import connection

    tables = [model._meta.db_table for model in apps.get_models()]
    with connection.cursor() as cursor:
        # Deleting the few rows of a test without looking at references is much quicker than truncating every table.
        cursor.execute("SET session_replication_role = replica")
        cursor.execute("; ".join(f'DELETE FROM "{table}"' for table in tables))
        cursor.execute("SET session_replication_role = DEFAULT")


@pytest.fixture
def demo(demo_home: Path, home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home of one's own with the studies of `rubrica demo`, opened."""
    folder = tmp_path / "demo"
    shutil.copytree(demo_home, folder)
    monkeypatch.setenv("RUBRICA_HOME", str(folder))
    open_home(folder)
    return folder


class Ran(NamedTuple):
    """What a command did."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """Its output as JSON."""
        return json.loads(self.out)


@pytest.fixture
def rubrica(home: Path, capsys: pytest.CaptureFixture[str]) -> Callable[..., Ran]:
    """Runs a command as a user would, in this process."""

    def run(*arguments: object) -> Ran:
        capsys.readouterr()
        code = main([str(argument) for argument in arguments])
        return Ran(code, *capsys.readouterr())

    return run
