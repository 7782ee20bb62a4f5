"""The table of people, one person's page, and what can be decided there."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest
from django.test import Client

from rubrica.core.study import Judgement
from tests.studio.conftest import NOW
from tests.studio.judging import GOOD, judge

if TYPE_CHECKING:
    from rubrica.store.models import Annotator, Invitation, Study


@pytest.fixture
def ana(study: Study, link: Invitation) -> Annotator:
    """An annotator with a link who judged everything."""
    judge(study, "ana", said=Judgement(GOOD))
    return study.annotators.get(name="ana")


@pytest.fixture
def address(study: Study, ana: Annotator) -> str:
    """The address of that annotator's page."""
    return f"/s/{study.pid}/people/{ana.pid}/"


def test_the_table_lists_everybody(study: Study, ana: Annotator, as_: Callable[[str], Client]) -> None:
    """Annotators with and without links stand in it, with how they came and where they stand."""
    from rubrica.store.people.invitations import invite

    judge(study, "ben")
    invite(study, ["eva"], NOW)
    body = as_("viewer").get(f"/s/{study.pid}/people/").content.decode()
    for words in ("ana", "ben", "eva", "personal link", "sheet or import", "has worked", "may begin"):
        assert words in body


def test_an_empty_table_says_what_to_do(study: Study, as_: Callable[[str], Client]) -> None:
    """Without anybody the page offers to invite people, to those who may."""
    assert "Invite people" in as_("manager").get(f"/s/{study.pid}/people/").content.decode()
    assert "Nobody takes part yet" in as_("viewer").get(f"/s/{study.pid}/people/").content.decode()


def test_a_person_page_shows_work_and_a_sample(address: str, as_: Callable[[str], Client]) -> None:
    """Figures, the sample with answers in words, the timeline; forms only for those who may."""
    body = as_("viewer").get(address).content.decode()
    assert "3: The same" in body
    assert "A sample to review" in body
    assert "6 judgements" in body
    assert "Record the review" not in body
    assert "Record the review" in as_("adjudicator").get(address).content.decode()


def test_personal_data_is_for_managers(ana: Annotator, address: str, as_: Callable[[str], Client]) -> None:
    """Profile and identity on a platform stand apart: a viewer or an adjudicator does not see them."""
    from rubrica.store.models import Profile

    Profile.objects.create(annotator=ana, answers={"country": "ES", "age": 47}, recorded_at=NOW)
    assert "Country of residence" in as_("manager").get(address).content.decode()
    for who in ("viewer", "adjudicator"):
        assert "Country of residence" not in as_(who).get(address).content.decode()


@pytest.mark.parametrize(("who", "status"), [("", 302), ("stranger", 404), ("viewer", 403), ("adjudicator", 403)])
def test_who_may_decide(ana: Annotator, address: str, as_: Callable[[str], Client], who: str, status: int) -> None:
    """Only managers exclude, revoke or erase."""
    assert as_(who).post(f"{address}act/", {"action": "exclude", "reason": "x"}).status_code == status
    ana.refresh_from_db()
    assert ana.excluded_at is None


def test_bad_ids_and_methods(study: Study, address: str, as_: Callable[[str], Client]) -> None:
    """Odd ids are not found, also those that no database takes; deciding is posted."""
    manager = as_("manager")
    for pid in ("nosuch", "x" * 16, "%00" * 16):
        assert manager.get(f"/s/{study.pid}/people/{pid}/").status_code == 404
    assert manager.get(f"{address}act/").status_code == 405
    assert manager.post(address).status_code == 405


def test_people_of_other_studies_are_not_found(
    study: Study, make_study: Callable[..., Study], address: str, as_: Callable[[str], Client]
) -> None:
    """An annotator's page exists in their own study only."""
    from rubrica.store.models import Annotator

    other = make_study(name="other")
    person = Annotator.objects.create(study=other, name="zoe", created_at=NOW)
    assert as_("owner").get(f"/s/{study.pid}/people/{person.pid}/").status_code == 404


def test_excluding_twice_and_undoing(study: Study, ana: Annotator, address: str, as_: Callable[[str], Client]) -> None:
    """A doubled exclusion is one; the page shows the reason and the way back."""
    from rubrica.store.models import AuditEvent

    manager = as_("manager")
    for _ in range(2):
        manager.post(f"{address}act/", {"action": "exclude", "reason": "Clicked through."})
    assert AuditEvent.objects.filter(action="annotator excluded").count() == 1
    body = manager.get(address).content.decode()
    assert "Clicked through." in body
    manager.post(f"{address}act/", {"action": "include"})
    ana.refresh_from_db()
    assert ana.excluded_at is None


@pytest.mark.parametrize(
    "form", [{"action": "exclude", "reason": ""}, {"action": "exclude", "reason": "a\0"}, {"action": "x"}, {}]
)
def test_wrong_input_is_said_on_the_page(
    ana: Annotator, address: str, as_: Callable[[str], Client], form: dict[str, str]
) -> None:
    """A missing reason or an unknown action comes back as a notice."""
    assert "notice error" in as_("manager").post(f"{address}act/", form, follow=True).content.decode()
    ana.refresh_from_db()
    assert ana.excluded_at is None


