"""A study in which some write and others judge what they wrote: by page and by API, links, overview, the work."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from django.test import Client

from tests.studio.api_client import ApiClient
from tests.studio.conftest import NOW
from tests.studio.drafting import text_of

As = Callable[[str], Client]
ITEMS = [{"id": "s1", "fields": {"source": "The mill, which is old, was sold."}}]


def made(people: dict[str, Any], **more: Any) -> dict[str, Any]:
    """A launched study of one sentence, made by the API."""
    owner = ApiClient(people["owner"])
    new = {"title": "Bench", "protocol": "split_rewrite", "then": "split_rate", "items": ITEMS, **more}
    study = owner.call("post", "/studies", new)[1]
    attested = {"attested": ["review", "ethics"], "consents_read": ["es"]}
    return dict(owner.call("post", f"/studies/{study['id']}/state/launch", attested)[1])


def write(study: str, name: str) -> None:
    """Somebody writes all there is."""
    from rubrica.store.models import Study
    from rubrica.store.people.annotators import named
    from tests.store.test_handing_on import says

    row = Study.objects.get(pid=study)
    named(row, [name], NOW)
    says(row, "rewrite", name)


def test_the_api_makes_both_stages_and_counts_what_is_between(people: dict[str, Any]) -> None:
    """The stages name their protocols and what they take; texts are counted when their sentence is settled."""
    study = made(people)
    assert [(one["id"], one["protocol"], one["takes"]) for one in study["stages"]] == [
        ("rewrite", "split_rewrite", ""),
        ("rate", "split_rate", "rewrite"),
    ]
    for name in ("ana", "ben", "eva"):
        write(study["id"], name)
    found = ApiClient(people["owner"]).get(f"/studies/{study['id']}")
    assert (found["collected"]["handed_on"], found["collected"]["texts"]) == (1, 3)
    assert [one["items"] for one in found["stages"]] == [1, 3]
    status, told = ApiClient(people["owner"]).call(
        "post", "/studies", {"title": "No", "protocol": "quality", "then": "salsa"}
    )
    assert (status, told["errors"][0]["rule"]) == (422, "protocols")


def test_the_page_offers_the_judging_protocol(as_: As, people: dict[str, Any]) -> None:
    """The card of a protocol by which people write has a field for the one by which others judge."""
    from rubrica.store.models import Study

    owner = as_("owner")
    assert 'name="split_rewrite.then"' in owner.get("/studies/new/").content.decode()
    sent = {"title": "Bench", "protocol": "split_rewrite", "split_rewrite.then": "split_rate"}
    assert owner.post("/studies/new/", {**sent, "split_rewrite.hand_on": "as_they_come"}).status_code == 302
    study = Study.objects.get(title="Bench")
    assert list(study.stages.values_list("key", "takes")) == [("rewrite", ""), ("rate", "rewrite")]
    assert study.options["hand_on"] == "as_they_come"


def test_a_link_for_raters_leads_to_their_guidelines(as_: As, people: dict[str, Any]) -> None:
    """The page of links says whom each is for; a rater's link leads to the rating, also before there is anything."""
    study = made(people)
    owner = as_("owner")
    sent = {"names": "rosa", "step": "rate"}
    assert owner.post(f"/s/{study['id']}/invite/people/", sent).status_code == 302
    page = owner.get(f"/s/{study['id']}/invite/").content.decode()
    assert '<span class="pill">Rate</span>' in page
    assert owner.post(f"/s/{study['id']}/invite/people/", {"names": "rui", "step": "wash"}).status_code == 422
    (link,) = set(re.findall(r"/w/[A-Za-z0-9_-]+/", page))
    from rubrica.store.models import Study

    Study.objects.get(pid=study["id"]).update(
        options={"steps": dict.fromkeys(("welcome", "consent", "profile"), False)}
    )
    guidelines = text_of(Client().get(link, follow=True))
    assert "makes sense" in guidelines
    assert "Rewrite this sentence" not in guidelines


def test_the_overview_says_what_was_handed_on_and_discarded(as_: As, people: dict[str, Any]) -> None:
    """Numbers between the two stages stand on the overview."""
    study = made(people)
    for name in ("ana", "ben", "eva"):
        write(study["id"], name)
    page = text_of(as_("owner").get(f"/s/{study['id']}/"))
    assert "From writers to judges" in page
    assert re.search(r"Texts handed on\s+3", page)
    assert "From writers to judges" not in text_of(as_("owner").get(f"/s/{made_plain()}/"))


def made_plain() -> str:
    """The standing study of the tests."""
    from rubrica.store.models import Study

    return Study.objects.get(name="study-breve").pid


def test_who_reviewed_an_item_is_said(as_: As, people: dict[str, Any]) -> None:
    """The queue before the launch keeps or leaves out each sentence with a reason, and the name of who decided."""
    from rubrica.store.models import Study

    owner = ApiClient(people["owner"])
    study = owner.call("post", "/studies", {"title": "Bench", "protocol": "split_rewrite", "items": ITEMS})[1]
    item = Study.objects.get(pid=study["id"]).items.get()
    sent = {"item": item.pid, f"decision.{item.pid}": "out", f"reason.{item.pid}": "no sentence", "action": "save"}
    page = as_("owner")
    page.post(f"/s/{study['id']}/setup/review/", sent)
    item.refresh_from_db()
    assert (item.reviewed_by, item.closed_reason) == ("owner", "no sentence")
    assert "by owner" in text_of(page.get(f"/s/{study['id']}/setup/review/"))
