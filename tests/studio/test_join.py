"""Doors for people unknown beforehand: the open link, Prolific and MTurk."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING
from urllib.parse import urlencode

import pytest
from django.test import Client

from tests.studio.conftest import NOW

if TYPE_CHECKING:
    from rubrica.store.models import Invitation, Study

pytestmark = pytest.mark.postgres

PROLIFIC = {"PROLIFIC_PID": "pid-1", "STUDY_ID": "st-1", "SESSION_ID": "se-1"}
MTURK = {
    "workerId": "W1",
    "assignmentId": "A1",
    "hitId": "H1",
    "turkSubmitTo": "https://workersandbox.mturk.com",
}


@pytest.fixture
def open_link(study: Study) -> Callable[..., tuple[Invitation, str]]:
    """Makes a link for many: the invitation and its address."""
    from rubrica.store.people.invitations import open_door, token

    def make(kind: str, **more: object) -> tuple[Invitation, str]:
        made = open_door(study, kind, NOW, **more)  # type: ignore[arg-type]
        return made, f"/join/{token(made)}/"

    return make


Opens = Callable[..., "tuple[Invitation, str]"]


def with_query(address: str, given: dict[str, str]) -> str:
    """The address with the platform's parameters."""
    return f"{address}?{urlencode(given)}"


def come_in(client: Client, address: str, given: dict[str, str]) -> str:
    """Press the button of a platform's door; the personal pages."""
    answer = client.post(with_query(address, given))
    assert answer.status_code == 302, answer.content.decode()[:500]
    assert answer.headers["Location"].startswith("/w/")
    return answer.headers["Location"]


def new_code(client: Client, pages: str) -> str:
    """The code that the menu of these pages gives."""
    found = re.search(r"<code>([A-Z0-9 ]+)</code>", client.post(f"{pages}device/").content.decode())
    assert found is not None
    return found[1]


def test_the_open_link_tells_first_and_makes_a_person_on_request(
    client: Client, open_link: Opens, study: Study
) -> None:
    """Looking makes nobody; "Take part" makes one annotator with a personal link."""
    _, address = open_link("open")
    page = client.get(address)
    assert b"Take part" in page.content
    assert b"Guidelines" in page.content
    assert not study.annotators.exists()
    assert client.post(address).headers["Location"].startswith("/w/")
    assert study.annotators.count() == 1


def test_the_open_link_knows_the_same_browser_again(client: Client, open_link: Opens, study: Study) -> None:
    """Opened again, or sent twice, it resumes instead of making a second person; another browser is another person."""
    _, address = open_link("open")
    first = client.post(address).headers["Location"]
    assert client.get(address).headers["Location"] == first
    assert client.post(address).headers["Location"] == first
    assert Client().post(address).headers["Location"] != first
    assert study.annotators.count() == 2


def test_an_open_link_can_be_full(client: Client, open_link: Opens, study: Study) -> None:
    """Beyond the cap nobody comes in, and the page says so before one tries."""
    _, address = open_link("open", cap=1)
    Client().post(address)
    assert b"All places are taken" in client.get(address).content
    assert client.post(address).status_code == 409
    assert study.annotators.count() == 1


def test_another_doors_cookie_is_not_taken(client: Client, open_link: Opens) -> None:
    """A cookie that names somebody of another door, or nonsense, makes no difference."""
    door, address = open_link("open")
    other, elsewhere = open_link("open")
    token = Client().post(elsewhere).headers["Location"].split("/")[2]
    for value in (token, "nonsense"):
        client.cookies[f"rubrica_door_{door.pid}"] = value
        assert client.get(address).status_code == 200
    assert other.pid != door.pid


def test_prolific_makes_one_person_of_each_id(client: Client, open_link: Opens, study: Study) -> None:
    """Looking makes nobody; the button makes one annotator for each participant, under a pseudonym."""
    from rubrica.store.models import ExternalIdentity

    _, address = open_link("prolific", code="C0DE")
    for _ in range(2):
        assert b"Take part" in client.get(address, PROLIFIC).content
    assert not study.annotators.exists()
    first = come_in(client, address, PROLIFIC)
    assert client.get(address, PROLIFIC | {"SESSION_ID": "se-2"}).headers["Location"] == first
    assert come_in(client, address, PROLIFIC | {"PROLIFIC_PID": "pid-2"}) != first
    assert study.annotators.count() == 2
    assert ExternalIdentity.objects.get(participant="pid-1").details["SESSION_ID"] == "se-2"
    assert "pid-1" not in "".join(study.annotators.values_list("name", flat=True))


