"""Inviting annotators: personal links, an open link, Prolific, MTurk; who may see them."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pytest
from django.test import Client

from tests.studio.conftest import NOW

if TYPE_CHECKING:
    from rubrica.store.models import Study

As = Callable[[str], Client]


def page(study: Study, more: str = "") -> str:
    """The address of the page, or of one of its actions."""
    return f"/s/{study.pid}/invite/{more}"


def test_names_become_links(study: Study, as_: As) -> None:
    """Names on lines or between commas get a personal link each, shown with the whole address."""
    from rubrica.store.models import Invitation
    from rubrica.store.people.invitations import token

    sent = {"names": "ana, bo\n  cy \n\nana", "as_names": "yes"}
    answer = as_("manager").post(page(study, "people/"), sent, follow=True)
    assert answer.status_code == 200
    links = Invitation.objects.filter(study=study, kind="personal")
    assert sorted(link.annotator.name for link in links if link.annotator) == ["ana", "bo", "cy"]
    for link in links:
        assert f"http://testserver/w/{token(link)}/" in answer.content.decode()


def test_people_get_pseudonyms_and_their_names_stay_in_the_studio(study: Study, as_: As) -> None:
    """A1, A2: exports, the API and viewers see nothing else; managers see who it is, find them by it, mail by it."""
    from rubrica.store.models import Invitation
    from tests.studio.judging import judge

    manager = as_("manager")
    shown = manager.post(page(study, "people/"), {"names": "Zoë Quine\nben"}, follow=True).content.decode()
    assert "Zoë Quine" in shown
    assert [(link.annotator.name, link.note) for link in Invitation.objects.order_by("pk") if link.annotator] == [
        ("A1", "Zoë Quine"),
        ("A2", "ben"),
    ]
    assert manager.get(page(study), {"q": "quine"}).content.decode().count('class="link-cell"') == 1
    assert manager.get(page(study, "links.csv")).content.decode().splitlines()[1].startswith("A1,Zoë Quine,http")
    person = Invitation.objects.get(note="ben").annotator
    assert person is not None
    assert "Who that is" in manager.get(f"/s/{study.pid}/people/{person.pid}/").content.decode()
    assert "Who that is" not in as_("viewer").get(f"/s/{study.pid}/people/{person.pid}/").content.decode()
    judge(study, "A1")
    exported = _exported(study, "jsonl") + _exported(study, "csv")
    assert "A1" in exported
    assert "Quine" not in exported


def _exported(study: Study, form: str) -> str:
    from rubrica.exchange.exports import Wanted
    from rubrica.store.jobs.exporting import write

    out = io.BytesIO()
    write(study, Wanted(form=form), out)
    return out.getvalue().decode()


def test_a_pseudonym_is_its_person(study: Study, as_: As) -> None:
    """Pasted again, in any case, or by the pseudonym, they keep their link; erased, their name is gone and refused."""
    from rubrica.store.models import Annotator, Invitation
    from rubrica.store.people.erasure import erase
    from rubrica.store.people.identities import of_name

    manager = as_("manager")
    for names in ("Ana", "ana", "A1"):
        assert manager.post(page(study, "people/"), {"names": names}).status_code == 302
    person = Annotator.objects.get(study=study)
    assert (person.name, person.identity) == ("A1", of_name("Ana"))
    erase(person, NOW, actor="manager")
    assert Invitation.objects.get().note == ""
    refused = manager.post(page(study, "people/"), {"names": "Ana"})
    assert refused.status_code == 422
    assert "was erased from this study" in refused.content.decode()
    manager.post(page(study, "people/"), {"names": "Eva"})
    assert Annotator.objects.living().get(study=study).name == "A2"


def test_pasting_the_same_names_again_keeps_their_links(study: Study, as_: As) -> None:
    """A doubled submit makes no second link and changes none."""
    from rubrica.store.models import Invitation
    from rubrica.store.people.invitations import token

    client = as_("manager")
    client.post(page(study, "people/"), {"names": "ana"})
    before = token(Invitation.objects.get())
    client.post(page(study, "people/"), {"names": "ana"})
    assert token(Invitation.objects.get()) == before


def test_five_hundred_names_are_invited_in_a_few_queries(study: Study, as_: As) -> None:
    """Links are made together, a hundred or more in one statement; one by one it would be 495 statements more."""
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    client = as_("manager")
    counts = []
    for batch in ("a", "b"):
        names = "\n".join(f"{batch}{number}" for number in range(5 if batch == "a" else 500))
        with CaptureQueriesContext(connection) as asked:
            assert client.post(page(study, "people/"), {"names": names}).status_code == 302
        counts.append(len(asked))
    assert study.invitations.count() == 505
    assert counts[1] <= counts[0] + 20


def test_the_list_of_links_is_paged_and_searched(study: Study, as_: As) -> None:
    """Fifty at a time, the newest first; a name is found on the server; the file has them all."""
    client = as_("manager")
    client.post(page(study, "people/"), {"names": "\n".join(f"person-{number:03}" for number in range(120))})
    shown = client.get(page(study)).content.decode()
    assert shown.count('class="link-cell"') == 50
    assert "120 personal links" in shown
    assert "Page 1 of 3" in shown
    last = client.get(page(study), {"page": "3"}).content.decode()
    assert last.count('class="link-cell"') == 20
    found = client.get(page(study), {"q": "son-007"}).content.decode()
    assert found.count('class="link-cell"') == 1
    assert "Nobody of this name" in client.get(page(study), {"q": "nobody\0"}).content.decode()
    assert len(client.get(page(study, "links.csv")).content.decode().splitlines()) == 121


def test_impossible_names_are_told_and_kept_in_the_form(study: Study, as_: As) -> None:
    """A name that cannot be one is refused with the reason, and what was typed is still there."""
    answer = as_("manager").post(page(study, "people/"), {"names": "good\na/b"})
    assert answer.status_code == 422
    assert "a/b" in answer.content.decode()
    assert not study.annotators.exists()
    assert as_("manager").post(page(study, "people/"), {"names": " \n,"}).status_code == 422


def test_revoking_and_renewing_a_link(study: Study, as_: As, link: Any) -> None:
    """A revoked link is shown no more; a new one takes its place, once, however often the button is pressed."""
    from rubrica.store.people.invitations import token

    client, old = as_("manager"), token(link)
    client.post(page(study, f"{link.pid}/revoke/"))
    assert old not in client.get(page(study)).content.decode()
    for _ in range(2):
        client.post(page(study, f"{link.pid}/renew/"), {"serial": "1"})
    link.refresh_from_db()
    assert link.serial == 2
    assert link.revoked_at is None
    assert token(link) in client.get(page(study)).content.decode()


def test_links_as_csv(study: Study, as_: As, link: Any) -> None:
    """The download has a row for each link that works."""
    from rubrica.store.people.invitations import token

    answer = as_("manager").get(page(study, "links.csv"))
    rows = list(csv.DictReader(io.StringIO(answer.content.decode())))
    assert rows == [{"pseudonym": "ana", "name": "", "link": f"http://testserver/w/{token(link)}/"}]
    assert answer.headers["Content-Disposition"] == f'attachment; filename="{study.name}-links.csv"'
    assert "no-store" in answer.headers["Cache-Control"]


def test_open_link_with_a_cap(study: Study, as_: As) -> None:
    """An open link can have a cap, which can be changed or lifted."""
    from rubrica.store.models import Invitation

    client = as_("manager")
    client.post(page(study, "door/"), {"kind": "open", "cap": "30"})
    door = Invitation.objects.get()
    assert (door.kind, door.cap) == ("open", 30)
    assert f"http://testserver/join/{door.pid}" in client.get(page(study)).content.decode()
    client.post(page(study, f"{door.pid}/cap/"), {"cap": ""})
    door.refresh_from_db()
    assert door.cap is None


@pytest.mark.parametrize("cap", ["0", "-1", "many", "9" * 30, "1.5", "٣٤x"])
def test_caps_that_are_no_number_of_people(study: Study, as_: As, cap: str) -> None:
    """A cap that lets nobody in, or is no number, is refused on the page."""
    answer = as_("manager").post(page(study, "door/"), {"kind": "open", "cap": cap})
    assert answer.status_code == 422
    assert not study.invitations.exists()


def test_prolific_shows_what_to_paste(study: Study, as_: As) -> None:
    """The Prolific link holds the placeholders as Prolific writes them, and a code is made if none is typed."""
    from rubrica.store.models import Invitation

    client = as_("manager")
    client.post(page(study, "door/"), {"kind": "prolific", "cap": "", "code": ""})
    door = Invitation.objects.get()
    assert len(door.completion_code) == 8
    shown = client.get(page(study)).content.decode()
    assert "?PROLIFIC_PID={{%PROLIFIC_PID%}}&amp;STUDY_ID={{%STUDY_ID%}}&amp;SESSION_ID={{%SESSION_ID%}}" in shown
    assert door.completion_code in shown


def test_prolific_takes_a_typed_code_and_refuses_what_is_none(study: Study, as_: As) -> None:
    """The platform's own code is kept as it is; markup is not a code."""
    client = as_("manager")
    assert client.post(page(study, "door/"), {"kind": "prolific", "code": "<b>"}).status_code == 422
    client.post(page(study, "door/"), {"kind": "prolific", "code": "C1A2B3"})
    assert study.invitations.get().completion_code == "C1A2B3"


