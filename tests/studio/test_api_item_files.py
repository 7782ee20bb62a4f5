"""Items sent to the API as a file: every format, the columns told, every problem with its line."""

from __future__ import annotations

from typing import Any

import pytest

from tests.making import table_bytes
from tests.studio.api_client import ApiClient


@pytest.fixture
def owner(people: dict[str, Any]) -> ApiClient:
    """The owner's client."""
    return ApiClient(people["owner"])


@pytest.mark.own_process
@pytest.mark.parametrize("ending", ["csv", "tsv", "jsonl", "xlsx", "parquet"])
def test_items_come_from_a_file_of_any_format(owner: ApiClient, study: Any, ending: str) -> None:
    """The file is read as elsewhere; the answer says which column was taken for what, and undoes it."""
    content = table_bytes(ending, {"Original text": ["A b."], "System output": ["B."], "corpus": ["news"]})
    found = owner.upload(f"/studies/{study.pid}/items/file", f"more.{ending}", content)
    assert found["columns"] == {"source": "Original text", "rewrite": "System output"}
    assert (found["unused"], found["added"], found["after"]) == (["corpus"], 1, 6)
    item = study.items.order_by("position").last()
    assert (item.fields, item.metadata) == ({"source": "A b.", "rewrite": "B."}, {"corpus": "news"})
    undo = {"added": found["added"], "after": found["after"]}
    assert owner.send("post", f"/studies/{study.pid}/items/take-back", undo) == {"removed": 1}


def test_systems_side_by_side_come_from_a_file(owner: ApiClient, study: Any) -> None:
    """Named as with --map, or told by their texts; the answer says which columns are systems and why."""
    words = ("bridge", "pool", "museum")
    table = {
        "source": [f"The {word} was closed to the public." for word in words],
        "A": [f"The {word} was shut." for word in words],
        "B": [f"The {word} was closed." for word in words],
    }
    found = owner.upload(f"/studies/{study.pid}/items/file", "wide.xlsx", table_bytes("xlsx", table))
    assert (found["added"], found["systems"]) == (6, ["A", "B"])
    assert "resemble" in found["guessed"]["rewrite"]
    sent = {"columns": ["rewrite=A,B"]}
    found = owner.upload(f"/studies/{study.pid}/items/file", "wide.csv", table_bytes("csv", table), **sent)
    assert (found["added"], found["systems"], found["guessed"]) == (6, ["A", "B"], {})
    assert study.items.order_by("position").last().system == "B"


def test_a_file_replaces_the_items_of_a_draft(owner: ApiClient) -> None:
    """Columns can be named and the header be missing; a running study keeps its items."""
    study = owner.send("post", "/studies", {"title": "From a file", "protocol": "breve"})
    address = f"/studies/{study['id']}/items/file/replace"
    sent = {"columns": ["source=2", "rewrite=1"], "header": "false"}
    found = owner.upload(address, "items.csv", b"B.,A b.\nD.,C d.\n", **sent)
    assert (found["items"], found["columns"], found["unused"]) == (2, {"source": "2", "rewrite": "1"}, [])
    assert owner.get(f"/studies/{study['id']}/items")["results"][1]["fields"] == {"source": "C d.", "rewrite": "D."}
    launch = {"attested": ["review", "ethics"], "consents_read": ["es"]}
    owner.send("post", f"/studies/{study['id']}/state/launch", launch)
    assert owner.upload(address, "items.csv", b"source,rewrite\na,b\n", status=422)["errors"][0]["rule"] == "launched"


@pytest.mark.parametrize(
    ("name", "content", "sent", "rule", "line"),
    [
        ("items.csv", b"source,rewrite\na,b\nc,\n", {}, "required", 3),
        ("items.csv", b"source,guess\na,b\n", {}, "columns", 1),
        ("items.csv", b"\xff\xfea", {}, "encoding", 1),
        ("items.pdf", b"%PDF", {}, "format", None),
        ("items.csv", b"source,rewrite\na,b\n", {"columns": ["source"]}, "option", None),
        ("", b"", {}, "file", None),
    ],
)
def test_a_file_that_cannot_be_used_is_refused_with_its_lines(
    owner: ApiClient, study: Any, name: str, content: bytes, sent: dict[str, Any], rule: str, line: int | None
) -> None:
    """In the one shape of errors, under the name that the sender gave it; nothing is added."""
    found = owner.upload(f"/studies/{study.pid}/items/file", name, content, status=422, **sent)["errors"]
    assert [(one["rule"], one["line"]) for one in found] == [(rule, line)]
    if rule == "columns":
        assert "columns=rewrite=COLUMN (or header=false)" in found[0]["fix"]
    assert study.items.count() == 6


def test_files_are_taken_from_managers_up_to_the_limit_of_the_pages(
    owner: ApiClient, study: Any, people: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A larger one is read away and told; a broken form is no form."""
    address = f"/studies/{study.pid}/items/file"
    good = b"source,rewrite\na,b\n"
    assert ApiClient(people["viewer"]).upload(address, "items.csv", good, status=403)
    assert ApiClient(people["stranger"]).upload(address, "items.csv", good, status=404)
    monkeypatch.setenv("RUBRICA_MAX_MB", "1")
    (larger,) = owner.upload(address, "items.csv", good + b"x" * 1_000_000, status=422)["errors"]
    assert (larger["rule"], larger["file"]) == ("size", "items.csv")
    broken = owner.client.post(f"/api/v1{address}", b"x", content_type="multipart/form-data; boundary=")
    assert (broken.status_code, broken.json()["errors"][0]["rule"]) == (400, "form")
