"""What holds for every address: roles before bodies, which hosts are answered, what browsers may keep."""

from __future__ import annotations

import gzip
import re
from base64 import b64encode
from collections.abc import Callable, Iterator
from hashlib import sha256
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest
from django.test import Client, override_settings
from django.urls import reverse

from rubrica.studio.logs import routes
from tests.studio.api_client import ApiClient

if TYPE_CHECKING:
    from rubrica.store.models import Invitation, Study

BELOW = {"viewer": "", "adjudicator": "viewer", "manager": "adjudicator", "owner": "manager"}
"""The role below each: the one who may do most of those who may not."""


class Untouched:
    """A body that nobody may read."""

    def read(self, *_: Any) -> bytes:
        raise AssertionError("the body was read before it was clear who sent it")

    readline = read


class Operation(NamedTuple):
    """An operation of the API: its address with ids that could exist, and the role it wants in the study."""

    method: str
    path: str
    wanted: str


def operations(study: str) -> Iterator[Operation]:
    """Every operation of the API."""
    from rubrica.studio.api.urls import api

    for router in api._get_bound_routers():
        for path, view in router.path_operations.items():
            for operation in view.operations:
                whole = f"/api/v1{router.prefix}{path}"
                filled = whole.replace("{study}", study).replace("{action}", "pause")
                filled = re.sub(r"\{\w+\}", "0123456789abcdef", filled)
                wanted = _wanted(operation.auth_callbacks)
                assert wanted or "{study}" not in whole, f"{whole} says nobody's role"
                for method in operation.methods:
                    yield Operation(method, filled, wanted)


def _wanted(callbacks: Any) -> str:
    found = {getattr(getattr(one, "_admit", None), "keywords", {}).get("wanted", "") for one in callbacks}
    assert len(found) <= 1
    return str(found.pop()) if found else ""


def send(client: Client, operation: Operation, **more: Any) -> int:
    """The status of a request whose body must not be read."""
    body = {"wsgi.input": Untouched(), "CONTENT_LENGTH": "1000", "CONTENT_TYPE": "application/json"}
    return client.generic(operation.method, operation.path, **body, **more).status_code


def test_nobody_is_asked_for_a_body(study: Study) -> None:
    """Without a token, or with one that is nobody's, every operation answers 401 and has read nothing."""
    found = list(operations(study.pid))
    assert len(found) > 80
    for operation in found:
        assert send(Client(), operation) == 401, operation
        assert send(Client(), operation, headers={"Authorization": "Bearer wrong"}) == 401, operation


def test_a_role_is_looked_at_before_the_body(
    study: Study, people: dict[str, Any], as_: Callable[[str], Client]
) -> None:
    """Strangers find nothing, members without the role are refused, by token and session, and nothing was read."""
    clients = {name: ApiClient(people[name]).client for name in people}
    tried = 0
    for operation in operations(study.pid):
        if not operation.wanted:
            continue
        assert send(clients["stranger"], operation) == 404, operation
        below = BELOW[operation.wanted]
        if below and not operation.path.endswith("/restore"):
            tried += 1
            assert send(clients[below], operation) == 403, operation
            assert send(as_(below), operation) == 403, operation
    assert tried > 40


def test_administrators_are_known_before_the_body(people: dict[str, Any], as_: Callable[[str], Client]) -> None:
    """Who is none is refused, whatever was sent."""
    refused = {send(as_("owner"), one) for one in operations("x") if one.path.startswith("/api/v1/accounts")}
    assert refused == {403}


def test_an_ended_link_is_told_before_what_is_wrong_with_the_body(link: Invitation, door: str) -> None:
    """A draft that no schema fits, sent through a revoked link, hears of the link."""
    from rubrica.store.people.invitations import revoke
    from tests.studio.conftest import NOW

    token = door.split("/")[2]
    revoke(link, NOW)
    for path, method in (("0123456789abcdef/draft", "PUT"), ("submit", "POST")):
        answer = Client().generic(
            method, f"/api/v1/work/{path}", "{", "application/json", headers={"Authorization": f"Bearer {token}"}
        )
        assert answer.status_code == 410


