"""A database that others write to, or that takes nothing: pages open all the same; what must wait says so at once."""

from __future__ import annotations

import fcntl
import os
import shutil
import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, closing, contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import psycopg
import pytest
from django.apps import apps
from django.db import DatabaseError, OperationalError, connection
from django.test import Client

from rubrica.home.database import SQLITE_FILE, open_home
from rubrica.home.sqlite.base import QUEUE_SUFFIX
from tests.browser.pages import ACCOUNT, PAGES, World, build
from tests.studio.conftest import NOW
from tests.studio.test_work_api import ANSWERS, Caller

if TYPE_CHECKING:
    from rubrica.store.models import Invitation, Study

LONGEST = 10
"""Seconds within which everything is answered here, on a busy machine as well; SQLite's own patience is 20."""


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody waits in these tests for as long as people may."""
    from rubrica.studio import storage

    monkeypatch.setattr(storage, "OPENING_SECONDS", 0.1)
    monkeypatch.setattr(storage, "SENDING_SECONDS", 0.2)


@contextmanager
def writing(home: Path) -> Iterator[None]:
    """Somebody who writes all the time and knows nothing of a queue: a backup, a shell."""
    if connection.vendor == "postgresql":
        from rubrica.studio.storage import limit_waiting

        limit_waiting(connection)
        tables = ", ".join(f'"{model._meta.db_table}"' for model in apps.get_models())
        with psycopg.connect(os.environ["DATABASE_URL"]) as other:
            other.execute(f"LOCK TABLE {tables} IN SHARE MODE")
            yield
            other.rollback()
    else:
        with closing(sqlite3.connect(home / SQLITE_FILE, isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            yield


@contextmanager
def first_in_the_queue(home: Path) -> Iterator[None]:
    """One of ours who is at it for long: a large import."""
    with (home / f"{SQLITE_FILE}{QUEUE_SUFFIX}").open("r+b") as queue:
        fcntl.flock(queue, fcntl.LOCK_EX)
        yield


@contextmanager
def read_only(home: Path) -> Iterator[None]:
    """A database that may only be read."""
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA query_only = ON")
        yield
        cursor.execute("PRAGMA query_only = OFF")


class Opened(NamedTuple):
    """What opening a page gave."""

    status: int
    seconds: float


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory, migrated: Path) -> Iterator[Callable[[], dict[str, Opened]]]:
    """Opens every page of a world with people at every step; once before, so that everybody holds their work."""
    from django.contrib.auth.models import User

    home = tmp_path_factory.mktemp("busy") / "home"
    shutil.copytree(migrated, home)
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv("RUBRICA_HOME", str(home))
        open_home(home)
        world: World = build(datetime.now(UTC), home, reported=False)
        clients = {"researcher": Client(raise_request_exception=False), "nobody": Client(), "annotator": Client()}
        clients["researcher"].force_login(User.objects.get(username=ACCOUNT))

        def opened() -> dict[str, Opened]:
            found = {}
            for name, page in PAGES.items():
                began = time.monotonic()
                status = clients[page.who].get(page.path(world)).status_code
                found[name] = Opened(status, time.monotonic() - began)
            return found

        opened.home = home  # type: ignore[attr-defined]
        assert {name for name, (status, _) in opened().items() if status != 200} == set()
        yield opened


@pytest.mark.any_database
@pytest.mark.parametrize("hindered", [writing, first_in_the_queue, read_only])
def test_every_page_opens_while_nothing_can_be_written(
    pages: Any, monkeypatch: pytest.MonkeyPatch, hindered: Callable[[Path], AbstractContextManager[None]]
) -> None:
    """Whatever an annotator or a researcher opens is shown without waiting, though nothing can be noted by the way."""
    monkeypatch.setenv("RUBRICA_HOME", str(pages.home))
    open_home(pages.home)
    with hindered(pages.home):
        found = pages()
    assert {name: one for name, one in found.items() if one.status != 200 or one.seconds > LONGEST} == {}


@pytest.fixture
def ana(link: Invitation) -> Caller:
    """Ana, through her link."""
    from rubrica.store.people.invitations import token

    return Caller(token(link))


@pytest.mark.postgres
def test_a_link_leads_on_when_it_is_opened_for_the_first_time(home: Path, make_study: Callable[..., Study]) -> None:
    """The language of its annotator is kept by the first page that can; meanwhile it is worked out anew."""
    from rubrica.store.people.invitations import invite, token

    study = make_study(steps=True, name="new", languages=["es"])
    [link] = invite(study, ["ana"], NOW)
    door, client = f"/w/{token(link)}/", Client(headers={"Accept-Language": "en"})
    with writing(home):
        assert client.get(door)["Location"] == f"{door}welcome/"
        assert 'lang="es"' in client.get(f"{door}welcome/").content.decode()
    assert study.annotators.get().language == ""
    client.get(f"{door}welcome/")
    assert study.annotators.get().language == "es"


@pytest.mark.postgres
def test_the_first_work_is_asked_for_again_by_itself(home: Path, door: str) -> None:
    """Who has no work yet needs a write to get some: a page says so and is loaded again, also without script."""
    client = Client()
    with writing(home):
        busy = client.get(f"{door}work/")
        assert (busy.status_code, busy["Retry-After"], busy["Refresh"]) == (503, "3", "3")
        assert "The studio is busy at the moment." in busy.content.decode()
    assert client.get(f"{door}work/").status_code == 200


@pytest.mark.postgres
def test_work_in_hand_is_shown_while_the_database_is_busy(home: Path, door: str, study: Study) -> None:
    """Also when some of it is used up and more would be taken, or all of it should be renewed by now."""
    from rubrica.store.models import Assignment

    client = Client()
    assert client.get(f"{door}work/").status_code == 200
    held = Assignment.objects.order_by("position")
    held.filter(pk__in=[lease.pk for lease in held[1:]]).update(state="returned")
    held.filter(state="open").update(expires_at=NOW)
    with writing(home):
        shown = client.get(f"{door}work/")
    assert shown.status_code == 200
    assert f'data-lease="{held[0].pid}"' in shown.content.decode()


@pytest.mark.postgres
def test_saves_are_answered_with_what_the_page_waits_for(home: Path, ana: Caller) -> None:
    """Drafts and submits get 503 in the API's one shape, and are saved once when they are sent again."""
    from rubrica.store.models import Revision

    lease = ana("GET", "/next").json()["leases"][0]["lease"]
    sends = [lambda: ana.draft(lease, "key-0000001", answers=ANSWERS), lambda: ana.submit(lease, "key-0000002")]
    for send in sends:
        with writing(home):
            busy = send()
        assert (busy.status_code, busy["Retry-After"]) == (503, "3")
        assert busy.json()["errors"][0]["rule"] == "busy"
        assert send().status_code == 200
    assert Revision.objects.count() == 2