def test_the_reason_stays_when_it_is_refused(address: str, as_: Callable[[str], Client]) -> None:
    """The form comes back with what was typed."""
    long = "Answers at random. " * 120
    response = as_("manager").post(f"{address}act/", {"action": "exclude", "reason": long})
    assert response.status_code == 422
    assert f'value="{long}"' in response.content.decode()


def test_links_are_revoked_and_renewed(link: Invitation, address: str, as_: Callable[[str], Client]) -> None:
    """A revoked link leads nowhere; a new one has another serial."""
    manager = as_("manager")
    manager.post(f"{address}act/", {"action": "revoke"})
    link.refresh_from_db()
    assert link.revoked_at is not None
    manager.post(f"{address}act/", {"action": "renew"})
    link.refresh_from_db()
    assert (link.revoked_at, link.serial) == (None, 2)


def test_leases_are_given_time_and_taken_back(study: Study, link: Invitation, as_: Callable[[str], Client]) -> None:
    """A manager sees what somebody holds, puts its end off and frees it for others."""
    from django.utils import timezone

    from rubrica.store.allocation.leases import take

    person = study.annotators.get(name="ana")
    held = take(person, study.stages.get(), timezone.now()).leases
    address = f"/s/{study.pid}/people/{person.pid}/"
    manager = as_("manager")
    assert held[0].item.key in manager.get(address).content.decode()
    manager.post(f"{address}act/", {"action": "time", "hours": "48"})
    held[0].refresh_from_db()
    assert held[0].expires_at is not None
    assert (held[0].expires_at - timezone.now()).total_seconds() > 47 * 3600
    manager.post(f"{address}act/", {"action": "return", "lease": held[0].pid})
    assert person.assignments.filter(state="open").count() == len(held) - 1
    manager.post(f"{address}act/", {"action": "return"})
    assert person.assignments.filter(state="open").count() == 0


def test_erasure_needs_the_tick(ana: Annotator, address: str, as_: Callable[[str], Client]) -> None:
    """Without the box nothing happens; with it the answers are gone and the page still opens."""
    manager = as_("manager")
    manager.post(f"{address}act/", {"action": "erase"})
    ana.refresh_from_db()
    assert ana.erased_at is None
    manager.post(f"{address}act/", {"action": "erase", "sure": "yes"})
    ana.refresh_from_db()
    assert ana.erased_at is not None
    assert ana.name.startswith("erased")
    assert "Erased at their request" in manager.get(address).content.decode()


def test_the_table_asks_the_database_no_more_for_more_work(
    study: Study, ana: Annotator, as_: Callable[[str], Client]
) -> None:
    """Rows cost no queries of their own: three people who worked need as many as one."""
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    client = as_("viewer")
    client.get(f"/s/{study.pid}/people/")
    with CaptureQueriesContext(connection) as one:
        client.get(f"/s/{study.pid}/people/")
    for name in ("ben", "eva"):
        judge(study, name)
    client.get(f"/s/{study.pid}/people/")
    with CaptureQueriesContext(connection) as three:
        client.get(f"/s/{study.pid}/people/")
    assert len(three) == len(one)


@pytest.mark.parametrize("protocol", ["breve", "salsa"])
def test_the_table_asks_as_much_for_thirty_people_as_for_three(make_study: Callable[..., Study], protocol: str) -> None:
    """The number of queries does not grow with people who were invited, are on their way or hold work."""
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    from rubrica.store.allocation.leases import take
    from rubrica.store.people.invitations import invite
    from rubrica.store.people.participation import finish
    from rubrica.studio.dashboard.people import table

    study = make_study(protocol, items=40, steps=True)

    def come(names: list[str]) -> None:
        for number, link in enumerate(invite(study, names, NOW)):
            assert link.annotator is not None
            if number % 3:
                finish(link.annotator, "welcome", NOW)
            if number % 3 == 2:
                take(link.annotator, study.stages.all()[0], NOW)

    def queries() -> int:
        table(study)
        with CaptureQueriesContext(connection) as asked:
            assert len({row.step for row in table(study)}) == 3
        return len(asked)

    come(["ana", "ben", "eva"])
    few = queries()
    come([f"p{number}" for number in range(27)])
    assert queries() == few


def test_the_legend_explains_the_columns_that_are_there(
    study: Study, ana: Annotator, as_: Callable[[str], Client]
) -> None:
    """Nothing is said of known answers and duplicates where none are planted."""
    page = as_("owner").get(f"/s/{study.pid}/people/").content.decode()
    assert ("Known answers: right" in page) == ('number">Known answers</th>' in page)
    assert "Times are active times" in page


def test_the_overviews_picture_has_everybody_and_rows_of_an_equal_share() -> None:
    """Who has not begun has an empty row; a bar is as long as its part of what one person is to do."""
    from rubrica.studio.dashboard.charts import per_person

    chart = per_person([("A1", 3, 3), ("A2", 0, 0), ("A3", 0, 0)], 540)
    assert chart is not None
    assert [row.name for row in chart.rows] == ["A1", "A2", "A3"]
    assert chart.share == 180
    assert float(chart.rows[0].done_width) < 5
    assert per_person([("A1", 0, 0)], 180) is None
