"""The overview: what it answers, who may see and run, and that it stays quiet when nothing changed."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest
from django.test import Client
from django.utils import timezone

from rubrica.core.study import Judgement
from tests.studio.conftest import NOW
from tests.studio.judging import GOOD, judge

if TYPE_CHECKING:
    from rubrica.store.models import Study


@pytest.fixture
def address(study: Study) -> str:
    """The address of the overview."""
    return f"/s/{study.pid}/"


def test_the_overview_answers_the_three_questions(study: Study, address: str, as_: Callable[[str], Client]) -> None:
    """Progress, agreement and what waits are on one page, for a viewer too."""
    start = timezone.now() - timedelta(hours=3)
    judge(study, "ana", said=Judgement({**GOOD, "comment": "Odd."}), start=start)
    judge(study, "ben", said=Judgement(GOOD), start=start)
    body = as_("viewer").get(address).content.decode()
    assert "of 12 judgements" in body
    assert "Percent agreement" in body
    assert "100 %" in body
    assert "6 comments are unread." in body
    assert "Run the study" not in body


def test_an_empty_study_says_what_is_missing(study: Study, address: str, as_: Callable[[str], Client]) -> None:
    """Without judgements there are no charts and no invented figures."""
    body = as_("manager").get(address).content.decode()
    assert "Nothing to say yet" in body
    assert "Nobody is invited yet." in body
    assert "Not enough yet for an estimate" in body
    assert "0 / 0" not in body
    assert "<svg" not in body
    assert "Run the study" in body


def test_charts_have_tables_behind_them(study: Study, address: str, as_: Callable[[str], Client]) -> None:
    """Each chart has a title and the same numbers in a table; no number in it is written in the reader's language."""
    judge(study, "ana", start=timezone.now() - timedelta(hours=2), seconds=21.5)
    client = as_("viewer")
    client.cookies["rubrica_language"] = "es"
    body = client.get(address).content.decode()
    assert body.count("<svg") == body.count('<details id="table-') == 3
    for number in re.findall(r'\b(?:x|y|width|height|x1|y1)="([^"]*)"', body):
        assert re.fullmatch(r"-?\d+(\.\d+)?", number)


def test_the_live_part_is_silent_when_nothing_changed(study: Study, address: str, as_: Callable[[str], Client]) -> None:
    """A page that has seen the newest state gets nothing; after a new judgement it gets the part again."""
    client = as_("viewer")
    first = client.get(f"{address}live/").content.decode()
    seen = re.search(r"seen=([0-9a-f]{16})", first)
    assert seen
    assert client.get(f"{address}live/?seen={seen[1]}").status_code == 204
    judge(study, "ana", start=timezone.now() - timedelta(hours=1))
    assert client.get(f"{address}live/?seen={seen[1]}").status_code == 200


@pytest.mark.parametrize(("who", "status"), [("", 302), ("stranger", 404), ("viewer", 200), ("owner", 200)])
def test_who_sees_the_overview(address: str, as_: Callable[[str], Client], who: str, status: int) -> None:
    """Nobody is sent to sign in, a stranger finds nothing, every member sees it."""
    assert as_(who).get(address).status_code == status


def test_bad_ids_and_methods(address: str, as_: Callable[[str], Client]) -> None:
    """A study that is not there is not found; pages are read, buttons are posted."""
    manager = as_("manager")
    assert manager.get("/s/nosuchstudy/").status_code == 404
    assert manager.post(address).status_code == 405
    assert manager.get(f"{address}run/").status_code == 405


@pytest.mark.parametrize("who", ["viewer", "adjudicator"])
def test_only_managers_run_the_study(study: Study, address: str, as_: Callable[[str], Client], who: str) -> None:
    """Others are refused and nothing changes."""
    assert as_(who).post(f"{address}run/", {"action": "pause"}).status_code == 403
    assert study.stages.get().state == "open"


def test_pausing_twice_is_pausing_once(study: Study, address: str, as_: Callable[[str], Client]) -> None:
    """A doubled click leaves one entry in the audit, and the page offers to resume."""
    from rubrica.store.models import AuditEvent

    manager = as_("manager")
    for _ in range(2):
        assert manager.post(f"{address}run/", {"action": "pause"}).status_code == 302
    assert AuditEvent.objects.filter(action="stage pause").count() == 1
    assert 'value="resume"' in manager.get(address).content.decode()
    manager.post(f"{address}run/", {"action": "resume"})
    assert study.stages.get().state == "open"


def test_a_draft_leads_to_its_launch(study: Study, address: str, as_: Callable[[str], Client]) -> None:
    """The banner of a draft leads to the page that asks what a launch asks for; there is no way around it."""
    study.stages.update(state="draft")
    manager = as_("manager")
    page = manager.get(address).content.decode()
    assert "Not released" in page
    assert f'href="{address}setup/launch/"' in page
    assert "notice error" in manager.post(f"{address}run/", {"action": "release"}, follow=True).content.decode()
    assert study.stages.get().state == "draft"