@pytest.mark.postgres
def test_a_form_that_was_not_saved_says_so(home: Path, study: Study, as_: Callable[[str], Client]) -> None:
    """What was sent is not sent again by itself: the page says what became of it."""
    client = as_("owner")
    client.get("/studies/")
    with writing(home):
        busy = client.post(f"/s/{study.pid}/invite/people/", {"names": "ben"})
    assert busy.status_code == 503
    assert "not saved" in busy.content.decode()
    assert "Refresh" not in busy.headers


@pytest.mark.postgres
def test_a_message_that_cannot_be_marked_as_seen_is_shown_again(
    home: Path, study: Study, as_: Callable[[str], Client]
) -> None:
    """A page with a message opens while the session cannot be saved; the message stands on the next one, too."""
    client = as_("owner")
    sent = client.post(f"/s/{study.pid}/invite/people/", {"names": "ben"})
    assert sent.status_code == 302
    with writing(home):
        first = client.get(sent["Location"])
    second, third = client.get(sent["Location"]), client.get(sent["Location"])
    assert [one.content.decode().count('class="notice success"') for one in (first, second, third)] == [1, 1, 0]


@pytest.mark.postgres
def test_a_token_is_known_while_its_use_cannot_be_noted(home: Path, study: Study, people: dict[str, Any]) -> None:
    """Reading by the API needs no write."""
    from tests.studio.api_client import ApiClient

    api = ApiClient(people["owner"])
    with writing(home):
        assert api.get(f"/studies/{study.pid}")["name"] == study.name


@pytest.mark.any_database
@pytest.mark.parametrize(
    "told",
    [
        psycopg.errors.LockNotAvailable(),
        psycopg.errors.QueryCanceled(),
        psycopg.errors.DeadlockDetected(),
        psycopg.errors.SerializationFailure(),
        psycopg.errors.TooManyConnections(),
        psycopg.OperationalError("connection failed: FATAL: sorry, too many clients already"),
    ],
    ids=lambda told: type(told).__name__,
)
def test_what_postgresql_calls_busy(told: psycopg.Error) -> None:
    """A lock or a statement that takes too long, a deadlock, too many connections: each may be tried again."""
    from rubrica.home.database_trouble import Trouble, trouble_of

    error = OperationalError(str(told))
    error.__cause__ = told
    assert trouble_of(error) is Trouble.BUSY


@pytest.mark.any_database
def test_a_mistake_of_ours_is_not_called_busy(home: Path) -> None:
    """A statement that cannot be right is an error of the program, and stays one."""
    from rubrica.home.database_trouble import now_or_later, trouble_of

    with pytest.raises(DatabaseError) as raised:
        now_or_later(lambda: connection.cursor().execute("INSERT INTO store_healthcheck (at) VALUES (NULL)"))
    assert trouble_of(raised.value) is None
