"""The life of a study through the API: made, set up, launched, run, deleted and restored; its items, links and team."""

from __future__ import annotations

import json
from typing import Any

import pytest

from rubrica.protocols.catalog import load_shipped, shipped
from tests.studio.api_client import ApiClient

ITEMS = [{"id": f"i{n}", "fields": {"source": f"The {n} gates.", "rewrite": f"Gate {n}."}} for n in range(1, 6)]
NEW = {"title": "My study", "protocol": "breve", "items": ITEMS, "overlap": {"rate": 3}}


@pytest.fixture
def owner(people: dict[str, Any]) -> ApiClient:
    """The owner's client."""
    return ApiClient(people["owner"])


def test_protocols_are_listed_and_read(owner: ApiClient) -> None:
    """Every shipped protocol is there, with its fields, questions and stages."""
    listed = owner.get("/protocols")
    assert [one["id"] for one in listed["results"]] == shipped()
    breve = owner.get("/protocols/breve")
    assert [field["id"] for field in breve["fields"]] == ["source", "rewrite"]
    assert breve["canonical"]["id"] == "breve"
    assert owner.call("get", "/protocols/nothing")[0] == 404


def test_a_protocol_is_checked_without_being_stored(owner: ApiClient) -> None:
    """YAML text gives the protocol, or every problem with its line."""
    status, found = owner.call("post", "/protocols/check", {"yaml": "id: mine\nversion: 1\nfield: []\n"})
    assert status == 422
    assert len(found["errors"]) > 1
    assert all(error["line"] and not error["file"] for error in found["errors"])
    from rubrica.store.models import ProtocolVersion

    assert ProtocolVersion.objects.count() == 1


def test_a_study_is_made_whole_or_not_at_all(owner: ApiClient) -> None:
    """A good body makes a draft that its maker owns; any problem makes nothing."""
    made = owner.send("post", "/studies", NEW)
    assert (made["name"], made["state"], made["role"], made["items"]) == ("my-study", "draft", "owner", 5)
    assert (made["stages"][0]["overlap"], made["wanted"]) == (3, 15)
    replaced = owner.send("put", f"/studies/{made['id']}/items", {"items": ITEMS[:2]})
    assert replaced == {"items": 2, "overlap_changed": []}
    before = owner.get("/studies")["count"]
    bad = [
        {**NEW, "protocol": "nothing"},
        {**NEW, "yaml": "id: x"},
        {**NEW, "overlap": {"nothing": 2}},
        {**NEW, "items": [{"fields": {"source": "a"}}]},
        {**NEW, "items": [{"fields": {"source": "a", "rewrite": "b", "more": "c"}}]},
        {**NEW, "items": [ITEMS[0], ITEMS[0]]},
        {**NEW, "items": [{**ITEMS[0], "metadata": {"source": "x"}}]},
        {**NEW, "name": "my-study"},
        {**NEW, "name": "not a name"},
        {**NEW, "parameters": {"nothing": "x"}},
        {**NEW, "title": ""},
    ]
    for body in bad:
        status, found = owner.call("post", "/studies", body)
        assert status == 422, found
    assert owner.get("/studies")["count"] == before


def _changed(protocol: str, **changes: str) -> str:
    """A shipped protocol as the text of a single file, with some keys changed. JSON is YAML."""
    return json.dumps(json.loads(load_shipped(protocol).canonical) | changes)


@pytest.mark.own_process
def test_a_study_can_run_ones_own_protocol(owner: ApiClient) -> None:
    """YAML text in the body is the protocol."""
    made = owner.send("post", "/studies", {"title": "Own", "yaml": _changed("adequacy_fluency", id="mine")})
    assert made["protocol"] == "mine"


