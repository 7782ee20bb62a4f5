"""What is made to break the studio, at its other entrances: refused where it is sent, in the shape of the place."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from tests import hostile
from tests.studio.api_client import ApiClient

if TYPE_CHECKING:
    from rubrica.store.models import Study

pytestmark = pytest.mark.own_process


@pytest.fixture
def owner(people: dict[str, Any]) -> ApiClient:
    """The owner's script."""
    return ApiClient(people["owner"])


def test_metadata_of_a_name_each_is_a_table_too_wide(owner: ApiClient, study: Study) -> None:
    """Items in a request are a table as well: each with a name of its own they would be millions of cells."""
    items = [{"fields": {"source": "a", "rewrite": "b"}, "metadata": {f"k{number}": "x"}} for number in range(1_500)]
    status, found = owner.call("post", f"/studies/{study.pid}/items", {"items": items})
    assert status == 422
    assert [error["rule"] for error in found["errors"]] == ["size"]
    assert "RUBRICA_MAX_COLUMNS" in found["errors"][0]["fix"]


def test_thousands_of_wrong_items_are_a_hundred_errors(owner: ApiClient, study: Study) -> None:
    """Whether the schema refuses them or the protocol, the answer lists as many as a file's."""
    for items in ([{"fields": 1}] * 2_000, [{"fields": {"nothing": "x"}}] * 2_000):
        status, found = owner.call("post", f"/studies/{study.pid}/items", {"items": items})
        assert status == 422
        assert len(found["errors"]) == 100
        assert found["errors"][-1]["rule"] == "more_problems"
        assert found["errors"][-1]["value"] >= 1_901


@pytest.mark.parametrize("depth", [500, 100_000])
def test_endless_nesting_is_no_body(owner: ApiClient, study: Study, depth: int) -> None:
    """A body that is nested without end is refused as one that is no JSON."""
    body = '{"items": ' + "[" * depth + "]" * depth + "}"
    answer = owner.client.post(f"/api/v1/studies/{study.pid}/items", body, content_type="application/json")
    assert answer.status_code == 400
    assert answer.json()["errors"][0]["rule"] == "form"


def test_endless_nesting_from_an_annotator_is_no_answer(study: Study, door: str) -> None:
    """Pages that take answers as JSON refuse it as they refuse what is no JSON."""
    study.options["steps"]["practice"] = True
    study.save()
    statuses = [
        Client().post(f"{door}practice/1/1/", body, content_type="application/json").status_code
        for body in ("{", "[" * 100_000, "[" * 500 + "]" * 500)
    ]
    assert len(set(statuses)) == 1
    assert statuses[0] < 500


def test_gold_that_is_made_to_break_is_told_on_its_page(
    as_: Callable[[str], Client], study: Study, tmp_path: Path
) -> None:
    """The file is named as its sender calls it, and nothing is planted."""
    study.stages.update(state="draft")
    data = hostile.corners(tmp_path / "gold.xlsx").read_bytes()
    form = {"action": "gold", "gold": SimpleUploadedFile("gold.xlsx", data)}
    answer = as_("owner").post(f"/s/{study.pid}/setup/quality/", form)
    assert answer.status_code == 422
    text = answer.content.decode()
    assert "gold.xlsx:Items!XFD1048576" in text
    assert "RUBRICA_MAX_COLUMNS" in text


def test_items_for_a_running_study_are_bounded_too(as_: Callable[[str], Client], study: Study, tmp_path: Path) -> None:
    """The page for further items shows why a file cannot be added, and offers nothing to confirm."""
    client, address = as_("owner"), f"/s/{study.pid}/items/add/"
    data = hostile.many_rows(tmp_path / "more.parquet").read_bytes()
    form = {"action": "upload", "file": SimpleUploadedFile("more.parquet", data)}
    assert client.post(address, form).status_code == 302
    text = client.get(address).content.decode()
    assert "more.parquet" in text
    assert "1,000,000 rows" in text
    assert 'value="confirm"' not in text
    assert client.post(address, {"action": "confirm"}).status_code == 302
    assert study.items.count() == 6


def test_a_version_that_is_made_to_break_is_told_on_its_page(as_: Callable[[str], Client], study: Study) -> None:
    """The page of versions reads protocols as the others do."""
    text = hostile.unknown_keys(3_000).encode()
    form = {"action": "upload", "file": SimpleUploadedFile("mine.yaml", text)}
    answer = as_("owner").post(f"/s/{study.pid}/new-version/", form)
    assert answer.status_code == 422
    shown = answer.content.decode()
    assert shown.count("<li>") < 200
    assert "more problems are not listed" in shown


def test_a_file_that_brought_its_reader_down_is_not_tried_again(
    as_: Callable[[str], Client], study: Study, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The page says so once; then it is as if no file had been sent."""
    study.stages.update(state="draft")
    monkeypatch.setenv("RUBRICA_READER_MB", "200")
    client, address = as_("owner"), f"/s/{study.pid}/setup/items/"
    data = hostile.long_lists(tmp_path / "lists.parquet", 40_000_000).read_bytes()
    client.post(address, {"action": "upload", "file": SimpleUploadedFile("lists.parquet", data)})
    assert "takes more than 200 MB of memory" in client.get(address).content.decode()
    assert "lists.parquet" not in client.get(address).content.decode()