def test_mturk_shows_the_question_and_the_masters(make_study: Callable[..., Study], as_: As, people: Any) -> None:
    """The XML of the external question can be copied; Masters are named if the study asks for them."""
    from rubrica.store.models import Member

    study = make_study(name="turk", ethics={"master_required": True})
    Member.objects.create(study=study, user=people["manager"], role="manager", since=NOW)
    client = as_("manager")
    client.post(page(study, "door/"), {"kind": "mturk", "cap": "5"})
    shown = client.get(page(study)).content.decode()
    assert "&lt;ExternalURL&gt;http://testserver/join/" in shown
    assert "&lt;FrameHeight&gt;0&lt;/FrameHeight&gt;" in shown
    assert "2F1QJWKUDD8XADTFD2Q0G6UTO95ALH" in shown


def test_unknown_kind_of_link(study: Study, as_: As) -> None:
    """A kind that does not exist is refused."""
    assert as_("manager").post(page(study, "door/"), {"kind": "fax"}).status_code == 422


def test_draft_study_warns(study: Study, as_: As) -> None:
    """Links of a study that is not launched say so."""
    study.stages.update(state="draft")
    assert "not launched yet" in as_("manager").get(page(study)).content.decode()


@pytest.mark.parametrize("who", ["viewer", "adjudicator"])
def test_links_are_for_managers_alone(study: Study, as_: As, link: Any, who: str) -> None:
    """Whoever may not manage sees no link and changes none."""
    client = as_(who)
    assert client.get(page(study)).status_code == 403
    assert client.get(page(study, "links.csv")).status_code == 403
    for action in ("people/", "door/", f"{link.pid}/revoke/", f"{link.pid}/renew/", f"{link.pid}/cap/"):
        assert client.post(page(study, action)).status_code == 403


