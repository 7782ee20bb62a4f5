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

from rubrica.cli.main import main
from rubrica.store.database import open_home
from rubrica.studio.settings import open_studio

NOW = datetime(2026, 11, 15, 12, 0, tzinfo=UTC)


@pytest.fixture(scope="session")
def migrated(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home whose tables exist, to copy from: migrating takes longer than most tests."""
    home = tmp_path_factory.mktemp("migrated")
    open_studio(home, hashed_files=False)
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

    tables = ", ".join(f'"{model._meta.db_table}"' for model in apps.get_models())
    with connection.cursor() as cursor:
        cursor.execute(f"TRUNCATE {tables} RESTART IDENTITY CASCADE")


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
