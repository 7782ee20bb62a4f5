"""The page on which a pasted text is split, and studies that are made of it."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.test import Client

from tests.studio.drafting import text_of

TEXT = (
    "The mill, which was built by two brothers in 1870, stands beside the river and still grinds corn for the village. "
    "Anna will come if it rains."
)


def split(client: Client, text: str = TEXT, model: str = "rubrica") -> str:
    """The page after a text was sent."""
    return text_of(client.post("/split/", {"action": "split", "text": text, "model": model}))


def test_nobody_is_sent_to_sign_in(as_: Callable[[str], Client]) -> None:
    """The page needs an account, whatever is sent."""
    assert as_("").get("/split/").status_code == 302
    assert as_("").post("/split/", {"text": TEXT}).status_code == 302


@pytest.mark.own_process
def test_a_text_is_split_and_explained(as_: Callable[[str], Client]) -> None:
    """Each sentence of a text comes with its patterns, what became of it, and every decision with its reason."""
    page = split(as_("stranger"))
    assert "2 sentences became 4" in page
    for words in ("The mill was built by two brothers in 1870.", "relative clause", "conjunction", "Left as it is"):
        assert words in page
    assert "if holds the two together" in page


@pytest.mark.parametrize("model", ["paper", "copy"])
def test_every_model_can_be_tried(as_: Callable[[str], Client], model: str) -> None:
    """The two baselines explain themselves in the same table."""
    assert "decision" in split(as_("stranger"), model=model)


def test_splits_become_a_study_to_rate(as_: Callable[[str], Client]) -> None:
    """A study is made of just what was seen: source, split and system; whoever made it owns the draft."""
    from rubrica.store.models import Member, Study

    client = as_("stranger")
    split(client)
    answer = client.post("/split/", {"action": "study", "goal": "split_rate"})
    study = Study.objects.get(title="Sentences split by rubrica")
    assert answer["Location"] == f"/s/{study.pid}/setup/review/"
    assert Member.objects.get(study=study).user.username == "stranger"
    first = study.items.order_by("position").first()
    assert first is not None
    assert first.system == "rubrica"
    assert first.fields["rewrite"].startswith("The mill was built by two brothers in 1870.")


def test_sentences_become_a_study_to_split(as_: Callable[[str], Client]) -> None:
    """The same sentences can be given to people, without the machine's split and without a system."""
    from rubrica.store.models import Study

    client = as_("stranger")
    split(client)
    client.post("/split/", {"action": "study", "goal": "split_rewrite"})
    items = list(Study.objects.get(title="Sentences to split").items.order_by("position"))
    assert [(sorted(item.fields), item.system) for item in items] == [(["source"], "")] * 2


@pytest.mark.parametrize(
    ("sent", "said"),
    [
        ({"action": "split", "text": "  \n "}, "there is no sentence"),
        ({"action": "split", "text": "A \x00 b."}, "broken character"),
        ({"action": "split", "text": "word " * 4001}, "at most 20,000"),
        ({"action": "split", "text": "It rains.", "model": "other"}, "there is no model"),
        ({"action": "study", "goal": "split_rate"}, "nothing was split yet"),
    ],
)
def test_what_cannot_be_split_is_said(as_: Callable[[str], Client], sent: dict[str, str], said: str) -> None:
    """Empty, broken and overlong texts, an unknown model and a study of nothing are refused with the reason."""
    from rubrica.store.models import Study

    before = Study.objects.count()
    answer = as_("stranger").post("/split/", sent)
    assert answer.status_code == 422
    assert said in text_of(answer)
    assert Study.objects.count() == before


def test_hostile_text_stays_text(as_: Callable[[str], Client]) -> None:
    """Marks are drawn around words, never made of them."""
    answer = as_("stranger").post(
        "/split/", {"text": "Bob, who wrote <script>alert(1)</script>, left and <b>sang</b>."}
    )
    assert b"<script>alert" not in answer.content
    assert b"<b>sang" not in answer.content
