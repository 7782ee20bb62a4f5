"""The way from welcome to work: order, what can be read at any time, what cannot be skipped, language, strangers."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest
from django.test import Client

from tests.studio.conftest import NOW

if TYPE_CHECKING:
    from rubrica.store.models import Invitation, Study

PAGES = ("welcome", "consent", "profile", "guidelines", "practice", "qualification", "thanks", "history", "withdraw")


@pytest.fixture
def study(make_study: Callable[..., Study]) -> Study:
    """A study with every step, in short: breve has sixteen practice items."""
    return make_study(steps=True)


def step(door: str, name: str) -> str:
    """The address of a step."""
    return f"{door}{name}/"


def digest(page: bytes) -> str:
    """The wording that a consent page shows."""
    return page.decode().split('name="text" value="')[1].split('"')[0]


def agree(client: Client, door: str) -> None:
    """Agree to what the consent page shows."""
    text = digest(client.get(step(door, "consent")).content)
    client.post(step(door, "consent"), {"decision": "agree", "text": text})


UNSAID = {
    f"{name}.unsaid": "1"
    for name in ("education_years", "native_speaker", "age", "reading_hours", "first_language", "languages", "country")
}


def test_the_link_leads_to_each_step_in_its_order(client: Client, door: str) -> None:
    """Welcome, consent, profile, guidelines, practice: each is due once the one before is done."""
    assert client.get(door).headers["Location"] == step(door, "welcome")
    assert client.post(step(door, "welcome")).headers["Location"] == step(door, "consent")
    agree(client, door)
    assert client.get(door).headers["Location"] == step(door, "profile")
    assert client.post(step(door, "profile"), UNSAID).headers["Location"] == step(door, "guidelines")
    assert client.post(step(door, "guidelines")).headers["Location"] == step(door, "practice")
    assert client.get(step(door, "practice")).status_code == 200


def test_steps_that_are_off_are_left_out(client: Client, make_study: Callable[..., Study]) -> None:
    """With every step off, the link leads straight to the work."""
    from rubrica.store.people.invitations import invite, token

    there = f"/w/{token(invite(make_study(name='bare'), ['ana'], NOW)[0])}/"
    assert client.get(there).headers["Location"] == f"{there}work/"


@pytest.mark.parametrize("name", ["consent", "profile", "practice", "practice/1/1", "qualification", "work", "thanks"])
def test_nobody_jumps_over_a_step(client: Client, door: str, name: str) -> None:
    """Typing the address of a later step leads back to the one that is due."""
    assert client.get(step(door, name)).headers["Location"] == step(door, "welcome")


@pytest.mark.parametrize("name", ["welcome", "guidelines"])
def test_welcome_and_guidelines_are_readable_before_any_decision(client: Client, door: str, name: str) -> None:
    """What the study is, how data are used and the guidelines can be read at any time, and reading finishes nothing."""
    assert client.get(step(door, name)).status_code == 200
    client.post(step(door, "guidelines"))
    assert client.get(door).headers["Location"] == step(door, "welcome")


def test_the_welcome_says_what_one_will_do(client: Client, make_study: Callable[..., Study]) -> None:
    """Task, amount, time, pay, data use, the right to skip and whom to ask are on the page."""
    from rubrica.store.people.invitations import invite, token

    study = make_study(
        name="told",
        steps=True,
        welcome_text="# Hello\n\nWe *thank* you. <script>alert(1)</script>",
        data_use="It stays in **Utrecht**.",
        limit_per_annotator=4,
        payment={"per_task": {"rate": "0.25"}, "median_seconds": {"rate": 60}, "currency": "EUR"},
        ethics={"contact": "ethics@example.org", "approval": "No. 77"},
    )
    study.title = "Short and sweet"
    study.save()
    page = client.get(f"/w/{token(invite(study, ['ana'], NOW)[0])}/welcome/").content.decode()
    told = ("Short and sweet", "up to 4 items", "0.25 EUR", "60 seconds", "4 minutes", "Utrecht", "No. 77")
    assert [words for words in (*told, "ethics@example.org", "lose nothing") if words not in page] == []
    assert "<script>alert" not in page


def test_the_welcome_guesses_how_long_the_work_takes(client: Client, make_study: Callable[..., Study]) -> None:
    """Seconds for an item by its words, and for all of them; not for more than a week's work."""
    from rubrica.core.study import Item
    from rubrica.store.people.invitations import invite, token
    from rubrica.store.setup.study_items import add_items

    texts = {"source": " ".join(["word"] * 60), "rewrite": " ".join(["word"] * 40)}
    study = make_study("quality", name="guessed", steps=True, rows=[Item(f"i{n}", texts) for n in range(180)])
    address = f"/w/{token(invite(study, ['ana'], NOW)[0])}/welcome/"
    page = client.get(address).content.decode()
    assert "about 55 seconds for each item, up to 3 hours in all" in page, "100 words, three marks, room for a remark"
    assert "go on later by the same link" in page
    add_items(study, [Item(f"late{n}", texts) for n in range(2500)], NOW)
    page = client.get(address).content.decode()
    assert "about 55 seconds for each item" in page
    assert "in all" not in page


