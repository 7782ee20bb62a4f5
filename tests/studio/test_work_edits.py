"""Edits through the annotator's API and pages: kept, refused, submitted, fixed, drawn."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pytest
from django.test import Client
from django.utils import timezone

from rubrica.core.study import Item
from tests.studio.test_work_api import Caller

if TYPE_CHECKING:
    from rubrica.store.models import Assignment, Study

SOURCE, REWRITE = "The 🐑 old gates stay shut.", "Gates are shut."
GONE = {"id": "1", "operation": "deletion", "source": [[6, 9]]}
SWAP = {
    "id": "2",
    "operation": "substitution",
    "source": [[10, 20]],
    "rewrite": [[0, 9]],
    "answers": {"information": "same"},
}


@pytest.fixture
def salsa(make_study: Callable[..., Study]) -> Study:
    """A study of one pair at the stage that selects edits, for one annotator."""
    return make_study("salsa", rows=[Item("p1", {"source": SOURCE, "rewrite": REWRITE})], overlap=1)


class Person:
    """Somebody at work in the study, through the API and through pages."""

    def __init__(self, study: Study, name: str) -> None:
        from rubrica.store.people.invitations import invite, token

        (self.link,) = invite(study, [name], timezone.now())
        self.token = token(self.link)
        self.call = Caller(self.token)

    def lease(self) -> Assignment:
        """What this person holds at the stage that is due."""
        from rubrica.store.allocation.leases import take
        from rubrica.store.people.participation import current_stage

        assert self.link.annotator is not None
        return take(self.link.annotator, current_stage(self.link.annotator), timezone.now()).leases[0]

    def submit(self, edits: list[Any], key: str = "key-0000009", **more: Any) -> Any:
        """Submit the page with these edits."""
        body = {"lease": self.lease().pid, "key": key, "edits": edits, **more}
        return self.call("POST", "/submit", {"judgements": [body]})


@pytest.fixture
def ana(salsa: Study) -> Person:
    """Ana, who selects."""
    return Person(salsa, "ana")


def _kept() -> list[dict[str, Any]]:
    from rubrica.core.edits import to_json
    from rubrica.store.models import Revision
    from rubrica.store.translate import judgement_from

    return [to_json(edit) for edit in judgement_from(Revision.objects.latest("pk")).edits]


def test_draft_keeps_edits_in_the_making(ana: Person) -> None:
    """A draft may have edits without words, without answers, and composites without parts; they come back as sent."""
    edits = [GONE, {"id": "2", "operation": "substitution"}, {"id": "3", "operation": "split"}]
    edits.append({"id": "4", "operation": "insertion", "rewrite": [[0, 5]], "parent": "3"})
    response = ana.call.draft(ana.lease().pid, edits=edits)
    assert response.status_code == 200, response.content
    assert _kept() == edits


@pytest.mark.parametrize(
    ("edit", "rule"),
    [
        ({"operation": "magic"}, "operation"),
        ({"source": [[0, 99]]}, "span"),
        ({"source": [[3, 3]]}, "span"),
        ({"parent": "7"}, "parent"),
        ({"parent": "1"}, "parent"),
        ({"answers": {"color": "red"}}, "unknown_question"),
        ({"answers": {"information": {"a": 1}}}, "form"),
        ({"answers": {"information": "a\0b"}}, "form"),
    ],
)
def test_draft_refuses_what_no_page_could_send(ana: Person, edit: dict[str, Any], rule: str) -> None:
    """Each is named with its edit, and nothing is kept."""
    from rubrica.store.models import Revision

    response = ana.call.draft(ana.lease().pid, edits=[{**GONE, **edit}])
    assert response.status_code == 422
    (error,) = response.json()["errors"]
    assert (error["rule"], error["edit"]) == (rule, "1")
    assert not Revision.objects.exists()


@pytest.mark.parametrize(
    "edit",
    [
        {"id": ""},
        {"id": "x" * 101},
        {"source": [[0]]},
        {"source": [[0, 1.5]]},
        {"source": [["0", "1"]]},
        {"source": [[-1, 2]]},
        {"source": "0-3"},
        {"answers": []},
        {"operation": None},
    ],
)
def test_shape_of_an_edit_is_checked(ana: Person, edit: dict[str, Any]) -> None:
    """What has not the form of an edit is refused by the schema."""
    assert ana.call.draft(ana.lease().pid, edits=[{**GONE, **edit}]).status_code == 422


def test_same_id_twice_and_too_many_are_refused(ana: Person) -> None:
    """Edits have ids of their own, and there are at most 500."""
    lease = ana.lease().pid
    assert ana.call.draft(lease, edits=[GONE, GONE]).json()["errors"][0]["rule"] == "duplicate_edit"
    many = [{**GONE, "id": str(n)} for n in range(501)]
    assert ana.call.draft(lease, edits=many).status_code == 422


def test_protocol_without_edits_takes_none(make_study: Callable[..., Study]) -> None:
    """A page of another protocol cannot bring edits."""
    person = Person(make_study("breve"), "eva")
    response = person.call.draft(person.lease().pid, edits=[GONE])
    assert response.json()["errors"][0]["rule"] == "edits"


def test_submit_names_what_is_unfinished_by_edit(ana: Person) -> None:
    """Every problem comes with its edit and its question, so that the page can go there."""
    response = ana.submit([{**SWAP, "answers": {}}, {"id": "5", "operation": "split"}])
    assert response.status_code == 422
    found = [(one["edit"], one.get("question", ""), one["rule"]) for one in response.json()["errors"]]
    assert found == [("2", "information", "required"), ("5", "", "constituents")]


def test_submit_keeps_implied_answers_and_drops_hidden_ones(ana: Person) -> None:
    """A deletion means less information; an answer to a question that is no longer asked is not kept."""
    assert ana.submit([GONE, {**SWAP, "answers": {"information": "same"}}]).status_code == 200
    assert _kept() == [{**GONE, "answers": {"information": "less"}}, SWAP]


def test_submitting_the_same_again_is_no_correction(ana: Person) -> None:
    """Another tab that submits the same edits under another key makes no revision; other edits do."""
    from rubrica.store.models import Revision

    lease = ana.lease().pid
    for key, edits in (("key-000001", [GONE]), ("key-000002", [GONE]), ("key-000003", [GONE, SWAP])):
        body = {"judgements": [{"lease": lease, "key": key, "edits": edits}]}
        assert ana.call("POST", "/submit", body).status_code == 200
    assert list(Revision.objects.values_list("number", flat=True)) == [1, 2]


def _through_adjudication(study: Study, ana: Person) -> Person:
    """Ana selects, dora settles the same; the pair is ana's to classify."""
    assert ana.submit([GONE, SWAP]).status_code == 200
    dora = Person(study, "dora")
    assert dora.submit([GONE, SWAP]).status_code == 200
    return ana