def test_a_draft_is_launched_paused_resumed_closed(owner: ApiClient) -> None:
    """Each action gives the new state; doing it again changes nothing; without items there is no launch."""
    empty = owner.send("post", "/studies", {"title": "Empty", "protocol": "breve"})["id"]
    assert owner.get(f"/studies/{empty}/readiness")["blocks"][0]["rule"] == "no_items"
    said = {"attested": ["review", "ethics"], "consents_read": ["es"]}
    assert owner.call("post", f"/studies/{empty}/state/launch", said)[0] == 422
    assert owner.send("post", f"/studies/{empty}/items", {"items": ITEMS})["added"] == 5
    (consent,) = owner.get(f"/studies/{empty}/readiness")["consents"]
    assert (consent["language"], consent["text"] != consent["original"]) == ("es", True)
    unread = {"attested": ["review", "ethics"], "leave_open": True}
    status, refusal = owner.call("post", f"/studies/{empty}/state/launch", unread)
    assert (status, [problem["rule"] for problem in refusal["errors"]]) == (422, ["consent"])
    unsaid = {"attested": ["review"], "consents_read": ["es"]}
    status, refusal = owner.call("post", f"/studies/{empty}/state/launch", unsaid)
    assert (status, [problem["rule"] for problem in refusal["errors"]]) == (422, ["attest"])
    assert owner.send("post", f"/studies/{empty}/state/launch", said)["state"] == "running"
    for action, state in [
        ("launch", "running"),
        ("launch", "running"),
        ("pause", "paused"),
        ("pause", "paused"),
        ("resume", "running"),
        ("close", "closed"),
        ("reopen", "running"),
    ]:
        assert owner.send("post", f"/studies/{empty}/state/{action}", {})["state"] == state
    assert owner.call("post", f"/studies/{empty}/state/explode", {})[0] == 422
    assert owner.call("post", f"/studies/{empty}/state/pause", {"stage": "nothing"})[0] == 422


def test_a_deleted_study_is_gone_until_it_is_restored(owner: ApiClient, people: dict[str, Any], study: Any) -> None:
    """It is found only in the owner's trash, and comes back whole."""
    owner.send("delete", f"/studies/{study.pid}")
    assert owner.call("get", f"/studies/{study.pid}")[0] == 404
    assert owner.call("delete", f"/studies/{study.pid}")[0] == 404
    assert [one["id"] for one in owner.get("/studies", trash="true")["results"]] == [study.pid]
    assert ApiClient(people["manager"]).get("/studies", trash="true")["count"] == 0
    assert ApiClient(people["manager"]).call("post", f"/studies/{study.pid}/restore")[0] == 403
    assert owner.send("post", f"/studies/{study.pid}/restore")["id"] == study.pid


def test_settings_change_one_by_one(owner: ApiClient, study: Any) -> None:
    """What is not named stays; a wrong value changes nothing."""
    address = f"/studies/{study.pid}/settings"
    before = owner.get(address)
    after = owner.send("patch", address, {"ahead": 7, "payment": {"currency": "EUR", "per_hour": "12.50"}})
    assert after == {**before, "ahead": 7, "payment": {**before["payment"], "currency": "EUR", "per_hour": "12.50"}}
    for bad in ({"ahead": 0}, {"nothing": 1}, {"thanks_text": "\u0000"}, {"payment": {"currency": "euro"}}):
        assert owner.call("patch", address, bad)[0] == 422
    assert owner.get(address) == after


def test_the_body_of_settings_knows_every_setting(home: Any) -> None:
    """A new setting must be put into the API, unless it is set by what happens to the items."""
    from rubrica.exchange.study_options import Options
    from rubrica.studio.api.setup import SettingsIn

    assert Options.model_fields.keys() - SettingsIn.model_fields.keys() == {"duplicates", "targets_placed"}
    assert SettingsIn.model_fields.keys() <= Options.model_fields.keys()


def test_the_arithmetic_is_that_of_the_pages(owner: ApiClient, study: Any) -> None:
    """Items x overlap = judgements, with money as decimal text."""
    payment = {"per_task": {"rate": "0.10"}, "platform_fee": 20, "median_seconds": {"rate": 36}}
    owner.send("patch", f"/studies/{study.pid}/settings", {"payment": payment})
    found = owner.get(f"/studies/{study.pid}/arithmetic", annotators=4)
    assert (found["judgements"], found["annotators"], found["stages"][0]["items"]) == (12, 4, 6)
    assert float(found["total"]) == pytest.approx(1.44)


