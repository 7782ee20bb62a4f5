"""The page of exports: choosing, watching, fetching; who may, and what happens when it is sent twice."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from rubrica.exchange.exports import Wanted
from tests.studio.api_client import ApiClient
from tests.studio.conftest import NOW

KEY = "k" * 16


@pytest.fixture
def address(study: Any, link: Any) -> str:
    """The page of a study in which ana has judged one item."""
    from rubrica.core.study import Judgement
    from rubrica.store.allocation import leases
    from rubrica.store.recording import judgements

    lease = leases.take(link.annotator, study.stages.get(), NOW).leases[0]
    judgements.submit([judgements.Said(lease, "first-key", Judgement({}, (), "uncomfortable"))], NOW)
    return f"/s/{study.pid}/export/"


def test_a_small_export_is_ready_at_once(as_: Callable[[str], Client], address: str) -> None:
    """After sending the form the list has a download link and the signature beside it."""
    client = as_("viewer")
    assert "Export the judgements" in client.get(address).content.decode()
    answer = client.post(address, {"format": "csv", "key": KEY})
    assert answer.status_code == 302
    page = client.get(answer.headers["Location"]).content.decode()
    assert 'value="csv" checked' in page
    assert "protocol:breve" in page
    file = client.get(f"{address}{KEY}/file/")
    assert file.status_code == 200
    assert file["Content-Type"].startswith("text/csv")
    assert "ana" in file.getvalue().decode()


def test_page_api_and_command_line_write_the_same_bytes(
    as_: Callable[[str], Client], address: str, study: Any, people: Any, rubrica: Callable[..., Any], tmp_path: Path
) -> None:
    """A file carries no time or machine of its own: what was checked once is checked everywhere."""
    for number, form in enumerate(("xlsx", "parquet", "csv", "jsonl")):
        key = KEY[1:] + str(number)
        as_("viewer").post(address, {"format": form, "key": key})
        by_page = as_("viewer").get(f"{address}{key}/file/").getvalue()
        api = ApiClient(people["viewer"])
        made = api.send("post", f"/studies/{study.pid}/exports", {"format": form})
        by_api = api.client.get(made["file"].removeprefix("http://testserver")).getvalue()
        file = tmp_path / f"out.{form}"
        assert rubrica("export", study.name, "--format", form, "-o", file).code == 0
        assert by_page == by_api == file.read_bytes(), form


def test_safe_cells_can_be_asked_for_on_the_page_and_in_the_api(
    as_: Callable[[str], Client], address: str, study: Any, people: Any
) -> None:
    """The box on the page and the key of the API make the same safe table; refused, the page shows it chosen."""
    study.items.update(fields={"source": "=1+1", "rewrite": "@sum"})
    as_("viewer").post(address, {"format": "csv", "safe_cells": "on", "key": KEY})
    by_page = as_("viewer").get(f"{address}{KEY}/file/").getvalue()
    api = ApiClient(people["viewer"])
    made = api.send("post", f"/studies/{study.pid}/exports", {"format": "csv", "safe_cells": True})
    assert made["safe_cells"] is True
    assert api.client.get(made["file"].removeprefix("http://testserver")).getvalue() == by_page
    assert b",'=1+1,'@sum," in by_page
    assert api.call("post", f"/studies/{study.pid}/exports", {"format": "parquet", "safe_cells": True})[0] == 422
    refused = as_("viewer").post(address, {"format": "jsonl", "safe_cells": "on", "key": KEY[1:] + "z"})
    assert refused.status_code == 422
    assert 'name="safe_cells" checked' in refused.content.decode()


def test_sending_the_form_twice_is_one_export(as_: Callable[[str], Client], address: str) -> None:
    """A double click asks for one file."""
    from rubrica.store.models import Job

    client = as_("owner")
    for _ in range(2):
        client.post(address, {"format": "csv", "key": KEY})
    assert Job.objects.count() == 1
    client.post(address, {"format": "csv", "key": "not a key"})
    assert Job.objects.count() == 2


def test_a_long_export_shows_how_far_it_is(as_: Callable[[str], Client], address: str, study: Any) -> None:
    """While a worker writes, the fragment that the page asks for every second has a progress bar; then none."""
    from rubrica.store.jobs import exporting, jobs

    client = as_("viewer")
    job = exporting.ask(study, Wanted(form="csv"), "rosa", NOW)
    fragment = client.get(f"{address}{job.pid}/", headers={"HX-Request": "true"}).content.decode()
    assert "Waiting" in fragment
    assert 'hx-trigger="every 1s"' in fragment
    held = jobs.claim(NOW)
    assert held is not None
    jobs.progress(held, 500, NOW, total=5000)
    fragment = client.get(f"{address}{job.pid}/", headers={"HX-Request": "true"}).content.decode()
    assert '<progress max="5000" value="500">' in fragment
    assert client.get(f"{address}{job.pid}/file/").status_code == 404
    jobs.fail(held, "Excel holds 32,767 in a cell.", NOW)
    fragment = client.get(f"{address}{job.pid}/", headers={"HX-Request": "true"}).content.decode()
    assert "32,767" in fragment
    assert "every 1s" not in fragment
    assert "The export failed." in fragment


def test_an_old_file_is_said_to_be_gone(as_: Callable[[str], Client], address: str, home: Any) -> None:
    """After a week the row stays, with its signature, and the file is not offered."""
    from rubrica.store.jobs import jobs
    from rubrica.studio.job_worker import clock

    client = as_("viewer")
    client.post(address, {"format": "jsonl", "key": KEY})
    jobs.forget_old(home, clock() + timedelta(days=8))
    page = client.get(address).content.decode()
    assert "File deleted" in page
    assert "protocol:breve" in page
    assert client.get(f"{address}{KEY}/file/").status_code == 404


def test_wrong_choices_are_told(as_: Callable[[str], Client], address: str) -> None:
    """An unknown format or stage is refused with the fix, and nothing is exported."""
    client = as_("owner")
    for form in ({"format": "pdf"}, {}, {"format": "csv", "stage": "nothing"}, {"format": "csv", "stage": "\0"}):
        answer = client.post(address, form)
        assert answer.status_code == 422
        assert 'role="alert"' in answer.content.decode()


def test_excluded_people_can_be_asked_for(as_: Callable[[str], Client], address: str, link: Any) -> None:
    """The choice appears once there is somebody excluded."""
    from rubrica.store.people.annotators import exclude

    client = as_("owner")
    assert 'name="excluded"' not in client.get(address).content.decode()
    exclude(link.annotator, "a reason", NOW)
    assert 'name="excluded"' in client.get(address).content.decode()
    client.post(address, {"format": "csv", "key": KEY, "excluded": "on"})
    assert "excluded:kept" in client.get(address).content.decode()


def test_without_judgements_the_page_says_what_to_do(as_: Callable[[str], Client], study: Any) -> None:
    """An empty study leads to inviting people."""
    page = as_("viewer").get(f"/s/{study.pid}/export/").content.decode()
    assert "nothing to export yet" in page
    assert f"/s/{study.pid}/invite/" in page


def test_strangers_find_nothing(as_: Callable[[str], Client], address: str) -> None:
    """Neither the page, nor a fragment, nor a file; and nobody is asked to sign in."""
    as_("owner").post(address, {"format": "csv", "key": KEY})
    for path in (address, f"{address}{KEY}/", f"{address}{KEY}/file/"):
        assert as_("stranger").get(path).status_code == 404
        assert as_("").get(path).status_code == 302
    assert as_("stranger").post(address, {"format": "csv"}).status_code == 404


def test_an_export_belongs_to_its_study(
    as_: Callable[[str], Client], address: str, make_study: Callable[..., Any], people: dict[str, Any]
) -> None:
    """The id of another study's export leads nowhere, and cannot be used as a key."""
    from rubrica.store.models import Job, Member

    other = make_study(name="other")
    Member.objects.create(study=other, user=people["owner"], role="owner", since=NOW)
    client = as_("owner")
    client.post(address, {"format": "csv", "key": KEY})
    assert client.get(f"/s/{other.pid}/export/{KEY}/file/").status_code == 404
    assert client.post(f"/s/{other.pid}/export/", {"format": "csv", "key": KEY}).status_code == 302
    assert Job.objects.count() == 2


@pytest.mark.parametrize("bad", ["nothing", "%00", "a" * 16])
def test_bad_ids_are_nothing(as_: Callable[[str], Client], address: str, bad: str) -> None:
    """Ids that were never made lead nowhere."""
    client = as_("owner")
    assert client.get(f"{address}{bad}/").status_code == 404
    assert client.get(f"{address}{bad}/file/").status_code == 404


def test_wrong_methods_are_refused(as_: Callable[[str], Client], address: str) -> None:
    """Only the page takes a form."""
    client = as_("owner")
    assert client.put(address).status_code == 405
    assert client.post(f"{address}{KEY}/").status_code == 405
    assert client.post(f"{address}{KEY}/file/").status_code == 405
