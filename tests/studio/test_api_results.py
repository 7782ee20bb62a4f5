"""Results and registered metrics by the API: results asked for, metrics listed and removed."""

from __future__ import annotations

from typing import Any

import pytest

from tests.studio.api_client import ApiClient
from tests.studio.conftest import NOW
from tests.studio.judging import judge

pytestmark = pytest.mark.any_database


@pytest.fixture
def measured(study: Any) -> Any:
    """A study that two people judged, with a registered metric."""
    from rubrica.metrics.metric import Figure
    from rubrica.store.metric_annotators import register

    for name in ("ana", "ben"):
        judge(study, name)
    keys = study.items.values_list("key", flat=True)
    register(study, Figure("bleu", "BLEU"), "metric:bleu", {key: place / 3 for place, key in enumerate(keys)}, NOW)
    return study


def test_results_are_asked_for(measured: Any, people: dict[str, Any]) -> None:
    """Nothing at first; asking twice is one job. What they say when they are made is in test_metrics_page."""
    viewer, address = ApiClient(people["viewer"]), f"/studies/{measured.pid}/results"
    empty = viewer.get(address)
    assert (empty["made_at"], empty["agreement"], empty["job"], empty["current"]) == (None, None, None, False)
    assert viewer.call("get", f"{address}/archive")[0] == 404
    job = viewer.send("post", address, {})
    assert viewer.send("post", address, {})["id"] == job["id"]
    assert viewer.get(address)["job"]["state"] == "waiting"


def test_results_of_a_stage(measured: Any, people: dict[str, Any]) -> None:
    """A stage of the study has its own; one that there is not leads nowhere."""
    viewer, address = ApiClient(people["viewer"]), f"/studies/{measured.pid}/results"
    assert viewer.send("post", address, {"stage": "rate"})["state"] == "waiting"
    assert viewer.get(address, stage="rate")["job"] is not None
    assert viewer.get(address)["job"] is None
    for call in (("get", address), ("get", f"{address}/archive")):
        assert viewer.call(*call, stage="none")[0] == 404
    assert viewer.call("post", address, {"stage": "none"})[0] == 404
    assert ApiClient(people["stranger"]).call("post", address, {})[0] == 404


def test_metrics_are_listed_and_removed(measured: Any, people: dict[str, Any]) -> None:
    """With settings and number of items; removing one is a manager's, makes results old, and is done once."""
    manager, address = ApiClient(people["manager"]), f"/studies/{measured.pid}/metrics"
    (one,) = manager.get(address)["results"]
    assert (one["name"], one["title"], one["better"], one["signature"], one["items"]) == (
        "bleu",
        "BLEU",
        "higher",
        "metric:bleu",
        6,
    )
    assert manager.get(address, offset=1) == {"count": 1, "results": []}
    assert manager.call("delete", f"{address}/BLEU")[0] == 404
    assert ApiClient(people["viewer"]).call("delete", f"{address}/bleu")[0] == 403
    assert manager.call("delete", f"{address}/bleu")[0] == 204
    assert manager.call("delete", f"{address}/bleu")[0] == 404
    assert manager.get(address)["count"] == 0
