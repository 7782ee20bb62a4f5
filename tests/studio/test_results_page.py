"""The Results page: computing, watching, showing, fetching; who may, and what becomes of it when people change."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pytest
from django.test import Client

from tests.studio.conftest import NOW
from tests.studio.judging import judge, plain_items

if TYPE_CHECKING:
    from pathlib import Path

    from rubrica.store.models import Job, Study

HTMX = {"HX-Request": "true"}


@pytest.fixture
def judged(study: Study) -> Study:
    """A study in which two annotators have judged every pair."""
    for name in ("ana", "ben"):
        judge(study, name)
    return study


@pytest.fixture
def address(judged: Study) -> str:
    """The page."""
    return f"/s/{judged.pid}/results/"


def _make(study: Study, home: Path) -> Job:
    """Let the worker make the report that is asked for."""
    from rubrica.store.models import Job
    from rubrica.studio.job_worker import do_at_once

    job = Job.objects.filter(study=study, kind="report", state="waiting").get()
    do_at_once(job.pid, home)
    job.refresh_from_db()
    assert job.state == "done", job.error
    return job


def test_results_are_computed_and_shown(as_: Callable[[str], Client], address: str, judged: Study, home: Path) -> None:
    """The page asks for the results by itself, shows how far they are, and then has the report in it."""
    client = as_("viewer")
    first = client.get(address).content.decode()
    assert 'hx-trigger="load' in first
    assert client.post(address).status_code == 302
    assert "every 500ms" in client.get(f"{address}state/", headers=HTMX).content.decode()
    _make(judged, home)
    ready = client.get(f"{address}state/?seen=", headers=HTMX)
    assert ready["HX-Refresh"] == "true"
    page = client.get(address).content.decode()
    assert "from 12 judgements" in page
    assert 'href="./tables/' in page
    assert 'id="ratings"' in page


@pytest.mark.any_database
def test_the_archive_is_the_report_of_the_command_line(
    as_: Callable[[str], Client], address: str, judged: Study, home: Path
) -> None:
    """What is downloaded holds the page, tables in four forms and the signatures; nobody is named in it."""
    client = as_("viewer")
    client.post(address)
    job = _make(judged, home)
    answer = client.get(f"{address}archive/")
    assert answer["Content-Type"] == "application/zip"
    packed = zipfile.ZipFile(io.BytesIO(answer.getvalue()))
    names = {name.partition("/")[2] for name in packed.namelist()}
    assert {"report.html", "signatures.json", "datasheet.md"} <= names
    assert {name.rpartition(".")[2] for name in names if name.startswith("tables/")} == {"csv", "md", "tex", "xlsx"}
    for name in packed.namelist():
        content = packed.read(name)
        assert b"ana" not in content.split() or name.endswith(".png")
    assert job.result["signature"].startswith("hash:")


@pytest.mark.any_database
def test_tables_and_the_single_page_are_served(
    as_: Callable[[str], Client], address: str, judged: Study, home: Path
) -> None:
    """A table is a download; the report as one page may use its own style and nothing else; other names are nothing."""
    client = as_("viewer")
    client.post(address)
    _make(judged, home)
    table = client.get(f"{address}tables/items.csv")
    assert "attachment" in table["Content-Disposition"]
    assert table.content.decode().startswith("system")
    whole = client.get(f"{address}report.html")
    assert "style-src 'unsafe-inline'" in whole["Content-Security-Policy"]
    assert "script-src 'none'" in whole["Content-Security-Policy"]
    for wrong in ("tables/none.csv", "signatures.json", "../secret.key", "tables/../report.html", "charts/"):
        assert client.get(address + wrong).status_code == 404


@pytest.mark.any_database
def test_newer_judgements_are_said_and_computed(
    as_: Callable[[str], Client], address: str, judged: Study, home: Path
) -> None:
    """The head speaks of the figures below it until both change: somebody who reads is asked first."""
    client = as_("owner")
    client.post(address)
    old = _make(judged, home)
    judge(judged, "eva", plain_items(judged, 3))
    page = client.get(address).content.decode()
    assert "3 are newer" in page
    assert 'hx-trigger="load' not in page
    client.post(f"{address}?seen={old.pid}", headers=HTMX)
    _make(judged, home)
    state = client.get(f"{address}state/?seen={old.pid}", headers=HTMX)
    assert "from 12 judgements" in state.content.decode()
    assert "Newer figures are ready" in state.content.decode()
    assert "HX-Refresh" not in state
    assert "from 15 judgements" in client.get(address).content.decode()


@pytest.mark.any_database
def test_who_arrives_at_old_figures_gets_new_ones_without_a_click(
    as_: Callable[[str], Client], address: str, judged: Study, home: Path
) -> None:
    """Old figures are computed anew at once, and then the whole page is, with its date and its count."""
    from datetime import timedelta

    client = as_("owner")
    client.post(address)
    old = _make(judged, home)
    old.finished_at -= timedelta(hours=1)
    old.save()
    judge(judged, "eva", plain_items(judged, 3))
    page = client.get(address).content.decode()
    assert 'hx-trigger="load' in page
    assert "from 12 judgements" in page
    going = client.post(f"{address}?seen={old.pid}", headers=HTMX)
    assert "arriving=1" in going.content.decode()
    _make(judged, home)
    state = client.get(f"{address}state/?seen={old.pid}&arriving=1", headers=HTMX)
    assert state["HX-Refresh"] == "true"


def test_asking_twice_is_one_report(as_: Callable[[str], Client], address: str) -> None:
    """A double click, or two people at once, ask for one report."""
    from rubrica.store.models import Job

    for name in ("owner", "viewer", "owner"):
        assert as_(name).post(address).status_code == 302
    assert Job.objects.filter(kind="report").count() == 1


def test_nothing_is_computed_without_judgements(as_: Callable[[str], Client], study: Study) -> None:
    """The page of a new study says what to do first."""
    page = as_("viewer").get(f"/s/{study.pid}/results/").content.decode()
    assert "nobody has submitted a judgement" in page
    assert "hx-trigger" not in page.partition("<main")[2]


@pytest.mark.any_database
def test_only_members_see_results(as_: Callable[[str], Client], address: str, judged: Study, home: Path) -> None:
    """A stranger finds nothing, nobody is led to sign in; a stage that is not there is not there."""
    as_("owner").post(address)
    _make(judged, home)
    for rest in ("", "state/", "archive/", "report.html", "tables/items.csv"):
        assert as_("stranger").get(address + rest).status_code == 404
        assert as_("").get(address + rest).status_code == 302
        assert as_("viewer").get(address + rest).status_code == 200
    assert as_("viewer").get(f"{address}?stage=nowhere").status_code == 404
    assert as_("viewer").put(address).status_code == 405
    assert as_("viewer").post(f"{address}archive/").status_code == 405


def test_a_failure_is_told_and_can_be_tried_again(as_: Callable[[str], Client], address: str, judged: Study) -> None:
    """The page does not ask again and again by itself for what cannot be done."""
    from rubrica.store.jobs import jobs

    client = as_("viewer")
    client.post(address)
    held = jobs.claim(NOW)
    assert held is not None
    jobs.fail(held, "The disk is full.", NOW)
    page = client.get(address).content.decode()
    assert "The disk is full." in page
    assert "Try again" in page
    assert 'hx-trigger="load' not in page


def test_erasure_takes_reports_away(
    as_: Callable[[str], Client], address: str, judged: Study, home: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A report may quote the answers of whoever is erased, so its files go with them."""
    from rubrica.home import made_files
    from rubrica.store.jobs import jobs
    from rubrica.store.models import Annotator
    from rubrica.store.people.erasure import erase

    monkeypatch.setenv("RUBRICA_HOME", str(home))
    client = as_("owner")
    client.post(address)
    job = _make(judged, home)
    assert jobs.page_of(job, home)
    erase(Annotator.objects.get(name="ana"), NOW)
    assert not list(made_files.folder(home, "report").iterdir())
    assert client.get(f"{address}archive/").status_code == 404
