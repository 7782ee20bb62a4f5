"""Joined studies on the pages and in the API: who wrote does not judge, who is erased is erased in both."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pytest
from django.test import Client

from tests import two_studies
from tests.studio.api_client import ApiClient
from tests.studio.conftest import NOW

if TYPE_CHECKING:
    from pathlib import Path

    from rubrica.store.models import Annotator, Study

pytestmark = pytest.mark.postgres

PROLIFIC = {"PROLIFIC_PID": "writer", "STUDY_ID": "st", "SESSION_ID": "se"}


class Two:
    """Two writers in the first study; ``rosa`` manages it."""

    def __init__(self) -> None:
        from django.contrib.auth.models import User

        self.writing = two_studies.writing()
        self.writer = two_studies.come(two_studies.prolific(self.writing), "writer")
        self.wim = two_studies.call(self.writing, "wim")
        two_studies.write(self.writer)
        two_studies.write(self.wim)
        self.rosa = User.objects.create(username="rosa")
        self.stranger = User.objects.create(username="stranger")
        self.member(self.writing, self.rosa, "manager")

    def member(self, study: Study, user: Any, role: str) -> None:
        """Give somebody a role."""
        from rubrica.store.models import Member

        Member.objects.update_or_create(study=study, user=user, defaults={"role": role, "since": NOW})

    def draft(self) -> Study:
        """A study of rosa's that is being set up."""
        from rubrica.protocols.catalog import load_shipped
        from rubrica.store.setup.setting_up import begin
        from rubrica.store.studies import Plan

        return begin(Plan(title="Rating", name="rating", loaded=load_shipped("split_rate")), self.rosa, NOW)

    def browser(self, user: Any = None) -> Client:
        """A browser in which somebody is signed in."""
        client = Client()
        client.force_login(user or self.rosa)
        return client


@pytest.fixture
def two(home: Path) -> Two:
    """The world of these tests."""
    return Two()


def start(study: Study) -> None:
    """Let the study hand out work, without steps before it."""
    from rubrica.exchange.study_options import STEPS, checked

    study.refresh_from_db()
    study.update(options=checked({**study.options, "steps": dict.fromkeys(STEPS, False)}).stored())
    study.stages.update(state="open")


def door_of(study: Study) -> str:
    """A Prolific door."""
    from rubrica.store.people.invitations import token

    return f"/join/{token(two_studies.prolific(study))}/"


def test_the_setup_takes_texts_and_authors_from_another_study(two: Two) -> None:
    """One button: items, authors, and the two studies joined; the writer is told at the door, with how to go."""
    study = two.draft()
    page = f"/s/{study.pid}/setup/items/"
    assert b"Take its texts as items" in two.browser().get(page).content
    answer = two.browser().post(page, {"action": "take", "source": two.writing.pid}, follow=True)
    assert "4 items are in the study." in answer.content.decode()
    study.refresh_from_db()
    assert (study.authors_from, study.items.count()) == (two.writing, 4)
    assert "nobody who wrote there judges here" in two.browser().get(page).content.decode()
    start(study)
    refused = Client().get(door_of(study), PROLIFIC)
    assert refused.status_code == 403
    assert "You helped to write the texts" in refused.content.decode()
    assert "return your submission on Prolific" in refused.content.decode()
    assert not study.annotators.exists()


def test_the_setup_names_the_study_of_the_authors_and_takes_it_back(two: Two) -> None:
    """Joined and parted on the page; a study that is not chosen, or is not one's own, is refused in words."""
    study = two.draft()
    page, rosa = f"/s/{study.pid}/setup/items/", two.browser()
    for source in ("", "nosuch", "a\0b", study.pid):
        assert rosa.post(page, {"action": "join", "source": source}).status_code == 422
    assert (
        "The studies are joined"
        in rosa.post(page, {"action": "join", "source": two.writing.pid}, follow=True).content.decode()
    )
    rosa.post(page, {"action": "part"})
    study.refresh_from_db()
    assert study.authors_from is None
    two.member(two.writing, two.rosa, "viewer")
    assert rosa.post(page, {"action": "join", "source": two.writing.pid}).status_code == 422
    two.member(study, two.stranger, "viewer")
    assert two.browser(two.stranger).post(page, {"action": "part"}).status_code == 403


def test_the_work_page_says_why_a_writer_gets_nothing(two: Two) -> None:
    """Somebody with a personal link reads what they did, not that they took part in another step."""
    from rubrica.store.people.invitations import invite, token

    study = two_studies.rating(two.writing)
    link = invite(study, ["WIM"], NOW)[0]
    body = Client().get(f"/w/{token(link)}/work/").content.decode()
    assert "You helped to write the texts that are judged here" in body
    assert "another step" not in body


def test_a_study_is_joined_through_the_api(two: Two) -> None:
    """With its texts, or by name, and parted; the study says what it is joined with."""
    api = ApiClient(two.rosa)
    made = api.send("post", "/studies", {"title": "Rating", "protocol": "split_rate", "items_from": two.writing.pid})
    assert (made["items"], made["authors_from"]) == (4, two.writing.pid)
    named = api.send(
        "post",
        "/studies",
        {
            "title": "Named",
            "protocol": "split_rate",
            "authors_from": two.writing.pid,
            "items": [{"fields": {"source": "A and B.", "rewrite": "A. B."}, "author": "annotator-001"}],
        },
    )
    path = f"/studies/{named['id']}/authors-from"
    assert api.send("put", path, {"study": ""}) == {"study": "", "authors": 0, "erased": 0, "already": []}
    joined = api.send("put", path, {"study": two.writing.pid})
    assert joined == {"study": two.writing.pid, "authors": 1, "erased": 0, "already": []}
    assert api.get(f"/studies/{named['id']}")["authors_from"] == two.writing.pid