STRANGERS = [("prolific", PROLIFIC), ("mturk", MTURK | {"assignmentId": "made-up"})]


@pytest.mark.parametrize(("kind", "given"), STRANGERS)
def test_a_stranger_with_link_and_id_does_not_get_the_place(
    client: Client, open_link: Opens, study: Study, kind: str, given: dict[str, str]
) -> None:
    """Neither by looking nor by the button, with whatever cookie: they learn no link and change nothing."""
    from rubrica.store.models import ExternalIdentity

    _, address = open_link(kind)
    theirs = come_in(client, address, {"prolific": PROLIFIC, "mturk": MTURK}[kind])
    before = ExternalIdentity.objects.values().get()
    stranger = Client()
    come_in(stranger, address, {**given, "PROLIFIC_PID": "own", "workerId": "own", "assignmentId": "own"})
    for who in (Client(), stranger):
        for answer in (who.get(address, given), who.post(with_query(address, given)), who.head(address, given)):
            assert theirs not in answer.content.decode() + answer.headers.get("Location", "")
            assert answer.status_code in (200, 409, 422)
    assert ExternalIdentity.objects.filter(pk=before["id"]).values().get() == before
    assert study.annotators.count() == 2
    assert client.get(address, {"prolific": PROLIFIC, "mturk": MTURK}[kind]).headers["Location"] == theirs


def test_in_mturks_frame_the_assignment_does_without_a_cookie(open_link: Opens, study: Study) -> None:
    """A browser that keeps no cookie comes back with its assignment, and not with another one."""
    _, address = open_link("mturk")
    theirs = come_in(Client(), address, MTURK)
    assert Client().get(address, MTURK).headers["Location"] == theirs
    assert Client().get(address, MTURK | {"assignmentId": "A2"}).status_code == 409
    assert study.annotators.count() == 1


def test_over_https_the_cookie_may_stand_in_mturks_frame(open_link: Opens) -> None:
    """There it is sent in the frame of another site; Prolific's is not, and no script reads either."""
    mturk, prolific = open_link("mturk")[1], open_link("prolific")[1]
    for address, given, site in ((mturk, MTURK, "None"), (prolific, PROLIFIC, "Lax")):
        answer = Client().post(with_query(address, given), secure=True)
        cookie = answer.cookies["rubrica_device"]
        assert (cookie["samesite"], cookie["secure"], cookie["httponly"], cookie["path"]) == (
            site,
            True,
            True,
            "/join/",
        )


def test_a_code_moves_the_place_once(client: Client, open_link: Opens) -> None:
    """Made on the old device, typed on the new one: the place opens there, and not by the same code again."""
    _, address = open_link("prolific")
    theirs = come_in(client, address, PROLIFIC)
    code = new_code(client, theirs)
    phone, thief = Client(), Client()
    assert b"This place is in use on another device" in phone.get(address, PROLIFIC).content
    assert phone.post(with_query(address, PROLIFIC), {"code": "WRONG234"}).status_code == 422
    assert phone.post(with_query(address, PROLIFIC), {"code": f" {code.lower()} "}).headers["Location"] == theirs
    assert phone.get(address, PROLIFIC).headers["Location"] == theirs
    assert thief.post(with_query(address, PROLIFIC), {"code": code}).status_code == 422
    assert client.get(address, PROLIFIC).status_code == 409
    assert client.get(theirs).status_code == 302, "what is open on the old device can still be delivered"


def test_a_code_cannot_be_guessed(client: Client, open_link: Opens) -> None:
    """After five wrong ones even the right one is void; without one nothing can be tried."""
    _, address = open_link("prolific")
    theirs = come_in(client, address, PROLIFIC)
    thief = Client()
    assert thief.post(with_query(address, PROLIFIC), {"code": ""}).status_code == 422
    code = new_code(client, theirs)
    for _ in range(5):
        assert thief.post(with_query(address, PROLIFIC), {"code": "AAAA2222"}).status_code == 422
    assert thief.post(with_query(address, PROLIFIC), {"code": code}).status_code == 422


