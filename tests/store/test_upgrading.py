"""Upgrades: an older database keeps everything, and no table changes under a running studio."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from django.db import connection
from django.db.migrations.executor import MigrationExecutor

from rubrica.core.errors import InputError
from tests import two_studies
from tests.conftest import NOW
from tests.store.conftest import said, take

if TYPE_CHECKING:
    from rubrica.store.models import Stage


def migrate_to(name: str) -> None:
    """Bring the tables to this migration, forwards or backwards."""
    executor = MigrationExecutor(connection)
    executor.migrate([("store", name)])


@contextmanager
def before_the_studio() -> Iterator[None]:
    """The tables as they were before the studio; afterwards they are as they are now."""
    migrate_to("0001_initial")
    try:
        yield
    finally:
        executor = MigrationExecutor(connection)
        executor.migrate(executor.loader.graph.leaf_nodes())


@pytest.mark.postgres
def test_judgements_from_before_the_studio_go_on(home: Path, stage: Stage) -> None:
    """A database with sheets' judgements is upgraded: numbers of revisions go on where they were."""
    from rubrica.home.database import open_home
    from rubrica.store import models
    from rubrica.store.recording import judgements

    lease = take(stage, "ana")[0]
    items = list(stage.study.items.values_list("pk", flat=True))[:3]
    with before_the_studio():
        old = MigrationExecutor(connection).loader.project_state([("store", "0001_initial")]).apps
        for item, revisions in zip(items, (1, 3, 0), strict=True):
            head = old.get_model("store", "Judgement").objects.create(
                stage_id=stage.pk, item_id=item, annotator_id=lease.annotator_id, state="submitted"
            )
            for number in range(1, revisions + 1):
                head.current = old.get_model("store", "Revision").objects.create(
                    judgement=head, number=number, key=f"k{number}", outcome="answered", origin="sheet", created_at=NOW
                )
            head.save()
        open_home(home, os.environ.get("DATABASE_URL", ""))
        heads = models.Judgement.objects.order_by("item__position").select_related("current")
        assert [(head.last_number, head.pending) for head in heads] == [(1, None), (3, None), (0, None)]
        assert [head.current.number for head in heads if head.current] == [1, 3]
        models.Assignment.objects.filter(pk=lease.pk).update(item=items[1])
        lease = models.Assignment.objects.select_related("item", "stage__study", "stage__protocol_version").get()
        assert judgements.submit([said(lease, "from-a-page")], NOW)[0].revision == 4


HOLD = """
import sys, pathlib
from rubrica.home.database import open_home, serving
open_home(pathlib.Path(sys.argv[1]), sys.argv[2])
with serving(pathlib.Path(sys.argv[1])):
    print("serving", flush=True)
    sys.stdin.read()
"""


@contextmanager
def running_studio(home: Path) -> Iterator[None]:
    """Another process that says it serves this home."""
    process = subprocess.Popen(
        [sys.executable, "-c", HOLD, str(home), os.environ.get("DATABASE_URL", "")],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    assert process.stdin is not None
    try:
        assert process.stdout.readline() == "serving\n"
        yield
    finally:
        process.stdin.close()
        process.stdout.close()
        process.wait(20)


@pytest.mark.postgres
def test_tables_do_not_change_under_a_running_studio(home: Path) -> None:
    """While a studio runs an upgrade is refused with what to do; once it has ended the upgrade is made."""
    from rubrica.home.database import open_home

    url = os.environ.get("DATABASE_URL", "")
    with running_studio(home), running_studio(home), before_the_studio():
        with pytest.raises(InputError, match="a studio is running") as refused:
            open_home(home, url)
        assert refused.value.problems[0].rule == "server_running"
    open_home(home, url)
    with running_studio(home):
        open_home(home, url)


def test_an_upgrade_goes_through_once_the_studio_has_ended(home: Path) -> None:
    """The lock of a studio does not outlive its process."""
    from rubrica.home.database import _pending, open_home

    with running_studio(home):
        pass
    with before_the_studio():
        assert _pending()
        open_home(home, os.environ.get("DATABASE_URL", ""))
        assert not _pending()


@contextmanager
def before_identities() -> Iterator[Any]:
    """The tables as they were before people were known across studies; afterwards they are as they are now."""
    migrate_to("0010_metric_annotators")
    try:
        yield MigrationExecutor(connection).loader.project_state([("store", "0010_metric_annotators")]).apps
    finally:
        executor = MigrationExecutor(connection)
        executor.migrate(executor.loader.graph.leaf_nodes())


def test_people_from_before_are_known_afterwards(home: Path) -> None:
    """Named people by their name, those of a platform in every study, authors by name; the erased by nothing."""
    from rubrica.home.database import open_home
    from rubrica.store import models
    from rubrica.store.people import joining
    from rubrica.store.people.erasure import erase
    from rubrica.store.people.identities import OPEN, of_name

    one = two_studies.writing()
    worker, ana, gone = (
        two_studies.come(two_studies.prolific(one), "p1"),
        *(two_studies.call(one, name) for name in ("ana", "gone")),
    )
    two_studies.write(worker)
    two_studies.write(ana)
    erase(gone, NOW)
    two = two_studies.rating(one)
    with before_identities():
        open_home(home, os.environ.get("DATABASE_URL", ""))
        for person in (worker, ana, gone):
            person.refresh_from_db()
        assert (ana.identity, worker.identity[:2], gone.identity[:2]) == (of_name("ana"), "p:", OPEN)
        two = models.Study.objects.get(pk=two.pk)
        assert two.authors_from is None
        written = dict(two.items.values_list("author", "author_identity"))
        assert written == {"ana": of_name("ana"), worker.name: of_name(worker.name)}
        innocent = two_studies.come(two_studies.prolific(two), "p2")
        joining.join(two, one, NOW)
        written = dict(two.items.values_list("author", "author_identity"))
        assert written == {"ana": ana.identity, worker.name: worker.identity}
        assert len(two_studies.given(innocent)) == 3
        assert two_studies.come(two.invitations.get(kind="prolific"), "p2").pk == innocent.pk


def test_an_upgrade_needs_the_key_of_the_studio(home: Path) -> None:
    """On PostgreSQL a home without it would know nobody: it is refused with what to do, and goes on with the key."""
    from rubrica.home.database import open_home

    url = os.environ.get("DATABASE_URL", "")
    two_studies.call(two_studies.writing(), "ana")
    key = (home / "secret.key").read_text()
    with before_identities():
        (home / "secret.key").unlink()
        if url:
            with pytest.raises(InputError, match="needs the key of the studio"):
                open_home(home, url)
            (home / "secret.key").write_text(key)
        open_home(home, url)
