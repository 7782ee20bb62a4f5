"""Who may use the API: token or session, strangers, roles, one shape for every refusal."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from tests.studio.api_client import ApiClient
from tests.studio.conftest import NOW

READ = [
    "",
    "/settings",
    "/checks",
    "/readiness",
    "/arithmetic",
    "/items",
    "/members",
    "/annotators",
    "/judgements",
    "/flags",
    "/notes",
    "/exports",
    "/quality",
    "/results",
    "/metrics",
    "/payments",
    "/payments/accounts",
    "/jobs",
]
MANAGE: list[tuple[str, str, Any]] = [
    ("patch", "", {"title": "New"}),
    ("post", "/state/pause", {}),
    ("patch", "/settings", {"ahead": 4}),
    ("put", "/parameters", {"parameters": {}}),
    ("post", "/time", {"hours": 1}),
    ("patch", "/checks", {"duplicates": 0.0}),
    ("post", "/versions/check", {"yaml": "id: x"}),
    ("post", "/versions", {"yaml": "id: x"}),
    ("post", "/items", {"items": [{"fields": {"source": "a", "rewrite": "b"}}]}),
    ("post", "/items/review", {"fine": []}),
    ("delete", "/metrics/bleu", None),
    ("get", "/invitations", None),
    ("post", "/invitations", {"kind": "open"}),
]


def test_a_token_says_who_one_is(people: dict[str, Any]) -> None:
    """The answer names the account of the token, and how many studies it sees."""
    assert ApiClient(people["viewer"]).get("/me") == {"name": "viewer", "administrator": False, "studies": 1}


@pytest.mark.parametrize("token", ["", "rub_wrong", "Ünïcode", "rub_" + "x" * 500])
def test_nobody_is_401(people: dict[str, Any], token: str) -> None:
    """Without a token, or with one that is unknown, nothing is told."""
    client = Client(headers={"Authorization": f"Bearer {token}"} if token else {})
    answer = client.get("/api/v1/studies")
    assert answer.status_code == 401
    assert answer.json()["errors"][0]["rule"] == "token"
    assert answer["WWW-Authenticate"] == "Bearer"


def test_a_revoked_token_is_nobody(people: dict[str, Any]) -> None:
    """Revoking a token is felt by the next request."""
    client = ApiClient(people["owner"])
    row = client.get("/tokens")["results"][0]
    client.send("delete", f"/tokens/{row['id']}")
    assert client.call("get", "/me")[0] == 401


def test_a_wrong_token_is_not_mended_by_a_session(as_: Callable[[str], Client]) -> None:
    """Whoever sends a token means to use it."""
    answer = as_("owner").get("/api/v1/me", headers={"Authorization": "Bearer rub_wrong"})
    assert answer.status_code == 401


def test_a_session_needs_the_csrf_token_to_change_something(people: dict[str, Any], study: Any) -> None:
    """Reading works with the cookie alone; changing needs the header that no other site can send."""
    client = Client(enforce_csrf_checks=True)
    client.force_login(people["owner"])
    address = f"/api/v1/studies/{study.pid}"
    assert client.get(address).status_code == 200
    change = {"path": address, "data": {"title": "New"}, "content_type": "application/json"}
    refused = client.patch(**change)
    assert refused.status_code == 403
    assert "X-CSRFToken" in refused.json()["errors"][0]["what"]
    client.get("/account/")
    csrf = client.cookies["csrftoken"].value
    assert client.patch(**change, headers={"X-CSRFToken": csrf}).status_code == 200


def test_tokens_are_made_only_in_a_session(people: dict[str, Any], as_: Callable[[str], Client]) -> None:
    """A stolen token cannot make others that outlive it."""
    from rubrica.store.people import tokens

    assert ApiClient(people["owner"]).call("post", "/tokens", {"name": "more"})[0] == 401
    made = as_("owner").post("/api/v1/tokens", {"name": "script"}, content_type="application/json")
    assert made.status_code == 201
    assert ApiClient(token=made.json()["token"]).get("/me")["name"] == "owner"
    assert tokens.user_of(made.json()["token"]) == people["owner"]


@pytest.mark.parametrize("path", READ)
def test_members_read_and_strangers_find_nothing(people: dict[str, Any], study: Any, path: str) -> None:
    """A viewer may read everything of a study that is no secret; for a stranger it does not exist."""
    assert ApiClient(people["viewer"]).call("get", f"/studies/{study.pid}{path}")[0] == 200
    assert ApiClient(people["stranger"]).call("get", f"/studies/{study.pid}{path}")[0] == 404


@pytest.mark.parametrize(("method", "path", "body"), MANAGE)
def test_managing_needs_the_role(people: dict[str, Any], study: Any, method: str, path: str, body: Any) -> None:
    """What changes a study is refused to viewers and adjudicators (403) and unknown to strangers (404)."""
    address = f"/studies/{study.pid}{path}"
    assert ApiClient(people["viewer"]).call(method, address, body)[0] == 403
    assert ApiClient(people["adjudicator"]).call(method, address, body)[0] == 403
    assert ApiClient(people["stranger"]).call(method, address, body)[0] == 404


@pytest.mark.parametrize(("method", "path"), [("delete", ""), ("put", "/members/stranger"), ("post", "/transfer")])
def test_owning_needs_the_owner(people: dict[str, Any], study: Any, method: str, path: str) -> None:
    """Deleting, the team and transferring are the owner's."""
    body = {"put": {"role": "viewer"}, "post": {"name": "manager"}}.get(method)
    assert ApiClient(people["manager"]).call(method, f"/studies/{study.pid}{path}", body)[0] == 403


