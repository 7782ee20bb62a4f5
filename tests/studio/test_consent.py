"""Consent: versioned, recorded, declined politely, asked again when the text changes."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest
from django.test import Client

from tests.studio.test_steps import agree, digest

if TYPE_CHECKING:
    from rubrica.store.models import Invitation, Study


@pytest.fixture
def study(make_study: Callable[..., Study]) -> Study:
    """A study that asks for nothing but consent."""
    study = make_study(consent_text="We keep **nothing** about you.")
    study.options["steps"]["consent"] = True
    study.save()
    return study


def change_text(study: Study, text: str) -> None:
    """What a researcher does in the settings."""
    study.refresh_from_db()
    study.options["consent_text"] = text
    study.save()


def test_agreeing_is_recorded_with_version_and_time(client: Client, door: str, link: Invitation) -> None:
    """One row with the decision, the wording it is about and the time; then the work is due."""
    agree(client, door)
    consent = link.annotator.consents.get()
    assert (consent.decision, consent.text.number, consent.text.text) == ("agreed", 1, "We keep **nothing** about you.")
    assert consent.at is not None
    assert client.get(door).headers["Location"] == f"{door}work/"


def test_agreeing_twice_is_once(client: Client, door: str, link: Invitation) -> None:
    """A doubled click makes one record."""
    text = digest(client.get(f"{door}consent/").content)
    for _ in range(2):
        client.post(f"{door}consent/", {"decision": "agree", "text": text})
    assert link.annotator.consents.count() == 1


def test_declining_leads_to_a_polite_page_with_a_way_back(client: Client, door: str, link: Invitation) -> None:
    """Whoever declines is told that it is fine, cannot work, and may still agree."""
    text = digest(client.get(f"{door}consent/").content)
    client.post(f"{door}consent/", {"decision": "decline", "text": text})
    assert link.annotator.consents.get().decision == "declined"
    assert client.get(f"{door}work/").headers["Location"] == f"{door}consent/"
    assert b"That is fine" in client.get(f"{door}consent/").content
    again = client.get(f"{door}consent/?again=1").content
    client.post(f"{door}consent/", {"decision": "agree", "text": digest(again)})
    assert [one.decision for one in link.annotator.consents.all()] == ["declined", "agreed"]


def test_a_changed_text_is_asked_again(client: Client, door: str, link: Invitation, study: Study) -> None:
    """Somebody at work is asked about the new version; both versions and both decisions stay."""
    agree(client, door)
    change_text(study, "We keep a little.")
    assert client.get(f"{door}work/").headers["Location"] == f"{door}consent/"
    assert b"has changed since you agreed" in client.get(f"{door}consent/").content
    agree(client, door)
    assert [one.text.number for one in link.annotator.consents.all()] == [1, 2]
    assert client.get(door).headers["Location"] == f"{door}work/"


def test_agreeing_to_a_text_that_changed_meanwhile_is_refused(client: Client, door: str, study: Study) -> None:
    """What was on the page is what one agrees to: if it changed while it was read, it is shown again."""
    text = digest(client.get(f"{door}consent/").content)
    change_text(study, "We keep everything.")
    response = client.post(f"{door}consent/", {"decision": "agree", "text": text})
    assert response.status_code == 422
    assert b"We keep everything." in response.content
    assert client.get(door).headers["Location"] == f"{door}consent/"


def test_a_decision_must_be_one_of_the_two(client: Client, door: str, link: Invitation) -> None:
    """Anything else is refused and records nothing."""
    text = digest(client.get(f"{door}consent/").content)
    assert client.post(f"{door}consent/", {"decision": "perhaps", "text": text}).status_code == 422
    assert not link.annotator.consents.exists()


def test_the_usual_text_speaks_of_anonymity_and_research(client: Client, door: str, study: Study) -> None:
    """A study without a text of its own has ours, which is one version in every language."""
    change_text(study, "")
    page = client.get(f"{door}consent/").content.decode()
    assert "stored anonymously" in page
    assert "distributed" in page
    agree(client, door)
    client.post(f"{door}language/", {"language": "es"})
    assert client.get(door).headers["Location"] == f"{door}work/"


def test_an_agreement_can_be_read_again(client: Client, door: str) -> None:
    """After agreeing, the page shows the text, its version and when."""
    agree(client, door)
    assert b"version 1" in client.get(f"{door}consent/").content


def test_our_text_is_the_same_in_code_and_on_the_page(study: Study) -> None:
    """The paragraphs that are translated are, in English, the stored wording."""
    from rubrica.exchange.study_options import CONSENT, CONSENT_TO_ANSWERS
    from rubrica.studio.annotate.consent import in_own_language

    assert in_own_language(CONSENT) == CONSENT
    assert in_own_language(CONSENT_TO_ANSWERS) == CONSENT_TO_ANSWERS
    assert "demographic" not in CONSENT_TO_ANSWERS
    assert in_own_language("Another.") == "Another."
