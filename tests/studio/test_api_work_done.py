"""What annotators did, through the API: progress, judgements with history, review, feedback, flags, exports."""

from __future__ import annotations

import json
from typing import Any

import pytest

from rubrica.exchange.exports import Wanted
from tests.studio.api_client import ApiClient
from tests.studio.conftest import NOW


@pytest.fixture
def done(study: Any, link: Any, people: dict[str, Any]) -> dict[str, Any]:
    """Ana has judged two items, corrected one, and flagged one."""
    from rubrica.core.simulation import Simulator
    from rubrica.store.adjudication import flags
    from rubrica.store.allocation import leases
    from rubrica.store.recording import judgements
    from rubrica.store.translate import item_from, protocol_of

    stage = study.stages.get()
    work = leases.take(link.annotator, stage, NOW).leases
    protocol = protocol_of(stage)
    simulator = Simulator(protocol, protocol.stages[0], "seed")
    for number, lease in enumerate(work[:2]):
        said = simulator.judge(item_from(lease.item), None, ())
        judgements.submit([judgements.Said(lease, f"key-{number}-first", said)], NOW)
    judgements.submit(
        [judgements.Said(work[0], "key-0-second", simulator.judge(item_from(work[0].item), None, ()))], NOW
    )
    flags.flag(work[2], "The text is cut off.", NOW)
    return {"annotator": link.annotator, "leases": work, "address": f"/studies/{study.pid}"}


@pytest.fixture
def owner(people: dict[str, Any]) -> ApiClient:
    """The owner's client."""
    return ApiClient(people["owner"])


def test_annotators_have_their_progress(owner: ApiClient, done: dict[str, Any]) -> None:
    """Done, open and passed on, and when they were last seen."""
    found = owner.get(f"{done['address']}/annotators")
    person = found["results"][0]
    assert (found["count"], person["name"], person["done"], person["state"]) == (1, "ana", 2, "active")
    assert person["last_seen"]
    assert owner.get(f"{done['address']}/annotators/{person['id']}") == person
    assert owner.get(f"{done['address']}/annotators", name="nobody")["count"] == 0


def test_judgements_are_filtered_and_have_their_history(owner: ApiClient, done: dict[str, Any]) -> None:
    """Every revision is there; the list has the current one."""
    address = f"{done['address']}/judgements"
    found = owner.get(address)
    assert found["count"] == 2
    first = done["leases"][0].item
    for filters in ({"item": first.key}, {"item": first.pid}, {"annotator": "ana", "item": first.key}):
        assert owner.get(address, **filters)["count"] == 1
    for filters in ({"annotator": "bo"}, {"stage": "nothing"}, {"state": "erased"}, {"outcome": "nothing"}):
        assert owner.get(address, **filters)["count"] == 0
    assert owner.get(address, stage="rate", annotator=done["annotator"].pid, state="any")["count"] == 2
    whole = owner.get(f"{address}/{owner.get(address, item=first.key)['results'][0]['id']}")
    assert [revision["number"] for revision in whole["revisions"]] == [1, 2]
    assert whole["current"]["number"] == 2
    assert "accepted" in whole["verdicts"]


def test_review_and_feedback_are_recorded_once(owner: ApiClient, people: dict[str, Any], done: dict[str, Any]) -> None:
    """With a key, sending it twice is one; unread feedback can be taken back; viewers may neither."""
    pid = owner.get(f"{done['address']}/judgements")["results"][0]["id"]
    address = f"{done['address']}/judgements/{pid}"
    review = {"decision": "good", "note": "Careful.", "key": "2" * 16}
    for _ in range(2):
        assert len(owner.send("post", f"{address}/review", review)["reviews"]) == 1
    words = {"text": "Well seen.", "key": "3" * 16}
    for _ in range(2):
        told = owner.send("post", f"{address}/feedback", words)["feedback"]
    assert [one["text"] for one in told] == ["Well seen."]
    owner.send("delete", f"{address}/feedback/{told[0]['id']}")
    assert owner.get(address)["feedback"] == []
    assert owner.call("post", f"{address}/review", {"decision": "splendid"})[0] == 422
    assert owner.call("post", f"{address}/feedback", {"text": " "})[0] == 422
    viewer = ApiClient(people["viewer"])
    assert viewer.call("post", f"{address}/review", review)[0] == 403
    assert viewer.call("post", f"{address}/feedback", words)[0] == 403
    assert owner.get(f"{done['address']}/annotators/{done['annotator'].pid}/sample")["count"] == 2