@pytest.mark.parametrize("key", ["items_from", "authors_from"])
def test_the_api_joins_only_what_one_manages(two: Two, key: str) -> None:
    """A stranger finds no such study, a viewer is refused, and both sources at once are wrong."""
    body = {"title": "X", "protocol": "split_rate", key: two.writing.pid}
    assert ApiClient(two.stranger).call("post", "/studies", body)[0] == 404
    two.member(two.writing, two.stranger, "viewer")
    assert ApiClient(two.stranger).call("post", "/studies", body)[0] == 403
    both = {"items_from": two.writing.pid, "authors_from": two.writing.pid}
    assert ApiClient(two.rosa).call("post", "/studies", {**body, **both})[0] == 422


def test_erasing_through_the_api_tells_of_joined_studies(two: Two) -> None:
    """How much gave way here and there; the person's items are not taken again, nor a link made."""
    two_studies.rating(two.writing, "judging")
    api = ApiClient(two.rosa)
    people = f"/studies/{two.writing.pid}/annotators"
    done = api.send("post", f"{people}/{two.wim.pid}/erase")
    (there,) = done["elsewhere"]
    assert (done["judgements"], there["items"], there["judgements"]) == (2, 2, 0)
    status, found = api.call("post", f"/studies/{two.writing.pid}/invitations", {"kind": "personal", "names": ["Wim"]})
    assert (status, found["errors"][0]["rule"]) == (422, "erased")
    study = two.draft()
    api.send("put", f"/studies/{study.pid}/authors-from", {"study": two.writing.pid})
    item = {"id": "back", "fields": {"source": "A and B.", "rewrite": "A. B."}, "author": "wim"}
    for method in ("post", "put"):
        status, found = api.call(method, f"/studies/{study.pid}/items", {"items": [item]})
        assert (status, found["errors"][0]["rule"], found["errors"][0]["value"]) == (422, "erased", "wim")
    uploaded = api.upload(
        f"/studies/{study.pid}/items/file", "i.csv", b"source,rewrite,author\nA and B.,A. B.,wim\n", status=422
    )
    assert uploaded["errors"][0]["rule"] == "erased"


def test_the_api_sets_a_place_free(two: Two) -> None:
    """Once is enough for somebody of a platform; others have no such place. Viewers may not."""
    people = f"/studies/{two.writing.pid}/annotators"
    api = ApiClient(two.rosa)
    assert api.send("post", f"{people}/{two.writer.pid}/device/reset") == {"changed": True}
    assert api.send("post", f"{people}/{two.wim.pid}/device/reset") == {"changed": False}
    two.member(two.writing, two.stranger, "viewer")
    assert ApiClient(two.stranger).call("post", f"{people}/{two.writer.pid}/device/reset")[0] == 403


@pytest.mark.parametrize(("knows", "told"), [(True, "rating"), (False, "a study of somebody else")])
def test_the_persons_page_says_where_else_they_are_erased(two: Two, knows: bool, told: str) -> None:
    """Before and after; a study that one has no part in is not named."""
    study = two_studies.rating(two.writing)
    if knows:
        two.member(study, two.rosa, "viewer")
    page = f"/s/{two.writing.pid}/people/{two.wim.pid}/"
    assert f"erased in joined studies too: {told}" in two.browser().get(page).content.decode()
    answer = two.browser().post(f"{page}act/", {"action": "erase", "sure": "yes"}, follow=True)
    assert f"Also erased in joined studies: {told}." in answer.content.decode()


def pages_of(person: Annotator) -> str:
    """The personal pages."""
    from rubrica.store.people.invitations import token

    return f"/w/{token(person.invitation)}/"


def test_the_annotator_is_told_that_joined_studies_are_erased(two: Two, client: Client) -> None:
    """Before the last click and afterwards; then neither link nor door lets them in."""
    two_studies.rating(two.writing)
    page = f"{pages_of(two.writer)}withdraw/"
    sure = client.post(page, {"choice": "erase"}).content.decode()
    assert "The same happens in one other study" in sure
    assert (
        "The same was done in one other study" in client.post(page, {"choice": "erase", "sure": "yes"}).content.decode()
    )
    refused = client.get(door_of(two.writing), PROLIFIC)
    assert (refused.status_code, b"You were erased from this study" in refused.content) == (403, True)


def test_sending_items_of_an_erased_author_is_refused_on_the_page(
    two: Two, make_upload: Callable[[str, bytes], Any]
) -> None:
    """The file is read, and using it says whose texts must be left out."""
    from rubrica.store.people.erasure import erase

    study = two.draft()
    rosa, page = two.browser(), f"/s/{study.pid}/setup/items/"
    rosa.post(page, {"action": "join", "source": two.writing.pid})
    erase(two.wim, NOW)
    rosa.post(page, {"action": "upload", "file": make_upload("i.csv", b"source,rewrite,author\nA and B.,A. B.,wim\n")})
    answer = rosa.post(page, {"action": "confirm"})
    assert answer.status_code == 422
    assert "was erased from the study" in answer.content.decode()
    assert not study.items.exists()


@pytest.fixture
def make_upload() -> Callable[[str, bytes], Any]:
    """A file as a browser sends it."""
    from django.core.files.uploadedfile import SimpleUploadedFile

    return SimpleUploadedFile