@pytest.mark.parametrize("pid", ["nothing", "%00", "%ED%A0%80", "a%2Fb", "ñ", "0" * 400])
def test_bad_ids_are_nothing(people: dict[str, Any], study: Any, pid: str) -> None:
    """Ids that were never made lead nowhere, however strange they are."""
    client = ApiClient(people["owner"])
    for path in (pid, f"{study.pid}/items/{pid}", f"{study.pid}/annotators/{pid}", f"{study.pid}/exports/{pid}/file"):
        assert client.call("get", f"/studies/{path}")[0] == 404


def test_wrong_methods_and_broken_bodies_have_the_same_shape(people: dict[str, Any], study: Any) -> None:
    """405, 400 and 422 answer as every other refusal does."""
    client = ApiClient(people["owner"])
    assert client.call("put", f"/studies/{study.pid}", {})[0] == 405
    broken = client.client.patch(f"/api/v1/studies/{study.pid}", "{", content_type="application/json")
    assert broken.status_code == 400
    assert broken.json()["errors"]
    for body in ({"title": 5}, {}, {"title": "x", "more": 1}, {"title": "\u0000"}, {"title": " "}):
        assert client.call("patch", f"/studies/{study.pid}", body)[0] == 422


def test_an_unknown_address_has_the_same_shape(people: dict[str, Any]) -> None:
    """What is no endpoint answers 404 as the API does."""
    assert ApiClient(people["owner"]).call("get", "/nothing/here")[0] == 404


def test_used_tokens_are_noted(people: dict[str, Any]) -> None:
    """The account page can say when a token was used last."""
    from rubrica.store.people import tokens

    made = tokens.make(people["owner"], "noted", NOW)
    ApiClient(token=made.token).get("/me")
    made.row.refresh_from_db()
    assert made.row.used_at is not None


def test_accounts_are_the_administrators(people: dict[str, Any], as_: Callable[[str], Client]) -> None:
    """Others are refused; links that open an account need a session, so that no stolen token can make one."""
    assert ApiClient(people["owner"]).call("get", "/accounts")[0] == 403
    people["owner"].is_superuser = True
    people["owner"].save()
    client = ApiClient(people["owner"])
    assert client.get("/accounts", limit=2)["count"] == 5
    assert client.send("patch", "/accounts/viewer", {"active": False})["active"] is False
    assert client.send("patch", "/accounts/viewer", {"active": True})["active"] is True
    assert client.call("patch", "/accounts/owner", {"active": False})[0] == 422
    assert client.call("patch", "/accounts/nobody", {"active": False})[0] == 404
    assert client.call("post", "/accounts", {"name": "new"})[0] == 401
    assert client.call("post", "/accounts/viewer/password-link")[0] == 401
    session = as_("owner")
    made = session.post("/api/v1/accounts", {"name": "new"}, content_type="application/json")
    assert "/sign-up/" in made.json()["link"]
    assert "/new-password/" in session.post("/api/v1/accounts/viewer/password-link").json()["link"]
    assert as_("viewer").post("/api/v1/accounts/owner/password-link").status_code == 403