def test_the_language_is_kept(client: Client, door: str, link: Invitation) -> None:
    """Choosing a language changes the pages and stays with the annotator; one that is not offered changes nothing."""
    answer = client.post(step(door, "language"), {"language": "es", "next": step(door, "guidelines")})
    assert answer.headers["Location"] == step(door, "guidelines")
    link.annotator.refresh_from_db()
    assert link.annotator.language == "es"
    assert "Reescritura" in client.get(step(door, "guidelines")).content.decode()
    client.post(step(door, "language"), {"language": "xx", "next": "https://elsewhere.example/"})
    link.annotator.refresh_from_db()
    assert link.annotator.language == "es"


def test_the_language_switch_leads_nowhere_else(client: Client, door: str) -> None:
    """An address outside the annotator's pages is not followed."""
    for where in ("https://elsewhere.example/", "//elsewhere.example/", "/studies/"):
        assert client.post(step(door, "language"), {"language": "en", "next": where}).headers["Location"] == door


def test_the_browsers_language_is_the_first_choice(client: Client, door: str, link: Invitation) -> None:
    """Somebody who never chose reads what their browser asks for, if it is offered."""
    client.get(door, headers={"accept-language": "fr, es-MX;q=0.8"})
    link.annotator.refresh_from_db()
    assert link.annotator.language == "es"


def test_annotators_are_not_told_whether_a_translation_was_reviewed(client: Client, door: str) -> None:
    """That is for researchers to know and to mend."""
    client.post(step(door, "language"), {"language": "es"})
    assert b'class="notice warning"' not in client.get(step(door, "guidelines")).content


@pytest.mark.parametrize("name", ["", *(f"{name}/" for name in PAGES)])
def test_a_stranger_finds_nothing(client: Client, door: str, name: str) -> None:
    """A token that was never made is not found, one with a changed letter neither."""
    assert client.get(f"/w/nonsense/{name}").status_code == 404
    changed = door[:-2] + ("A" if door[-2] != "A" else "B") + "/"
    assert client.get(changed + name).status_code == 404


def test_a_revoked_link_has_ended(client: Client, door: str, link: Invitation) -> None:
    """It says so and shows nothing of the study's pages."""
    from rubrica.store.people.invitations import revoke

    revoke(link, NOW)
    assert client.get(step(door, "welcome")).status_code == 410


@pytest.mark.parametrize(
    ("name", "method"),
    [
        ("", "post"),
        ("welcome/", "put"),
        ("consent/", "put"),
        ("language/", "get"),
        ("practice/done/", "get"),
        ("history/", "post"),
        ("thanks/", "post"),
    ],
)
def test_other_methods_are_refused(client: Client, make_study: Callable[..., Study], name: str, method: str) -> None:
    """A page answers only to the methods it has."""
    from rubrica.store.people.invitations import invite, token

    study = make_study(name="bare", steps=False)
    there = f"/w/{token(invite(study, ['ana'], NOW)[0])}/"
    response = getattr(client, method)(there + name)
    assert response.status_code == 405 or (name.startswith(("practice", "consent")) and response.status_code == 302)


def test_pages_are_not_framed_and_send_no_referrer(client: Client, door: str) -> None:
    """An ordinary annotator's pages stand in no frame."""
    response = client.get(step(door, "welcome"))
    assert "frame-ancestors 'none'" in response.headers["Content-Security-Policy"]
    assert response.headers["Referrer-Policy"] == "same-origin"
