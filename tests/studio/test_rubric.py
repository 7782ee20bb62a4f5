"""A rubric of one's own by a form: on the page of a new study, previewed, downloaded, changed in the draft."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pytest
from django.test import Client

from tests.studio.drafting import text_of

if TYPE_CHECKING:
    from rubrica.store.models import Study

FORM: dict[str, Any] = {
    "title": "Mine",
    "protocol": "form",
    "rubric_field": ["source", "rewrite"],
    "rubric_language": "en",
    "rubric_instructions": "Read both.\r\nThen judge.",
    "q.1.prompt": "Meaning: how much is kept?",
    "q.1.name": "Meaning",
    "q.1.kind": "scale",
    "q.1.points": "5",
    "q.1.labels": "nothing\r\nall\r\n",
    "q.1.required": "on",
    "q.2.prompt": "Would you use it?",
    "q.2.name": "Usable",
    "q.2.kind": "yes_no",
    "q.2.points": "5",
    "q.2.labels": "",
}


@pytest.fixture
def made(as_: Callable[[str], Client]) -> Study:
    """A draft made with the form."""
    from rubrica.store.models import Study

    assert as_("owner").post("/studies/new/", FORM).status_code == 302
    return Study.objects.get(name="mine")


def test_the_form_makes_a_draft(made: Study) -> None:
    """A colon in a question is no trouble; the study runs a protocol like any other."""
    from rubrica.store.stages import current_stages
    from rubrica.store.translate import protocol_of

    protocol = protocol_of(current_stages(made)[0])
    assert [question.id for question in protocol.questions] == ["meaning", "usable"]
    assert protocol.questions[0].prompt.get("en") == "Meaning: how much is kept?"
    assert not protocol.questions[1].required


@pytest.mark.parametrize("how", [{}, {"HX-Request": "true"}])
def test_buttons_work_and_keep_what_was_typed(as_: Callable[[str], Client], how: dict[str, str]) -> None:
    """A question is added, moved and removed, with or without script, and all of it is there on the next visit."""
    owner = as_("owner")
    page = owner.post("/studies/new/", {**FORM, "rubric": "add"}, headers=how).content.decode()
    assert 'name="q.3.prompt"' in page
    assert 'id="protocol-form" value="form" required checked' in page
    page = owner.post("/studies/new/", {**FORM, "rubric": "up.2"}, headers=how).content.decode()
    assert page.index("Would you use it?") < page.index("Meaning: how much is kept?")
    owner.post("/studies/new/", {**FORM, "rubric": "remove.2"}, headers=how)
    page = owner.get("/studies/new/").content.decode()
    assert "Meaning: how much is kept?" in page
    assert "Would you use it?" not in page


def test_the_ready_rubric_is_copied_into_the_form(as_: Callable[[str], Client]) -> None:
    """Three scales of five labelled points, to be changed."""
    page = as_("owner").post("/studies/new/", {**FORM, "rubric": "copy"}).content.decode()
    for words in ("None of it", "Flawless", "Much simpler"):
        assert words in page


@pytest.mark.own_process
def test_the_work_page_is_previewed_before_anything_is_made(as_: Callable[[str], Client], study: Study) -> None:
    """The frame shows the real work page with the questions of the form; an unfinished form has none; nobody else's."""
    from rubrica.store.models import Study as Studies

    owner = as_("owner")
    page = owner.post("/studies/new/", {**FORM, "rubric": "preview"}).content.decode()
    address = re.search(r'src="([^"]+)" title="Preview of your questions"', page)[1]  # type: ignore[index]
    shown = owner.get(address)
    assert "Meaning: how much is kept?" in text_of(shown)
    assert as_("stranger").get(address).status_code == 404
    missing = owner.post("/studies/new/", {**FORM, "q.2.prompt": "", "rubric": "preview"})
    assert missing.status_code == 422
    assert "question 2 has no text" in text_of(missing)
    inline = owner.post(
        "/studies/new/", {**FORM, "q.2.prompt": "", "rubric": "preview"}, headers={"HX-Request": "true"}
    )
    assert (inline.status_code, "question 2 has no text" in text_of(inline)) == (200, True)
    assert owner.get(address).status_code == 404
    assert Studies.objects.count() == 1


def test_it_downloads_as_yaml(as_: Callable[[str], Client], made: Study) -> None:
    """From the form and from the draft, the same file, which loads; strangers get none."""
    from rubrica.protocols.loader import check_text

    owner = as_("owner")
    form = owner.post("/studies/new/", {**FORM, "rubric": "yaml"})
    draft = owner.get(f"/s/{made.pid}/protocol.yaml")
    hashes = [check_text(file.content.decode(), "mine.yaml").protocol.hash for file in (form, draft)]
    assert hashes[0] == hashes[1]
    assert form.headers["Content-Disposition"] == 'attachment; filename="own_mine.yaml"'
    assert as_("stranger").get(f"/s/{made.pid}/protocol.yaml").status_code == 404


def test_problems_are_told_and_nothing_is_made(as_: Callable[[str], Client]) -> None:
    """All of them, with the number of the question; what was typed stays."""
    from rubrica.store.models import Study

    sent = {**FORM, "q.1.labels": "a\nb\nc", "q.2.name": "meaning", "rubric_field": []}
    page = as_("owner").post("/studies/new/", sent)
    assert page.status_code == 422
    for words in ("no text is shown", "question 1: 5 points have 3 labels", "question 2 has the short name"):
        assert words in text_of(page)
    assert "Would you use it?" in page.content.decode()
    assert not Study.objects.filter(title="Mine").exists()


def test_questions_of_a_draft_are_changed(as_: Callable[[str], Client], made: Study) -> None:
    """The form is on the page of the protocol until something is judged; viewers see none."""
    from rubrica.store.stages import current_stages
    from rubrica.store.translate import protocol_of

    owner, address = as_("owner"), f"/s/{made.pid}/setup/protocol/"
    assert "Meaning: how much is kept?" in owner.get(address).content.decode()
    changed = {**FORM, "q.2.prompt": "Is it usable?", "rubric": "save"}
    assert owner.post(address, changed).status_code == 302
    protocol = protocol_of(current_stages(made)[0])
    assert protocol.questions[1].prompt.get("en") == "Is it usable?"
    assert (protocol.id, protocol.version, made.stages.count()) == ("own_mine", "1.0", 1)
    wrong = owner.post(address, {**changed, "q.1.name": ""})
    assert wrong.status_code == 422
    assert "question 1 has no short name" in text_of(wrong)
    from rubrica.store.models import Stage
    from tests.studio.conftest import NOW

    Stage.objects.filter(study=made).update(frozen_at=NOW)
    assert "Save the questions" not in text_of(owner.get(address))
    assert owner.post(address, changed).status_code != 500
    assert protocol_of(current_stages(made)[0]).questions[1].prompt.get("en") == "Is it usable?"
