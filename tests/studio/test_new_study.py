"""The list of studies, a new study, the trash."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from django.test import Client

from tests.studio.drafting import text_of, upload

if TYPE_CHECKING:
    from rubrica.store.models import Study

SAMPLE = (Path(__file__).parents[1] / "protocols" / "sample.yaml").read_text()


def test_the_list_shows_ones_own_studies(as_: Callable[[str], Client], study: Study) -> None:
    """A member sees title, protocol, state, progress and role; a stranger sees how to begin."""
    page = text_of(as_("viewer").get("/studies/"))
    for words in ("study-breve", "BrevE", "Running", "0 of 12 judgements", "you: viewer"):
        assert words in page
    assert "There is no study here yet" in text_of(as_("stranger").get("/studies/"))


def test_an_administrator_is_not_called_an_owner(as_: Callable[[str], Client], people: dict[str, Any]) -> None:
    """Whoever sees every study, without being a member, is told so."""
    people["stranger"].is_superuser = True
    people["stranger"].save()
    assert "you: administrator" in text_of(as_("stranger").get("/studies/"))


def test_nobody_is_sent_to_sign_in(as_: Callable[[str], Client]) -> None:
    """The list, a new study and restoring need an account."""
    for address in ("/studies/", "/studies/new/", "/studies/new/name/"):
        assert as_("").get(address).status_code == 302
    assert as_("").post("/studies/new/").status_code == 302


@pytest.mark.parametrize("address", ["/studies/", "/studies/new/name/"])
def test_pages_to_read_take_no_posts(as_: Callable[[str], Client], address: str) -> None:
    """A wrong method is refused."""
    assert as_("owner").post(address).status_code == 405


def test_the_protocols_are_shown_by_family(as_: Callable[[str], Client]) -> None:
    """Every shipped protocol is a choice, with its parameters as fields."""
    from rubrica.protocols.catalog import shipped

    page = as_("stranger").get("/studies/new/").content.decode()
    for protocol in shipped():
        assert f'value="{protocol}"' in page
    assert 'name="lexical_complexity.wording"' in page


def test_a_study_is_made_from_a_shipped_protocol(as_: Callable[[str], Client], people: dict[str, Any]) -> None:
    """A title and a protocol are enough; it goes on to the items; the maker owns a draft."""
    from rubrica.store.models import Study

    sent = {"title": "Plain words", "protocol": "lexical_complexity", "lexical_complexity.wording": "audience"}
    response = as_("stranger").post("/studies/new/", sent)
    study = Study.objects.get(name="plain-words")
    assert response.headers["Location"] == f"/s/{study.pid}/setup/items/"
    stage = study.stages.get()
    assert (stage.state, stage.settings) == ("draft", {"wording": "audience"})
    assert study.members.get().user == people["stranger"]


def test_the_same_form_twice_makes_two_drafts_of_different_names(as_: Callable[[str], Client]) -> None:
    """A double click is no error; the second can be deleted."""
    from rubrica.store.models import Study

    client = as_("stranger")
    for _ in range(2):
        assert client.post("/studies/new/", {"title": "Twice", "protocol": "breve"}).status_code == 302
    assert set(Study.objects.filter(title="Twice").values_list("name", flat=True)) == {"twice", "twice-2"}


@pytest.mark.parametrize(
    ("sent", "words"),
    [
        ({"title": "", "protocol": "breve"}, "the title is empty"),
        ({"title": "A", "protocol": "nothing"}, "no protocol is chosen"),
        ({"title": "A"}, "no protocol is chosen"),
        ({"title": "A", "protocol": "own"}, "no file was sent"),
        ({"title": "A", "protocol": "breve", "name": "no spaces"}, "cannot be the name"),
        ({"title": "A", "protocol": "breve", "name": "study-breve"}, "already a study"),
        (
            {"title": "A", "protocol": "lexical_complexity", "lexical_complexity.wording": "us"},
            "wording cannot be",
        ),
    ],
)
def test_mistakes_are_shown_and_nothing_is_made(as_: Callable[[str], Client], sent: dict[str, str], words: str) -> None:
    """Every problem is on the page, and what was typed stays."""
    from rubrica.store.models import Study

    before = Study.objects.count()
    response = as_("owner").post("/studies/new/", sent)
    assert response.status_code == 422
    assert words in text_of(response).replace("&#x27;", "'")
    assert Study.objects.count() == before


@pytest.mark.own_process
def test_an_uploaded_protocol_is_used(as_: Callable[[str], Client]) -> None:
    """A YAML file of one's own makes a study."""
    from rubrica.store.models import Study

    sent = {"title": "My own", "protocol": "own", "file": upload(SAMPLE, "mine.yaml")}
    assert as_("stranger").post("/studies/new/", sent).status_code == 302
    assert Study.objects.get(title="My own").stages.first().protocol_version.protocol_id == "sample"  # type: ignore[union-attr]


def test_problems_of_an_uploaded_protocol_have_their_lines(as_: Callable[[str], Client]) -> None:
    """All of them at once, under the file's own name."""
    broken = SAMPLE.replace("version:", "verson:").replace("family:", "famly:")
    sent = {"title": "My own", "protocol": "own", "file": upload(broken, "mine.yaml")}
    page = text_of(as_("stranger").post("/studies/new/", sent))
    assert "mine.yaml:2" in page
    assert "mine.yaml:6" in page