def test_checks_are_planted(owner: ApiClient, study: Any) -> None:
    """Hidden duplicates and items with known answers, counted apart from the plain ones."""
    address = f"/studies/{study.pid}/checks"
    gold = [{**ITEMS[0], "id": "g1", "answers": {"meaning": 3}}]
    assert owner.send("patch", address, {"duplicates": 0.5, "gold": gold}) == {
        "duplicates": 0.5,
        "duplicate_items": 3,
        "gold_items": 1,
    }
    for bad in ({**gold[0], "answers": {}}, {**gold[0], "answers": {"meaning": 9}}, {**gold[0], "answers": {"x": 1}}):
        assert owner.call("patch", address, {"gold": [bad]})[0] == 422
    assert owner.get(address)["gold_items"] == 1


def test_overlap_time_and_parameters(owner: ApiClient) -> None:
    """The other settings of a stage: more judgements for each item, more time, other parameters."""
    study = owner.send("post", "/studies", {"title": "Two", "protocol": "adequacy_fluency"})
    parameters = owner.get("/protocols/adequacy_fluency")["parameters"]
    address = f"/studies/{study['id']}"
    stage = study["stages"][0]["id"]
    owner.send("put", f"{address}/stages/{stage}/overlap", {"overlap": 5})
    assert owner.get(address)["stages"][0]["overlap"] == 5
    assert owner.call("put", f"{address}/stages/nothing/overlap", {"overlap": 5})[0] == 404
    assert owner.call("put", f"{address}/stages/{stage}/overlap", {"overlap": 0})[0] == 422
    owner.send("put", f"{address}/parameters", {"parameters": {parameters[0]["id"]: "Spanish"}})
    assert owner.get(address)["parameters"] == {parameters[0]["id"]: "Spanish"}
    assert owner.send("post", f"{address}/time", {"hours": 5}) == {"leases": 0}


def test_items_are_paged_filtered_closed_and_reviewed(owner: ApiClient, study: Any) -> None:
    """A list says how many there are in all; closing and reopening are undone by each other."""
    address = f"/studies/{study.pid}/items"
    part = owner.get(address, limit=2, offset=4)
    assert (part["count"], [item["key"] for item in part["results"]]) == (6, ["p5", "p6"])
    assert owner.call("get", address, limit=501)[0] == 422
    assert owner.call("get", address, offset=-1)[0] == 422
    item = owner.get(address, key="p3")["results"][0]
    assert owner.get(f"{address}/{item['id']}")["fields"] == item["fields"]
    assert owner.call("post", f"{address}/{item['id']}/close", {"reason": ""})[0] == 422
    assert owner.send("post", f"{address}/{item['id']}/close", {"reason": "broken"}) == {"changed": True}
    assert owner.send("post", f"{address}/{item['id']}/close", {"reason": "broken"}) == {"changed": False}
    assert owner.get(address, closed="true")["count"] == 1
    assert owner.send("post", f"{address}/{item['id']}/reopen") == {"changed": True}
    found = owner.send("post", f"{address}/review", {"fine": [item["id"]], "left_out": []})
    assert found == {"items": 6, "reviewed": 1, "left_out": 0, "waiting": 5}
    assert owner.call("post", address, {"items": [{**ITEMS[0], "id": "p1"}]})[0] == 422
    assert owner.call("post", address, {"items": [{**ITEMS[0], "id": ""}, ITEMS[1]]})[0] == 422
    added = owner.send("post", address, {"items": [{"fields": ITEMS[0]["fields"]}]})
    assert added == {"added": 1, "after": 6}
    assert owner.send("post", f"{address}/take-back", added) == {"removed": 1}
    assert owner.call("put", address, {"items": ITEMS})[0] == 422