def test_the_code_is_shown_once_and_kept_nowhere(client: Client, open_link: Opens, door: str) -> None:
    """Looking makes none, no cache keeps the page, and whoever has a personal link from the start needs none."""
    from rubrica.store.models import ExternalIdentity

    _, address = open_link("prolific")
    page = f"{come_in(client, address, PROLIFIC)}device/"
    assert "<code>" not in client.get(page).content.decode()
    shown = client.post(page)
    assert "no-store" in shown.headers["Cache-Control"]
    code = re.search(r"<code>([A-Z0-9 ]+)</code>", shown.content.decode())
    assert code is not None
    assert code[1].replace(" ", "") not in str(ExternalIdentity.objects.values().get())
    assert client.get(f"{door}device/").status_code == 404


def test_a_place_that_was_reset_waits_for_the_next_device(
    client: Client, open_link: Opens, study: Study, as_: Callable[[str], Client]
) -> None:
    """Whoever came first under a stolen id loses the place and its link; the person comes in with all that was done."""
    thief = Client()
    _, address = open_link("prolific")
    stolen = come_in(thief, address, PROLIFIC)
    assert client.get(address, PROLIFIC).status_code == 409
    person = study.annotators.get()
    where = f"/s/{study.pid}/people/{person.pid}/"
    assert b"Set the place free" in as_("manager").get(where).content
    assert as_("viewer").post(f"{where}act/", {"action": "reset"}).status_code == 403
    as_("manager").post(f"{where}act/", {"action": "reset"})
    assert thief.get(stolen).status_code == 404
    assert come_in(client, address, PROLIFIC) != stolen
    assert thief.get(address, PROLIFIC).status_code == 409
    assert study.annotators.count() == 1


def test_places_from_before_devices_were_known_go_to_the_first(client: Client, open_link: Opens, study: Study) -> None:
    """Who came before the upgrade presses the button once; then the place is bound."""
    from rubrica.store.people.invitations import enter

    made, address = open_link("prolific", cap=1)
    enter(made, PROLIFIC, NOW)
    assert b"Take part" in client.get(address, PROLIFIC).content
    assert client.get(come_in(client, address, PROLIFIC)).status_code == 302
    assert Client().get(address, PROLIFIC).status_code == 409
    assert study.annotators.count() == 1


@pytest.mark.parametrize("missing", [*PROLIFIC])
@pytest.mark.parametrize("value", ["", " ", "{{%PROLIFIC_PID%}}"])
def test_a_prolific_link_without_its_parameters_says_so(
    client: Client, open_link: Opens, study: Study, missing: str, value: str
) -> None:
    """A clear page names what is missing; nobody is made."""
    response = client.get(open_link("prolific")[1], PROLIFIC | {missing: value})
    assert response.status_code == 400
    assert missing in response.content.decode()
    assert not study.annotators.exists()


def test_parameters_that_cannot_be_stored_are_refused(client: Client, open_link: Opens, study: Study) -> None:
    """A NUL in a parameter is refused on every database."""
    assert client.get(open_link("prolific")[1], PROLIFIC | {"PROLIFIC_PID": "a\0b"}).status_code == 400
    assert not study.annotators.exists()


@pytest.mark.parametrize(("name", "length"), [("PROLIFIC_PID", 201), ("SESSION_ID", 501)])
def test_a_parameter_that_is_too_long_is_refused_not_cut(
    client: Client, open_link: Opens, study: Study, name: str, length: int
) -> None:
    """Cut short, two people could become one: the page says what is too long, and nobody is made."""
    _, address = open_link("prolific")
    response = client.get(address, PROLIFIC | {name: "x" * length})
    assert response.status_code == 400
    assert f"<code>{name}</code>" in response.content.decode()
    assert not study.annotators.exists()
    come_in(client, address, PROLIFIC | {name: "x" * (length - 1)})


@pytest.mark.parametrize("kind", ["open", "prolific", "mturk"])
def test_whoever_only_asks_for_the_head_does_not_come_in(
    client: Client, open_link: Opens, study: Study, kind: str
) -> None:
    """Programs that check links find a page and make nobody."""
    given = {"prolific": PROLIFIC, "mturk": MTURK}.get(kind, {})
    response = client.head(open_link(kind)[1], given)
    assert (response.status_code, response.content) == (200, b"")
    assert not study.annotators.exists()