@pytest.mark.parametrize("content", [b"\xff\xfe\x00", b"", b"- just\n- a list\n", b"a: &a [*a]\n"])
def test_files_that_are_no_protocol_are_refused(as_: Callable[[str], Client], content: bytes) -> None:
    """Whatever is sent, the answer is a page that says so."""
    sent = {"title": "My own", "protocol": "own", "file": upload(content, "mine.yaml")}
    assert as_("stranger").post("/studies/new/", sent).status_code == 422


def test_a_protocol_beyond_a_megabyte_is_refused_and_the_form_is_kept(as_: Callable[[str], Client]) -> None:
    """The page names the file and says how much is taken; title, name and choice stand as they were."""
    large = upload("#" * 1_200_000, "mine.yaml")
    sent = {"file": large, "title": "My own", "name": "mine", "protocol": "own"}
    response = as_("stranger").post("/studies/new/", sent)
    assert response.status_code == 422
    assert "mine.yaml this file is too large: at most 1 MB are taken" in text_of(response)
    page = response.content.decode()
    assert 'value="My own"' in page
    assert 'value="mine"' in page
    assert 'value="own" required checked' in page


def test_a_title_that_is_far_too_long_is_what_is_complained_about(as_: Callable[[str], Client]) -> None:
    """Not a file, which was never sent."""
    response = as_("stranger").post("/studies/new/", {"title": "x" * 1_300_000, "protocol": "breve"})
    assert response.status_code == 422
    assert "the title has 1300000 characters . Use at most 200 characters." in text_of(response)
    assert "too large" not in text_of(response)


def test_the_name_is_shown_while_the_title_is_typed(as_: Callable[[str], Client]) -> None:
    """Made from the title, free or not."""
    client = as_("owner")
    assert "plain-words" in text_of(client.get("/studies/new/name/", {"title": "Plain words"}))
    assert "already a study" in text_of(client.get("/studies/new/name/", {"title": "x", "name": "study-breve"}))
    assert "Use letters" in text_of(client.get("/studies/new/name/", {"title": "x", "name": "a b"}))
    assert "Made from the title" in text_of(client.get("/studies/new/name/"))


def test_deleting_can_be_undone(as_: Callable[[str], Client], study: Study) -> None:
    """The owner deletes, the list offers to undo, and everything is back."""
    owner = as_("owner")
    page = owner.post(f"/s/{study.pid}/delete/", follow=True)
    assert "is in the trash. Undo" in text_of(page)
    assert owner.get(f"/s/{study.pid}/setup/").status_code == 404
    page = owner.post(f"/studies/{study.pid}/restore/", follow=True)
    assert "is back" in text_of(page)
    assert owner.get(f"/s/{study.pid}/setup/").status_code == 302


def test_what_happened_just_now_is_not_zero_minutes_ago(as_: Callable[[str], Client]) -> None:
    """A new study is active just now, a deleted one was deleted just now."""
    owner = as_("stranger")
    owner.post("/studies/new/", {"title": "Fresh", "protocol": "breve"})
    assert "active just now" in text_of(owner.get("/studies/"))
    from rubrica.store.models import Study

    owner.post(f"/s/{Study.objects.get(title='Fresh').pid}/delete/")
    words = text_of(owner.get("/studies/"))
    assert "deleted just now" in words
    assert "0 minutes" not in words.replace("\xa0", " ")


def test_only_the_owner_deletes_and_restores(as_: Callable[[str], Client], study: Study) -> None:
    """A manager is refused, a stranger finds nothing, and nobody else sees the trash."""
    assert as_("manager").post(f"/s/{study.pid}/delete/").status_code == 403
    assert as_("stranger").post(f"/s/{study.pid}/delete/").status_code == 404
    assert as_("owner").get(f"/s/{study.pid}/delete/").status_code == 405
    as_("owner").post(f"/s/{study.pid}/delete/")
    for name in ("manager", "stranger"):
        assert as_(name).post(f"/studies/{study.pid}/restore/").status_code == 404
        assert "Trash" not in text_of(as_(name).get(f"/studies/?deleted={study.pid}"))
    assert as_("owner").get(f"/studies/{study.pid}/restore/").status_code == 405
    assert as_("owner").post("/studies/nothing/restore/").status_code == 404


def test_restoring_twice_is_once(as_: Callable[[str], Client], study: Study) -> None:
    """The second click changes nothing."""
    as_("owner").post(f"/s/{study.pid}/delete/")
    for _ in range(2):
        assert as_("owner").post(f"/studies/{study.pid}/restore/").status_code == 302
    study.refresh_from_db()
    assert (study.name, study.deleted_at) == ("study-breve", None)


def test_the_states_have_their_words(as_: Callable[[str], Client], study: Study) -> None:
    """Paused and closed studies say so."""
    for state, word in (("paused", "Paused"), ("closed", "Closed"), ("draft", "Draft")):
        study.stages.update(state=state)
        assert word in text_of(as_("owner").get("/studies/"))
