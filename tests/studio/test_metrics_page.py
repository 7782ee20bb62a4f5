"""Metrics on the pages of a study: listed apart from people, beside them in the results, marked as what they are."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest
from django.test import Client

from tests.studio.conftest import NOW
from tests.studio.judging import judge

if TYPE_CHECKING:
    from pathlib import Path

    from rubrica.store.models import Study


@pytest.fixture
def measured(study: Study) -> Study:
    """A study that two people judged, with one metric under two settings."""
    from rubrica.metrics.metric import Figure
    from rubrica.store.metric_annotators import register

    for name in ("ana", "ben"):
        judge(study, name)
    keys = list(study.items.values_list("key", flat=True))
    for settings in ("lowercase:True|metric:bleu", "lowercase:False|metric:bleu"):
        register(study, Figure("bleu", "BLEU"), settings, {key: place / 3 for place, key in enumerate(keys[:5])}, NOW)
    return study


def test_people_and_metrics_apart(measured: Study, as_: Callable[[str], Client]) -> None:
    """The table of people has no metric; the one below says what each is and how it was set."""
    body = as_("viewer").get(f"/s/{measured.pid}/people/").content.decode()
    people, metrics = body.split('id="metrics"')
    assert "BLEU" not in people
    assert "ana" in people
    for words in ('<span class="pill info">metric</span>', "5 / 6", "bleu-2", "lowercase:False, metric:bleu", "higher"):
        assert words in metrics


@pytest.mark.parametrize(("who", "status"), [("", 302), ("stranger", 404), ("viewer", 200), ("manager", 200)])
def test_who_sees_metrics(measured: Study, as_: Callable[[str], Client], who: str, status: int) -> None:
    """Members do, whatever their role; a stranger learns nothing."""
    answer = as_(who).get(f"/s/{measured.pid}/people/")
    assert answer.status_code == status
    assert (b"BLEU" in answer.content) == (status == 200)


def test_a_study_without_metrics(study: Study, as_: Callable[[str], Client]) -> None:
    """There is no empty part for them."""
    assert 'id="metrics"' not in as_("viewer").get(f"/s/{study.pid}/people/").content.decode()


def test_a_metric_has_no_page_of_a_person(measured: Study, as_: Callable[[str], Client]) -> None:
    """It can be neither looked at, excluded nor erased as somebody, on pages and by the API."""
    from rubrica.store.models import Annotator

    metric = Annotator.everybody.filter(kind="metric").first()
    assert metric is not None
    manager, page = as_("manager"), f"/s/{measured.pid}/people/{metric.pid}/"
    assert manager.get(page).status_code == 404
    assert manager.post(f"{page}act/", {"action": "erase", "sure": "yes"}).status_code == 404
    assert metric.scores.count() == 5


def test_a_manager_removes_a_metric(measured: Study, as_: Callable[[str], Client]) -> None:
    """With its values and a line in the audit; the other one stays. A second click changes nothing and says so."""
    from rubrica.store.models import AuditEvent, MetricScore

    page, remove = f"/s/{measured.pid}/people/", f"/s/{measured.pid}/metrics/remove/"
    assert remove not in as_("viewer").get(page).content.decode()
    manager = as_("manager")
    assert remove in manager.get(page).content.decode()
    gone = manager.post(remove, {"metric": "bleu-2"}, follow=True).content.decode()
    assert "Removed: bleu-2." in gone
    assert "lowercase:False" not in gone
    assert MetricScore.objects.count() == 5
    assert AuditEvent.objects.filter(action="metric removed", actor="manager").count() == 1
    again = manager.post(remove, {"metric": "bleu-2"}, follow=True).content.decode()
    assert "no metric" in again
    assert MetricScore.objects.count() == 5


@pytest.mark.parametrize(("who", "status"), [("", 302), ("stranger", 404), ("viewer", 403), ("adjudicator", 403)])
def test_who_may_not_remove(measured: Study, as_: Callable[[str], Client], who: str, status: int) -> None:
    """Only managers may; whatever is not a registered metric removes nothing."""
    from rubrica.store.models import MetricScore

    address = f"/s/{measured.pid}/metrics/remove/"
    assert as_(who).post(address, {"metric": "bleu"}).status_code == status
    assert as_("manager").get(address).status_code == 405
    for odd in ("", "ana", "\x00", "ä" * 300):
        assert as_("manager").post(address, {"metric": odd}).status_code == 302
    assert MetricScore.objects.count() == 10


@pytest.mark.any_database
def test_results_show_metrics_beside_people(measured: Study, as_: Callable[[str], Client], home: Path) -> None:
    """The report on the page has a part for them; one that was registered later makes the page say that it is old."""
    from rubrica.metrics.metric import Figure
    from rubrica.store.metric_annotators import register
    from rubrica.store.models import Job
    from rubrica.studio.job_worker import do_at_once

    client, address = as_("viewer"), f"/s/{measured.pid}/results/"
    client.post(address)
    do_at_once(Job.objects.get(kind="report").pid, home)
    page = client.get(address).content.decode()
    assert "Metrics beside people" in page
    assert "Two metrics are registered in the study: BLEU and BLEU (bleu-2)." in page
    assert client.get(f"{address}tables/metrics_beside_people.csv").status_code == 200
    assert "Something changed since." not in page
    _read_by_the_api(client, measured)
    register(measured, Figure("fkgl", "FKGL"), "metric:fkgl", {"p1": 3.0}, NOW)
    assert "Something changed since." in client.get(address).content.decode()


def _read_by_the_api(client: Client, study: Study) -> None:
    """The same report as JSON: agreement with the metrics beside people, the comparison, and the whole as a file."""
    found = client.get(f"/api/v1/studies/{study.pid}/results").json()
    assert (found["judgements"], found["current"], found["job"]["state"]) == (12, True, "done")
    alpha = found["agreement"]["results"][0]
    assert (alpha["measure"], alpha["units"], alpha["raters"]) == ("alpha", 6, 2)
    assert {row["metric"] for row in found["agreement"]["metrics"]} == {"bleu", "bleu-2"}
    assert "ana" not in {one["rater"] for row in found["agreement"]["metrics"] for one in row["people"]["each"]}
    assert {"results", "tests", "ranks", "signature"} <= set(found["comparison"])
    assert {row["metric"] for row in found["correlation"]["results"]} == {"bleu", "bleu-2"}
    assert found["reliability"] == {"value": None, "reason": "there is no sample that experts and others judged"}
    archive = client.get(found["archive"])
    assert archive["Content-Type"] == "application/zip"
    assert b"".join(archive.streaming_content).startswith(b"PK")
