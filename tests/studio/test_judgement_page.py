"""One judgement's page: in words, with its history, reviews and feedback."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest
from django.test import Client

from rubrica.core.study import Judgement
from tests.studio.conftest import NOW
from tests.studio.judging import GOOD, judge, plain_items

if TYPE_CHECKING:
    from rubrica.store.models import Judgement as Row
    from rubrica.store.models import Study

KEY = "abcdefgh23456789"


@pytest.fixture
def said(study: Study) -> Row:
    """A judgement that was corrected once."""
    first = plain_items(study, 1)
    judge(study, "ana", first, said=Judgement(GOOD))
    return judge(study, "ana", first, said=Judgement({**GOOD, "meaning": 2}), start=NOW + timedelta(hours=1))[0]


@pytest.fixture
def address(study: Study, said: Row) -> str:
    """Its address."""
    return f"/s/{study.pid}/judgements/{said.pid}/"


def test_the_page_tells_what_was_said_and_changed(address: str, as_: Callable[[str], Client]) -> None:
    """Texts, answers in words, verdicts, and each revision with what it changed."""
    body = as_("viewer").get(address).content.decode()
    for words in ("The 1 old gates stay shut.", "2: Partly the same", "3: The same", "first answer", "Accepted"):
        assert words in body
    assert "Give feedback" not in body


@pytest.mark.parametrize(("who", "status"), [("", 302), ("stranger", 404), ("viewer", 403), ("adjudicator", 302)])
def test_who_may_review_and_give_feedback(address: str, as_: Callable[[str], Client], who: str, status: int) -> None:
    """Adjudicators and above may; others are refused."""
    client = as_(who)
    assert client.post(f"{address}review/", {"decision": "good"}).status_code == status
    assert client.post(f"{address}feedback/", {"text": "Well seen."}).status_code == status


def test_bad_ids_and_methods(study: Study, address: str, as_: Callable[[str], Client]) -> None:
    """Odd ids are not found; what writes is posted."""
    client = as_("manager")
    for pid in ("nosuch", "x" * 16, "%00" * 16):
        assert client.get(f"/s/{study.pid}/judgements/{pid}/").status_code == 404
    for part in ("review/", "feedback/"):
        assert client.get(address + part).status_code == 405


def test_a_doubled_review_or_feedback_is_one(address: str, said: Row, as_: Callable[[str], Client]) -> None:
    """The key of the form makes a second click the same; a new form adds to the history."""
    from rubrica.store.models import Feedback, Review

    client = as_("adjudicator")
    for _ in range(2):
        client.post(f"{address}review/", {"decision": "doubtful", "note": "Why?", "key": KEY})
        client.post(f"{address}feedback/", {"text": "Look again.", "key": KEY})
    assert Review.objects.count() == Feedback.objects.count() == 1
    client.post(f"{address}review/", {"decision": "good"})
    assert Review.objects.count() == 2
    assert Review.objects.filter(revision=said.current_id).count() == 2
    body = client.get(address).content.decode()
    assert "Look again." in body
    assert "not read yet" in body


def test_a_key_of_another_judgement_is_not_trusted(
    study: Study, address: str, said: Row, as_: Callable[[str], Client]
) -> None:
    """A forged key neither fails nor hides the words: they get an id of their own."""
    from rubrica.store.models import Feedback

    other = judge(study, "ben", plain_items(study, 1))[0]
    client = as_("adjudicator")
    client.post(f"/s/{study.pid}/judgements/{other.pid}/feedback/", {"text": "For ben.", "key": KEY})
    client.post(f"{address}feedback/", {"text": "For ana.", "key": KEY})
    assert Feedback.objects.filter(revision__judgement=said, text="For ana.").exists()


def test_a_key_that_another_took_meanwhile_spoils_nothing(said: Row) -> None:
    """Between looking and writing somebody else used the id: the row gets one of its own, and the transaction lives."""
    from django.db import transaction

    from rubrica.store import models

    words = {"revision": said.current, "author": "owner", "at": NOW}
    with transaction.atomic():
        first, second, third = (
            models.Feedback.create_once(key, {"author": whose}, text="Words.", **words)[0]
            for key, whose in ((KEY, "owner"), (KEY, "somebody else"), ("", "owner"))
        )
    assert first.pid == KEY
    assert len({first.pid, second.pid, third.pid}) == 3
    assert models.Feedback.objects.count() == 3


@pytest.mark.parametrize(
    ("part", "form"),
    [
        ("review/", {"decision": "great"}),
        ("review/", {}),
        ("review/", {"decision": "good", "note": "a\0"}),
        ("feedback/", {"text": "  "}),
        ("feedback/", {"text": "x" * 2001}),
    ],
)
def test_wrong_input_is_said_on_the_page(
    address: str, as_: Callable[[str], Client], part: str, form: dict[str, str]
) -> None:
    """What cannot be recorded comes back as a notice."""
    from rubrica.store.models import Feedback, Review

    assert "notice error" in as_("adjudicator").post(address + part, form, follow=True).content.decode()
    assert not Review.objects.exists()
    assert not Feedback.objects.exists()


def test_what_was_typed_stays_when_it_is_refused(address: str, as_: Callable[[str], Client]) -> None:
    """The form comes back with its words, its choice, and what is wrong beside it."""
    client = as_("adjudicator")
    long = "Look at the verb. " * 120
    response = client.post(f"{address}feedback/", {"text": long})
    assert response.status_code == 422
    body = response.content.decode()
    assert f"{long}</textarea>" in body
    assert body.count("The feedback has 2,159 characters") == 2
    body = client.post(f"{address}review/", {"decision": "bad", "note": long}).content.decode()
    assert f'value="{long}"' in body
    assert 'value="bad" checked' in body


def test_a_review_refused_on_the_persons_page_comes_back_there(
    study: Study, said: Row, address: str, as_: Callable[[str], Client]
) -> None:
    """The sample is shown again with the note in its place."""
    form = {"decision": "", "note": "Read it twice.", "from": "person"}
    response = as_("adjudicator").post(f"{address}review/", form)
    body = response.content.decode()
    assert response.status_code == 422
    assert "A sample to review" in body
    assert 'value="Read it twice."' in body
    assert "No decision was chosen" in body


def test_feedback_is_taken_back_until_it_is_read(address: str, as_: Callable[[str], Client]) -> None:
    """Unread words can be removed; read ones stand, and the page says why."""
    from rubrica.store.models import Feedback

    client = as_("adjudicator")
    client.post(f"{address}feedback/", {"text": "A mistake."})
    first = Feedback.objects.get()
    client.post(f"{address}feedback/{first.pid}/take-back/")
    client.post(f"{address}feedback/{first.pid}/take-back/")
    assert not Feedback.objects.exists()
    client.post(f"{address}feedback/", {"text": "Well seen."})
    Feedback.objects.update(read_at=NOW)
    body = client.post(f"{address}feedback/{Feedback.objects.get().pid}/take-back/", follow=True).content.decode()
    assert "The annotator has read this" in body
    assert Feedback.objects.exists()


def test_reviews_from_the_sample_lead_back_to_it(
    study: Study, address: str, said: Row, as_: Callable[[str], Client]
) -> None:
    """A review recorded on the person's page returns there, to the same judgement."""
    answer = as_("adjudicator").post(f"{address}review/", {"decision": "good", "from": "person"})
    assert answer["Location"] == f"/s/{study.pid}/people/{said.annotator.pid}/#j-{said.pid}"