def test_fixed_edits_take_answers_only(salsa: Study, ana: Person) -> None:
    """At the stage that classifies, the settled edits stand on the page, and a submit that moves one is refused."""
    _through_adjudication(salsa, ana)
    data = _data(ana)
    assert data["scheme"]["fixed"] is True
    given = data["items"][ana.lease().pid]["edits"]
    assert [edit["operation"] for edit in given] == ["deletion", "substitution"]
    rated = {"grammar_error": "no", "deletion_type": "trivial_deletion"}
    first = {**given[0], "answers": rated}
    second = {**given[1], "answers": {"information": "same", "paraphrase_impact": "no_impact", "grammar_error": "no"}}
    moved = ana.submit([{**first, "source": [[6, 10]]}, second])
    assert [(one["edit"], one["rule"]) for one in moved.json()["errors"]] == [("1", "fixed_edit")]
    assert [one["rule"] for one in ana.submit([first]).json()["errors"]] == ["fixed_edit"]
    assert ana.submit([first, second]).status_code == 200
    assert _kept()[0]["answers"] == {"information": "less", **rated}


def _data(person: Person) -> dict[str, Any]:
    """What the page tells its script."""
    page = Client().get(f"/w/{person.token}/work/{person.lease().pid}/").content.decode()
    text = page.split('<script type="application/json" class="desk-data">')[1].split("</script>")[0]
    return dict(json.loads(text))