def test_pages_look_at_the_role_before_the_form(study: Study, as_: Callable[[str], Client]) -> None:
    """A form of somebody without the role is not read, not even for its token; of others a forged one is refused."""
    forms = [
        reverse("run_study", args=[study.pid]),
        reverse("members_add", args=[study.pid]),
        reverse("switch_account"),
    ]
    for address in forms:
        client = as_("viewer")
        client.handler.enforce_csrf_checks = True
        client.cookies["csrftoken"] = "x" * 32
        assert send(client, Operation("POST", address, "")) == 403
    owner = as_("owner")
    owner.handler.enforce_csrf_checks = True
    assert "came from elsewhere" in owner.post(forms[0], {"action": "pause"}).content.decode()


@pytest.mark.any_database
@pytest.mark.parametrize("host", ["evil.example", "studio.example.evil.example", "bad host"])
def test_the_work_api_answers_to_its_own_name_only(home: Any, host: str) -> None:
    """A request for another host is refused in the same way on the short way as everywhere else."""
    paths = ["/api/v1/work/next", "/api/v1/work/0123456789abcdef/draft", "/api/v1/work/submit", "/api/v1/me"]
    with override_settings(ALLOWED_HOSTS=["studio.example"]):
        for path in paths:
            for method in ("GET", "PUT", "POST"):
                answer = Client(headers={"Host": host}).generic(method, path, "{}", "application/json")
                assert answer.status_code == 400, (method, path)
                assert answer.json()["errors"]
        assert Client(headers={"Host": "studio.example"}).get("/api/v1/work/next").status_code == 401


def test_nothing_personal_is_kept_by_browsers(study: Study, door: str, as_: Callable[[str], Client]) -> None:
    """Every address, for researchers, annotators and programs, says that its answer must not be stored."""
    given = {"study": study.pid, "token": door.split("/")[2], "protocol": "breve", "number": "1", "at": "1"}
    client = as_("owner")
    seen = {}
    for route in routes():
        if route == "w/worker.js":
            continue
        filled = re.sub(r"<(?:[^>:]+:)?([^>]+)>", lambda part: given.get(part[1], "0123456789abcdef"), route)
        answer = client.get(f"/{filled}")
        assert "no-store" in answer.headers.get("Cache-Control", ""), route
        seen[answer.status_code] = seen.get(answer.status_code, 0) + 1
    assert seen[200] > 30
    assert "no-store" in Client().get("/nothing/here/").headers["Cache-Control"]


@pytest.mark.any_database
def test_what_is_no_secret_may_be_kept(home: Any) -> None:
    """Scripts and styles hold for as long as they say; the service worker is asked for anew each time."""
    assert "no-store" not in Client().get("/static/rubrica/base.css").headers["Cache-Control"]
    assert Client().get("/w/worker.js").headers["Cache-Control"] == "no-cache"


@pytest.mark.any_database
def test_browsers_are_told_to_come_by_https(home: Any) -> None:
    """Where people come by HTTPS, and only there, the answer tells the browser to do so from now on."""
    with override_settings(SECURE_HSTS_SECONDS=60):
        assert Client().get("/sign-in/", secure=True).headers["Strict-Transport-Security"] == "max-age=60"
        assert "Strict-Transport-Security" not in Client().get("/sign-in/").headers


def test_the_style_in_a_work_page_is_the_one_that_its_policy_allows(door: str) -> None:
    """A work page has its style in itself, by its hash; nothing else may be written into the page."""
    response = Client().get(f"{door}work/")
    style = response.content.decode().partition("<style>")[2].partition("</style>")[0]
    digest = b64encode(sha256(style.encode()).digest()).decode()
    assert len(style) > 10_000
    assert f"style-src 'self' 'sha256-{digest}'; " in response["Content-Security-Policy"]


def test_a_work_page_is_compressed_where_that_is_understood(door: str) -> None:
    """It is sent in a third of its size to a browser that says so, and as it is to others."""
    plain = Client().get(f"{door}work/")
    packed = Client(headers={"Accept-Encoding": "gzip"}).get(f"{door}work/")
    assert packed["Content-Encoding"] == "gzip"
    assert 3 * len(packed.content) < len(gzip.decompress(packed.content))
    assert "Content-Encoding" not in plain.headers
