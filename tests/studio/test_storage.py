"""What happens when nothing can be saved: the health check, the API and the pages say so with the cause."""

from __future__ import annotations

import errno
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from django.db import DatabaseError, IntegrityError, OperationalError, connection, transaction
from django.test import Client

from tests.studio.api_client import ApiClient
from tests.studio.conftest import NOW
from tests.studio.test_work_api import ANSWERS, Caller

if TYPE_CHECKING:
    from rubrica.store.models import Invitation, Study

LONG = "It means the same, and says it in more words than anybody would want to read. " * 200


@pytest.fixture
def full(home: Path) -> Iterator[Callable[[], None]]:
    """Lets the disk be full from then on: the database may not have one page more than it has."""

    def fill() -> None:
        with connection.cursor() as cursor:
            cursor.execute("VACUUM")
            cursor.execute("PRAGMA page_count")
            pages = cursor.fetchone()[0]
            cursor.execute(f"PRAGMA max_page_count = {pages}")
            assert cursor.fetchone()[0] == pages

    yield fill
    connection.close()


@pytest.fixture
def ana(link: Invitation) -> Caller:
    """Ana, through her link."""
    from rubrica.store.people.invitations import token

    return Caller(token(link))


@pytest.fixture
def lease(study: Study, link: Invitation) -> str:
    """The public id of what ana holds first."""
    from django.utils import timezone

    from rubrica.store.allocation.leases import take

    assert link.annotator is not None
    return take(link.annotator, study.stages.get(), timezone.now()).leases[0].pid


def test_health_writes_and_tells_the_free_space(home: Path) -> None:
    """A good answer means that something was written; nothing of it stays."""
    from rubrica.store.models import HealthCheck

    HealthCheck.objects.create(at=NOW, content="left behind by a check that was killed")
    found = Client().get("/health")
    assert found.status_code == 200
    told = found.json()
    assert (told["status"], told["database"]) == ("ok", connection.vendor)
    assert told["free_bytes"] > 0
    assert told["low_space"] is (told["free_bytes"] < 500_000_000)
    assert not HealthCheck.objects.exists()


@pytest.mark.any_database
def test_health_fails_when_the_disk_is_full(full: Callable[[], None]) -> None:
    """It answers 503 with the cause while nothing can be saved, and 200 again when there is room."""
    full()
    for _ in range(3):
        found = Client().get("/health")
        assert (found.status_code, found.json()["status"], found.json()["cause"]) == (503, "failing", "disk_full")
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA max_page_count = 1000000")
    assert Client().get("/health").status_code == 200


@pytest.mark.any_database
def test_saves_on_a_full_disk_answer_507_and_are_kept_when_there_is_room(
    full: Callable[[], None], ana: Caller, lease: str
) -> None:
    """Drafts on the short way and the long way and submits say why; sent again under their keys they are saved once."""
    from rubrica.store.models import Revision

    assert ana.draft(lease).status_code == 200
    full()
    said = {"answers": {**ANSWERS, "comment": LONG}, "base": 1}
    sent = [
        lambda: ana.draft(lease, "key-0000002", visit="v", **said),
        lambda: ana("PUT", f"/{lease}/draft", {"key": "key-0000003", "visit": "w", **said, "base": 0}),
        lambda: ana.submit(lease, "key-0000004", answers={**ANSWERS, "comment": LONG}),
    ]
    for send in sent:
        answer = send()
        assert answer.status_code == 507
        assert answer["Retry-After"] == "30"
        assert answer.json()["errors"][0]["rule"] == "disk_full"
        assert "disk of the server is full" in answer.json()["errors"][0]["what"]
    assert Revision.objects.count() == 1
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA max_page_count = 1000000")
    assert [send().status_code for send in sent] == [200, 200, 200]
    assert Revision.objects.count() == 4


@pytest.mark.any_database
def test_the_cause_is_told_in_the_annotators_language(
    full: Callable[[], None], ana: Caller, lease: str, link: Invitation
) -> None:
    """What the work page shows comes from the server in the language that the annotator reads."""
    assert link.annotator is not None
    link.annotator.language = "es"
    link.annotator.save()
    full()
    refused = ana.draft(lease, answers={**ANSWERS, "comment": LONG}).json()["errors"][0]
    assert refused["what"].startswith("El disco del servidor está lleno")


