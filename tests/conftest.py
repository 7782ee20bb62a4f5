"""What tests share: a fresh home for studies, on SQLite or on the server that DATABASE_URL names."""

from __future__ import annotations

import fcntl
import gc
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
from rubrica.engine.own_process import INSIDE
from rubrica.home.database import open_home
from rubrica.protocols.catalog import load_shipped
from rubrica.studio.settings import open_studio
from tests.length import either
from tests.making import pairs

NOW = datetime(2026, 11, 15, 12, 0, tzinfo=UTC)
SERVER = os.environ.get("DATABASE_URL", "")
"""A PostgreSQL server on which tests make databases of their own; without one they use SQLite."""
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
gc.disable()
_PATIENT: dict[str, Any] = {"deadline": None, "suppress_health_check": [HealthCheck.too_slow]}
settings.register_profile("short", derandomize=True, max_examples=40, **_PATIENT)
settings.register_profile("long", **_PATIENT)
settings.load_profile(either("short", "long"))
"""A change is not judged by examples that happen to be drawn; `make test-all` draws more, and others each time."""


def pytest_collection_finish() -> None:
    """What is loaded by now stays: the collector need not look through it again and again, and seldom at the rest."""
    gc.freeze()
    gc.set_threshold(20_000, 20, 20)
    gc.enable()


def _hash_lightly() -> None:
    """Passwords of tests are hashed in the same way as others, with as little work as the algorithm allows."""
    from django.contrib.auth.hashers import Argon2PasswordHasher

    Argon2PasswordHasher.time_cost, Argon2PasswordHasher.memory_cost, Argon2PasswordHasher.parallelism = 1, 8, 1


def made_once(factory: pytest.TempPathFactory, name: str, make: Callable[[Path], object]) -> Path:
    """A folder that the first of the processes that test side by side makes; the others wait for it."""
    own = factory.getbasetemp()
    shared = own.parent if os.environ.get("PYTEST_XDIST_WORKER") else own
    folder, done = shared / name, shared / f"{name}.made"
    with (shared / f"{name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not done.exists():
            make(folder)
            done.touch()
    return folder


@pytest.fixture(autouse=True)
def read_here(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """What was sent is read in this process: another one for each file takes longer than most tests.

    Tests marked ``own_process`` see it as it is; each reader has one (tests/test_own_process.py looks).
    """
    if request.node.get_closest_marker("own_process") is None:
        monkeypatch.setenv(INSIDE, "1")


@pytest.fixture(scope="session")
def migrated(tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest) -> Path:
    """A home whose tables exist, to copy from: migrating takes longer than most tests.

    The studio of the tests in a browser is a process of its own, which would hash light passwords again at sign-in.
    """
    if not any("browser" in item.path.parts for item in request.session.items):
        _hash_lightly()

    def migrate(home: Path) -> None:
        open_studio(home, hashed_files=False)
        if SERVER:
            _make_database("migrated")
            open_home(home, _database("migrated"))
        connections.close_all()

    made = made_once(tmp_path_factory, "migrated", migrate)
    home = tmp_path_factory.mktemp("home") / "migrated"
    shutil.copytree(made, home)
    open_studio(home, hashed_files=False)
    if SERVER:
        own = os.environ.get("PYTEST_XDIST_WORKER", "alone")
        _make_database(own, "migrated")
        os.environ["DATABASE_URL"] = _database(own)
    return home


def _database(name: str) -> str:
    """The address of the database of that name on the server of the tests."""
    return SERVER.replace("/postgres?", f"/{name}?")


def _make_database(name: str, like: str = "template1") -> None:
    """A fresh database: tests that run side by side have one each."""
    import psycopg

    with psycopg.connect(SERVER, autocommit=True) as connection:
        connection.execute(f'DROP DATABASE IF EXISTS "{name}"')
        connection.execute(f'CREATE DATABASE "{name}" TEMPLATE "{like}"')


@pytest.fixture(scope="session")
def demo_home(tmp_path_factory: pytest.TempPathFactory, migrated: Path) -> Path:
    """A home with the studies of `rubrica demo` on SQLite, to copy from: making them takes long.

    An older one of the same name was there, which ``--anew`` deletes.
    """

    def make(home: Path) -> None:
        shutil.copytree(migrated, home)
        open_home(home)
        from rubrica.store import studies

        studies.create(studies.Plan(name="demo-breve", loaded=load_shipped("breve"), items=pairs(2)), NOW)
        with pytest.MonkeyPatch.context() as patched:
            patched.setenv("RUBRICA_HOME", str(home))
            assert main(["demo", "--no-serve", "--anew"]) == 0
        connections.close_all()

    return made_once(tmp_path_factory, "demo", make)


class Printed(NamedTuple):
    """A command line, what it printed with ``--json``, and of a report its tables."""

    arguments: tuple[str, ...]
    output: Any
    tables: Any


@pytest.fixture(scope="session")
def printed(tmp_path_factory: pytest.TempPathFactory, migrated: Path) -> list[Printed]:
    """Every command of the reference, then those of tests/pins: run once for both."""
    from reference_pages import json_keys

    from tests.pins import runs

    def run(folder: Path) -> None:
        ran = []
        for arguments, output in json_keys.run_all(runs.RUNS, runs.files()):
            tables = Path(output["folder"], "results.json") if arguments[0] == "report" else None
            ran.append((arguments, output, json.loads(tables.read_text(encoding="utf-8")) if tables else None))
        folder.mkdir()
        (folder / "ran.json").write_text(json.dumps(ran), encoding="utf-8")

    ran = json.loads((made_once(tmp_path_factory, "printed", run) / "ran.json").read_text(encoding="utf-8"))
    return [Printed(tuple(arguments), output, tables) for arguments, output, tables in ran]


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