def test_drafts_and_erased_judgements_take_no_review(
    study: Study, said: Row, address: str, as_: Callable[[str], Client]
) -> None:
    """There is nothing to review in them; an erased one shows that it was."""
    from rubrica.store.models import Review
    from rubrica.store.people.erasure import erase

    erase(said.annotator, NOW, actor="r")
    client = as_("adjudicator")
    assert "erased" in client.get(address).content.decode()
    client.post(f"{address}review/", {"decision": "good"})
    assert not Review.objects.exists()


def test_every_protocol_can_be_read_in_words(make_study: Callable[..., Study], as_: Callable[[str], Client]) -> None:
    """Edits, writing and lexical answers all have words on the page and on the overview."""
    from django.contrib.auth.models import User

    from rubrica.core.study import Item
    from rubrica.store.models import Member

    owner = as_("owner")
    for protocol in ("salsa", "split_rewrite", "lexical_simplification"):
        fields = {
            "source": "The old gates stay shut.",
            "rewrite": "Gates are shut.",
            "context": "Old gates.",
            "target": "gates",
        }
        study = make_study(protocol, rows=[Item("one", fields)], name=protocol)
        Member.objects.create(study=study, user=User.objects.get(username="owner"), role="owner", since=NOW)
        [row] = judge(study, "ana")
        assert owner.get(f"/s/{study.pid}/judgements/{row.pid}/").status_code == 200
        assert owner.get(f"/s/{study.pid}/").status_code == 200