@pytest.mark.any_database
def test_pages_on_a_full_disk_say_so(
    full: Callable[[], None], as_: Callable[[str], Client], study: Study, door: str, lease: str
) -> None:
    """A researcher's form and an annotator's page without script answer 507 with the cause and what to do."""
    client = as_("owner")
    full()
    form = {f"{lease}.key": "key-of-the-form", **{f"{lease}.{name}": value for name, value in ANSWERS.items()}}
    names = "\n".join(f"person {number} {LONG[:150]}" for number in range(99))
    sent = [
        client.post(f"/s/{study.pid}/invite/people/", {"names": names}),
        Client().post(f"{door}work/{lease}/", {**form, f"{lease}.comment": LONG}),
    ]
    for answer in sent:
        assert answer.status_code == 507
        assert "disk of the server is full" in answer.content.decode()
        assert "not saved" in answer.content.decode()


@pytest.mark.any_database
def test_the_api_for_researchers_says_so_too(full: Callable[[], None], study: Study, people: dict[str, Any]) -> None:
    """Scripts get the same status and cause, and what they sent is not half there."""
    api = ApiClient(people["owner"])
    full()
    items = [{"fields": {"source": LONG, "rewrite": LONG}} for _ in range(20)]
    status, told = api.call("post", f"/studies/{study.pid}/items", {"items": items})
    assert (status, told["errors"][0]["rule"], bool(told["errors"][0]["fix"])) == (507, "disk_full", True)
    assert study.items.count() == 6


@pytest.mark.any_database
def test_a_session_that_cannot_be_saved_is_told(full: Callable[[], None], people: dict[str, Any]) -> None:
    """Signing in writes a session after the page is made: that is answered in the same way."""
    from django.contrib.sessions.models import Session

    client = Client(raise_request_exception=False)
    people["owner"].set_password("a long passphrase")
    people["owner"].save()
    full()
    for size in (700, 40):
        with suppress(OperationalError):
            for number in range(2000):
                key = f"filler-{size}-{number}"
                Session.objects.create(session_key=key, session_data="x" * size, expire_date=NOW)
    answer = client.post("/sign-in/", {"username": "owner", "password": "a long passphrase"})
    assert answer.status_code == 507
    assert "disk of the server is full" in answer.content.decode()


@pytest.mark.any_database
@pytest.mark.parametrize(
    ("error", "status"),
    [
        (OSError(errno.ENOSPC, "No space left on device"), 507),
        (OSError(errno.EDQUOT, "Disk quota exceeded"), 507),
        (OSError(errno.EROFS, "Read-only file system"), 503),
        (OSError(errno.ENOENT, "No such file"), 0),
        (OperationalError("database is locked"), 503),
        (DatabaseError("database disk image is malformed"), 503),
        (IntegrityError("UNIQUE constraint failed"), 0),
        (ValueError("ours"), 0),
    ],
)
def test_causes(home: Path, error: Exception, status: int) -> None:
    """A disk or a database that fails is told apart from our own mistakes, which stay mistakes."""
    from rubrica.studio.storage import cause_of

    cause = cause_of(error)
    assert (cause.status if cause else 0) == status


def test_a_database_that_only_reads_is_told(home: Path, study: Study, people: dict[str, Any]) -> None:
    """Where the database takes no writes, saving answers 503 with the cause, on both databases."""
    api = ApiClient(people["owner"])
    switch = "PRAGMA query_only = {}" if connection.vendor == "sqlite" else "SET default_transaction_read_only = {}"
    with connection.cursor() as cursor:
        cursor.execute(switch.format("on"))
    try:
        assert api.call("patch", f"/studies/{study.pid}", {"title": "New"})[0] == 503
        health = Client().get("/health")
        assert (health.status_code, health.json()["cause"]) == (503, "database")
    finally:
        with connection.cursor() as cursor:
            cursor.execute(switch.format("off"))
    with transaction.atomic():
        assert Client().get("/health").status_code == 200