def test_page_tells_the_script_texts_edits_and_operations(ana: Person) -> None:
    """Operations with letters, looks and questions; texts as they were imported; the draft's edits."""
    ana.call.draft(ana.lease().pid, edits=[GONE])
    data = _data(ana)
    item = data["items"][ana.lease().pid]
    assert item["texts"] == {"source": SOURCE, "rewrite": REWRITE}
    assert item["edits"] == [GONE]
    deletion, *_, reorder, _split, _structure = data["scheme"]["operations"]
    assert (deletion["key"], deletion["sides"], deletion["preset"]) == ("d", ["source"], {"information": "less"})
    # What an operation implies is not asked; what the stage does not ask neither.
    assert (deletion["questions"], reorder["questions"]) == ([], ["reorder_level"])


def test_without_script_the_page_shows_edits_and_refuses_a_form_without_them(ana: Person) -> None:
    """A form cannot say which edits there are, so it is not taken for none; leaving the item works."""
    from rubrica.store.models import Revision

    lease = ana.lease().pid
    ana.call.draft(lease, edits=[GONE])
    client, address = Client(), f"/w/{ana.token}/work/{lease}/"
    page = client.get(address).content.decode()
    assert '<span class="mk look-1 lane-0">old</span><bdi class="tag look-1">D1</bdi>' in page
    assert "Marking edits needs JavaScript" in page
    answer = client.post(address, {f"{lease}.key": "key-form-1"})
    assert answer.status_code == 422
    assert "Edits are marked with JavaScript" in answer.content.decode()
    assert client.post(address, {f"{lease}.key": "key-form-2", "outcome": "uncomfortable"}).status_code == 302
    assert Revision.objects.filter(draft=False).get().outcome == "uncomfortable"


def test_history_draws_submitted_edits(ana: Person) -> None:
    """One's own judgements show the texts with the edits in place and a list of them."""
    ana.submit([GONE, SWAP])
    page = Client().get(f"/w/{ana.token}/history/").content.decode()
    assert '<span class="mk look-1 lane-0">old</span><bdi class="tag look-1">D1</bdi>' in page
    assert '<b class="tag">S2</b>' in page


def test_preview_shows_the_editor_and_forgets(people: dict[str, Any]) -> None:
    """The preview of a protocol with edits is the editor; what is sent there is checked and not kept."""
    from rubrica.store.models import Revision

    client = Client()
    client.force_login(people["owner"])
    assert "<rubrica-edits" in client.get("/protocols/salsa/preview/1/").content.decode()
    body = {"judgements": [{"lease": "t1i1", "edits": [{"id": "1", "operation": "split"}]}]}
    answer = client.post("/protocols/salsa/preview/1/submit", json.dumps(body), content_type="application/json")
    assert [one["rule"] for one in answer.json()["errors"]] == ["constituents"]
    assert not Revision.objects.exists()


@pytest.mark.parametrize(
    ("edits", "rule", "told"),
    [
        ([{**GONE, "source": [[6, 900]]}], "span", "Márcalas otra vez"),
        ([GONE, {**GONE, "source": [[0, 3]]}], "duplicate_edit", "está dos veces"),
        ([{"id": "3", "operation": "split"}], "constituents", "se compone de partes"),
        ([{**GONE, "operation": "erasure"}], "operation", "vuelve a hacerla"),
        ([{**SWAP, "answers": {"information": "much"}}], "scale", "Elige una de las respuestas"),
        ([{**SWAP, "answers": {}}], "required", "no tiene respuesta"),
        ([{**GONE, "parent": "9"}], "parent", "Sácala"),
    ],
)
def test_what_is_wrong_with_edits_is_told_in_the_language_of_the_page(
    ana: Person, edits: list[Any], rule: str, told: str
) -> None:
    """The validator speaks English to scripts; whoever is at work in Spanish reads Spanish."""
    ana.call.client.cookies["rubrica_language"] = "es"
    response = ana.submit(edits)
    assert response.status_code == 422
    found = {error["rule"]: error["what"] for error in response.json()["errors"]}
    assert told in found[rule]


def test_a_draft_that_cannot_be_kept_is_told_in_the_language_of_the_page(ana: Person) -> None:
    """Also while somebody is still at it."""
    ana.call.client.cookies["rubrica_language"] = "es"
    response = ana.call.draft(ana.lease().pid, edits=[{**GONE, "source": [[6, 900]]}])
    assert response.status_code == 422
    assert "Márcalas otra vez" in response.json()["errors"][0]["what"]