def test_excluding_is_undone_by_including(owner: ApiClient, done: dict[str, Any]) -> None:
    """It needs a reason, takes their open work back, and is gone when they are included again."""
    address = f"{done['address']}/annotators/{done['annotator'].pid}"
    assert owner.call("post", f"{address}/exclude", {"reason": ""})[0] == 422
    person = owner.send("post", f"{address}/exclude", {"reason": "Answers at random."})
    assert (person["state"], person["reason"], person["open"]) == ("excluded", "Answers at random.", 0)
    assert owner.get(f"{done['address']}/annotators", excluded="true")["count"] == 1
    assert owner.send("post", f"{address}/include") == {"extra": 0}
    assert owner.get(address)["state"] == "active"


def test_leases_are_seen_prolonged_and_taken_back(owner: ApiClient, done: dict[str, Any]) -> None:
    """What an annotator holds can be given more time or returned to the pool."""
    address = f"{done['address']}/annotators/{done['annotator'].pid}"
    held = owner.get(f"{address}/leases")
    assert held["count"] == 1
    assert owner.send("post", f"{address}/time", {"hours": 1440})["leases"] == 1
    assert owner.send("post", f"{address}/leases/take-back", {"lease": held["results"][0]["id"]}) == {"leases": 1}
    assert owner.send("post", f"{address}/leases/take-back", {}) == {"leases": 0}


def test_flags_are_settled_and_opened_again(owner: ApiClient, people: dict[str, Any], done: dict[str, Any]) -> None:
    """Settling can close the item; opening the flag again leaves the item as it is."""
    address = f"{done['address']}/flags"
    flag = owner.get(address, resolved="false")["results"][0]
    assert (flag["reason"], flag["annotator_name"]) == ("The text is cut off.", "ana")
    assert ApiClient(people["viewer"]).call("post", f"{address}/{flag['id']}/resolve", {})[0] == 403
    adjudicator = ApiClient(people["adjudicator"])
    assert adjudicator.call("post", f"{address}/{flag['id']}/resolve", {"close": True})[0] == 403
    assert adjudicator.send("post", f"{address}/{flag['id']}/resolve", {})["resolved_by"] == "adjudicator"
    settled = owner.send("post", f"{address}/{flag['id']}/resolve", {"resolution": "Removed.", "close": True})
    assert (settled["resolution"], settled["resolved_by"]) == ("Removed.", "owner")
    assert owner.get(f"{done['address']}/items/{flag['item']}")["closed_at"]
    assert owner.send("post", f"{address}/{flag['id']}/reopen")["resolved_at"] is None


def test_notes_are_read_and_unread(owner: ApiClient, done: dict[str, Any]) -> None:
    """Comments and concerns are listed, and marked by their subjects."""
    from rubrica.store import models

    revision = models.Judgement.objects.exclude(current=None)[0].current
    assert revision is not None
    models.Revision.objects.filter(pk=revision.pk).update(answers={**revision.answers, "comment": "Odd."})
    from rubrica.store.counting import submitted

    submitted._picture.cache_clear()
    address = f"{done['address']}/notes"
    unread = owner.get(address, kind="comment", read="false")
    note = next(one for one in unread["results"] if one["said"] == ["Odd."])
    assert owner.send("post", f"{address}/read", {"subjects": [note["subject"]]}) == {"marked": 1}
    assert owner.get(address, kind="comment", read="false")["count"] == unread["count"] - 1
    assert owner.send("post", f"{address}/unread", {"subjects": [note["subject"]]}) == {"marked": 1}
    assert owner.call("post", f"{address}/read", {"subjects": ["nothing"]})[0] == 422


@pytest.mark.parametrize("form", ["jsonl", "csv", "xlsx", "parquet"])
def test_an_export_is_asked_for_and_fetched(owner: ApiClient, done: dict[str, Any], form: str) -> None:
    """A short one is ready at once; its file is what its digest says."""
    import hashlib

    made = owner.send("post", f"{done['address']}/exports", {"format": form, "every_revision": True})
    assert (made["state"], made["judgements"]) == ("done", 3), made["error"]
    file = owner.client.get(made["file"].removeprefix("http://testserver"))
    content = file.getvalue()
    assert hashlib.sha256(content).hexdigest() == made["sha256"]
    assert file["Content-Disposition"] == f'attachment; filename="{made["name"]}"'
    assert "revisions:all" in made["signature"]
    if form == "jsonl":
        assert sorted(json.loads(line)["revision"] for line in content.splitlines()) == [1, 1, 2]
    assert owner.get(f"{done['address']}/exports")["results"][0] == made
    assert owner.get(f"{done['address']}/exports/{made['id']}") == made
    assert owner.get(f"{done['address']}/jobs/{made['id']}")["state"] == "done"