def test_strangers_find_nothing(study: Study, as_: As, link: Any) -> None:
    """A study that one is no member of is not there."""
    assert as_("stranger").get(page(study)).status_code == 404
    assert as_("stranger").post(page(study, f"{link.pid}/revoke/")).status_code == 404
    assert as_("").get(page(study)).status_code == 302


def test_links_of_other_studies_are_not_there(
    make_study: Callable[..., Study], study: Study, as_: As, link: Any
) -> None:
    """An id of another study, or none at all, is nothing."""
    from rubrica.store.people.invitations import invite

    theirs = invite(make_study(name="other"), ["bo"], NOW)[0]
    for pid in (theirs.pid, "nothing"):
        assert as_("manager").post(page(study, f"{pid}/revoke/")).status_code == 404
    theirs.refresh_from_db()
    assert theirs.revoked_at is None
    assert as_("manager").post(page(study, f"{link.pid}/cap/"), {"cap": "3"}).status_code == 404


@pytest.mark.parametrize("action", ["people/", "door/", "x/revoke/", "x/renew/", "x/cap/"])
def test_actions_need_a_post(study: Study, as_: As, action: str) -> None:
    """A link to an action does nothing."""
    assert as_("manager").get(page(study, action)).status_code == 405


def test_first_and_last_use(study: Study, as_: As, link: Any) -> None:
    """The table says when a link was first and last used."""
    from rubrica.store.allocation.leases import take
    from rubrica.store.counting.progress import Seen, seen

    assert seen(study, online=True) == {}
    take(link.annotator, study.stages.get(), NOW)
    assert seen(study, online=True) == {link.annotator_id: Seen(NOW, NOW)}


def test_a_sheet_that_was_written_is_no_visit(study: Study, as_: As, link: Any) -> None:
    """Somebody who was only dealt a sheet has not been there."""
    from rubrica.store.allocation.sheets import Request, deal_sheets
    from rubrica.store.counting.progress import seen

    dealt = deal_sheets(study.stages.get(), Request([link.annotator.name], 10, "en"), NOW)
    assert dealt.files
    assert seen(study, online=True) == {}
    assert "not yet" in as_("manager").get(page(study)).content.decode()
