"""What a home is kept from: other people's eyes, lost work that nobody notices, programs that are too old for it."""

from __future__ import annotations

import os
import shutil
import stat
import subprocess
import sys
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from django.db import connection, connections

from rubrica.core.errors import InputError
from tests.conftest import Ran
from tests.store.test_upgrading import running_studio

if TYPE_CHECKING:
    from rubrica.store.models import Stage

pytestmark = pytest.mark.postgres

Run = Callable[..., Ran]
FRAME = 4096 + 24
"""Bytes of a frame of the write-ahead log: a page and its header."""


def modes(home: Path) -> dict[str, str]:
    """Whatever others than the owner may do with anything in the home, and with the home."""
    found = {str(path): stat.filemode(path.stat().st_mode) for path in (home, *home.rglob("*"))}
    return {path: mode for path, mode in found.items() if not mode.endswith("------")}


@pytest.mark.any_database
def test_what_a_command_makes_in_a_home_is_its_owners_alone(tmp_path: Path) -> None:
    """With a umask that lets everybody read, the folder is 0700 and database, log, locks and key are 0600."""
    home = tmp_path / "fresh"
    script = "from rubrica.cli.main import run; run()"
    command = [sys.executable, "-c", script, "--home", str(home), "user", "add", "rosa"]
    environment = {**os.environ, "RUBRICA_PASSWORD": "a long passphrase", "DATABASE_URL": ""}
    subprocess.run(command, env=environment, umask=0, check=True, capture_output=True)
    assert modes(home) == {}
    assert {path.name for path in home.iterdir()} >= {"rubrica.sqlite3", "rubrica.sqlite3.mark", "serve.lock"}
    assert stat.S_IMODE(home.stat().st_mode) == 0o700
    assert stat.S_IMODE((home / "rubrica.sqlite3").stat().st_mode) == 0o600


@pytest.mark.any_database
def test_the_key_of_a_home_is_never_seen_half_made(tmp_path: Path) -> None:
    """Of many who ask first at the same moment, all get one and the same key; an empty file is said, not used."""
    from rubrica.home.database import KEY_FILE, secret_key

    start = threading.Barrier(8)

    def ask(home: Path) -> str:
        start.wait()
        return secret_key(home)

    for number in range(20):
        home = tmp_path / str(number)
        home.mkdir()
        with ThreadPoolExecutor(8) as people:
            keys = set(people.map(ask, [home] * 8))
        assert keys == {(home / KEY_FILE).read_text()}
        assert [path.name for path in home.iterdir()] == [KEY_FILE]
    (home / KEY_FILE).write_text("")
    with pytest.raises(InputError, match="empty file"):
        secret_key(home)


def test_a_home_from_before_is_tightened_and_other_files_are_left_alone(home: Path) -> None:
    """Opening makes everything of Rubrica's private, also exports and uploads, and does not touch a stranger's file."""
    from rubrica.home.database import open_home

    kept = home / "files" / "exports" / "abc"
    kept.parent.mkdir(parents=True)
    kept.write_text("answers")
    notes = home / "notes.txt"
    notes.write_text("the researcher's own")
    connections.close_all()
    for path in (home, *home.rglob("*")):
        path.chmod(0o777 if path.is_dir() else 0o666)
    open_home(home, os.environ.get("DATABASE_URL", ""))
    assert set(modes(home)) == {str(notes)}