def test_the_head_of_a_personal_link_leads_on(client: Client, door: str) -> None:
    """It answers as the page does."""
    assert client.head(door).status_code == 302


def test_mturk_shows_a_preview_before_the_hit_is_accepted(client: Client, open_link: Opens, study: Study) -> None:
    """The preview shows the study with a note and takes nobody in."""
    page = client.get(open_link("mturk")[1], {"assignmentId": "ASSIGNMENT_ID_NOT_AVAILABLE", "hitId": "H1"})
    assert page.status_code == 200
    assert b"Accept the HIT first" in page.content
    assert b"Take part" not in page.content
    assert not study.annotators.exists()


def test_only_mturks_people_see_pages_in_a_frame(client: Client, open_link: Opens, door: str) -> None:
    """Pages of whoever came by MTurk may stand in MTurk's frame; those of others in none."""
    _, address = open_link("mturk")
    there = client.post(with_query(address, MTURK))
    mine = there.headers["Location"]
    other = Client().get(address, MTURK | {"assignmentId": "A2"})
    for page in (there, client.get(mine), client.get(f"{mine}welcome/"), client.get(f"{mine}device/"), other):
        policy = page.headers["Content-Security-Policy"]
        assert "frame-ancestors https://www.mturk.com" in policy
        assert "X-Frame-Options" not in page.headers
    assert "mturk" not in client.get(f"{door}welcome/").headers["Content-Security-Policy"]
    assert "mturk" not in client.get(open_link("open")[1]).headers["Content-Security-Policy"]


def test_mturk_keeps_the_latest_assignment(client: Client, open_link: Opens, study: Study) -> None:
    """The same worker with another assignment is the same annotator; the newer assignment is what is submitted."""
    from rubrica.store.models import ExternalIdentity

    _, address = open_link("mturk")
    come_in(client, address, MTURK)
    client.get(address, MTURK | {"assignmentId": "A2"})
    assert study.annotators.count() == 1
    assert ExternalIdentity.objects.get().details["assignmentId"] == "A2"


def test_platforms_can_be_full(client: Client, open_link: Opens) -> None:
    """Beyond the cap a newcomer is told so, and somebody who was in still comes in."""
    _, address = open_link("prolific", cap=1)
    come_in(client, address, PROLIFIC)
    late = PROLIFIC | {"PROLIFIC_PID": "late"}
    assert b"All places are taken" in client.get(address, late).content
    assert client.post(with_query(address, late)).status_code == 409
    assert client.get(address, PROLIFIC).status_code == 302


def test_a_revoked_door_is_closed(client: Client, open_link: Opens) -> None:
    """It says that it has ended; a token that was never made leads nowhere."""
    from rubrica.store.people.invitations import revoke

    made, address = open_link("open")
    revoke(made, NOW)
    assert client.get(address).status_code == 410
    assert client.post(address).status_code == 410
    assert client.get("/join/nonsense/").status_code == 404


def test_a_personal_link_at_the_door_leads_home(client: Client, door: str, open_link: Opens) -> None:
    """A personal token opens its own pages; a door's token opens nobody's."""
    assert client.get(door.replace("/w/", "/join/")).headers["Location"] == door
    assert client.get(open_link("open")[1].replace("/join/", "/w/")).status_code == 404


def test_other_methods_are_refused(client: Client, open_link: Opens) -> None:
    """A door is opened and entered, nothing else."""
    assert client.put(open_link("open")[1]).status_code == 405


def test_coming_in_by_an_open_link_needs_the_pages_own_form(open_link: Opens, study: Study) -> None:
    """Another site cannot make people come in by an open link; in MTurk's frame, where no cookie is kept, one can."""
    strict = Client(enforce_csrf_checks=True)
    assert strict.post(open_link("open")[1]).status_code == 403
    assert not study.annotators.exists()
    assert strict.post(with_query(open_link("mturk")[1], MTURK)).status_code == 302


def test_the_newcomers_language_is_the_browsers(open_link: Opens, study: Study) -> None:
    """The page and the person who comes in speak the browser's language."""
    browser = Client(headers={"accept-language": "es"})
    _, address = open_link("open")
    assert "español conciso" in browser.get(address).content.decode()
    browser.post(address)
    assert study.annotators.get().language == "es"
