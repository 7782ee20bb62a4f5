"""A real server is sent what is made to break it, through its pages and its API: it refuses, and goes on answering."""

from __future__ import annotations

import http.client
import json
import os
import uuid
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from django.conf import settings
from django.test import Client

from benchmarks.studio_server import Server, free_port, running, studio
from tests import hostile
from tests.length import some_of
from tests.making import pairs
from tests.studio.conftest import NOW

pytestmark = pytest.mark.own_process

TOKEN = "a" * 32
"""The secret of the forms, in cookie and form alike."""
KINDS = [
    "cells in both corners",
    "one text in every cell",
    "a part that lies about its size",
    "a billion laughs",
    "tags that never end",
    "a date before time",
    "a million rows",
    "millions of values in a cell",
    "a broken footer",
    "a quote that never closes",
    "endless nesting",
    "a key of its own in each line",
]
"""One of each kind: tests/exchange has them all."""
SENT = some_of(KINDS, 0, 7, 10)


class Answer(NamedTuple):
    """What the server said."""

    status: int
    text: str


class Sender(NamedTuple):
    """A researcher who sends files to a running server, as a browser does and as a script does."""

    server: Server
    session: str
    bearer: str
    study: str

    def post(self, address: str, *, api: bool, **fields: Any) -> Answer:
        """Send a form; a path among the fields is a file."""
        boundary = uuid.uuid4().hex
        body = b""
        for name, value in {"csrfmiddlewaretoken": TOKEN, **fields}.items():
            head = f'--{boundary}\r\nContent-Disposition: form-data; name="{name}"'
            if isinstance(value, Path):
                body += f'{head}; filename="{value.name}"\r\n\r\n'.encode() + value.read_bytes() + b"\r\n"
            else:
                body += f"{head}\r\n\r\n{value}\r\n".encode()
        body += f"--{boundary}--\r\n".encode()
        kind = {"Content-Type": f"multipart/form-data; boundary={boundary}"}
        return self.ask("POST", address, body, api=api, **kind)

    def ask(self, method: str, address: str, body: Any = None, *, api: bool, **more: str) -> Answer:
        """One request with what says who we are; its whole answer is read."""
        who = {"Authorization": f"Bearer {self.bearer}"} if api else {"Cookie": self.cookies}
        connection = http.client.HTTPConnection("127.0.0.1", self.server.port, timeout=300)
        connection.request(method, address, body, {**who, **more})
        answer = connection.getresponse()
        return Answer(answer.status, answer.read().decode())

    @property
    def cookies(self) -> str:
        """Session and secret."""
        return f"sessionid={self.session}; csrftoken={TOKEN}"

    def items(self) -> int:
        """How many items the study has."""
        return int(json.loads(self.ask("GET", f"/api/v1/studies/{self.study}/items", api=True).text)["count"])

    def is_well(self) -> bool:
        """Whether the server answers."""
        return self.ask("GET", "/health", api=True).status == 200


@pytest.fixture
def sender(home: Path) -> Iterator[Sender]:
    """The owner of a draft of three pairs, and a server with small limits on memory."""
    from django.contrib.auth.models import User

    from rubrica.home.database import KEY_FILE
    from rubrica.protocols.catalog import load_shipped
    from rubrica.store import studies
    from rubrica.store.models import Member
    from rubrica.store.people import tokens

    # The server must know the session that is made here, whichever home this process began with.
    (home / KEY_FILE).write_text(settings.SECRET_KEY)
    study = studies.create(studies.Plan(name="mine", loaded=load_shipped("breve"), items=pairs(3)), NOW)
    study.stages.update(state="draft")
    owner = User.objects.create(username="owner")
    Member.objects.create(study=study, user=owner, role="owner", since=NOW)
    client = Client()
    client.force_login(owner)
    session = client.cookies["sessionid"].value
    bearer = tokens.make(owner, "test", NOW).token
    url = os.environ.get("DATABASE_URL", "")
    with running(studio(home, free_port(), url, workers=1, RUBRICA_READER_MB="600", RUBRICA_MAX_MB="50")) as server:
        yield Sender(server, session, bearer, study.pid)


def small(make: Callable[[Path], Path], path: Path) -> Path:
    """The file, of a size that is quickly made."""
    sizes: dict[Any, tuple[int, ...]] = {
        hostile.shared_text: (4_000, 30_000),
        hostile.lying_zip: (60,),
        hostile.long_lists: (60_000_000,),
        hostile.open_quote: (11,),
    }
    return make(path, *sizes.get(make, ()))


def workers(server: Server) -> set[int]:
    """The processes below the server's own."""
    return {
        int(one)
        for task in Path(f"/proc/{server.process.pid}/task").glob("*/children")
        for one in task.read_text().split()
    }


def refuses_protocols(sender: Sender, tmp_path: Path) -> None:
    """Sixty thousand unknown keys and aliases that grow: by page and API, with few enough problems, in bounded time."""
    for name in some_of(["unknown keys", "a billion laughs"], 0):
        text = hostile.PROTOCOLS[name]()
        body = json.dumps({"yaml": text})
        answer = sender.ask("POST", "/api/v1/protocols/check", body, api=True, **{"Content-Type": "application/json"})
        errors = json.loads(answer.text)["errors"]
        assert (answer.status, 0 < len(errors) <= 100) == (422, True), name
        assert {error["rule"] for error in errors} <= {"size", "unknown_key", "missing_key", "more_problems"}
        path = tmp_path / "hostile.yaml"
        path.write_text(text, encoding="utf-8")
        page = sender.post("/studies/new/", api=False, title="Mine", protocol="own", file=path)
        assert page.status == 422, name
        assert "hostile.yaml:1" in page.text, name
        assert page.text.count("hostile.yaml") <= 110, name
        assert sender.is_well(), name


def test_whatever_is_sent_the_server_goes_on(sender: Sender, tmp_path: Path) -> None:
    """Each file is refused on the page and by the API with its name and a fix; no worker dies, nothing is added."""
    before = workers(sender.server)
    for number, name in enumerate(SENT):
        ending, make = hostile.TABLES[name]
        path = small(make, tmp_path / f"hostile-{number}{ending}")
        answer = sender.post(f"/api/v1/studies/{sender.study}/items/file", api=True, file=path)
        errors = json.loads(answer.text)["errors"]
        assert (answer.status, 0 < len(errors) <= 100) == (422, True), name
        assert all(error["file"] == path.name and error["rule"] and error["fix"] for error in errors), name
        address = f"/s/{sender.study}/setup/items/"
        assert sender.post(address, api=False, action="upload", file=path).status == 302, name
        page = sender.ask("GET", address, api=False)
        assert page.status == 200, name
        assert path.name in page.text, name
        assert "This file cannot be used as it is" in page.text, name
        assert sender.is_well(), name
        path.unlink()
    refuses_protocols(sender, tmp_path)
    assert sender.items() == 3
    assert workers(sender.server) == before
    log = sender.server.log.read_text()
    assert '"what": "a file could not be read"' in log
    assert "Traceback" not in log