def test_links_are_made_revoked_and_renewed(owner: ApiClient, study: Any) -> None:
    """Personal links keep who has them; a renewed link is another one."""
    address = f"/studies/{study.pid}/invitations"
    made = owner.send("post", address, {"kind": "personal", "names": ["ana", "bo"]})
    again = owner.send("post", address, {"kind": "personal", "names": ["ana"]})
    assert made["results"][0]["link"] == again["results"][0]["link"]
    assert made["results"][0]["link"].startswith("http://testserver/w/")
    door = owner.send("post", address, {"kind": "prolific", "cap": 5, "completion_code": "C1"})["results"][0]
    assert "/join/" in door["link"]
    assert (door["cap"], door["arrivals"], door["completion_code"]) == (5, 0, "C1")
    assert owner.send("put", f"{address}/{door['id']}/cap", {"cap": None})["cap"] is None
    assert owner.call("put", f"{address}/{made['results'][0]['id']}/cap", {"cap": 5})[0] == 404
    revoked = owner.send("post", f"{address}/{door['id']}/revoke")
    assert revoked["revoked_at"]
    renewed = owner.send("post", f"{address}/{door['id']}/renew")
    assert renewed["revoked_at"] is None
    assert renewed["link"] != door["link"]
    assert owner.get(address, kind="personal")["count"] == 2
    for bad in (
        {"kind": "personal"},
        {"kind": "open", "names": ["x"]},
        {"kind": "letter"},
        {"kind": "open", "cap": 0},
        {"kind": "open", "completion_code": "C1"},
        {"kind": "prolific", "completion_code": "not a code"},
        {"kind": "personal", "names": ["a/b"]},
        {"kind": "personal", "names": ["a", "a"]},
    ):
        assert owner.call("post", address, bad)[0] == 422


def test_the_team_is_the_owners(owner: ApiClient, study: Any, people: dict[str, Any]) -> None:
    """Members get roles, are removed, and the study is handed to another."""
    address = f"/studies/{study.pid}/members"
    assert owner.send("put", f"{address}/stranger", {"role": "viewer"})["role"] == "viewer"
    assert owner.send("put", f"{address}/stranger", {"role": "manager"})["role"] == "manager"
    assert owner.call("put", f"{address}/nobody-here", {"role": "viewer"})[0] == 422
    assert owner.call("put", f"{address}/stranger", {"role": "owner"})[0] == 422
    owner.send("delete", f"{address}/stranger")
    assert owner.call("delete", f"{address}/stranger")[0] == 404
    assert owner.call("delete", f"{address}/owner")[0] == 422
    made = owner.send("post", f"/studies/{study.pid}/account-invitations", {"name": "new", "role": "viewer"})
    assert "/sign-up/" in made["link"]
    assert (
        owner.call("post", f"/studies/{study.pid}/account-invitations", {"name": "viewer", "role": "viewer"})[0] == 422
    )
    team = owner.send("post", f"/studies/{study.pid}/transfer", {"name": "manager"})
    assert {one["name"]: one["role"] for one in team["results"]}["manager"] == "owner"


def test_a_new_version_is_looked_at_then_started(owner: ApiClient, study: Any) -> None:
    """The check says what would change; the same version again is refused."""
    newer = _changed("breve", version="99.0")
    address = f"/studies/{study.pid}/versions"
    found = owner.send("post", f"{address}/check", {"yaml": newer})
    assert found["problems"] == []
    assert found["stages"] == [{"stage": "rate", "new": "rate", "begun": False, "judgements": 0}]
    assert owner.send("post", address, {"yaml": newer}) == {"stages": ["rate"]}
    assert owner.call("post", address, {"yaml": newer})[0] == 422
    assert owner.call("post", address, {"yaml": "id: x"})[0] == 422
    assert owner.get(f"/studies/{study.pid}")["version"] == "99.0"


def test_rounds_of_a_course_stay_on_unless_they_are_switched_off(owner: ApiClient) -> None:
    """A study of `salsa` made by the API asks for its onboarding rounds, also after other steps were changed."""
    made = owner.send("post", "/studies", {"name": "edits", "title": "Edits", "protocol": "salsa", "items": ITEMS[:2]})
    address = f"/studies/{made['id']}/settings"
    assert owner.send("patch", address, {"steps": {"profile": False}})["steps"]["qualification"] is True
    assert owner.send("patch", address, {"steps": {"qualification": False}})["steps"]["qualification"] is False