def test_a_further_stage_is_released_from_the_page(
    make_study: Callable[..., Study], people: dict[str, Any], as_: Callable[[str], Client]
) -> None:
    """The banner of a running study has a button for a stage that is still a draft."""
    from rubrica.store.models import Member

    edits = make_study("salsa", name="edits")
    Member.objects.create(study=edits, user=people["manager"], role="manager", since=NOW)
    edits.stages.exclude(key="select").update(state="draft")
    manager = as_("manager")
    assert "A stage is not released yet" in manager.get(f"/s/{edits.pid}/").content.decode()
    manager.post(f"/s/{edits.pid}/run/", {"action": "release"})
    assert {stage.state for stage in edits.stages.all()} == {"open"}


@pytest.mark.parametrize(
    "form",
    [
        {"action": "overlap", "stage": "rate", "overlap": "many"},
        {"action": "overlap", "stage": "rate", "overlap": "0"},
        {"action": "time", "hours": "-1"},
        {"action": "time", "hours": ""},
        {"action": "explode"},
    ],
)
def test_wrong_input_is_said_on_the_page(
    study: Study, address: str, as_: Callable[[str], Client], form: dict[str, str]
) -> None:
    """What cannot be done comes back as a notice, never as an error of the server."""
    body = as_("manager").post(f"{address}run/", form, follow=True).content.decode()
    assert "notice error" in body
    assert study.stages.get().overlap == 2


def test_a_number_that_is_refused_stays(address: str, as_: Callable[[str], Client]) -> None:
    """The form is shown again with the number and what is wrong."""
    response = as_("manager").post(f"{address}run/", {"action": "overlap", "stage": "rate", "overlap": "2000"})
    assert response.status_code == 422
    assert 'value="2000"' in response.content.decode()


def test_an_unknown_stage_is_not_found(address: str, as_: Callable[[str], Client]) -> None:
    """The overlap of a stage that is not there cannot be set, whatever its name."""
    for stage in ("nosuch", "\0", ""):
        form = {"action": "overlap", "stage": stage, "overlap": "3"}
        assert as_("manager").post(f"{address}run/", form).status_code == 404


def test_overlap_and_time_are_extended(study: Study, address: str, as_: Callable[[str], Client]) -> None:
    """A manager asks for more judgements per item and gives people more time."""
    manager = as_("manager")
    body = manager.post(f"{address}run/", {"action": "overlap", "stage": "rate", "overlap": "3"}, follow=True)
    assert "Judgements per item: 3, 2 before." in body.content.decode()
    assert study.stages.get().overlap == 3
    assert manager.post(f"{address}run/", {"action": "time", "hours": "24"}).status_code == 302


def test_the_overview_asks_as_much_for_many_items_as_for_few(
    make_study: Callable[..., Study], as_: Callable[[str], Client]
) -> None:
    """The number of queries grows neither with items nor with judgements nor with people."""
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    from rubrica.store.counting.progress import cards
    from rubrica.store.models import Member

    asked = []
    client = as_("viewer")
    for number, (items, names) in enumerate(((6, ["ana", "ben"]), (60, ["ana", "ben", "eva", "fay"]))):
        study = make_study(items=items, name=f"s{number}")
        Member.objects.create(study=study, user_id=client.session["_auth_user_id"], role="viewer", since=NOW)
        for name in names:
            judge(study, name)
        with CaptureQueriesContext(connection) as queries:
            assert client.get(f"/s/{study.pid}/").status_code == 200
            assert cards([study])[0].done == 2 * items
        asked.append(len(queries))
    assert asked[0] == asked[1]


def test_a_large_study_is_counted_first_and_read_afterwards(
    study: Study, as_: Callable[[str], Client], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Above a number of judgements the page has what the database counts, and asks for agreement by itself."""
    from rubrica.studio.dashboard import overview

    judge(study, "ana")
    judge(study, "ben")
    client, address = as_("viewer"), f"/s/{study.pid}/"
    assert "Percent agreement" in client.get(address).content.decode()
    monkeypatch.setattr(overview, "AT_ONCE", 11)
    first = client.get(address).content.decode()
    assert "<strong>12</strong> of 12 judgements" in first
    assert "Percent agreement" not in first
    assert "being computed" in first
    assert 'hx-trigger="load, rubrica:look"' in first
    rest = client.get(f"{address}live/").content.decode()
    assert "Percent agreement" in rest
    assert 'hx-trigger="rubrica:look"' in rest


def test_every_page_says_that_annotators_are_simulated(
    study: Study, address: str, as_: Callable[[str], Client]
) -> None:
    """Beside the study's name: all of them, some of them, or nothing."""
    from rubrica.store.people.invitations import invite

    client = as_("viewer")
    for name, told in (("", False), ("simulated_1", "Simulated annotators"), ("ana", "Some annotators are simulated")):
        if name:
            invite(study, [name], NOW)
        for page in ("", "people/", "results/"):
            body = client.get(address + page).content.decode()
            assert told in body if told else "imulated" not in body