@pytest.fixture
def worked_on(home: Path, stage: Stage, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home with accounts and judgements, as a power cut would leave it: a copy made while it is in use."""
    from rubrica.cli.main import main
    from rubrica.store.recording import judgements
    from tests.store.conftest import said, take

    monkeypatch.setenv("RUBRICA_PASSWORD", "a long passphrase")
    leases = take(stage, "ana")
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    shutil.copytree(home, home.with_name("older"))
    for number, lease in enumerate(leases):
        judgements.submit([said(lease, f"key-{number}")], stage.study.created_at)
    assert main(["user", "add", "rosa"]) == 0
    shutil.copytree(home, home.with_name("cut"))
    return home.with_name("cut")


def flip(log: Path) -> None:
    """A byte of the last page is another one."""
    content = bytearray(log.read_bytes())
    content[-FRAME // 2] ^= 0xFF
    log.write_bytes(content)


def flip_early(log: Path) -> None:
    """A byte near the beginning is another one: everything after it is lost."""
    content = bytearray(log.read_bytes())
    content[FRAME * 2] ^= 0xFF
    log.write_bytes(content)


def shorten(log: Path) -> None:
    """The last page is missing."""
    os.truncate(log, log.stat().st_size - FRAME)


def empty(log: Path) -> None:
    """Nothing is in it any more."""
    os.truncate(log, 0)


def put_back_older(log: Path) -> None:
    """An older copy of the database takes the place of the newest."""
    log.unlink()
    Path(str(log).replace("-wal", "-shm")).unlink(missing_ok=True)
    name = log.name.removesuffix("-wal")
    shutil.copy(log.parent.with_name("older") / name, log.with_name(name))


def lose(log: Path) -> None:
    """The database is gone."""
    log.unlink()
    log.with_name(log.name.removesuffix("-wal")).unlink()


@pytest.mark.any_database
@pytest.mark.parametrize("damage", [flip, flip_early, shorten, empty, Path.unlink, put_back_older, lose])
def test_a_home_behind_its_mark_is_refused_until_it_is_accepted(
    worked_on: Path, rubrica: Run, damage: Callable[[Path], None]
) -> None:
    """Lost work is told with how much and what to do, nothing is changed; accepting it is recorded, then it opens."""
    damage(worked_on / "rubrica.sqlite3-wal")
    before = {path.name: path.read_bytes() for path in worked_on.glob("*.sqlite3*") if not path.name.endswith("-shm")}
    refused = rubrica("--home", worked_on, "study", "list")
    assert refused.code == 1
    assert "the newest work is missing" in refused.err
    assert "rubrica home accept --reason" in refused.err
    assert "Traceback" not in refused.err
    after = {name: (worked_on / name).read_bytes() for name in before}
    assert after == before
    assert rubrica("--home", worked_on, "home", "accept", "--reason", " ").code == 1
    accepted = rubrica("--home", worked_on, "home", "accept", "--reason", "the log was damaged")
    assert (accepted.code, "is given up" in accepted.err) == (0, True)
    assert rubrica("--home", worked_on, "study", "list").code == 0
    assert _last_event()["reason"] == "the log was damaged"
    again = rubrica("--home", worked_on, "home", "accept", "--reason", "once more")
    assert (again.code, "nothing to accept" in again.err) == (0, True)


def _last_event() -> dict[str, Any]:
    from rubrica.store.models import AuditEvent

    found = AuditEvent.objects.filter(action="older home accepted").order_by("-pk").values_list("detail", flat=True)
    return dict(found[0])


@pytest.mark.any_database
def test_a_lost_withdrawal_is_noticed(home: Path, stage: Stage, rubrica: Run) -> None:
    """What is neither an answer nor in the audit trail, such as that somebody has stopped, is missed as well."""
    from rubrica.store.people import consents
    from tests.store.conftest import NOW, person

    ana = person(stage, "ana")
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    consents.stop(ana, NOW)
    cut = home.with_name("cut")
    shutil.copytree(home, cut)
    empty(cut / "rubrica.sqlite3-wal")
    assert "the newest work is missing" in rubrica("--home", cut, "study", "list").err


@pytest.mark.any_database
def test_a_home_that_was_killed_opens_as_it_was(worked_on: Path, rubrica: Run) -> None:
    """What was never damaged is not refused: the mark is never ahead of what is in the database."""
    assert rubrica("--home", worked_on, "study", "list").code == 0
    assert rubrica("--home", worked_on, "home", "accept", "--reason", "none").code == 0
    from rubrica.store.models import AuditEvent

    assert not AuditEvent.objects.filter(action="older home accepted").exists()


@pytest.mark.any_database
def test_an_older_home_is_not_accepted_under_a_running_studio(worked_on: Path, rubrica: Run) -> None:
    """Whoever serves the home has work in hand that is not behind."""
    connections.close_all()
    with running_studio(worked_on):
        (worked_on / "rubrica.sqlite3.mark").write_bytes(b"rubbish")
        refused = rubrica("--home", worked_on, "home", "accept", "--reason", "restored")
        assert (refused.code, "a studio is running" in refused.err) == (1, True)
    assert "cannot be read" in rubrica("--home", worked_on, "study", "list").err
    assert rubrica("--home", worked_on, "home", "accept", "--reason", "restored").code == 0
    assert rubrica("--home", worked_on, "study", "list").code == 0


@pytest.mark.any_database
def test_every_way_of_saving_raises_the_mark(home: Path, stage: Stage) -> None:
    """Drafts, a submit and an entry of the audit trail are each marked when they are acknowledged."""
    from rubrica.home.sqlite import mark
    from rubrica.store import audit, models
    from rubrica.store.recording import drafts, judgements
    from tests.store.conftest import NOW, said, take

    def newest() -> tuple[int, int]:
        found = mark.read(home / "rubrica.sqlite3")
        assert found is not None
        return found.revision, found.event

    def there() -> tuple[int, int]:
        revision = models.Revision.objects.order_by("-pk").values_list("pk", flat=True).first() or 0
        return revision, models.AuditEvent.objects.order_by("-pk").values_list("pk", flat=True).first() or 0

    assert newest() == there()
    lease = take(stage, "ana")[0]
    drafts.save_draft(said(lease, "first"), NOW)
    assert newest() == there()
    drafts.save_draft(said(lease, "second"), NOW)
    assert newest() == there() == (2, newest()[1])
    judgements.submit([said(lease, "third")], NOW)
    assert newest() == there()
    audit.record("something", None, NOW)
    assert newest() == there()


def test_a_home_of_a_newer_rubrica_is_refused(home: Path) -> None:
    """Tables with a step that this program does not know are left alone, on both databases, and it says what to do."""
    from django.db.migrations.recorder import MigrationRecorder

    from rubrica import __version__
    from rubrica.home.database import open_home

    url = os.environ.get("DATABASE_URL", "")
    MigrationRecorder(connection).record_applied("store", "9999_from_the_future")
    MigrationRecorder(connection).record_applied("somebody_elses", "0001_initial")
    try:
        with pytest.raises(InputError) as refused:
            open_home(home, url)
        problem = refused.value.problems[0]
        assert problem.rule == "newer_home"
        assert "store 9999_from_the_future" in problem.what
        assert __version__ in problem.what
        assert "somebody_elses" not in problem.what
    finally:
        MigrationRecorder(connection).record_unapplied("store", "9999_from_the_future")
        MigrationRecorder(connection).record_unapplied("somebody_elses", "0001_initial")
    open_home(home, url)


@pytest.mark.any_database
def test_passwords_of_databases_are_not_shown(tmp_path: Path) -> None:
    """A wrong DATABASE_URL is told without the password in it."""
    from rubrica.home.database import open_home

    with pytest.raises(InputError) as refused:
        open_home(tmp_path, "mysql://rubrica:hunter22@db.example/studies")
    assert "hunter22" not in f"{refused.value} {refused.value.problems[0].as_json()}"
