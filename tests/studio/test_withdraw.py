"""Withdrawing: stopping with a way back, or with everything erased, each after a second question."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from django.test import Client

from tests.studio.conftest import NOW
from tests.studio.test_steps import agree
from tests.studio.test_thanks import work

if TYPE_CHECKING:
    from rubrica.store.models import Invitation, Study

pytestmark = pytest.mark.postgres


def hold(link: Invitation, study: Study) -> None:
    """Take work without doing it."""
    from rubrica.store.allocation.leases import take

    take(link.annotator, study.stages.get(), NOW)


@pytest.mark.parametrize("choice", ["stop", "erase"])
def test_nothing_happens_before_the_second_question(
    client: Client, door: str, link: Invitation, study: Study, choice: str
) -> None:
    """Choosing shows what will happen; only saying yes does it."""
    hold(link, study)
    page = client.post(f"{door}withdraw/", {"choice": choice})
    assert page.status_code == 200
    assert b'name="sure"' in page.content
    assert not link.annotator.consents.exists()
    assert link.annotator.assignments.filter(state="open").exists()


def test_stopping_returns_work_and_keeps_judgements(client: Client, door: str, link: Invitation, study: Study) -> None:
    """Open leases go back to the pool, what was submitted stays, and the pages of work are closed."""
    work(link.annotator, 1)
    hold(link, study)
    client.post(f"{door}withdraw/", {"choice": "stop", "sure": "yes"})
    assert not link.annotator.assignments.filter(state="open").exists()
    assert link.annotator.judgements.filter(state="submitted").count() == 1
    consent = link.annotator.consents.get()
    assert (consent.decision, consent.erasure) == ("withdrawn", False)
    for name in ("", "work/", "thanks/"):
        assert client.get(door + name).headers["Location"] == f"{door}withdraw/"
    assert b"You have stopped" in client.get(f"{door}withdraw/").content


def test_stopping_can_be_undone(client: Client, door: str, link: Invitation) -> None:
    """The same link leads back, and both decisions stay on record."""
    client.post(f"{door}withdraw/", {"choice": "stop", "sure": "yes"})
    assert client.post(f"{door}withdraw/", {"choice": "return"}).headers["Location"] == f"{door}work/"
    assert [one.decision for one in link.annotator.consents.all()] == ["withdrawn", "agreed"]


def test_coming_back_asks_for_consent_where_the_study_does(client: Client, door: str, study: Study) -> None:
    """Where there is a text to agree to, agreeing again is the way back."""
    study.options["steps"]["consent"] = True
    study.save()
    agree(client, door)
    client.post(f"{door}withdraw/", {"choice": "stop", "sure": "yes"})
    assert client.post(f"{door}withdraw/", {"choice": "return"}).headers["Location"] == f"{door}consent/"
    assert client.get(door).headers["Location"] == f"{door}withdraw/"
    agree(client, door)
    assert client.get(door).headers["Location"] == f"{door}work/"


def test_stopping_twice_is_once(client: Client, door: str, link: Invitation) -> None:
    """A doubled click makes one record, and so does coming back."""
    for choice in ({"choice": "stop", "sure": "yes"}, {"choice": "return"}):
        for _ in range(2):
            client.post(f"{door}withdraw/", choice)
    assert link.annotator.consents.count() == 2


def test_erasing_ends_the_link(client: Client, door: str, link: Invitation) -> None:
    """Afterwards the link has ended, for good."""
    work(link.annotator, 1)
    page = client.post(f"{door}withdraw/", {"choice": "erase", "sure": "yes"})
    assert b"Everything is erased" in page.content
    for name in ("", "withdraw/", "history/", "work/"):
        assert client.get(door + name).status_code == 410
    assert client.post(f"{door}withdraw/", {"choice": "erase", "sure": "yes"}).status_code == 410
    link.annotator.refresh_from_db()
    assert link.annotator.name == "erased-1"


def test_somebody_who_stopped_can_still_have_everything_erased(client: Client, door: str, link: Invitation) -> None:
    """Stopping first does not close the way to erasure."""
    work(link.annotator, 1)
    client.post(f"{door}withdraw/", {"choice": "stop", "sure": "yes"})
    client.post(f"{door}withdraw/", {"choice": "erase", "sure": "yes"})
    assert link.annotator.judgements.get().state == "erased"


def test_an_unknown_choice_is_refused(client: Client, door: str, link: Invitation) -> None:
    """It is told on the page, and nothing happens."""
    assert client.post(f"{door}withdraw/", {"choice": "explode", "sure": "yes"}).status_code == 422
    assert client.put(f"{door}withdraw/").status_code == 405
    assert not link.annotator.consents.exists()