def test_exports_are_members_only(owner: ApiClient, people: dict[str, Any], done: dict[str, Any]) -> None:
    """A viewer may fetch what another asked for; a stranger with the address gets nothing."""
    made = owner.send("post", f"{done['address']}/exports", {"format": "csv"})
    path = made["file"].removeprefix("http://testserver")
    assert ApiClient(people["viewer"]).client.get(path).status_code == 200
    assert ApiClient(people["stranger"]).client.get(path).status_code == 404
    assert owner.call("post", f"{done['address']}/exports", {"format": "pdf"})[0] == 422
    assert owner.call("post", f"{done['address']}/exports", {"format": "csv", "stage": "nothing"})[0] == 422


def test_erasure_takes_exported_files_with_it(owner: ApiClient, people: dict[str, Any], done: dict[str, Any]) -> None:
    """After it nobody can fetch a file that holds the annotator's answers."""
    made = owner.send("post", f"{done['address']}/exports", {"format": "csv"})
    address = f"{done['address']}/annotators/{done['annotator'].pid}/erase"
    assert ApiClient(people["viewer"]).call("post", address)[0] == 403
    erased = owner.send("post", address)
    assert erased["judgements"] == 2
    assert owner.client.get(made["file"].removeprefix("http://testserver")).status_code == 404
    assert owner.get(f"{done['address']}/exports/{made['id']}")["file"] == ""
    whole = owner.get(f"{done['address']}/judgements", state="erased")
    assert whole["count"] == 2
    assert whole["results"][0]["verdicts"] == {}


def test_money_is_earned_paid_and_corrected(owner: ApiClient, people: dict[str, Any], done: dict[str, Any]) -> None:
    """A row is recorded once per key, taken back by a further row, and only managers see countries."""
    address = f"{done['address']}/payments"
    owner.send("patch", f"{done['address']}/settings", {"payment": {"per_task": {"rate": "0.50"}}})
    assert owner.get(f"{address}/accounts")["due"] == "1.00"
    row = {"annotator": done["annotator"].pid, "kind": "task", "amount": "0.75", "key": "4" * 16}
    made = [owner.send("post", address, row) for _ in range(2)]
    assert made[0] == made[1]
    assert owner.get(f"{address}/accounts")["accounts"][0]["due"] == "0.25"
    for bad in ({**row, "amount": "x"}, {**row, "amount": "-1"}, {**row, "kind": "bonus"}, {**row, "kind": "gift"}):
        assert owner.call("post", address, bad)[0] == 422
    assert owner.call("post", address, {**row, "annotator": "nobody"})[0] == 404
    taken = owner.send("post", f"{address}/{made[0]['id']}/correct", {"reason": "Typed twice."})
    assert taken["amount"] == "-0.75"
    assert owner.get(address)["count"] == 2
    viewer = ApiClient(people["viewer"])
    assert viewer.get(f"{address}/accounts")["accounts"][0]["below_minimum"] is None
    assert viewer.call("post", address, row)[0] == 403
    assert viewer.call("get", f"{address}/bonuses")[0] == 403
    assert owner.get(f"{address}/bonuses")["count"] == 0


def test_quality_has_agreement_checks_and_patterns(owner: ApiClient, done: dict[str, Any]) -> None:
    """With one annotator there is no pair: the share is null, not 0."""
    found = owner.get(f"{done['address']}/quality")
    assert found["checks"] == {"right": 0, "graded": 0, "same": 0, "compared": 0}
    assert found["annotators"][0]["agreement"] == {
        "same": 0,
        "pairs": 0,
        "items": 0,
        "share": None,
        "low": None,
        "high": None,
    }


def test_profiles_are_for_managers(owner: ApiClient, people: dict[str, Any], done: dict[str, Any]) -> None:
    """What a person told about themselves is not shown to every member."""
    from rubrica.store.models import Profile

    Profile.objects.create(annotator=done["annotator"], answers={"age": 40}, recorded_at=NOW)
    address = f"{done['address']}/annotators/{done['annotator'].pid}/profile"
    assert owner.get(address)["answers"] == {"age": 40}
    assert ApiClient(people["adjudicator"]).call("get", address)[0] == 403


def test_an_export_running_during_erasure_begins_anew(owner: ApiClient, study: Any, done: dict[str, Any]) -> None:
    """A worker that has read the answers already cannot finish its file; the job is done again without them."""
    from rubrica.store.jobs import exporting, jobs
    from rubrica.studio.job_worker import do_at_once

    job = exporting.ask(study, Wanted(form="csv"), "owner", NOW)
    held = jobs.claim(NOW)
    assert held is not None
    owner.send("post", f"{done['address']}/annotators/{done['annotator'].pid}/erase")
    with pytest.raises(jobs.LostJobError):
        jobs.finish(held, {"file": "x"}, NOW)
    from rubrica.home.database import home_from

    do_at_once(job.pid, home_from(None))
    assert owner.get(f"{done['address']}/exports/{job.pid}")["judgements"] == 0
